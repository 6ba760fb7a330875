package rules

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/common/model"
)

// nestedCheckout is a report of one leading cause and its consequence.
func nestedCheckout() *Report {
	pool := model.Metric{"instance": "orders", "resource": "HikariPool-1", "pool": "HikariPool-1"}
	held := &Finding{
		ID: "held-connections", State: Firing, Severity: Critical, Subject: pool,
		Summary: "10 of 10 connections in use, 50 waiting, each held 30.0 s.",
		Meaning: "Connections are held and not used.",
		Evidence: []Evidence{
			{Signal: "cap:service_seconds", Title: "held for", Labels: pool, Observed: 30, Op: ">=", Threshold: 29.9, Unit: "s", Role: Required, State: Holds},
			{Signal: "cap:waiting", Title: "callers waiting", Observed: 50, Op: ">", Threshold: 0, Unit: "1", Role: Required, State: Holds, More: "+7/min",
				Lines: []Line{{File: "orders.log", Number: 7, Text: "Connection is not available (total=10)"}}},
			{Signal: "cap:blocked", Observed: math.NaN(), Op: ">", Threshold: 0, Unit: "1", Role: Excluded, State: Absent},
		},
		RuledOut:    []Look{{ID: "cpu-saturated", Evidence: Evidence{Signal: "cap:cpu_busy_ratio", Observed: 0.04, Op: ">", Threshold: 0.8, Unit: "ratio", Role: Required, State: Fails}}},
		NotRuledOut: []Missing{{ID: "database-lock-wait", Instance: "orders", Signal: "cap:blocked", Enable: "add a PostgreSQL target"}},
		Steps:       []Step{{Do: "Allow 9 requests at once.", From: "held-connections"}, {Do: "Take one connection per request.", From: "held-connections"}},
	}
	exhausted := &Finding{ID: "pool-exhausted", State: Firing, Severity: Warning, Subject: pool, Summary: "10 of 10 in use.",
		Steps: []Step{{Do: "Raise max_connections.", From: "pool-exhausted"}}}
	pending := &Finding{ID: "no-demand", State: Pending, Severity: Info, Steps: []Step{{Do: "Restart the database."}}}
	return &Report{
		Findings:  []*Finding{held, exhausted, pending},
		NotJudged: []NotJudged{{ID: "gc-thrash", Missing: []Missing{{Signal: "cap:gc_ratio"}}, Why: "not seen in the 10 s watched"}},
		Cleared: []Cleared{{ID: "congestion-collapse", Subjects: 2, Nearest: &Near{Alert: "CongestionCollapse", Subject: pool, Failed: []Evidence{
			{Signal: "cap:completed_rate", Observed: 9, Op: "<", Threshold: 2, Unit: "1/s", Role: Required, State: Fails},
			{Signal: "cap:gc_ratio", Observed: 0.4, Op: ">", Threshold: 0.1, Unit: "ratio", Role: Excluded, State: Holds},
			{Signal: "cap:expired_rate", Observed: math.NaN(), Op: ">", Threshold: 0, Unit: "1/s", Role: Required, State: Absent},
		}}}},
	}
}

const collapseClear = "nearest of 2 subjects is CongestionCollapse on orders, HikariPool-1: cap:completed_rate 9.0/s; the rule asks < 2.0/s; " +
	"cap:gc_ratio 40 %; the rule excludes > 10 %; cap:expired_rate missing; the rule asks > 0/s"

func TestCompare(t *testing.T) {
	tests := []struct {
		name string
		e    Expect
		want []Mismatch
	}{
		{"all right", Expect{
			Find: []Want{
				{ID: "held-connections", Where: map[string]string{"pool": "HikariPool-1", "instance": "orders"}, Says: []string{"10 OF 10", "30.0 s", "50 > 0", "+7/min", "total=10"}},
				{ID: "pool-exhausted"},
			},
			Not:           []string{"no-demand", "cpu-saturated", "wedged-pool"},
			Unknown:       []string{"database-lock-wait", "gc-thrash"},
			AdviceMust:    []string{"(?i)one connection"},
			AdviceMustNot: []string{"(?i)restart"},
		}, nil},
		{"the second one leads", Expect{Find: []Want{{ID: "pool-exhausted"}}}, []Mismatch{{
			Field: "find[0].id", ID: "pool-exhausted",
			Expected: "pool-exhausted first", Got: "held-connections on orders, HikariPool-1 first",
			Evidence: `cap:service_seconds{instance="orders", pool="HikariPool-1", resource="HikariPool-1"} 30 s >= 29.9 s; cap:waiting 50 > 0`,
			Lines:    []Line{{File: "orders.log", Number: 7, Text: "Connection is not available (total=10)"}},
		}}},
		{"clear", Expect{Find: []Want{{ID: "held-connections"}, {ID: "congestion-collapse"}}}, []Mismatch{{
			Field: "find[1].id", ID: "congestion-collapse",
			Expected: "congestion-collapse", Got: "congestion-collapse clear", Evidence: collapseClear,
		}}},
		{"ruled out, pending, not judged, not applicable", Expect{
			Find: []Want{{ID: "held-connections"}, {ID: "cpu-saturated"}, {ID: "no-demand"}, {ID: "gc-thrash"}, {ID: "throttled"}},
		}, []Mismatch{
			{Field: "find[1].id", ID: "cpu-saturated", Expected: "cpu-saturated", Got: "cpu-saturated ruled out", Evidence: "cap:cpu_busy_ratio 4 %; the rule asks > 80 %"},
			{Field: "find[2].id", ID: "no-demand", Expected: "no-demand", Got: "no-demand only pending"},
			{Field: "find[3].id", ID: "gc-thrash", Expected: "gc-thrash", Got: "gc-thrash not judged", Evidence: "cap:gc_ratio missing; not seen in the 10 s watched"},
			{Field: "find[4].id", ID: "throttled", Expected: "throttled", Got: "throttled does not apply", Evidence: "no recognised system of this case supplies what it observes"},
		}},
		{"wrong place", Expect{Find: []Want{{ID: "held-connections"}, {ID: "pool-exhausted", Where: map[string]string{"pool": "other"}}}}, []Mismatch{{
			Field: "find[1].where", ID: "pool-exhausted", Expected: `pool="other"`,
			Got: `pool-exhausted on {instance="orders", pool="HikariPool-1", resource="HikariPool-1"}`,
		}}},
		{"says", Expect{Find: []Want{{ID: "held-connections"}, {ID: "pool-exhausted", Says: []string{"10 of 10", "waiting"}}}}, []Mismatch{{
			Field: "find[1].says[1]", ID: "pool-exhausted", Expected: `"waiting"`, Got: "10 of 10 in use.",
		}}},
		{"not quiet", Expect{Not: []string{"pool-exhausted"}}, []Mismatch{
			{Field: "find", ID: "held-connections", Expected: "nothing at warning or above", Got: "held-connections fires (critical) on orders, HikariPool-1",
				Evidence: `cap:service_seconds{instance="orders", pool="HikariPool-1", resource="HikariPool-1"} 30 s >= 29.9 s; cap:waiting 50 > 0`,
				Lines:    []Line{{File: "orders.log", Number: 7, Text: "Connection is not available (total=10)"}}},
			{Field: "find", ID: "pool-exhausted", Expected: "nothing at warning or above", Got: "pool-exhausted fires (warning) on orders, HikariPool-1"},
			{Field: "not[0]", ID: "pool-exhausted", Expected: "pool-exhausted does not fire", Got: "pool-exhausted fires on orders, HikariPool-1"},
		}},
		{"unknown", Expect{Find: []Want{{ID: "held-connections"}}, Unknown: []string{"pool-exhausted", "congestion-collapse"}}, []Mismatch{
			{Field: "unknown[0]", ID: "pool-exhausted", Expected: "pool-exhausted not judged", Got: "pool-exhausted fires"},
			{Field: "unknown[1]", ID: "congestion-collapse", Expected: "congestion-collapse not judged", Got: "congestion-collapse clear", Evidence: collapseClear},
		}},
		{"advice", Expect{Find: []Want{{ID: "held-connections"}}, AdviceMust: []string{"nest|second connection"}, AdviceMustNot: []string{"max_conn"}}, []Mismatch{
			{Field: "advice_must[0]", Expected: "/nest|second connection/", Got: "no step matches", Evidence: `nearest is step 2: "Take one connection per request."`},
			{Field: "advice_must_not[0]", ID: "pool-exhausted", Expected: "no step like /max_conn/", Got: `step 3: "Raise max_connections."`},
		}},
		{"bad pattern", Expect{Find: []Want{{ID: "held-connections"}}, AdviceMust: []string{"("}}, []Mismatch{
			{Field: "advice_must[0]", Expected: "/(/", Got: "not a regular expression: error parsing regexp: missing closing ): `(`"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Compare(tt.e, nestedCheckout())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCompareNamesTheLine(t *testing.T) {
	e := Expect{
		Find: []Want{{ID: "wedged-pool"}}, Not: []string{"pool-exhausted"}, File: "a/case.yaml",
		Lines: map[string]int{"find": 4, "find[0]": 5, "not[0]": 9},
	}
	var got []string
	for _, m := range Compare(e, nestedCheckout()) {
		got = append(got, m.Where)
	}
	if diff := cmp.Diff([]string{"a/case.yaml:5", "a/case.yaml:9"}, got); diff != "" {
		t.Error(diff)
	}
}

// Numbers count in the form in which they are shown, not as they are stored.
func TestSaysReadsNumbersAsShown(t *testing.T) {
	r := &Report{Findings: []*Finding{{ID: "x", State: Firing, Severity: Critical, Evidence: []Evidence{
		{Title: "CPU busy", Observed: 0.00712, Op: "<", Threshold: 0.3, Unit: "ratio", Role: Required, State: Holds},
	}}}}
	for text, missing := range map[string]int{"0.71 %": 0, "CPU busy": 0, "0.00712": 1} {
		e := Expect{Find: []Want{{ID: "x", Says: []string{text}}}}
		if got := Compare(e, r); len(got) != missing {
			t.Errorf("says %q: %v", text, got)
		}
	}
}

func TestCaseResult(t *testing.T) {
	quiet := Judged("quiet", "cases/quiet", Expect{}, &Report{Cleared: []Cleared{{ID: "x", Subjects: 1}}}, time.Second)
	failed := Judged("failed", "cases/failed", Expect{}, nestedCheckout(), 0)
	empty := Judged("empty", "cases/empty", Expect{}, &Report{}, 0)
	broken := Unreadable("broken", "cases/broken", errors.New("cases/broken/case.yaml:3: no"))
	tests := []struct {
		c                       CaseResult
		pass, failed, notJudged bool
	}{{quiet, true, false, false}, {failed, false, true, false}, {empty, false, false, true}, {broken, false, false, false}}
	all := CheckResult{}
	for _, tt := range tests {
		if tt.c.Pass != tt.pass || tt.c.Failed() != tt.failed || tt.c.NotJudged() != tt.notJudged {
			t.Errorf("%s: pass %v, failed %v, not judged %v", tt.c.Name, tt.c.Pass, tt.c.Failed(), tt.c.NotJudged())
		}
		all.Cases = append(all.Cases, tt.c)
	}
	if pass, fail, unreadable, notJudged := all.Counts(); pass != 1 || fail != 1 || unreadable != 1 || notJudged != 1 {
		t.Errorf("counts %d %d %d %d", pass, fail, unreadable, notJudged)
	}
}

func TestMatrix(t *testing.T) {
	cases := []CaseResult{
		Judged("b", "", Expect{Find: []Want{{ID: "held-connections"}, {ID: "gc-thrash"}}, Unknown: []string{"database-lock-wait"}}, nestedCheckout(), 0),
		Judged("a", "", Expect{Find: []Want{{ID: "held-connections"}}, Not: []string{"pool-exhausted", "wedged-pool"}}, nestedCheckout(), 0),
		Judged("c", "", Expect{}, nestedCheckout(), 0),
		Unreadable("d", "", errors.New("x")),
	}
	want := []MatrixRow{
		{ID: "database-lock-wait", Unknown: 1},
		{ID: "gc-thrash", Misses: 1, Unknown: 1, Cases: []string{"b"}},
		{ID: "held-connections", Hits: 2, FalseAlarms: 1, Cases: []string{"c"}},
		{ID: "never-seen"},
		{ID: "pool-exhausted", FalseAlarms: 2, Cases: []string{"a", "c"}},
	}
	got := Matrix([]string{"never-seen"}, cases)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	held := got[2]
	if p, r := held.Precision(), held.Recall(); math.Abs(p-2.0/3) > 1e-9 || r != 1 {
		t.Errorf("precision %v, recall %v", p, r)
	}
	if never := got[3]; !math.IsNaN(never.Precision()) || !math.IsNaN(never.Recall()) {
		t.Errorf("a diagnosis without a case has precision %v", never.Precision())
	}
}

func TestUpdated(t *testing.T) {
	old := Expect{
		Find: []Want{{ID: "pool-exhausted", Says: []string{"10 of 10", "nonsense"}}, {ID: "gone"},
			{ID: "held-connections", Where: map[string]string{"pool": "HikariPool-1"}, Says: []string{"waiting"}}},
		Not: []string{"wedged-pool", "pool-exhausted"}, Unknown: []string{"gc-thrash", "throttled"},
		AdviceMust: []string{"(?i)one connection", "nest"}, AdviceMustNot: []string{"restart", "max_connections"},
		File: "case.yaml", Lines: map[string]int{"find": 3},
	}
	want := Expect{
		Find: []Want{{ID: "held-connections", Where: map[string]string{"pool": "HikariPool-1"}, Says: []string{"waiting"}}, {ID: "pool-exhausted", Says: []string{"10 of 10"}}},
		Not:  []string{"wedged-pool"}, Unknown: []string{"gc-thrash"},
		AdviceMust: []string{"(?i)one connection"}, AdviceMustNot: []string{"restart"},
	}
	if diff := cmp.Diff(want, Updated(old, nestedCheckout())); diff != "" {
		t.Error(diff)
	}
}

// A report always agrees with the expectation that was updated from it.
func TestUpdatedAgrees(t *testing.T) {
	infoLeads, onlyInfo, quiet := nestedCheckout(), nestedCheckout(), nestedCheckout()
	infoLeads.Findings[0].Severity = Info
	onlyInfo.Findings = onlyInfo.Findings[:1]
	onlyInfo.Findings[0].Severity = Info
	quiet.Findings = quiet.Findings[2:]
	olds := []Expect{
		{},
		{Find: []Want{{ID: "no-demand"}}, Not: []string{"held-connections"}},
		{Find: []Want{{ID: "held-connections", Where: map[string]string{"pool": "other"}}}, Unknown: []string{"pool-exhausted"}},
		{Find: []Want{{ID: "pool-exhausted", Says: []string{"x"}}}, AdviceMust: []string{"("}, AdviceMustNot: []string{"."}},
	}
	for name, r := range map[string]*Report{"as it is": nestedCheckout(), "info leads": infoLeads, "only info": onlyInfo, "quiet": quiet, "empty": {}} {
		for i, old := range olds {
			if got := Compare(Updated(old, r), r); len(got) > 0 {
				t.Errorf("%s, expectation %d: %v", name, i, got)
			}
		}
	}
}

func TestExitCode(t *testing.T) {
	pass := Judged("a", "", Expect{}, &Report{Cleared: []Cleared{{ID: "x"}}}, 0)
	fail := Judged("b", "", Expect{}, nestedCheckout(), 0)
	unjudged := Judged("c", "", Expect{}, &Report{}, 0)
	broken := Unreadable("d", "", errors.New("x"))
	tests := []struct {
		cases []CaseResult
		want  int
	}{
		{nil, 3}, {[]CaseResult{pass}, 0}, {[]CaseResult{pass, unjudged}, 3},
		{[]CaseResult{pass, unjudged, fail}, 1}, {[]CaseResult{fail, broken, pass}, 2},
	}
	for _, tt := range tests {
		if got := (CheckResult{Cases: tt.cases}).ExitCode(); got != tt.want {
			t.Errorf("%d cases: exit %d, not %d", len(tt.cases), got, tt.want)
		}
	}
}
