package rules

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/capdoctor/capdoctor/series"
)

// The verdict at every tick, ten seconds apart: F firing, P pending, u unknown,
// c clear, n not applicable.
func TestVerdicts(t *testing.T) {
	const waits = "cap:waiting > 0"
	tests := []struct {
		name   string
		expr   string
		hold   string
		lines  string
		rounds string
		want   string
	}{
		{"true from the first tick on", waits, "20s", "cap:waiting 1x5", "", "FFFFFF"},
		{"true on the only tick", waits, "20s", "cap:waiting 1", "", "F"},
		{"for its time", waits, "20s", "cap:waiting 0x5 1x5", "", "ccccccPPFFFF"},
		{"half the time watched at most", waits, "5m", "cap:waiting 0 1x5", "", "cPFFFFF"},
		{"two ticks at least", waits, "0s", "cap:waiting 0x5 1 1 0 1 1", "", "ccccccPFcPF"},
		{"a break begins anew", waits, "20s", "cap:waiting 0x9 1 1 0 1 1 1 1", "", "ccccccccccPPcPPFF"},
		{"over at once", waits, "20s", "cap:waiting 0x9 1 1 1 0 0", "", "ccccccccccPPFcc"},
		{"gone", waits, "0s", "cap:waiting 1 1 _ 1 1 _ 1\nup_time 1x9", "", "FFnPFnPnnn"},
		{"a gap begins anew", waits, "20s", "cap:waiting 0x9 1 1 1 1 1 1 1 1 1", "............---.....", "ccccccccccPPFFFFn"},
		{"no number is no signal", waits, "0s", "cap:waiting 0 NaN 0", "", "cnc"},
		{"a threshold is missing", "cap:pool_busy >= cap:pool_max", "0s", "cap:pool_busy 5x5\ncap:pool_max _ _ 5 5 _ 5", "", "uuPFuP"},
		{"false beats missing", "cap:waiting > 0\nand on (instance, system, resource) cap:pool_busy >= cap:pool_max", "0s", "cap:waiting 0 0 1 1\ncap:pool_busy 1x3", "", "ccuu"},
		{"excluded", "cap:waiting > 0\nunless on (instance) cap:gc_ratio > 0.1", "0s", "cap:waiting 1x5\ncap:gc_ratio 0 0 0.5 0.5 _ 0", "", "FFccPF"},
		{"one of two", "(cap:waiting > 5 or cap:pool_busy > 5)", "0s", "cap:waiting 9 9 0 0 0 0\ncap:pool_busy 0 0 0 0 9 9", "", "FFccPF"},
		{"any of several rows", "cap:cpu_busy_ratio < 0.3\nand on (instance) cap:waiting > 0", "0s", "cap:cpu_busy_ratio 0x5\ncap:waiting{resource=\"a\"} 0x5\ncap:waiting{resource=\"b\"} 0 0 1 1 0 0", "", "ccPFcc"},
		{"a missing row among false ones", "cap:cpu_busy_ratio < 0.3\nand on (instance) cap:pool_busy >= cap:pool_max", "0s", "cap:cpu_busy_ratio 0x3\ncap:pool_busy{resource=\"a\"} 0x3\ncap:pool_max{resource=\"a\"} 1x3\ncap:pool_busy{resource=\"b\"} _ _ 1 1", "", "ccuu"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScenario(t, oneDiagnosis(t, tt.expr, "for: "+tt.hold), feed{rounds: tt.rounds, lines: tt.lines})
			if got := s.verdicts("x"); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestSince(t *testing.T) {
	s := newScenario(t, oneDiagnosis(t, "cap:waiting > 0", "for: 20s"), feed{lines: "cap:waiting 0x9 1x9"}).run()
	f := s.finding("x")
	if want := testBegin.Add(100 * time.Second); !f.Since.Equal(want) || f.SeenOnce || f.State != Firing {
		t.Errorf("got %v since %v, seen once %v; want firing since %v", f.State, f.Since, f.SeenOnce, want)
	}
}

func TestSeenOnce(t *testing.T) {
	s := newScenario(t, oneDiagnosis(t, "cap:waiting > 0", "for: 20s"), feed{lines: "cap:waiting 1 1 1"})
	var once []bool
	s.run(func(int64) { once = append(once, s.finding("x").SeenOnce) })
	if diff := cmp.Diff([]bool{true, false, false}, once); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A line of a log may be all there is; of a page read again and again it is not.
func TestSignalThatComesLate(t *testing.T) {
	c := oneDiagnosis(t, "cap:waiting > 0", "for: 20s")
	for kind, want := range map[series.Kind]string{series.Scrape: "nnnnnnPPFF", series.Log: "nnnnnnFFFF"} {
		s := newScenario(t, c, feed{kind: kind, rounds: strings.Repeat(".", 10), lines: "cap:waiting _x6 1x3"})
		if got := s.verdicts("x"); got != want {
			t.Errorf("kind %d: got %s, want %s", kind, got, want)
		}
	}
}

// The last line of a log has no tick after it: what needs no time to hold is
// believed at once.
func TestLastLineOfALog(t *testing.T) {
	for hold, kinds := range map[string]map[series.Kind]string{
		"0s":  {series.Scrape: "ccccccccP", series.Log: "ccccccccF"},
		"20s": {series.Scrape: "ccccccccP", series.Log: "ccccccccP"},
	} {
		c := oneDiagnosis(t, "cap:waiting > 0", "for: "+hold)
		for kind, want := range kinds {
			s := newScenario(t, c, feed{kind: kind, lines: "cap:waiting 0x7 1"})
			if got := s.verdicts("x"); got != want {
				t.Errorf("for %s, kind %d: got %s, want %s", hold, kind, got, want)
			}
		}
	}
}

// eventCounts turns a counter into events of five minutes.
const eventCounts = `groups:
- name: app
  rules:
  - {record: "cap:expired_count", expr: "increase(expired_total[5m])", labels: {system: app, kind: requests}}
`

// A zero proves nothing before the whole window was watched; a count does.
func TestZeroOfAShortEventsWindow(t *testing.T) {
	c := testCatalog(t, map[string]string{"systems/app.yaml": eventCounts, "diagnoses/x": "cap:expired_count > 0", "diagnoses/zero": "cap:expired_count == 0"})
	tests := []struct {
		name, id, lines, rounds, want string
	}{
		{"zeros clear after five minutes", "x", "expired_total 7x33", "", "n" + strings.Repeat("u", 29) + strings.Repeat("c", 4)},
		{"an event counts at once", "x", "expired_total 0 0 3 3 3", "", "nuPFF"},
		{"a gap begins anew", "x", "expired_total 0x40", strings.Repeat(".", 33) + "---" + "....", "n" + strings.Repeat("u", 29) + "ccc" + "nuuu"},
		{"a zero that is asked for is seen", "zero", "expired_total 7x4", "", "nFFFF"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScenario(t, c, feed{rounds: tt.rounds, lines: tt.lines})
			if got := s.verdicts(tt.id); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	s := newScenario(t, c, feed{lines: "expired_total 7x3"}).run()
	want := []NotJudged{{ID: "x", Title: "X", Severity: Warning, Instance: "app", Why: "not seen in the 30 s watched"}}
	if diff := cmp.Diff(want, s.report().NotJudged, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A comparison with a baseline proves and never clears.
func TestBaselineNeverClears(t *testing.T) {
	const falls = "cap:completed_rate < 0.2 * cap:baseline_rate"
	tests := []struct {
		name, expr, lines, want string
	}{
		{"alone", falls, "cap:completed_rate 9 9 1 1 1\ncap:baseline_rate 10x4", "uuPFF"},
		{"another condition clears", falls + "\nand on (instance, system, resource) cap:waiting > 0", "cap:completed_rate 9 9 1 1 1\ncap:baseline_rate 10x4\ncap:waiting 0 5 5 5 0", "cuPFc"},
		{"an exclusion clears", falls + "\nunless on (instance) cap:gc_ratio > 0.1", "cap:completed_rate 9 9 1 1 1\ncap:baseline_rate 10x4\ncap:gc_ratio 1 0 0 0 1", "cuPFc"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScenario(t, oneDiagnosis(t, tt.expr), feed{lines: tt.lines})
			if got := s.verdicts("x"); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	s := newScenario(t, oneDiagnosis(t, falls), feed{lines: "cap:completed_rate 9x2\ncap:baseline_rate 10x2"}).run()
	if n := s.report().NotJudged; len(n) != 1 || n[0].Why != "no time before the trouble was seen" {
		t.Errorf("got %+v", n)
	}
}

// The first alert that fires in the order of the file speaks; only the first one
// of all clears.
func TestVariants(t *testing.T) {
	file := diagnosis("x", "cap:waiting > 0", "severity: critical") + strings.TrimPrefix(diagnosis("x", "cap:pool_busy > 3", "severity: info"), "groups:\n- name: x\n  rules:\n")
	file = strings.Replace(file, "alert: X\n    expr: |\n      cap:pool_busy", "alert: XOfPool\n    expr: |\n      cap:pool_busy", 1)
	s := newScenario(t, testCatalog(t, map[string]string{"diagnoses/x.yaml": file}),
		feed{lines: "cap:waiting 0 0 0 0 5 5 _ _ _\ncap:pool_busy 0 0 9 9 9 9 9 9 0"})
	var said []string
	s.run(func(int64) {
		word := s.verdict("x")
		if f := s.finding("x"); f != nil {
			word += " " + f.Title
		}
		said = append(said, word)
	})
	want := []string{"clear", "clear", "pending X of pool", "firing X of pool", "firing X of pool", "firing X", "firing X of pool", "firing X of pool", "not applicable"}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if since := s.judge.History(); len(since) != 1 {
		t.Errorf("got episodes %+v, want one", since)
	}
}

// A target that stops answering keeps its findings as they were; nothing of it
// turns clear.
func TestSilentTarget(t *testing.T) {
	const expr = "cap:waiting > 3\nand on (instance) max by (instance) (cap:cpu_busy_ratio) < 0.3"
	other := feed{instance: "other", lines: "cap:waiting 0x20"}
	for name, rounds := range map[string]string{"failed scrapes": ".....xxxxxxxx", "no more scrapes": "....."} {
		t.Run(name, func(t *testing.T) {
			s := newScenario(t, oneDiagnosis(t, expr, "for: 20s", "summary: \"{{ $value }} wait\""),
				feed{rounds: rounds, lines: "cap:waiting 7 7 7 8 9\ncap:cpu_busy_ratio 0.1x4"}, other).run()
			f := s.finding("x")
			if f == nil {
				t.Fatal("the finding is gone")
			}
			got := []any{f.State, f.Since.Sub(testBegin), f.NotJudgedSince.Sub(testBegin), f.Summary, len(f.Evidence), f.Evidence[0].Observed, f.Evidence[1].Observed}
			since := 40 * time.Second
			if name == "no more scrapes" {
				since = 60 * time.Second // known 2.5 intervals after the last one
			}
			if diff := cmp.Diff([]any{Firing, time.Duration(0), since, "9 wait", 2, 9.0, 0.1}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if n := s.report().Cleared; len(n) != 1 || n[0].Subjects != 1 || n[0].Nearest.Subject["instance"] != "other" {
				t.Errorf("cleared %+v, want the other target alone", n)
			}
		})
	}
	s := newScenario(t, oneDiagnosis(t, expr, "for: 20s"), feed{rounds: "...xx....", lines: "cap:waiting 7 7 7 _ _ 7 7 1 1\ncap:cpu_busy_ratio 0x8"}, other)
	if got, want := s.verdicts("x"), "FFFFFFFccccuuuuuuuuuu"; got != want {
		t.Errorf("back again: got %s, want %s", got, want)
	}
}

// What was clear on a target is not known any more when it stops answering.
func TestClearOfASilentTarget(t *testing.T) {
	const expr = "cap:waiting > 3"
	s := newScenario(t, oneDiagnosis(t, expr), feed{rounds: "...xxx..", lines: "cap:waiting 0x7"})
	if got, want := s.verdicts("x"), "cccuuucc"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	s = newScenario(t, oneDiagnosis(t, expr), feed{instance: "silent", rounds: "...xxx", lines: "cap:waiting 0x5"}, feed{instance: "other", lines: "cap:waiting 0x5"}).run()
	r := s.report()
	if len(r.Cleared) != 1 || r.Cleared[0].Subjects != 1 {
		t.Errorf("cleared %+v, want the other target alone", r.Cleared)
	}
	want := []NotJudged{{ID: "x", Title: "X", Severity: Warning, Instance: "silent", Why: "the target stopped answering"}}
	if diff := cmp.Diff(want, r.NotJudged); diff != "" {
		t.Errorf("not judged (-want +got):\n%s", diff)
	}
}

// A target that never answered is judged on what was measured about it alone.
func TestTargetThatNeverAnswered(t *testing.T) {
	c := testCatalog(t, map[string]string{
		"systems/scrape.yaml":  "groups:\n- name: scrape\n  rules:\n  - {record: \"cap:scrape_up\", expr: up, labels: {system: scrape}}\n",
		"diagnoses/waits":      "cap:waiting > 0",
		"diagnoses/unreadable": "cap:scrape_up < 1",
	})
	s := newScenario(t, c, feed{rounds: "xxxx"}).run()
	if got := s.verdict("waits"); got != "not applicable" {
		t.Errorf("waits is %s", got)
	}
	if f := s.finding("unreadable"); f == nil || f.State != Firing {
		t.Errorf("unreadable: %+v", f)
	}
}

func TestReportBeforeATick(t *testing.T) {
	s := newScenario(t, oneDiagnosis(t, "cap:waiting > 0"))
	if _, err := s.judge.Report(t.Context()); err != ErrNoTick {
		t.Errorf("got %v", err)
	}
}
