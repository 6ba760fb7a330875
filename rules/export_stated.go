package rules

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What Go states of an instance is recorded by the server itself.
const (
	statedInterval = "capdoctor_scrape_interval_seconds"
	statedObserved = "capdoctor_observed_seconds"
	statedScrapes  = "capdoctor_scrapes_total"
)

var statedSignals = []string{statedObserved, statedInterval, statedScrapes}

// stated records, for every target on which a system is recognised, how it is
// watched and which facts are known of it.
func (w *exportWriter) stated() []ExportRule {
	var all []ExportRule
	interval := seconds64(w.options.Interval.Seconds())
	add := func(name, expr, comment string) {
		all = append(all, ExportRule{Record: name, Expr: expr, Comment: comment})
	}
	read := func(name string) bool { return w.selected.isRead(name, map[string]string{}) }
	add(statedInterval, w.recognised(w.markers(w.selected.systemsInOrder()))+" * "+interval,
		"One for every target that shows a metric by which a system is recognised.")
	if read(statedObserved) {
		add(statedObserved, "(count_over_time("+statedInterval+"[30m]) - 1) * "+interval, "Up to 30 minutes: no rule asks for more.")
	}
	if read(statedScrapes) {
		add(statedScrapes, statedInterval+" * 0 + scalar(floor(vector(time() / "+interval+")))", "Counts up by one with every scrape.")
	}
	return append(all, w.facts()...)
}

// recognised is 1 for every target that has one of some metrics.
func (w *exportWriter) recognised(names []string) string {
	text := "group by (" + strings.Join(w.identity, ", ") + ") (" + namesSelector(names) + ")"
	return w.withService(text, false)
}

// markers lists the metric names by which systems are recognised; of a system
// without any, those that its rules read.
func (w *exportWriter) markers(ids []string) []string {
	names := map[string]bool{}
	for _, id := range ids {
		marked := []string{}
		if s := w.catalog.systems[id]; s != nil {
			marked = s.markerNames()
		}
		if len(marked) == 0 {
			marked = w.namesRead(id)
		}
		for _, name := range marked {
			names[name] = true
		}
	}
	return sortedKeys(names)
}

// namesRead lists the metric names that the rules of a system read, without
// what the server makes of every scrape.
func (w *exportWriter) namesRead(id string) []string {
	names := map[string]bool{}
	for _, r := range w.selected.systems {
		if r.labels["system"] != id {
			continue
		}
		for _, s := range selectors(r.expr) {
			if s.Name != "" {
				names[regexp.QuoteMeta(s.Name)] = true
			}
		}
	}
	for _, name := range []string{"up", "scrape_duration_seconds", statedScrapes} {
		delete(names, name)
	}
	return sortedKeys(names)
}

// markerNames are the markers of a system as regular expressions.
func (s *System) markerNames() []string {
	var all []string
	for _, name := range s.Markers {
		all = append(all, regexp.QuoteMeta(name))
	}
	return append(all, s.MarkerPatterns...)
}

// namesSelector selects the series of some metric names, given as regular expressions.
func namesSelector(names []string) string {
	if len(names) == 1 && regexp.QuoteMeta(names[0]) == names[0] {
		return names[0]
	}
	return "{__name__=~" + strconv.Quote(strings.Join(names, "|")) + "}"
}

// unknownTargetLabel tells that targets have a label which the rules do not
// keep: signals of one thing would differ in it and never be compared.
func (w *exportWriter) unknownTargetLabel() ExportRule {
	known := w.identity
	if !slices.Contains(known, "service") {
		known = append(slices.Clone(known), "service") // it is set anew from another label
	}
	return ExportRule{
		Alert: "CapdoctorUnknownTargetLabel",
		Expr: "topk(1,\n  max without (" + strings.Join(known, ", ") + ") (up and on (instance) " + statedInterval + ")\n" +
			"  unless max by () (up))",
		For:    w.options.Interval,
		Labels: map[string]string{"id": "capdoctor-unknown-target-label", "severity": Info},
		Annotations: map[string]string{
			"title": "A label of targets that the rules do not know",
			"summary": "Targets have {{ range $name, $value := $labels }}{{ $name }} {{ end }}beside " + strings.Join(known, ", ") +
				": capdoctor's rules do not keep it and may miss what they should find.",
			"first": "export the rules again, with this label in --target-label.",
		},
	}
}

// facts are the facts that something reads, one rule each: what flags say of
// one target, what they say of all, the defaults of systems in the order of the
// catalogue.
func (w *exportWriter) facts() []ExportRule {
	var all []ExportRule
	for _, name := range w.selected.factNames() {
		if !w.selected.isRead("cap:fact", map[string]string{"fact": name}) {
			continue
		}
		var branches []string
		for _, f := range w.statedFacts(name) {
			branches = append(branches, w.factBranch(f))
		}
		for _, s := range w.selected.defaults[name] {
			if v, err := ParseFactValue(s.Facts[name]); err == nil {
				branches = append(branches, labelReplaceShort(w.recognised(s.markerNames())+" * "+seconds64(v), s.Title+"'s default"))
			}
		}
		all = append(all, ExportRule{Record: "cap:fact", Expr: strings.Join(branches, "\nor on (instance) "), Labels: map[string]string{"fact": name}})
	}
	return all
}

// statedFacts are the facts of a name that flags give, those of single targets
// first; of the same target the last one.
func (w *exportWriter) statedFacts(name string) []Fact {
	var own, general []Fact
	for _, f := range w.selected.facts[name] {
		if f.Instance == "" {
			general = []Fact{f}
			continue
		}
		own = slices.DeleteFunc(own, func(old Fact) bool { return old.Instance == f.Instance })
		own = append(own, f)
	}
	return append(own, general...)
}

func (w *exportWriter) factBranch(f Fact) string {
	on := statedInterval
	if f.Instance != "" {
		on += "{instance=" + strconv.Quote(f.Instance) + "}"
	}
	return labelReplaceShort(on+" * 0 + "+seconds64(f.Value), f.Origin)
}

// labelReplaceShort says who states a fact.
func labelReplaceShort(text, origin string) string {
	return "label_replace(" + text + ", \"origin\", " + strconv.Quote(strings.ReplaceAll(origin, "$", "$$")) + ", \"\", \"\")"
}

// seconds64 writes a number as PromQL reads it.
func seconds64(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
