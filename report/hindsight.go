package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// A hindsight is a look back put into words: the same ones in every form.
type hindsight struct {
	wording
	p *rules.Postmortem
}

func newHindsight(p *rules.Postmortem, o Options) hindsight {
	r := *p.Report
	r.Facts = knownFacts(r.Facts)
	h := hindsight{newWording(&r, o), p}
	switch {
	case p.Main >= 0:
		h.clock.day = p.Incidents[p.Main].Onset.In(h.clock.zone)
	case !p.First.IsZero():
		h.clock.day = p.First.In(h.clock.zone)
	}
	return h
}

// knownFacts leaves out defaults that something says better.
func knownFacts(facts []rules.Fact) []rules.Fact {
	return slices.DeleteFunc(slices.Clone(facts), func(f rules.Fact) bool {
		return f.Rank == rules.FromDefault && slices.ContainsFunc(facts, func(g rules.Fact) bool { return g.Name == f.Name && g.Rank > f.Rank })
	})
}

// main is the incident that is told in full.
func (h *hindsight) main() *rules.Incident { return &h.p.Incidents[h.p.Main] }

// what is "Congestion collapse on evento-server, 2026-07-02 09:00:50 to after
// 09:11:00 UTC".
func (h *hindsight) what() string {
	in := h.main()
	return h.name(in.Finding.Title, mostName) + " on " + h.target(in.Finding.Subject) + ", " + h.clock.date(in.Onset) + " " + h.period(in)
}

// period is "09:00:50 to 09:11:00 UTC", with "after" where the end was not seen.
func (h *hindsight) period(in *rules.Incident) string {
	from := h.clock.plain(in.Onset)
	switch {
	case in.AtStart:
		from = "before " + from
	case !in.After.IsZero():
		from = "between " + h.clock.plain(in.After) + " and " + from
	}
	if in.End.IsZero() {
		return h.clock.span(from, "after "+h.clock.plain(in.LastSeen), in.Onset, in.LastSeen)
	}
	return h.clock.span(from, h.clock.plain(in.End), in.Onset, in.End)
}

// scope is "2 logs, 2026-07-02 08:12:05 to 11:01:00 UTC".
func (h *hindsight) scope() string {
	if h.p.First.IsZero() {
		return h.inputCount()
	}
	from, to := h.clock.date(h.p.First), h.clock.date(h.p.Last)
	begin := from + " " + h.p.First.In(h.clock.zone).Format(time.TimeOnly)
	end := h.p.Last.In(h.clock.zone).Format(time.TimeOnly)
	if from != to {
		end = to + " " + end
	}
	return h.inputCount() + ", " + h.clock.span(begin, end, h.p.First, h.p.Last)
}

// course says what happened in numbers.
func (h *hindsight) course() string {
	var parts []string
	if f := h.p.Fall; f != nil {
		s := fmt.Sprintf("%s fell from %s to %s", upperFirst(f.Title), rules.Rate(f.Before), rules.Rate(f.During))
		if !math.IsNaN(f.After) {
			s += ", later " + rules.Rate(f.After)
		}
		parts = append(parts, s+"; about "+rules.Number(roundTo(f.Missed, 2))+" were missed.")
	}
	if l := h.p.Outcomes; l.Indeterminate > 0 {
		parts = append(parts, requests(l.Indeterminate)+" expired"+payloadTypes(l.Types)+".")
	}
	if len(parts) < 2 {
		parts = append(parts, "At "+h.clock.time(h.main().Judged)+": "+rules.Sentence(h.main().Finding.Summary))
	}
	return strings.Join(parts, " ")
}

// roundTo rounds to a number of digits.
func roundTo(v float64, digits int) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-float64(digits-1))
	return math.Round(v/unit) * unit
}

// incidentHead are the headings of the table of incidents.
func incidentHead() []string { return []string{"INCIDENT", "onset", "worst", "end", "length"} }

// several tells whether incidents must be told apart.
func (h *hindsight) several() bool { return len(h.p.Incidents) > 1 }

// incidentRow is the cells of one incident.
func (h *hindsight) incidentRow(i int) []string {
	in := &h.p.Incidents[i]
	name := fmt.Sprint(i + 1)
	if h.several() {
		name += " " + in.Finding.ID
	}
	return []string{name, h.onset(in), h.worst(in), h.end(in), h.incidentLength(in)}
}

func (h *hindsight) onset(in *rules.Incident) string {
	s := h.about(in.Onset, in.Within)
	switch {
	case in.AtStart:
		s += " or before: it begins so"
	case !in.After.IsZero():
		s += " or before: silence since " + h.clock.time(in.After)
	}
	return s
}

// about is a time, and how far off it may be.
func (h *hindsight) about(t time.Time, within time.Duration) string {
	if within < time.Second {
		return h.clock.time(t)
	}
	return h.clock.time(t) + " ± " + rules.Duration(within.Round(time.Second))
}

func (h *hindsight) worst(in *rules.Incident) string {
	s := h.clock.time(in.Worst.At)
	if !math.IsNaN(in.Worst.Value) {
		s += ", " + peak(in.Worst)
	}
	return s
}

// peak is "0.07/s", "50 requests" or "in use 10".
func peak(p rules.Peak) string {
	v := rules.Value(p.Value, p.Unit)
	switch p.Unit {
	case "ratio", "1/s", "s", "s/s", "bytes":
		return v
	case "1", "":
		return p.Title + " " + v
	}
	if p.Value == 1 {
		return v + " " + strings.TrimSuffix(p.Unit, "s")
	}
	return v + " " + p.Unit
}

func (h *hindsight) end(in *rules.Incident) string {
	if !in.End.IsZero() {
		return h.clock.time(in.End)
	}
	s := "not seen: " + h.sources() + " stop " + h.clock.time(in.LastSeen)
	if !in.Next.IsZero() {
		s += ", next " + h.clock.time(in.Next)
	}
	return s
}

// sources is what was read.
func (h *hindsight) sources() string {
	if targets, _ := countInputs(h.r); targets > 0 {
		return "records"
	}
	return "logs"
}

func (h *hindsight) incidentLength(in *rules.Incident) string {
	if !in.End.IsZero() {
		return rules.Duration(in.End.Sub(in.Onset).Round(time.Second))
	}
	s := "at least " + rules.Duration(in.LastSeen.Sub(in.Onset).Round(time.Second))
	if !in.Next.IsZero() {
		s += ", at most " + rules.Duration(in.Next.Sub(in.Onset).Round(time.Second))
	}
	return s
}

// date is "2026-07-02".
func (c clock) date(at time.Time) string { return at.In(c.zone).Format("2006-01-02") }

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
