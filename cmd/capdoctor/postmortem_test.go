package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/capdoctor/capdoctor/lab"
)

// collapseLogs writes the logs of the lab's collapse into a folder.
func collapseLogs(t *testing.T, dir string) {
	t.Helper()
	s, err := lab.Find("collapse")
	if err != nil {
		t.Fatal(err)
	}
	m := s.Roll(time.Date(2026, 5, 6, 10, 0, 0, 0, time.UTC))
	for _, target := range []string{lab.ServerTarget, lab.BundleTarget} {
		var b bytes.Buffer
		for _, line := range m.Logs(target) {
			b.WriteString(line.Text + "\n")
		}
		write(t, filepath.Join(dir, target+".log"), b.String())
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// capdoctor runs a command line and returns what it writes and its exit code.
func capdoctor(t *testing.T, args ...string) (out string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), args, streams{strings.NewReader(""), &stdout, &stderr})
	if stderr.Len() > 0 {
		t.Errorf("%v: standard error: %s", args, stderr.String())
	}
	return stdout.String(), code
}

// plainTerminal is a terminal of UTF-8 without a width of its own.
func plainTerminal(t *testing.T) {
	t.Helper()
	for name, value := range map[string]string{"LC_ALL": "C.UTF-8", "COLUMNS": "", "TERM": "xterm"} {
		t.Setenv(name, value)
	}
}

func TestPostmortemGolden(t *testing.T) {
	plainTerminal(t)
	const data = "testdata/postmortem/"
	tests := []struct {
		golden string
		args   []string
		code   int
	}{
		{"orders", []string{data + "orders.log", "--tz", "Europe/Rome"}, 1},
		{"orders-critical", []string{data + "orders.log", "--fail-on", "critical", "--since", "20m"}, 0},
		{"calm", []string{data + "calm.log"}, 0},
		{"notime", []string{data + "notime.log"}, 3},
	}
	for _, tt := range tests {
		t.Run(tt.golden, func(t *testing.T) {
			out, code := capdoctor(t, append([]string{"postmortem"}, tt.args...)...)
			if code != tt.code {
				t.Errorf("exit %d, want %d", code, tt.code)
			}
			goldenPostmortem(t, tt.golden, out)
			if again, _ := capdoctor(t, append([]string{"postmortem"}, tt.args...)...); again != out {
				t.Error("a second run writes something else")
			}
		})
	}
}

// ownWords leaves out what is said in the words of the catalogue, which change
// for reasons of their own: what happens, what to do, and how many were judged.
func ownWords(out string) string {
	var kept []string
	label := ""
	for line := range strings.Lines(out) {
		if line[0] != ' ' && line[0] != '\n' {
			label, _, _ = strings.Cut(line, "  ")
		}
		switch strings.TrimSpace(label) {
		case "WHY", "CHANGE, IN THIS ORDER", "DO NOT", "ALSO FIRING THEN", "RULED OUT", "NOT RULED OUT", "NOT JUDGED", "JUDGED":
		default:
			if !strings.HasPrefix(line, "exit ") {
				kept = append(kept, line)
			}
		}
	}
	return strings.Join(kept, "")
}

func goldenPostmortem(t *testing.T, name, got string) {
	t.Helper()
	got = ownWords(got)
	file := filepath.Join("testdata/postmortem", name+".golden")
	if *update {
		write(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

func TestPostmortemOfTheLab(t *testing.T) {
	plainTerminal(t)
	dir := t.TempDir()
	collapseLogs(t, dir)
	out, code := capdoctor(t, "postmortem", dir)
	if code != 1 {
		t.Errorf("exit %d, want 1", code)
	}
	goldenPostmortem(t, "collapse", out)
}

func TestPostmortemOfAnEmptyFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "empty.log")
	write(t, name, "")
	out, code := capdoctor(t, "postmortem", name)
	if code != 3 || !strings.HasPrefix(out, "? COULD NOT JUDGE  no record in empty\n") || !strings.Contains(out, "0 B, 0 lines") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// looked is what a test reads of the JSON of a look back.
type looked struct {
	Incidents []struct {
		Judged  string          `json:"judged"`
		Finding json.RawMessage `json:"finding"`
	} `json:"incidents"`
	Main   *int `json:"main"`
	Report struct {
		Findings []json.RawMessage `json:"findings"`
	} `json:"report"`
}

func (l *looked) lead(t *testing.T) (id string) {
	t.Helper()
	if l.Main == nil {
		return ""
	}
	var f struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(l.Incidents[*l.Main].Finding, &f); err != nil {
		t.Fatal(err)
	}
	return f.ID
}

func lookedAt(t *testing.T, args ...string) (l looked) {
	t.Helper()
	out, _ := capdoctor(t, append([]string{"postmortem", "-o", "json"}, args...)...)
	if err := json.Unmarshal([]byte(out), &l); err != nil {
		t.Fatal(err)
	}
	return l
}

// The same samples give the same findings, whichever command judges them.
func TestPostmortemAgreesWithDiagnose(t *testing.T) {
	dir := t.TempDir()
	collapseLogs(t, filepath.Join(dir, "logs"))
	write(t, filepath.Join(dir, "case.yaml"), "title: logs alone\nsource: the lab\nconfidence: confirmed\nstart: 2026-05-06T09:00:00Z\nexpect:\n  find: []\nwhy: test\n")
	l := lookedAt(t, filepath.Join(dir, "logs"))
	if l.Main == nil {
		t.Fatal("postmortem tells of no incident")
	}
	out, _ := capdoctor(t, "diagnose", dir, "--at", l.Incidents[*l.Main].Judged, "-o", "json")
	var d struct {
		Findings []json.RawMessage `json:"findings"`
	}
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(indented(t, d.Findings), indented(t, l.Report.Findings)); diff != "" {
		t.Errorf("-diagnose +postmortem:\n%s", diff)
	}
}

func indented(t *testing.T, findings []json.RawMessage) string {
	t.Helper()
	text, err := json.MarshalIndent(findings, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Of the shared cases, those that are known by their logs alone are told right.
func TestPostmortemOfSharedCases(t *testing.T) {
	shared := sharedFolder()
	if shared == "" {
		t.Skip("the shared corpus is not there")
	}
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"the logs of the collapse", []string{"cases/seed0-collapse/logs"}, "congestion-collapse"},
		{"the log of the run with 8 writers", []string{"cases/seed0-healthy/logs"}, ""},
		{"a full producer queue", []string{"cases/a30-pulsar-queue-full"}, "queue-saturated"},
		{"jobs without a limit", []string{"cases/seed2-unbounded"}, "no-backpressure"},
		{"a limit that refuses is information", []string{"cases/seed2-limit24"}, ""},
		{"a network that fails is no congestion", []string{"corpus/logs/loghub-hadoop-network-fault.log"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var args []string
			for _, a := range tt.args {
				args = append(args, filepath.Join(shared, a))
			}
			if l := lookedAt(t, args...); l.lead(t) != tt.want {
				t.Errorf("the main incident is %q, want %q", l.lead(t), tt.want)
			}
		})
	}
}

func TestProgressText(t *testing.T) {
	tests := []struct {
		read, all int64
		rate      float64
		want      string
	}{
		{430e6, 1e9, 860e6, "reading  43 %  430 MB of 1 GB  860 MB/s  1 s left"},
		{0, 1e9, 0, "reading   0 %  0 B of 1 GB  0 B/s"},
		{5e6, 0, 5e6, "reading  5 MB  5 MB/s"},
	}
	for _, tt := range tests {
		if got := progressText(tt.read, tt.all, tt.rate); got != tt.want {
			t.Errorf("progressText(%d, %d, %g) = %q, want %q", tt.read, tt.all, tt.rate, got, tt.want)
		}
	}
}

// A rate that is told in steps of 4 MB is shown without steps.
func TestPaceIsLevelled(t *testing.T) {
	at := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	p := pace{at: at}
	for i := range 100 {
		at = at.Add(100 * time.Millisecond)
		rate := p.reckon(int64(i/4+1)*4e6, at)
		if i > 70 && math.Abs(rate-10e6) > 2e6 {
			t.Errorf("after %d looks the rate is %.0f, want about 10e6", i, rate)
		}
	}
}

func TestSkewIsEstimated(t *testing.T) {
	begin := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	c := func(apart ...time.Duration) *clocks {
		c := &clocks{}
		for i, d := range apart {
			id := []byte{'i', 'd', '-', byte('a' + i)}
			at := begin.Add(time.Duration(i) * time.Minute)
			c.put("bundle", id, at.Add(d))
			c.put("server", id, at)
		}
		return c
	}
	const s, ms = time.Second, time.Millisecond
	tests := []struct {
		name  string
		apart []time.Duration
		want  string
	}{
		{"the same for all", []time.Duration{1200 * ms, 1210 * ms, 1190 * ms, 1200 * ms, 1205 * ms}, "bundle names 5 ids 1.2 s later than server does (1.2 s to 1.2 s): if its clock is fast, --skew bundle=-1.2s"},
		{"the other way round", []time.Duration{-2 * s, -2 * s, -2 * s, -2 * s, -2 * s}, "server names 5 ids 2 s later than bundle does (2 s to 2 s): if its clock is fast, --skew server=-2s"},
		{"too few", []time.Duration{2 * s, 2 * s, 2 * s, 2 * s}, ""},
		{"not the same for all", []time.Duration{1 * s, 2 * s, 3 * s, 4 * s, 30 * s}, ""},
		{"too little", []time.Duration{20 * ms, 20 * ms, 20 * ms, 20 * ms, 20 * ms}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(c(tt.apart...).estimates(), "|"); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}
