package rules

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// testSignals is the vocabulary of small catalogues under test.
const testSignals = `signals:
- {name: "cap:waiting", title: requests waiting, unit: requests, type: gauge, labels: [instance, system, resource, kind], meaning: Callers that wait.}
- {name: "cap:pool_busy", title: in use, unit: "1", type: gauge, labels: [instance, system, resource, kind], meaning: Busy.}
- {name: "cap:pool_size", title: pool size, unit: "1", type: gauge, labels: [instance, system, resource, kind], meaning: Size.}
- {name: "cap:pool_max", title: pool maximum, unit: "1", type: gauge, labels: [instance, system, resource, kind], meaning: Most.}
- {name: "cap:pool_used_ratio", title: pool used, unit: ratio, type: gauge, labels: [instance, system, resource, kind], meaning: Used.}
- {name: "cap:completed_rate", title: completions, unit: 1/s, type: gauge, labels: [instance, system, resource, kind], meaning: Completions.}
- {name: "cap:completed_total", title: completions since the start, unit: "1", type: counter, labels: [instance, system, resource, kind], meaning: Completions.}
- {name: "cap:history_rate", title: completions before, unit: 1/s, type: gauge, labels: [instance, system, resource, kind], meaning: Before., baseline: true}
- {name: "cap:lifetime_rate", title: lifetime average, unit: 1/s, type: gauge, labels: [instance, system, resource, kind], meaning: Average., baseline: true}
- {name: "cap:baseline_rate", title: completions before the trouble, unit: 1/s, type: gauge, labels: [instance, system, resource, kind], meaning: Before., baseline: true}
- {name: "cap:expired_rate", title: requests expired, unit: 1/s, type: gauge, labels: [instance, system, resource, kind], meaning: Expired.}
- {name: "cap:expired_count", title: "requests expired, 5 min", unit: requests, type: gauge, labels: [instance, system, resource, kind], meaning: Expired.}
- {name: "cap:cpu_busy_ratio", title: CPU busy, unit: ratio, type: gauge, labels: [instance, system], meaning: CPU.}
- {name: "cap:gc_ratio", title: time in GC, unit: ratio, type: gauge, labels: [instance, system], meaning: GC., enable: scrape the JVM}
- {name: "cap:deadline_seconds", title: callers wait, unit: s, type: gauge, labels: [instance, system, resource, kind], meaning: Deadline., enable: "--fact deadline_seconds=30s"}
- {name: "cap:wait_seconds", title: wait of the last in the queue, unit: s, type: gauge, labels: [instance, system, resource, kind], meaning: Wait.}
- {name: "cap:db_active", title: database sessions at work, unit: sessions, type: gauge, labels: [instance, system, resource, kind], meaning: Sessions.}
- {name: "cap:uptime_seconds", title: time since the start, unit: s, type: gauge, labels: [instance, system], meaning: Age.}
- {name: "cap:goodput_rate", title: useful completions, unit: 1/s, type: gauge, labels: [instance], meaning: Goodput., enable: "--goodput SELECTOR"}
- {name: "cap:goodput_total", title: useful completions, unit: "1", type: counter, labels: [instance], meaning: Goodput.}
- {name: "cap:scrape_up", title: metrics page read, unit: "1", type: gauge, labels: [instance, system], meaning: Read.}
- {name: capdoctor_observed_seconds, title: watched for, unit: s, type: gauge, labels: [instance], meaning: Watched.}
- {name: "cap:fact", title: known fact, unit: "1", type: gauge, labels: [instance], meaning: Fact.}
`

// testCatalog is the vocabulary and the files given; a diagnosis is its
// expression alone, or its whole text.
func testCatalog(t *testing.T, files map[string]string) *Catalog {
	t.Helper()
	all := map[string]string{"signals.yaml": testSignals}
	maps.Copy(all, files)
	for name, text := range files {
		if id, ok := strings.CutPrefix(name, "diagnoses/"); ok && !strings.Contains(text, "groups:") {
			delete(all, name)
			all[name+".yaml"] = diagnosis(id, text)
		}
	}
	return load(t, all)
}

// oneDiagnosis is a catalogue of the diagnosis x.
func oneDiagnosis(t *testing.T, expr string, more ...string) *Catalog {
	t.Helper()
	return testCatalog(t, map[string]string{"diagnoses/x.yaml": diagnosis("x", expr, more...)})
}

// diagnosis is the file of a diagnosis; more are lines of its alert, such as
// "for: 20s" or "severity: info", or of its annotations, such as "summary: ...".
func diagnosis(id, expr string, more ...string) string {
	severity, annotations := "warning", ""
	rule := ""
	for _, line := range more {
		name, value, _ := strings.Cut(line, ": ")
		switch name {
		case "for":
			rule = "    " + line + "\n"
		case "severity":
			severity = value
		default:
			annotations += "      " + strings.ReplaceAll(line, "\n", "\n        ") + "\n"
		}
	}
	if annotations != "" {
		annotations = "    annotations:\n" + annotations
	}
	return fmt.Sprintf("groups:\n- name: %s\n  rules:\n  - alert: %s\n    expr: |\n      %s\n%s    labels: {id: %s, severity: %s}\n%s",
		id, alertName(id), strings.ReplaceAll(expr, "\n", "\n      "), rule, id, severity, annotations)
}

func alertName(id string) string {
	name := ""
	for part := range strings.SplitSeq(id, "-") {
		name += strings.ToUpper(part[:1]) + part[1:]
	}
	return name
}
