package report_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
)

// pieces are what hostile strings are made of.
var pieces = []string{
	"a", "pool", " ", "\n", "\r", "\t", "\x00", "\x07", "\x1b[2J", "\x1b]8;;http://x\x07", "\x7f", "\u0085", "\u009b",
	"\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\u2028", "\xff", "\xc3", "e\u0301", "\u0301", "データ", "👩‍👩‍👧", "🇩🇪", "\ufe0f",
	"|", "`", "```", "<script>", "&", "*", "_", "#", "[x](y)", "\\", "\"", "-", "0.7 %", strings.Repeat("x", 300), "\U000e0041",
}

func hostileString(rnd *rand.Rand) string {
	var b strings.Builder
	for range rnd.IntN(12) {
		b.WriteString(pieces[rnd.IntN(len(pieces))])
	}
	return b.String()
}

// fill puts random values into everything that v holds.
func fill(rnd *rand.Rand, v reflect.Value, depth int) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(judgedAt.Add(time.Duration(rnd.IntN(1e6)) * time.Second)))
		return
	}
	if !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(hostileString(rnd))
	case reflect.Float64:
		v.SetFloat([]float64{0, 0.0667, 16, 1024, -3, 1e300, math.NaN(), math.Inf(1)}[rnd.IntN(8)])
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(rnd.IntN(1e9)))
	case reflect.Uint8:
		v.SetUint(uint64(rnd.IntN(4)))
	case reflect.Bool:
		v.SetBool(rnd.IntN(2) == 0)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(rnd, v.Field(i), depth)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(rnd, v.Elem(), depth+1)
	case reflect.Slice:
		n := rnd.IntN(5)
		if depth > 2 {
			n = 0
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(rnd, v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rnd.IntN(4) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(rnd, key, depth+1)
			fill(rnd, value, depth+1)
			v.SetMapIndex(key, value)
		}
	}
}

func randomReport(seed uint64) *rules.Report {
	rnd := rand.New(rand.NewPCG(seed, 1))
	var r rules.Report
	fill(rnd, reflect.ValueOf(&r).Elem(), 0)
	for _, f := range r.Findings { // words of ours, so that every form is reached
		f.State = []rules.State{rules.Pending, rules.Firing}[rnd.IntN(2)]
		f.Severity = []string{rules.Critical, rules.Warning, rules.Info}[rnd.IntN(3)]
		f.Subject["instance"] = "evento\x1b[1m-server"
	}
	if rnd.IntN(4) == 0 {
		r.Findings = nil
	}
	if rnd.IntN(4) == 0 {
		r.Findings, r.Cleared = nil, nil
	}
	return &r
}

// Whatever a target or a log says, no form of a report holds anything that a
// terminal would obey, no text is wider than asked for, and none fails.
func TestHostileReports(t *testing.T) {
	for seed := range uint64(300) {
		r := randomReport(seed)
		for _, o := range []report.Options{{}, {Width: 60, ASCII: true}, {Width: 132}} {
			text := textOf(t, r, o)
			what := fmt.Sprintf("text of seed %d, width %d", seed, o.Width)
			assertPlain(t, what, text)
			assertWidth(t, what, text, max(o.Width, 60), o)
		}
		doc := jsonOf(t, r, report.Options{})
		assertPlain(t, fmt.Sprintf("json of seed %d", seed), string(doc))
		line := report.Provisional(r, report.Options{}, 2, time.Second)
		assertPlain(t, "provisional", line)
		assertWidth(t, "provisional", line, 80, report.Options{})
		if strings.Contains(line, "\n") {
			t.Errorf("seed %d: the provisional line breaks: %q", seed, line)
		}
	}
}

func assertWidth(t *testing.T, what, text string, width int, o report.Options) {
	t.Helper()
	if o.Width == 0 {
		width = 80
	}
	for _, line := range strings.Split(text, "\n") {
		if w := report.Width(line); w > width {
			t.Errorf("%s: %d columns: %q", what, w, line)
		}
	}
}

// The same report gives the same bytes.
func TestDeterministic(t *testing.T) {
	for seed := range uint64(20) {
		var first []byte
		for range 3 {
			r := randomReport(seed)
			got := bytes.Join([][]byte{[]byte(textOf(t, r, report.Options{})), jsonOf(t, r, report.Options{})}, nil)
			if first == nil {
				first = got
			}
			if !bytes.Equal(first, got) {
				t.Fatalf("seed %d: two reports differ", seed)
			}
		}
	}
}
