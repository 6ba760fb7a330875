package series

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/prometheus/promql/parser"
)

// A program answers what the engine answers, bit for bit: many random
// expressions, each asked at many times, over all inputs and over some.
func TestProgramAnswersLikeEngine(t *testing.T) {
	const rounds, expressions, times = 120, 700, 25
	rng := rand.New(rand.NewPCG(5, 6))
	s := randomStore(rng, rounds)
	views := []View{{}, s.ViewOf(1, 2)}
	compiled, answered, answers := 0, 0, 0
	for range expressions {
		text := randomProgram(rng, 3)
		expr, err := parser.NewParser(parser.Options{}).ParseExpr(text)
		if err != nil {
			t.Fatalf("%s: %s", text, err)
		}
		p := s.Compile(expr)
		if p == nil {
			continue
		}
		compiled++
		answered++ // unless the engine is asked once
		told := true
		for range times {
			at, view := rng.Int64N(rounds*10_000+300_000)-20_000, views[rng.IntN(2)]
			got, ok := ask(p, view, asWritten, at)
			want, err := s.Instant(t.Context(), view, text, at)
			if err != nil && ok {
				t.Fatalf("%s at %d: the engine has %q, the program %d samples", text, at, err, len(got))
			}
			if !ok {
				told = false
				continue
			}
			if diff := cmp.Diff(want, got, sameLabels, sameBits, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%s at %d (-engine +program):\n%s", text, at, diff)
			}
			answers += len(got)
		}
		if !told {
			answered--
		}
	}
	t.Logf("%d expressions, %d compiled, %d of them never needed the engine; %d samples equal", expressions, compiled, answered, answers)
	if compiled < expressions*3/4 || answered < compiled/2 || answers < 10_000 {
		t.Errorf("of %d expressions %d compiled and %d never needed the engine: %d samples", expressions, compiled, answered, answers)
	}
}

// What a program remembers of labels stays right while series come and go.
func TestProgramForgets(t *testing.T) {
	s := New(Options{Raw: 10 * interval, Signals: 10 * interval})
	id := s.AddSource(Source{Instance: "app", Interval: interval})
	var programs []*Program
	texts := []string{
		"sum by (pool) (n)", "n * on (pool) group_left () max by (pool) (m)", "n and on (pool) m",
		`label_replace(rate(n[1m]), "resource", "$1", "pool", "(.*)")`, "n - ignoring (x) m",
	}
	for _, text := range texts {
		programs = append(programs, compileText(t, s, text))
	}
	for round := range 150 {
		b := Batch{Source: id, Time: seconds(round * 10)}
		for k := range 30 {
			pool := fmt.Sprint("p", round*7+k) // most pools are new, some stay a few rounds
			for _, name := range []string{"n", "m"} {
				b.Samples = append(b.Samples, Sample{Labels: FromStrings("__name__", name, "pool", pool), Value: float64(round + k)})
			}
		}
		s.Ingest(b)
		for i, p := range programs {
			got, ok := ask(p, View{}, asWritten, b.Time)
			if !ok {
				t.Fatalf("%s: the engine must be asked", texts[i])
			}
			want, err := s.Instant(t.Context(), View{}, texts[i], b.Time)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, sameLabels, sameBits, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%s in round %d (-engine +program):\n%s", texts[i], round, diff)
			}
		}
	}
	sum := programs[0].root.(*aggregate)
	if n := len(sum.bySet); n > 2000 {
		t.Errorf("%d groups are kept of 30 that there are", n)
	}
}

// A program evaluates with the windows it is given.
func TestProgramWindows(t *testing.T) {
	s, id := newSource(Options{}, Scrape)
	feed(t, s, id, 0, "......", `c_total 0 10 20 30 40 100`)
	p := compileText(t, s, "increase(c_total[1m])")
	for _, window := range []time.Duration{15 * time.Second, 25 * time.Second, 55 * time.Second} {
		got, ok := ask(p, View{}, func(string, time.Duration) time.Duration { return window }, seconds(50))
		want, err := s.Instant(t.Context(), View{}, fmt.Sprintf("increase(c_total[%s])", window), seconds(50))
		if diff := cmp.Diff(want, got, sameLabels, sameBits); err != nil || !ok || diff != "" {
			t.Errorf("over %s: %v %v (-engine +program):\n%s", window, err, ok, diff)
		}
	}
}

func compileText(t testing.TB, s *Store, text string) *Program {
	t.Helper()
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(text)
	if err != nil {
		t.Fatalf("%s: %s", text, err)
	}
	p := s.Compile(expr)
	if p == nil {
		t.Fatalf("%s does not compile", text)
	}
	return p
}

// ask evaluates a program and gives the answer as the store would.
func ask(p *Program, v View, length Lengths, t int64) ([]Sample, bool) {
	elements, ok := p.Instant(v, length, t)
	var samples []Sample
	for _, e := range elements {
		samples = append(samples, Sample{Labels: e.Set.Value(), Time: t, Value: e.Value})
	}
	return samples, ok
}

func asWritten(_ string, d time.Duration) time.Duration { return d }

var sameBits = cmp.Comparer(func(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
})

// randomProgram writes expressions of the kind that rules are written in, and a
// few that only the engine knows.
func randomProgram(rng *rand.Rand, depth int) string {
	pick := func(choices ...string) string { return choices[rng.IntN(len(choices))] }
	selector := func() string {
		return pick("a", "b", "c_total", "d_total", "nothing") +
			pick("", "", "", "", `{pool="x"}`, `{instance!="1"}`, `{instance="1"}`, `{instance=~"0|2",pool!~"x.*"}`, `{pool=""}`)
	}
	if rng.IntN(40) == 0 {
		return pick(`{__name__=~"a|b"}`, "a offset 30s", "a @ 300", "absent(b)", "topk(1, a)", "timestamp(a)", "stddev(a)")
	}
	window := func() string { return pick("[1m]", "[5m]", "[25s]", "[65s]", "[10m]") }
	if depth == 0 || rng.IntN(4) == 0 {
		if rng.IntN(3) == 0 {
			return selector()
		}
		if rng.IntN(8) == 0 {
			return "quantile_over_time(" + pick("0.9", "0", "1 / 3", "2") + ", " + selector() + window() + ")"
		}
		return overRange[rng.IntN(len(overRange))] + "(" + selector() + window() + ")"
	}
	inner := func() string { return randomProgram(rng, depth-1) }
	number := func() string { return pick("1", "0", "0.2 * 3", "-2", "time()", "(3 > bool 2)") }
	match := func() string { return pick("", "on (instance)", "ignoring (pool)", "on (instance, pool)", "on ()") }
	switch rng.IntN(9) {
	case 0:
		return pick("sum", "max", "min", "count", "avg", "group") + pick("", " by (instance)", " without (pool)", " by (pool, instance)", " by (none)") + " (" + inner() + ")"
	case 1:
		return "(" + inner() + ") " + pick("and", "or", "unless") + " " + match() + " (" + inner() + ")"
	case 2:
		return "(" + inner() + ") " + pick("+", "*", "/", "-", "^", "%", ">", "<=", "==", "!= bool", "< bool") + " " + number()
	case 3:
		return number() + " " + pick("+", "/", "-", ">=", "< bool", "!=") + " (" + inner() + ")"
	case 4:
		return "(" + inner() + ") " + pick("+", "*", "/", "-", ">", "<=", "== bool") + " " + match() + " (" + inner() + ")"
	case 5:
		return "max by (instance, pool) (" + inner() + ") " + pick(">", "/", "-", "== bool") + " on (instance) " + pick("group_left ()", "group_left (pool)") + " max by (instance) (" + inner() + ")"
	case 6:
		return "max by (instance) (" + inner() + ") " + pick("<", "*") + " on (instance) group_right () sum by (instance, pool) (" + inner() + ")"
	case 7:
		return fmt.Sprintf(pick(`label_replace(%s, "resource", "$1-$2", "pool", "(.)(.*)")`, `label_replace(%s, "pool", "", "pool", "x")`, `label_replace(%s, "__name__", "q", "pool", "y")`,
			`label_join(%s, "both", "/", "instance", "pool")`), inner())
	}
	return fmt.Sprintf(pick("floor(%s)", "ceil(%s)", "abs(%s)", "round(%s)", "round(%s, 0.1)", "-(%s)", "+(%s)", "clamp_min(%s, 1)", "clamp_max(%s, 2)", "clamp(%s, 0, 3)", "clamp(%s, 3, 0)"), inner())
}
