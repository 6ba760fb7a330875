package lab

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

func TestJavaDouble(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{0, "0.0"},
		{64, "64.0"},
		{-1, "-1.0"},
		{0.1863, "0.1863"},
		{0.001, "0.001"},
		{0.0004, "4.0E-4"},
		{1.5e-5, "1.5E-5"},
		{9999999, "9999999.0"},
		{1e7, "1.0E7"},
		{12345678, "1.2345678E7"},
		{2147483647, "2.147483647E9"},
		{1.785e9, "1.785E9"},
		{math.NaN(), "NaN"},
		{math.Inf(1), "+Inf"},
		{math.Inf(-1), "-Inf"},
	} {
		if got := javaDouble(c.v); got != c.want {
			t.Errorf("javaDouble(%v) = %s, want %s", c.v, got, c.want)
		}
	}
}

// parsed is a page's families, as Prometheus' own parser reads them.
func parsed(t *testing.T, body []byte) map[string]*dto.MetricFamily {
	t.Helper()
	p := expfmt.NewTextParser(model.LegacyValidation)
	families, err := p.TextToMetricFamilies(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("page does not parse: %v", err)
	}
	return families
}

// Families are in order of their names, each with HELP, then TYPE, then its
// series in order.
func TestPageLayout(t *testing.T) {
	for target, body := range collapse().Roll(epoch).Pages() {
		var names, rows []string
		for line := range strings.Lines(string(body)) {
			switch f := strings.Fields(line); {
			case strings.HasPrefix(line, "# HELP "):
				names = append(names, strings.TrimSuffix(f[2], "_total"))
				rows = nil
			case strings.HasPrefix(line, "# TYPE "):
				if strings.TrimSuffix(f[2], "_total") != names[len(names)-1] || rows != nil {
					t.Errorf("%s: %q does not follow its HELP", target, line)
				}
			default:
				rows = append(rows, f[0])
				if !strings.HasPrefix(line, names[len(names)-1]) {
					t.Errorf("%s: %q is not of family %s", target, line, names[len(names)-1])
				}
			}
		}
		if !slices.IsSorted(names) {
			t.Errorf("%s: families are not in order: %v", target, names)
		}
	}
}

func TestReadingChangesNothing(t *testing.T) {
	a, b := New(startEight(), epoch), New(startEight(), epoch)
	for i := range 100 {
		at := epoch.Add(time.Duration(i) * 1300 * time.Millisecond)
		a.RunTo(at)
		a.Pages()
		a.Stats()
		a.Expired()
	}
	b.RunTo(epoch.Add(99 * 1300 * time.Millisecond))
	if !bytes.Equal(a.Pages()[ServerTarget], b.Pages()[ServerTarget]) {
		t.Error("a page that was read often differs from one that was not")
	}
}

// counts are the values that must only grow.
func counts(families map[string]*dto.MetricFamily) map[string]float64 {
	all := map[string]float64{}
	for name, f := range families {
		for _, metric := range f.Metric {
			var labels []string
			for _, l := range metric.Label {
				labels = append(labels, l.GetName()+"="+l.GetValue())
			}
			key := name + "{" + strings.Join(labels, ",") + "}"
			switch f.GetType() {
			case dto.MetricType_COUNTER:
				all[key] = metric.GetCounter().GetValue()
			case dto.MetricType_SUMMARY:
				all[key+" count"] = float64(metric.GetSummary().GetSampleCount())
				all[key+" sum"] = metric.GetSummary().GetSampleSum()
			}
		}
	}
	return all
}

// The page has every family of a page in the shared corpus, with its type.
func TestPageHasSharedFamilies(t *testing.T) {
	for target, scenario := range map[string]string{ServerTarget: "collapse", BundleTarget: "collapse"} {
		name := filepath.Join("..", "..", "shared", "cases", "seed0-"+scenario, "scrapes", target, "0645s.prom")
		body, err := os.ReadFile(name)
		if err != nil {
			t.Skipf("no shared corpus: %v", err)
		}
		ours := parsed(t, collapse().Roll(epoch).Pages()[target])
		for family, f := range parsed(t, append(body, '\n')) {
			if target == BundleTarget && strings.HasPrefix(family, "jvm_") {
				continue // the importer here does not tell of its threads
			}
			if got, ok := ours[family]; !ok || got.GetType() != f.GetType() {
				t.Errorf("%s: no family %s of type %s", target, family, f.GetType())
			}
		}
	}
}

var (
	serverLine = regexp.MustCompile(`^\d{17} (INFO |WARN |ERROR) 1 --- \[[^\]]{40}\] \S+ *: \S`)
	bundleLine = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} \[[a-z0-9-]+\] (INFO |WARN |ERROR) [A-Za-z.]+ - \S`)
	traceLine  = regexp.MustCompile(`^(\tat |[a-z]+\.[A-Za-z.]+Exception: )`)
)

// checkLog tells whether every line of a log has its layout or is of a stack
// trace, in order of time, and is given once.
func checkLog(t *testing.T, m *Model, target string, want *regexp.Regexp) {
	t.Helper()
	lines := m.Logs(target)
	if len(lines) == 0 {
		t.Errorf("%s logged nothing", target)
	}
	for i, l := range lines {
		if !want.MatchString(l.Text) && !traceLine.MatchString(l.Text) {
			t.Fatalf("%s has line %q", target, l.Text)
		}
		if i > 0 && l.Time.Before(lines[i-1].Time) {
			t.Fatalf("%s goes back in time at %q", target, l.Text)
		}
	}
	if again := m.Logs(target); len(again) != 0 {
		t.Errorf("%s gives %d lines twice", target, len(again))
	}
}

func TestLogTemplates(t *testing.T) {
	logs := map[string]string{}
	for _, name := range []string{"collapse", "saturated", "old-server", "retry-storm"} {
		s, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		m := s.Roll(epoch)
		logs[name] = text(m.Logs(ServerTarget)) + text(m.Logs(BundleTarget))
	}
	for _, c := range []struct{ scenario, pattern string }{
		{"collapse", `event=bus_business_executor_configured core=16 max=64 queue=1024 keepAliveMs=90000\n`},
		{"collapse", `EventFetchRequest concurrency limit: 4 max-age: 0ms\n`},
		{"collapse", `event=local_handler_threw payloadType=CatalogProductAddCommand correlationId=[0-9a-f-]{36}\njava.util.concurrent.TimeoutException: null\n\tat `},
		{"collapse", `event=correlations_expired count=\d+ pending=\d+\n`},
		{"collapse", `WARN  \S+BundleCorrelationTracker - event=bundle_correlation_expired count=\d+ pending=\d+ byType={CatalogProductAddCommand=\d+, EventFetchRequest=\d+}\n`},
		{"collapse", `product \d+ failed: CatalogProductAddCommand: request expired after 30\d\d\dms \(timeout=30000\), next product\n`},
		{"collapse", `written=\d+ rate=25\.\d\d/s writers=8\n`},
		{"saturated", `event=bus_business_executor_saturated total=\d+ poolSize=64 max=64 queueDepth=256 submitted=\d+ hint=incoming request rate exceeds capacity; raise `},
		{"old-server", `INFO  \S+BundleCorrelationTracker - event=bundle_correlation_expired count=\d+ pending=\d+\n`},
		{"old-server", `INFO +1 --- \[evento-correlation-cleaner +\] CorrelationStore +: event=correlations_expired `},
		{"retry-storm", `, retry 3 of 3\n`},
		{"retry-storm", `, pausing 10 s\n`},
	} {
		if !regexp.MustCompile(c.pattern).MatchString(logs[c.scenario]) {
			t.Errorf("%s: no line like %q", c.scenario, c.pattern)
		}
	}
}

func text(lines []LogLine) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

// A log line about saturation comes at most once in ten seconds.
func TestSaturationLineIsRare(t *testing.T) {
	var last time.Time
	for _, l := range saturated().Roll(epoch).Logs(ServerTarget) {
		if !strings.Contains(l.Text, "executor_saturated") {
			continue
		}
		if !last.IsZero() && l.Time.Sub(last) < 10*time.Second {
			t.Fatalf("%v after the one before: %s", l.Time.Sub(last), l.Text)
		}
		last = l.Time
	}
	if last.IsZero() {
		t.Error("no line about saturation")
	}
}
