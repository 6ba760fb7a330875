package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/series"
)

// loadSignals are what a person looks for first, in order.
var loadSignals = []string{
	"cap:goodput_rate", "cap:completed_rate", "cap:waiting", "cap:pool_busy", "cap:in_flight", "cap:expired_count",
	"cap:cpu_busy_ratio", "cap:gc_ratio", "cap:latency_seconds", "cap:backlog", "cap:db_active", "cap:db_lock_waiting",
}

// load are the signals of loadSignals of a target, in that order: those of the
// whole target and of the resources that matter.
func (s *scene) load(name string) []signal {
	const most = 14
	signals := s.signalsOf(name)
	matter := s.matter(name, resourcesOf(signals))
	var out []signal
	for _, want := range loadSignals {
		moves := slices.ContainsFunc(signals, func(x signal) bool { return x.name() == want && x.now != 0 })
		for _, x := range signals {
			keep, known := matter[x.labels.Get("resource")]
			if x.name() == want && len(out) < most && (keep || !known && (x.now != 0 || !moves)) {
				out = append(out, x)
			}
		}
	}
	return out
}

// matter tells for each resource whether it has to do with how the target does:
// while a finding is about the target, the resources that it names and those
// that work waits for; else those in use. Where none does all do.
func (s *scene) matter(name string, resources []resource) map[string]bool {
	about := s.named(name)
	matter := map[string]bool{}
	any := false
	for _, r := range resources {
		keep := about[r.name] || r.waiting > 0 || len(about) == 0 && !r.idle()
		matter[r.name] = matter[r.name] || keep
		any = any || keep
	}
	if !any {
		for r := range matter {
			matter[r] = true
		}
	}
	return matter
}

// named are the resources of a target that findings are about.
func (s *scene) named(name string) map[string]bool {
	named := map[string]bool{}
	for _, f := range s.report().Findings {
		if res := string(f.Subject["resource"]); res != "" && nameOf(f) == name {
			named[res] = true
		}
	}
	return named
}

// loadBlock is how a target does. What all rows are about stands in the heading.
func (s *scene) loadBlock(name string, columns int) block {
	const value, leastSpark, mostSpark = 11, 8, 60
	shown := s.load(name)
	common := commonResource(shown)
	titles := make([]string, len(shown))
	label := 12
	for i, x := range shown {
		titles[i] = s.signalTitle(x, common)
		label = max(label, min(40, width(titles[i])))
	}
	label = max(12, min(label, columns-2-value-4-leastSpark))
	spark := max(0, min(mostSpark, columns-2-label-value-4))
	var rows []row
	for i, x := range shown {
		p := s.theme.pen(columns).put(plain, "  ").name(plain, titles[i], label)
		p.num(plain, rules.Value(x.now, s.unit(x.name())), value).put(plain, " "+measure{x.now, x.ago}.trend()+"  ")
		rows = append(rows, p.raw(plain, s.theme.spark(s.reading.charts[signalChart(x)], min(spark, p.max-p.w))).row())
	}
	if len(rows) == 0 {
		rows = s.theme.prose(columns, 2, note, "No signal of "+name+" yet. capdoctor knows a system by its metrics; screen 5 shows all that was read.")
	}
	return s.theme.rowsBlock(s.theme.heading(columns, "Load of "+joinNonEmpty(", ", name, common)), min(3, len(rows)), rows)
}

// commonResource is the resource of all signals that have one; empty where they
// differ.
func commonResource(signals []signal) string {
	common := ""
	for _, x := range signals {
		switch res := x.labels.Get("resource"); {
		case res == "" || x.name() == "cap:expired_count": // its resource is what expired
		case common == "":
			common = res
		case common != res:
			return ""
		}
	}
	return common
}

// signalTitle is "requests waiting (bus)", without the resource that goes without
// saying.
func (s *scene) signalTitle(x signal, common string) string {
	title := s.titleOn(x.name(), x.labels.Get("system"))
	if res := x.labels.Get("resource"); res != "" && res != common {
		title += " (" + shortResource(res) + ")"
	}
	return title
}

// shortResource is the last part of a name that is a path.
func shortResource(name string) string {
	return name[strings.LastIndexByte(strings.TrimSuffix(name, "/"), '/')+1:]
}

// signalChart is the chart of a signal. Its name stands among the labels, because
// not every name can stand before them.
func signalChart(sig signal) chartKey {
	labels := model.Metric{}
	sig.labels.Range(func(l series.Label) {
		if l.Name != model.MetricNameLabel {
			labels[model.LabelName(l.Name)] = model.LabelValue(l.Value)
		}
	})
	text := labels.String()
	return chartKey{expr: fmt.Sprintf("{__name__=%q,%s", sig.name(), strings.TrimPrefix(text, "{")), labels: text}
}
