package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/lab"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/scrape"
	"github.com/capdoctor/capdoctor/series"
)

// installed is the path of a program of Debian's package prometheus.
func installed(t *testing.T, name string) string {
	t.Helper()
	program, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed (Debian package prometheus)", name)
	}
	return program
}

// TestExportOnPromtool has promtool evaluate the exported files, with their `for`
// and their groups, on the scrapes of cases: what fires, and the signals it is
// proved with, are what a Judge has.
func TestExportOnPromtool(t *testing.T) {
	promtool := installed(t, "promtool")
	catalog, err := rules.Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"evento-collapse", "evento-healthy", "executor-dead-work", "envoy-metastable", "kafka-stalled", "pool-filling", "pulsar-healthy"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := pagesOf(t, name)
			dir := t.TempDir()
			writeText(t, filepath.Join(dir, "test.yaml"), promtoolTest(t, catalog, c))
			args := []string{"rules", "export", "--scrape-interval", caseInterval(c).String(), "-o", filepath.Join(dir, "rules.yaml")}
			args = append(args, factArgs(c)...)
			var failure bytes.Buffer
			if code := run(t.Context(), args, streams{nil, &failure, &failure}); code != 0 {
				t.Fatalf("exit %d: %s", code, &failure)
			}
			for _, args := range [][]string{{"check", "rules", "rules.yaml"}, {"test", "rules", "test.yaml"}} {
				tool := exec.Command(promtool, args...)
				tool.Dir = dir
				if out, err := tool.CombinedOutput(); err != nil {
					t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
				}
			}
		})
	}
}

// TestExportHostileLabels holds that no value of a label changes a query of an
// annotation, or breaks it.
func TestExportHostileLabels(t *testing.T) {
	promtool := installed(t, "promtool")
	dir := t.TempDir()
	var failure bytes.Buffer
	if code := run(t.Context(), []string{"rules", "export", "--system", "hikaricp", "-o", filepath.Join(dir, "rules.yaml")}, streams{nil, &failure, &failure}); code != 0 {
		t.Fatalf("exit %d: %s", code, &failure)
	}
	const labels = `{instance="a\"} or vector(7) #",pool="p\\\"} or vector(8) # {{ query \"up\" }} {{ $labels }}"}`
	var b strings.Builder
	b.WriteString("rule_files: [rules.yaml]\nevaluation_interval: 15s\ntests:\n- interval: 15s\n  input_series:\n")
	for name, values := range map[string]string{"hikaricp_connections": "10x40", "hikaricp_connections_active": "10x40", "hikaricp_connections_max": "10x40", "hikaricp_connections_pending": "3x40"} {
		fmt.Fprintf(&b, "  - {series: %q, values: %q}\n", name+labels, values)
	}
	b.WriteString("  alert_rule_test: [{eval_time: 5m, alertname: PoolExhausted, exp_alerts: []}]\n")
	writeText(t, filepath.Join(dir, "test.yaml"), b.String())
	tool := exec.Command(promtool, "test", "rules", "test.yaml")
	tool.Dir = dir
	out, _ := tool.CombinedOutput() // it fails, and shows the alert that was not expected
	want := fmt.Sprintf("summary=%q", `10 of 10 connections of p\"} or vector(8) # {{ query "up" }} {{ $labels }} are in use, 3 waiting.`)
	if got := string(out); !strings.Contains(got, want) || strings.Contains(got, "error expanding") {
		t.Errorf("want %s, got\n%s", want, got)
	}
}

func writeText(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// caseInterval is the shortest interval of the targets of a case.
func caseInterval(c *incident.Case) time.Duration {
	least := time.Hour
	for _, target := range c.Targets {
		least = min(least, intervalOf(target.Scrapes))
	}
	return least
}

// promtoolTest writes the scrapes of a case as a rule test that expects what a
// Judge has at their end.
func promtoolTest(t *testing.T, catalog *rules.Catalog, c *incident.Case) string {
	interval := caseInterval(c)
	last := int(lastScrape(c).Sub(c.Start) / interval)
	values := map[string][]string{}
	for _, target := range c.Targets {
		replay := scrape.NewReplay(scrape.Target{Name: target.Name, Instance: target.Name, Raw: target.Name}, scrape.ParseOptions{})
		for _, shot := range target.Scrapes {
			r, err := recorded(c, &target, shot, replay)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range append(r.Samples, r.Meta...) {
				key := seriesText(s.Labels)
				if values[key] == nil {
					values[key] = slices.Repeat([]string{"_"}, last+1)
				}
				values[key][shot.Offset/interval] = strconv.FormatFloat(s.Value, 'g', -1, 64)
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "rule_files: [rules.yaml]\nevaluation_interval: %s\ntests:\n- interval: %s\n  input_series:\n", interval, interval)
	for _, key := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(&b, "  - {series: %q, values: %q}\n", key, strings.Join(values[key], " "))
	}
	fmt.Fprintf(&b, "  promql_expr_test:\n  - expr: group by (id) (ALERTS{alertstate=\"firing\"})\n    eval_time: %s\n    exp_samples:\n", time.Duration(last)*interval)
	for _, id := range slices.Sorted(maps.Keys(judgedIDs(t, catalog, c))) {
		fmt.Fprintf(&b, "    - {labels: '{id=%q}', value: 1}\n", id)
	}
	s, at := judged(t, catalog, c), lastScrape(c).UnixMilli()
	signals := []string{"cap:waiting", "cap:pool_size", "cap:pool_busy", "cap:pool_max", "cap:cpu_busy_ratio"}
	if c.Name == "evento-collapse" { // its rates are over one minute, of which all was seen
		signals = append(signals, "cap:completed_rate", "cap:baseline_rate")
	}
	for _, signal := range signals {
		fmt.Fprintf(&b, "  - expr: round(%s, 1e-6)\n    eval_time: %s\n    exp_samples:\n", signal, time.Duration(last)*interval)
		for _, found := range s.store.Select(signal, at, at) {
			labels := strings.TrimPrefix(seriesText(found.Labels), signal)
			fmt.Fprintf(&b, "    - {labels: %q, value: %v}\n", labels, math.Floor(found.Points[0].Value*(1/1e-6)+0.5)/(1/1e-6))
		}
	}
	return b.String()
}

func seriesText(l series.Labels) string {
	name, labels := "", []string{}
	l.Range(func(label series.Label) {
		if label.Name == "__name__" {
			name = label.Value
			return
		}
		labels = append(labels, fmt.Sprintf("%s=%q", label.Name, label.Value))
	})
	return name + "{" + strings.Join(labels, ",") + "}"
}

// TestExportOnPrometheus has Debian's Prometheus scrape models of a server that
// collapses and of a healthy one, with the exported rules: it evaluates them
// without an error, sees the first signs of the collapse, with the numbers, and
// has nothing to say of the other but that its targets have a label of which the
// rules were not told.
func TestExportOnPrometheus(t *testing.T) {
	t.Parallel()
	program := installed(t, "prometheus")
	collapse, healthy := servedScenario(t, program, "collapse", ""), servedScenario(t, program, "healthy", ", shop: north")
	seen, told := map[string]string{}, false
	for begin := time.Now(); len(seen) < 2 || !told; time.Sleep(250 * time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatalf("after 1 min only %q; the label shop told: %t", seen, told)
		}
		for _, a := range alertsOf(t, collapse) {
			seen[a.Labels["id"]] = a.Annotations["summary"]
			for name, text := range a.Annotations {
				if strings.Contains(text, "error expanding") || strings.Contains(text, "no value") {
					t.Errorf("%s %s: %s", a.Labels["alertname"], name, text)
				}
			}
		}
		for _, a := range alertsOf(t, healthy) {
			if a.Labels["alertname"] != "CapdoctorUnknownTargetLabel" || a.Labels["shop"] != "north" || !strings.HasPrefix(a.Annotations["summary"], "Targets have shop beside instance, service, job:") {
				t.Fatalf("healthy, but %s: %s", a.Labels["alertname"], a.Annotations["summary"])
			}
			told = true
		}
	}
	if got := seen["pool-never-grows"]; !strings.Contains(got, "16 of 64 threads of bus run, all busy") {
		t.Errorf("pool-never-grows says %q", got)
	}
	if got := seen["dead-work-queue"]; !strings.Contains(got, "are never served; callers wait 30s.") {
		t.Errorf("dead-work-queue says %q", got)
	}
	for _, api := range []string{collapse, healthy} {
		holdsRules(t, api)
	}
}

// servedScenario is the API of a Prometheus that scrapes a model and puts labels
// on its series.
func servedScenario(t *testing.T, program, name, labels string) string {
	t.Helper()
	scenario, err := lab.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	d, err := startDemo(scenario)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.stop)
	return startPrometheus(t, program, d, labels)
}

// holdsRules holds that a server evaluates all rules without an error, and that
// they record signals.
func holdsRules(t *testing.T, api string) {
	t.Helper()
	var loaded struct {
		Data struct {
			Groups []struct {
				Rules []struct{ Name, Health, LastError string }
			}
		}
	}
	getJSON(t, api+"rules", &loaded)
	rules := 0
	for _, g := range loaded.Data.Groups {
		for _, r := range g.Rules {
			if rules++; r.Health != "ok" {
				t.Errorf("%s is %s: %s", r.Name, r.Health, r.LastError)
			}
		}
	}
	var signal struct{ Data struct{ Result []any } }
	getJSON(t, api+"query?query=cap:pool_size", &signal)
	if rules < 50 || len(signal.Data.Result) == 0 {
		t.Errorf("%d rules, %d series of cap:pool_size", rules, len(signal.Data.Result))
	}
}

// startPrometheus starts a server that scrapes a demo every second with the
// exported rules, and returns the address of its API.
func startPrometheus(t *testing.T, program string, d *demo, labels string) string {
	t.Helper()
	dir := t.TempDir()
	var failure bytes.Buffer
	args := []string{"rules", "export", "--system", "evento,jvm,hikaricp,postgres", "--scrape-interval", "1s", "-o", filepath.Join(dir, "rules.yaml")}
	if code := run(t.Context(), args, streams{nil, &failure, &failure}); code != 0 {
		t.Fatalf("exit %d: %s", code, &failure)
	}
	var config strings.Builder
	config.WriteString("global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}\nrule_files: [rules.yaml]\nscrape_configs:\n")
	for _, target := range d.model.Targets() {
		fmt.Fprintf(&config, "- job_name: %s\n  metrics_path: /%s%s\n  static_configs: [{targets: [%q], labels: {instance: %s%s}}]\n",
			target.Name, target.Name, target.Path, strings.TrimPrefix(d.url, "http://"), target.Name, labels)
	}
	writeText(t, filepath.Join(dir, "prometheus.yml"), config.String())
	address := freeAddress(t)
	server := exec.Command(program, "--config.file="+filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path="+dir, "--web.listen-address="+address)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Kill(); server.Wait() })
	waitFor(t, "http://"+address+"/-/ready")
	return "http://" + address + "/api/v1/"
}

// A servedAlert is an alert as the API of Prometheus shows it.
type servedAlert struct{ Labels, Annotations map[string]string }

func alertsOf(t *testing.T, api string) []servedAlert {
	t.Helper()
	var answer struct {
		Data struct{ Alerts []servedAlert }
	}
	getJSON(t, api+"alerts", &answer)
	return answer.Data.Alerts
}

func getJSON(t *testing.T, url string, into any) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if err := json.NewDecoder(r.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
}
