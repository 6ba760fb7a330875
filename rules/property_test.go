package rules

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/capdoctor/capdoctor/series"
)

// The judge joins shared operands in Go. Where the engine evaluates the whole
// expression of an alert, with the same windows, it must find the same subjects.
func TestJudgeAgreesWithTheEngine(t *testing.T) {
	holding := 0
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 1))
		c := load(t, randomCatalog(rng, 6))
		s := newScenario(t, c, randomFeeds(rng, 40, true)...)
		s.run(func(tick int64) {
			got, want := s.held(), s.oracle(tick)
			holding += len(want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d at %s (-engine +judge):\n%s", seed, utc(tick).Sub(testBegin), diff)
			}
		})
	}
	if holding < 1000 {
		t.Errorf("only %d alerts held on a subject: the data proves little", holding)
	}
}

// held lists what the judge holds true at its last tick: alert and subject.
func (s *scenario) held() []string {
	var all []string
	for _, jd := range s.judge.now.judged {
		for n, truth := range jd.truths {
			if truth == yes {
				all = append(all, heldText(jd.diagnosis.variants[n], jd.labels))
			}
		}
	}
	slices.Sort(all)
	return all
}

func heldText(v *variant, l series.Labels) string {
	return fmt.Sprintf("%s: %s %s", v.alert, v.rule.Expr.Value, metric(l))
}

// oracle lists what the engine holds true when it evaluates whole alerts.
func (s *scenario) oracle(tick int64) []string {
	found := map[string]bool{}
	p := s.judge.now.plan
	for _, d := range s.judge.catalog.Diagnoses {
		for _, v := range d.variants {
			for _, g := range p.byInstance {
				for _, x := range s.whole(v, g.windows, tick) {
					if _, own := g.owners[x.Labels.Get("instance")]; own {
						found[heldText(v, x.Labels)] = true
					}
				}
			}
			for _, x := range s.whole(v, p.wide.windows, tick) {
				if x.Labels.Get("instance") == "" {
					found[heldText(v, x.Labels)] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// whole is the engine's answer to the whole expression of an alert.
func (s *scenario) whole(v *variant, own Windows, tick int64) []series.Sample {
	p := s.judge.now.plan
	samples, err := s.store.Instant(s.Context(), p.wide.view, wholeExpr(s.T, v, own, p.wide.windows), tick)
	if err != nil {
		s.Fatal(err)
	}
	return samples
}

// wholeExpr is the expression of an alert with its windows filled in: own ones
// for what speaks of one target, wide ones for what speaks of a service.
func wholeExpr(t *testing.T, v *variant, own, wide Windows) string {
	t.Helper()
	expr, err := newParser().ParseExpr(v.rule.Expr.Value)
	if err != nil {
		t.Fatal(err)
	}
	parser.Inspect(expr, func(node parser.Node, path []parser.Node) error {
		m, ok := node.(*parser.MatrixSelector)
		if !ok {
			return nil
		}
		w := own
		if overService(m, path) {
			w = wide
		}
		m.Range = w.length(functionAbove(path), m.Range)
		return nil
	})
	return expr.String()
}

func overService(m *parser.MatrixSelector, path []parser.Node) bool {
	return m.VectorSelector.(*parser.VectorSelector).Name == "cap:s" || slices.ContainsFunc(path, func(n parser.Node) bool {
		a, ok := n.(*parser.AggregateExpr)
		return ok && !slices.Contains(a.Grouping, "instance")
	})
}

// Judging all ticks at once, one by one, and as samples come in is the same.
func TestAdvanceAtOnceAndTickByTick(t *testing.T) {
	findings := 0
	for seed := range uint64(5) {
		files := randomCatalog(rand.New(rand.NewPCG(seed, 2)), 6)
		made := func(gaps bool) *scenario {
			return newScenario(t, load(t, files), randomFeeds(rand.New(rand.NewPCG(seed, 3)), 60, gaps)...)
		}
		atOnce, byTick := made(true).ingest(), made(true).ingest()
		atOnce.advance(atOnce.ticks()...)
		for _, tick := range byTick.ticks() {
			byTick.advance(tick)
		}
		sameOutcome(t, seed, "at once", atOnce, "tick by tick", byTick)
		// A gap is known only when it is over: live judging cannot see it before.
		live, closed := made(false).run(), made(false).ingest()
		closed.advance(closed.ticks()...)
		sameOutcome(t, seed, "closed", closed, "live", live)
		findings += len(live.report().Findings) + len(live.judge.History())
	}
	if findings < 100 {
		t.Errorf("only %d findings and episodes: the data proves little", findings)
	}
}

// sameOutcome compares recorded signals, states, episodes and the report.
func sameOutcome(t *testing.T, seed uint64, nameA string, a *scenario, nameB string, b *scenario) {
	t.Helper()
	title := fmt.Sprintf("seed %d (-%s +%s):\n", seed, nameA, nameB)
	if diff := cmp.Diff(a.recorded(), b.recorded(), cmpopts.EquateNaNs()); diff != "" {
		t.Fatalf("signals, %s%s", title, diff)
	}
	if diff := cmp.Diff(a.states(), b.states()); diff != "" {
		t.Fatalf("states, %s%s", title, diff)
	}
	if diff := cmp.Diff(a.judge.History(), b.judge.History()); diff != "" {
		t.Fatalf("episodes, %s%s", title, diff)
	}
	if diff := cmp.Diff(a.report(), b.report(), cmpopts.EquateNaNs(), cmpopts.IgnoreUnexported(Evidence{})); diff != "" {
		t.Fatalf("reports, %s%s", title, diff)
	}
}

// recorded are the points of all signals, by series.
func (s *scenario) recorded() map[string][]series.Point {
	all := map[string][]series.Point{}
	for _, name := range s.store.Names() {
		if isSignalName(name) {
			for _, x := range s.store.Select(name, 0, at(1<<40)) {
				all[x.Labels.String()] = x.Points
			}
		}
	}
	return all
}

// states are the tracks of the judge: state, since, and whether it is stopped.
func (s *scenario) states() map[string]string {
	all := map[string]string{}
	for key, tr := range s.judge.tracks {
		since := ""
		if tr.state >= Pending {
			since = utc(tr.since).Sub(testBegin).String()
		}
		all[key.id+" "+tr.labels.String()] = fmt.Sprint(tr.state, " ", since, " ", tr.stopped, " ", tr.once)
	}
	return all
}

// The same samples give the same report, in whatever order targets were added
// and series stand on a page.
func TestReportDoesNotDependOnOrder(t *testing.T) {
	for seed := range uint64(4) {
		files := randomCatalog(rand.New(rand.NewPCG(seed, 4)), 8)
		var first string
		for round := range 3 {
			feeds := randomFeeds(rand.New(rand.NewPCG(seed, 5)), 40, true)
			shuffle := rand.New(rand.NewPCG(seed, uint64(round)))
			if round > 0 {
				shuffle.Shuffle(len(feeds), func(i, k int) { feeds[i], feeds[k] = feeds[k], feeds[i] })
			}
			s := newScenario(t, load(t, files), feeds...)
			for _, b := range s.batches {
				shuffle.Shuffle(len(b.Samples), func(i, k int) { b.Samples[i], b.Samples[k] = b.Samples[k], b.Samples[i] })
			}
			got := fmt.Sprintf("%s\n%+v", dump(s.run().report()), s.judge.History())
			if first == "" {
				first = got
			}
			if diff := cmp.Diff(first, got); diff != "" {
				t.Fatalf("seed %d, round %d:\n%s", seed, round, diff)
			}
		}
	}
}

// dump writes everything in a report; findings that are linked by name.
func dump(r *Report) string {
	text := ""
	for _, f := range r.Findings {
		var explains []string
		for _, g := range f.Explains {
			explains = append(explains, g.ID+g.Subject.String())
		}
		plain := *f
		plain.Explains = nil
		text += fmt.Sprintf("%+v explains %q\n", plain, explains)
	}
	for _, c := range r.Cleared {
		text += fmt.Sprintf("%s clear on %d, nearest %+v\n", c.ID, c.Subjects, *c.Nearest)
	}
	rest := *r
	rest.Findings, rest.Cleared = nil, nil
	return text + fmt.Sprintf("%+v", rest)
}
