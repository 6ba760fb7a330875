package rules

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/capdoctor/capdoctor/series"
)

// lookBack judges all rounds of some feeds at once and looks back.
func lookBack(t *testing.T, c *Catalog, feeds ...feed) *Postmortem {
	t.Helper()
	s := newScenario(t, c, feeds...)
	s.judge.Keep()
	s.ingest().advance(s.ticks()...)
	p, err := s.judge.Postmortem(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// clockOf writes a time as minutes and seconds after the begin of the test.
func clockOf(at time.Time) string {
	if at.IsZero() {
		return "-"
	}
	d := at.Sub(testBegin)
	return fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60)
}

// incidentsOf writes incidents as "onset worst end (last seen, next)".
func incidentsOf(p *Postmortem) string {
	var all []string
	for i, in := range p.Incidents {
		s := fmt.Sprintf("%s %s=%s %s", clockOf(in.Onset), clockOf(in.Worst.At), Number(in.Worst.Value), clockOf(in.End))
		if in.End.IsZero() {
			s += fmt.Sprintf(" (%s, %s)", clockOf(in.LastSeen), clockOf(in.Next))
		}
		if i == p.Main {
			s += " main"
		}
		all = append(all, s)
	}
	return strings.Join(all, "; ")
}

func TestIncidents(t *testing.T) {
	long := "0x120" // 20 min
	tests := []struct {
		name  string
		waits string
		gap   string
		want  string
	}{
		{"none", "0x59", "", ""},
		{"over", "0x59 1 5 9 7 3 0x59", "", "9:55 10:20=9 10:50 main"},
		{"still so when it stops", "0x59 1 5 9", "", "9:55 10:20=9 - (10:20, -) main"},
		{"from the first tick on", "4 4 4 0x59", "", "0:00 0:00=4 0:30 main"},
		{"silence", "0x59 1 5 9 _x11 0x59", strings.Repeat(".", 63) + "-----------" + strings.Repeat(".", 59), "9:55 10:20=9 - (10:20, 12:20) main"},
		{"two that are one", "0x59 3 3 3 0x11 4 4 4 0x59", "", "9:55 12:30=4 13:00 main"},
		{"two", "0x59 3 3 3 " + long + " 4 4 4 4 0x59", "", "9:55 10:00=3 10:30; 30:35 30:40=4 31:20 main"},
		{"a single tick is not told", "0x59 3 0x59", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := oneDiagnosis(t, "cap:waiting > 0", "for: 10s")
			p := lookBack(t, c, feed{lines: "cap:waiting{system=\"x\"} " + tt.waits, rounds: tt.gap})
			if got := incidentsOf(p); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// A warning that fires all the time does not make one incident of two.
func TestSevereIncidentsStandAlone(t *testing.T) {
	c := testCatalog(t, map[string]string{
		"diagnoses/mild.yaml": diagnosis("mild", "cap:pool_busy > 0", "for: 10s"),
		"diagnoses/bad.yaml":  diagnosis("bad", "cap:waiting > 0", "for: 10s", "severity: critical"),
	})
	p := lookBack(t, c, feed{lines: "cap:pool_busy 1x400\ncap:waiting 0x99 2x9 0x149 3x19 0x120"})
	if got, want := incidentsOf(p), "16:35 16:40=2 18:20; 43:15 43:20=3 46:40 main"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if f := p.Incidents[p.Main].Finding; f.ID != "bad" {
		t.Errorf("the finding is %q, want bad", f.ID)
	}
	if f := p.Report.Findings; len(f) != 2 {
		t.Errorf("the report has %d findings, want both", len(f))
	}
}

// reportOptions compare what was judged, not unexported bookkeeping.
var reportOptions = cmp.Options{cmpopts.IgnoreUnexported(Evidence{}), cmpopts.EquateNaNs(), cmpopts.EquateEmpty()}

// The report on a tick of the past is the one that was given at that tick.
func TestReportAt(t *testing.T) {
	c := testCatalog(t, map[string]string{
		"diagnoses/a.yaml": diagnosis("a", "cap:waiting > 0\nunless on (instance) cap:gc_ratio > 0.1", "for: 20s", "severity: critical", "explains: b", "summary: '{{ $value }} wait'"),
		"diagnoses/b.yaml": diagnosis("b", "cap:pool_busy >= cap:pool_max", "for: 20s", "differential: a"),
	})
	const lines = `cap:waiting 0x9 1x9 0x5 2x5 0x9
cap:gc_ratio 0x20 0.5x3 0x20
cap:pool_busy 1x5 5x25 1x9
cap:pool_max 5x40`
	kept := newScenario(t, c, feed{lines: lines})
	kept.judge.Keep()
	kept.ingest().advance(kept.ticks()...)
	last := kept.report()
	live := newScenario(t, c, feed{lines: lines})
	live.run(func(tick int64) {
		then, err := kept.judge.ReportAt(t.Context(), utc(tick))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(live.report(), then, reportOptions); diff != "" {
			t.Errorf("at %s (-live +kept):\n%s", clockOf(utc(tick)), diff)
		}
	})
	if diff := cmp.Diff(last, kept.report(), reportOptions); diff != "" {
		t.Errorf("looking back changed the present (-before +after):\n%s", diff)
	}
}

func TestReportAtNoTick(t *testing.T) {
	s := newScenario(t, oneDiagnosis(t, "cap:waiting > 0"), feed{lines: "cap:waiting 0x9"})
	s.judge.Keep()
	s.ingest().advance(s.ticks()...)
	if _, err := s.judge.ReportAt(t.Context(), testBegin.Add(-time.Second)); err == nil {
		t.Error("a report before the first tick, want an error")
	}
	if _, err := NewJudge(s.judge.catalog, s.store).Postmortem(t.Context()); err != ErrNoTick {
		t.Errorf("a look back at nothing: %v, want ErrNoTick", err)
	}
}

// worksCatalog judges a program that prints its progress, its clients and the
// requests that expired.
func worksCatalog(t *testing.T) *Catalog {
	return testCatalog(t, map[string]string{
		"systems/x.yaml": `groups:
- name: x
  rules:
  - {record: "cap:completed_rate", expr: "rate(done_total[1m])", labels: {system: x, kind: requests}}
  - {record: "cap:waiting", expr: "queue", labels: {system: x, kind: requests}}
  - {record: "cap:expired_count", expr: "max_over_time(expired_total[5m]) - min_over_time(expired_total[5m])", labels: {system: x, kind: requests}}
  - {record: "cap:clients", expr: "writers", labels: {system: x}}
`,
		"systems.yaml":       "systems: [{id: x, title: X, markers: [done_total]}]",
		"derived.yaml":       `groups: [{name: d, rules: [{record: "cap:baseline_rate", expr: "quantile_over_time(0.9, cap:completed_rate[30m])"}]}]`,
		"signals.yaml":       testSignals + `- {name: "cap:clients", title: concurrent clients, unit: clients, type: gauge, labels: [instance], meaning: Clients.}` + "\n",
		"diagnoses/bad.yaml": diagnosis("bad", "cap:completed_rate < 0.2 * cap:baseline_rate\nand on (instance) max by (instance) (cap:waiting) > 0", "for: 20s", "severity: critical"),
	})
}

// collapseLines is 20 min at 10/s with 4 clients, 10 min at 1/s with 9, and 20
// min at 10/s with 4 again; ticks of 10 s.
func collapseLines() string {
	return "done_total 0+100x120 12000+10x59 12600+100x119\n" +
		"queue 0x119 0+1x61 0x118\n" +
		"expired_total 0x122 0+3x57 171x119\n" +
		"writers 4x119 9x60 4x119\n"
}

func TestPostmortem(t *testing.T) {
	p := lookBack(t, worksCatalog(t), feed{kind: series.Log, lines: collapseLines()})
	if len(p.Incidents) != 1 || p.Main != 0 {
		t.Fatalf("%d incidents, main %d; want one", len(p.Incidents), p.Main)
	}
	in := p.Incidents[0]
	if got := clockOf(in.Onset); got != "20:05" {
		t.Errorf("onset %s, want 20:05: between the last tick at 10/s and the first one at 1/s", got)
	}
	if in.Worst.Value != 1 || in.Worst.Signal != "cap:completed_rate" {
		t.Errorf("worst %v, want completions at 1/s", in.Worst)
	}
	if end := in.End.Sub(testBegin); end < 30*time.Minute || end > 31*time.Minute {
		t.Errorf("end at %s, want within a minute of 30:00", clockOf(in.End))
	}
	if f := p.Report.Findings; len(f) != 1 || f[0].ID != "bad" || f[0].State != Firing {
		t.Errorf("the report does not have the finding of the worst time: %v", f)
	}
	fall := p.Fall
	if fall == nil || fall.Before != 10 || fall.During != 1 || fall.After != 10 {
		t.Fatalf("fall %+v, want 10, 1, 10", fall)
	}
	if fall.Missed < 5000 || fall.Missed > 5600 {
		t.Errorf("missed %v, want about 5400", fall.Missed)
	}
	if got := p.Outcomes.Indeterminate; got != 171 {
		t.Errorf("%v requests of unknown result, want 171", got)
	}
	want := []Pace{{4, 10, false, 0}, {9, 1, true, 0}}
	if diff := cmp.Diff(want, p.Paces, cmpopts.IgnoreFields(Pace{}, "For")); diff != "" {
		t.Errorf("paces (-want +got):\n%s", diff)
	}
}

func TestMovers(t *testing.T) {
	p := lookBack(t, worksCatalog(t), feed{kind: series.Log, lines: collapseLines()})
	var got []string
	for _, m := range p.Movers {
		s := clockOf(m.Time) + " " + m.Title
		if m.Kind == Count {
			s += fmt.Sprintf(" %v until %s", m.During, clockOf(m.Until))
		} else {
			s += fmt.Sprintf(" %v → %v", m.Before, m.During)
		}
		got = append(got, s)
	}
	want := []string{
		"19:55 concurrent clients 4 → 9",
		"20:05 completions 10 → 1",
		"20:05 requests waiting 0 → 31",
		"20:35 requests expired 171 until 30:00",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("movers (-want +got):\n%s", diff)
	}
}

// A request that expired was sent its deadline before.
func TestSentIsComputed(t *testing.T) {
	s := newScenario(t, worksCatalog(t), feed{kind: series.Log, lines: collapseLines()})
	s.judge.Keep()
	s.judge.AddFact(Fact{Name: "deadline_seconds", Value: 30, Rank: FromFlag})
	s.ingest().advance(s.ticks()...)
	p, err := s.judge.Postmortem(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range p.Movers {
		if m.Title == "oldest expired request was sent (expiry less 30 s)" {
			if got := clockOf(m.Time); got != "20:05" {
				t.Errorf("sent at %s, want 20:05", got)
			}
			return
		}
	}
	t.Errorf("no mover tells when the first expired request was sent: %v", p.Movers)
}

// The columns of a time line do not reach over gaps, hold every tick once, and
// are few.
func TestTimeline(t *testing.T) {
	p := lookBack(t, worksCatalog(t), feed{kind: series.Log, lines: collapseLines()})
	l := p.Timeline
	if n := len(l.Columns); n < 20 || n > mostColumns {
		t.Fatalf("%d columns", n)
	}
	for i, c := range l.Columns {
		if i > 0 && c.From.Before(l.Columns[i-1].To) {
			t.Errorf("column %d begins before the one before it ends", i)
		}
	}
	for _, tr := range l.Tracks {
		if len(tr.Values) != len(l.Columns) {
			t.Errorf("%s has %d values for %d columns", tr.Title, len(tr.Values), len(l.Columns))
		}
		if tr.Signal == "cap:expired_count" {
			sum := 0.0
			for _, v := range tr.Values {
				sum += zeroIfUnknown(v)
			}
			if sum != 171 {
				t.Errorf("the columns hold %v expiries, want 171", sum)
			}
		}
	}
	if got := l.Tracks[0].Signal; got != "cap:clients" {
		t.Errorf("the first track is %s, want the clients", got)
	}
}

// Without an incident the time line is that of all the time, and the report that
// of the end.
func TestCalm(t *testing.T) {
	p := lookBack(t, worksCatalog(t), feed{kind: series.Log, lines: "done_total 0+100x120\nqueue 0x120\n"})
	if p.Main != -1 || p.Fall != nil || len(p.Movers) != 0 {
		t.Errorf("main %d, fall %v, movers %v; want none", p.Main, p.Fall, p.Movers)
	}
	if !p.Report.At.Equal(p.Last) {
		t.Errorf("the report is of %s, want the end", clockOf(p.Report.At))
	}
	if n := len(p.Timeline.Columns); n == 0 || !p.Timeline.Columns[n-1].To.Equal(p.Last) {
		t.Errorf("the time line does not end with the ticks")
	}
}

// Looking back twice says the same.
func TestPostmortemIsDeterministic(t *testing.T) {
	a := lookBack(t, worksCatalog(t), feed{kind: series.Log, lines: collapseLines()})
	b := lookBack(t, worksCatalog(t), feed{kind: series.Log, lines: collapseLines()})
	if diff := cmp.Diff(a, b, reportOptions); diff != "" {
		t.Errorf("two looks back differ:\n%s", diff)
	}
}

func TestChangePoint(t *testing.T) {
	flat := func(v float64, n int) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = v
		}
		return values
	}
	tests := []struct {
		name   string
		kind   StrandKind
		before []float64
		after  []float64
		want   int // bin behind before, -1 none
	}{
		{"a fall", PerSecond, flat(16, 20), flat(1, 10), 0},
		{"a fall later", PerSecond, flat(16, 20), append(flat(16, 3), flat(1, 10)...), 3},
		{"a rise", PerSecond, flat(2, 20), flat(9, 10), 0},
		{"within a quarter", PerSecond, flat(16, 20), flat(13, 10), -1},
		{"one bin outside", PerSecond, flat(16, 20), append([]float64{1}, flat(16, 10)...), -1},
		{"two bins outside", PerSecond, flat(16, 20), append([]float64{1, 1}, flat(16, 10)...), -1},
		{"back soon", PerSecond, flat(16, 20), append(flat(1, 4), flat(16, 10)...), -1},
		{"noise as before", PerSecond, []float64{10, 14, 9, 15, 10, 13, 9, 16, 11, 14}, []float64{17, 8, 16, 9, 15, 8, 17, 9}, -1},
		{"above the noise", PerSecond, []float64{10, 14, 9, 15, 10, 13, 9, 16, 11, 14}, []float64{45, 42, 47, 44, 45}, 0},
		{"the last two bins only", PerSecond, flat(16, 20), append(flat(16, 6), 1, 1), -1},
		{"one event more", PerSecond, flat(0, 20), flat(0.05, 10), -1},
		{"a busy count", Count, flat(100, 20), flat(150, 10), 0},
		{"chance of a busy count", Count, flat(100, 20), flat(124, 10), -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := &inquiry{Judge: &Judge{catalog: &Catalog{}}, step: 10 * time.Second}
			s := &strand{kind: tt.kind, values: append(append([]float64{}, tt.before...), tt.after...)}
			for i := range s.values {
				q.ticks = append(q.ticks, at(time.Duration(i)*q.step))
			}
			before := q.bins(s, 0, len(tt.before), binWidth)
			b, ok := q.bandOf(s, before)
			if !ok {
				t.Fatal("no band")
			}
			got, found := b.leaves(append(before, q.bins(s, len(tt.before), len(s.values), binWidth)...))
			if got -= len(tt.before); !found {
				got = -1
			}
			if got != tt.want {
				t.Errorf("changed in bin %d, want %d (band %v ± %v)", got, tt.want, b.middle, b.reach)
			}
		})
	}
}

// The first event of a burst is found however the events come; earlier ones,
// that nothing followed, are not part of it.
func TestCluster(t *testing.T) {
	tests := []struct {
		name   string
		values string // one digit for each tick of a minute
		at     int    // the verdict
		want   int
	}{
		{"at once", "00001111", 4, 4},
		{"before the verdict", "00100111", 5, 2},
		{"long before it", "1000000001011", 11, 9},
		{"bursts", "000100100100", 6, 3},
		{"not at all", "00000000", 4, -1},
		{"over before it", "110000000000", 10, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := &inquiry{step: time.Minute}
			s := &strand{kind: Count}
			for i, digit := range tt.values {
				q.ticks = append(q.ticks, at(time.Duration(i)*time.Minute))
				s.values = append(s.values, float64(digit-'0'))
			}
			got, ok := q.cluster(s, 0, tt.at, len(s.values))
			if !ok {
				got = -1
			}
			if got != tt.want {
				t.Errorf("first event at tick %d, want %d", got, tt.want)
			}
		})
	}
}

func TestMedian(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		values []float64
		want   float64
	}{{nil, nan}, {[]float64{nan}, nan}, {[]float64{3}, 3}, {[]float64{3, nan, 1}, 2}, {[]float64{9, 1, 2}, 2}} {
		if got := median(tt.values); got != tt.want && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
			t.Errorf("median(%v) = %v, want %v", tt.values, got, tt.want)
		}
	}
}

// A verdict on events goes on until its window has passed; the incident ends
// with its last event, where the log goes on for long enough to tell.
func TestEndOfEvents(t *testing.T) {
	c := func() *Catalog {
		return testCatalog(t, map[string]string{
			"systems.yaml":     "systems: [{id: x, title: X, markers: [expired_total]}]",
			"systems/x.yaml":   "groups: [{name: x, rules: [{record: \"cap:expired_count\", expr: \"max_over_time(expired_total[5m]) - min_over_time(expired_total[5m])\", labels: {system: x, kind: requests}}]}]",
			"diagnoses/x.yaml": diagnosis("x", "cap:expired_count > 0", "for: 10s"),
		})
	}
	tests := []struct {
		name, lines, want string
	}{
		{"the verdict has ended", "0x59 0+2x6 12x60", "11:00"},
		{"the log ends before the verdict does", "0x59 0+2x6 12x20", "11:00"},
		{"the log ends at once", "0x59 0+2x6 12x3", "-"},
		{"no longer than between two events", "0x59 0 2x17 4x17 6x17", "-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := lookBack(t, c(), feed{kind: series.Log, lines: "expired_total " + tt.lines})
			if p.Main < 0 {
				t.Fatal("no incident")
			}
			if got := clockOf(p.Incidents[p.Main].End); got != tt.want {
				t.Errorf("the end is %s, want %s", got, tt.want)
			}
		})
	}
}
