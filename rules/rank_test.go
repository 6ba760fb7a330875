package rules

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/common/model"
)

// order lists the findings of a report in a few words.
func order(r *Report) []string {
	var all []string
	for _, f := range r.Findings {
		all = append(all, fmt.Sprintf("%s on %s%s", f.ID, f.Subject["instance"], f.Subject["kind"]))
	}
	return all
}

func TestCauseStandsAboveConsequence(t *testing.T) {
	c := testCatalog(t, map[string]string{
		"diagnoses/cause.yaml":  diagnosis("cause", "cap:waiting > 5", "explains: effect detail"),
		"diagnoses/effect.yaml": diagnosis("effect", "cap:pool_busy > 5", "severity: critical", "explains: detail"),
		"diagnoses/detail.yaml": diagnosis("detail", "cap:pool_size > 5", "severity: critical"),
		"diagnoses/apart.yaml":  diagnosis("apart", "cap:pool_max > 5", "severity: critical"),
		"diagnoses/aside.yaml":  diagnosis("aside", "cap:cpu_busy_ratio >= 0", "severity: info", "explains: cause"),
	})
	const all = "cap:waiting _ 9 9\ncap:pool_busy 9 9 9\ncap:pool_size 9 9 9\ncap:cpu_busy_ratio 0 0 0"
	tests := []struct {
		name  string
		feeds []feed
		want  []string
		links map[string][]string // finding to what it explains; nil is not compared
	}{
		{"in a chain", []feed{{lines: all}},
			[]string{"cause on app", "effect on app", "detail on app", "aside on app"},
			map[string][]string{"cause on app": {"detail on app", "effect on app"}, "effect on app": {"detail on app"}, "aside on app": {"cause on app"}}},
		{"a stranger of the same severity goes by id", []feed{{lines: all + "\ncap:pool_max _ 9 9"}},
			[]string{"apart on app", "cause on app", "effect on app", "detail on app", "aside on app"}, nil},
		{"on another target that has no cause of its own", []feed{{instance: "a", lines: "cap:pool_busy 9 9 9"}, {instance: "b", lines: "cap:waiting _ 9 9"}},
			[]string{"cause on b", "effect on a"}, map[string][]string{"cause on b": {"effect on a"}}},
		{"each on its own target", []feed{{instance: "a", lines: "cap:waiting 9 9 9\ncap:pool_busy 9 9 9"}, {instance: "b", lines: "cap:waiting _ 9 9\ncap:pool_busy 9 9 9"}},
			[]string{"cause on a", "effect on a", "cause on b", "effect on b"},
			map[string][]string{"cause on a": {"effect on a"}, "cause on b": {"effect on b"}}},
		{"not in another service", []feed{{instance: "a", service: "x", lines: "cap:pool_busy 9 9 9"}, {instance: "b", service: "y", lines: "cap:waiting _ 9 9"}},
			[]string{"effect on a", "cause on b"}, map[string][]string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newScenario(t, c, tt.feeds...).run().report()
			if diff := cmp.Diff(tt.want, order(r)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			links := map[string][]string{}
			for i, f := range r.Findings {
				for _, g := range f.Explains {
					links[order(r)[i]] = append(links[order(r)[i]], order(&Report{Findings: []*Finding{g}})...)
				}
			}
			if tt.links == nil {
				return
			}
			if diff := cmp.Diff(tt.links, links, cmpopts.SortSlices(func(a, b string) bool { return a < b })); diff != "" {
				t.Errorf("links (-want +got):\n%s", diff)
			}
		})
	}
}

// The threads wait for the connections.
func TestConnectionsStandAboveThreads(t *testing.T) {
	c := oneDiagnosis(t, "cap:waiting > 0")
	r := newScenario(t, c, feed{lines: `cap:waiting{kind="threads", resource="a"} 1 1 1` + "\n" + `cap:waiting{kind="connections", resource="z"} _ 1 1` + "\n" + `cap:waiting{kind="queue", resource="q"} 1 1 1`}).run().report()
	if diff := cmp.Diff([]string{"x on appqueue", "x on appconnections", "x on appthreads"}, order(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFiringBeforePendingBeforeInfo(t *testing.T) {
	c := testCatalog(t, map[string]string{
		"diagnoses/firing.yaml":   diagnosis("firing", "cap:waiting > 0", "severity: warning"),
		"diagnoses/pending.yaml":  diagnosis("pending", "cap:pool_busy > 0", "severity: critical", "for: 5m"),
		"diagnoses/told.yaml":     diagnosis("told", "cap:pool_size > 0", "severity: info"),
		"diagnoses/critical.yaml": diagnosis("critical", "cap:pool_max > 0", "severity: critical"),
		"diagnoses/earlier.yaml":  diagnosis("earlier", "cap:cpu_busy_ratio > 0", "severity: warning"),
	})
	r := newScenario(t, c, feed{lines: "cap:waiting 0 0 0 1 1\ncap:pool_busy 0 0 0 0 1\ncap:pool_size 1x4\ncap:pool_max 0 0 0 1 1\ncap:cpu_busy_ratio 0 1x3"}).run().report()
	if diff := cmp.Diff([]string{"earlier on app", "critical on app", "firing on app", "pending on app", "told on app"}, order(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// However findings come and explain each other, none stands below what it
// explains, unless it is only information or pending.
func TestRankProperties(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 0))
		var all []*Finding
		for n := range 12 {
			all = append(all, &Finding{
				ID: fmt.Sprintf("d%d", rng.IntN(5)), State: []State{Firing, Firing, Pending}[rng.IntN(3)], Severity: severities[rng.IntN(3)],
				Since: testBegin.Add(time.Duration(rng.IntN(3)) * time.Minute), Subject: model.Metric{"instance": model.LabelValue(fmt.Sprint(n))},
			})
		}
		for n, f := range all {
			for _, g := range all[n+1:] {
				if rng.IntN(5) == 0 {
					f.Explains = append(f.Explains, g)
				}
			}
		}
		want := rank(all)
		rng.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		got := rank(all)
		place := map[*Finding]int{}
		for i, f := range got {
			if f != want[i] {
				t.Fatalf("seed %d: the order depends on the order of arrival", seed)
			}
			place[f] = i
		}
		if len(place) != len(all) {
			t.Fatalf("seed %d: %d of %d findings", seed, len(place), len(all))
		}
		for i, f := range got {
			if i > 0 && tier(got[i-1]) > tier(f) {
				t.Fatalf("seed %d: tiers are mixed", seed)
			}
			for _, g := range f.Explains {
				if tier(f) <= tier(g) && place[f] > place[g] {
					t.Fatalf("seed %d: %s stands below what it explains", seed, f.ID)
				}
			}
		}
	}
}
