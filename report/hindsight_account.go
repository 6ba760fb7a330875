package report

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// moverRow is when, what, and where that is seen.
func (h *hindsight) moverRow(m rules.Mover) []string {
	where := "computed"
	if m.Where != nil {
		where = h.shortPlace(*m.Where)
	}
	return []string{h.about(m.Time, m.Within), h.moverText(m), where}
}

// moverText is "completions 16.0/s → 0.07/s", "requests expired, 110 until
// 09:09:51", or the title where that says it all. It names the target where no
// line does.
func (h *hindsight) moverText(m rules.Mover) string {
	s := m.Title
	switch {
	case math.IsNaN(m.During):
	case m.Kind == rules.Count:
		s += ", " + rules.Number(math.Round(m.During))
		if m.Until.After(m.Time) {
			s += " until " + h.clock.time(m.Until)
		}
	default:
		s += " " + rules.Value(m.Before, m.Unit) + " → " + rules.Value(m.During, m.Unit)
	}
	if m.Where == nil && m.Instance != "" && m.Instance != string(h.main().Finding.Subject["instance"]) {
		s += ", on " + h.name(m.Instance, mostName)
	}
	return s
}

// shortPlace is "evento-server.log:13", without folders.
func (w *wording) shortPlace(l rules.Line) string {
	return w.name(path.Base(l.File), mostName) + ":" + rules.Number(float64(l.Number))
}

// pacesText shows what more clients came to, where fewer did more.
func (h *hindsight) pacesText() string {
	const most = 5
	all := h.p.Paces
	inverted := slices.ContainsFunc(all, func(a rules.Pace) bool {
		return slices.ContainsFunc(all, func(b rules.Pace) bool { return a.Clients < b.Clients && a.Rate > 1.1*b.Rate })
	})
	if !inverted || len(all) > most {
		return ""
	}
	var parts []string
	for i, p := range all {
		s := rules.Rate(p.Rate)
		if p.Incident {
			s += " in the incident"
		}
		if i > 0 && p.Clients == all[i-1].Clients {
			parts[len(parts)-1] += ", " + s
			continue
		}
		parts = append(parts, rules.Number(p.Clients)+" clients "+s)
	}
	return strings.Join(parts, "; ") + "."
}

// outcomes says what became of requests whose answer never came, and under
// which label.
func (h *hindsight) outcomes() (label, s string) {
	l := h.p.Outcomes
	refused := rules.Number(l.Refused) + " (nothing was done: safe to repeat)."
	switch {
	case !(l.Indeterminate > 0) && l.Refused > 0:
		return "REFUSED", refused
	case !(l.Indeterminate > 0):
		return "", ""
	}
	s = requests(l.Indeterminate) + " timed out" + payloadTypes(l.Types) + " and may have been applied: look before you retry."
	if l.Refused >= 0 {
		s += " Refused: " + refused
	}
	return "RESULT UNKNOWN", s
}

// companions are the findings that fired beside the leading one.
func (h *hindsight) companions() []group {
	var all []group
	for _, g := range slices.Concat(h.out.causes, h.out.others) {
		if f := h.main().Finding; g.first().ID != f.ID || !g.first().Subject.Equal(f.Subject) {
			all = append(all, g)
		}
	}
	return all
}

// mostEvents is how many log events are told.
const mostEvents = 6

// eventRow is how often, what, and where.
func (h *hindsight) eventRow(e rules.EventCount) []string {
	s := e.Title
	if s == "" {
		s = e.Event
	}
	if len(e.Types) > 1 {
		types := map[string]float64{}
		for _, x := range e.Types {
			types[x.Type] = x.Count
		}
		s += payloadTypes(types)
	}
	if len(e.PointsTo) > 0 {
		s += ": points to " + strings.Join(e.PointsTo, ", ")
	}
	return []string{rules.Number(e.Count), s, h.eventPlace(e)}
}

// eventsHead heads what the logs tell; without times it stands in another order.
func (h *hindsight) eventsHead() string {
	if first := h.p.Events[0].First; first != nil && first.Time.IsZero() {
		return "LOG EVENTS, IN THE ORDER OF THE LINES"
	}
	return "LOG EVENTS"
}

// moreEvents names the events for which there is no row.
func (h *hindsight) moreEvents() string {
	var more []string
	for _, e := range h.p.Events[min(len(h.p.Events), mostEvents):] {
		more = append(more, strings.ReplaceAll(e.Event, "_", " ")+" "+rules.Number(e.Count))
	}
	if len(more) == 0 {
		return ""
	}
	return "and " + strings.Join(more, ", ")
}

// eventPlace is the first line and the time of the last one.
func (h *hindsight) eventPlace(e rules.EventCount) string {
	if e.First == nil {
		return h.name(e.Instance, mostName)
	}
	if e.First.Time.IsZero() {
		return fmt.Sprintf("%s to %d", h.shortPlace(*e.First), e.Last.Number)
	}
	s := h.shortPlace(*e.First) + ", " + h.clock.time(e.First.Time)
	if e.Last != nil && h.clock.time(e.Last.Time) != h.clock.time(e.First.Time) {
		s += " to " + h.clock.time(e.Last.Time)
	}
	return s
}

// notSeen names the look-alikes that could not be judged; from logs alone most
// have no meter.
func (h *hindsight) notSeen(f *rules.Finding) string {
	var ids []string
	for _, m := range f.NotRuledOut {
		ids = appendNew(ids, m.ID)
	}
	if len(ids) == 0 {
		return ""
	}
	if targets, _ := countInputs(h.r); targets == 0 {
		return strings.Join(ids, ", ") + ": logs carry no meter for them"
	}
	return strings.Join(h.missingLooks(f), "; ")
}

// restarts lists starts and stops.
func (h *hindsight) restarts() string {
	const most = 4
	var list []string
	for _, r := range h.p.Restarts {
		s := h.name(r.Text, mostName) + " " + h.clock.time(r.Time)
		if r.Where != nil {
			s += " (" + h.shortPlace(*r.Where) + ")"
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return "none seen"
	}
	return firstOf(list, most)
}

// silence lists the gaps of the inputs.
func (h *hindsight) silence() string {
	const most = 4
	var list []string
	for _, in := range h.r.Inputs {
		for _, g := range in.Gaps {
			list = append(list, h.name(in.Name, mostName)+" "+h.clock.time(g.From)+" to "+h.clock.time(g.To))
		}
	}
	return firstOf(list, most)
}

// read is the account of what was read.
func (h *hindsight) read() string {
	var sum rules.Input
	for _, in := range h.r.Inputs {
		sum.Bytes += in.Bytes
		sum.Lines += in.Lines
		sum.Records += in.Records
		sum.Unparsed += in.Unparsed
		sum.Undated += in.Undated
	}
	s := fmt.Sprintf("%s, %d lines, %d records, %d unparsed, %d undated", rules.Bytes(float64(sum.Bytes)), sum.Lines, sum.Records, sum.Unparsed, sum.Undated)
	if targets, _ := countInputs(h.r); targets > 0 {
		s = h.readText()
	}
	if h.p.Step > 0 {
		s = strings.TrimSuffix(s, ".") + "; judged every " + rules.Duration(h.p.Step)
	}
	return rules.Sentence(s)
}

// which names the input, or says how many there are.
func (h *hindsight) which() string {
	if len(h.r.Inputs) == 1 {
		return h.name(h.r.Inputs[0].Name, mostName)
	}
	return h.inputCount()
}

// nothingKnown says why nothing could be judged, and what that means.
func (h *hindsight) nothingKnown() (why, means string) {
	var records, dated int64
	for _, in := range h.r.Inputs {
		records += in.Records
		if !in.First.IsZero() {
			dated++
		}
	}
	switch {
	case len(h.r.Inputs) == 0:
		return "nothing was read", "Name a log or a case."
	case len(failing(h.r)) > 0:
		return h.nothingWhy(), h.nothingMeans()
	case records == 0:
		return "no record in " + h.which(), "What was read is empty, or lies outside of --since and --until."
	case dated == 0:
		return "no line of " + h.which() + " has a time", "Only the order of the lines can be told: no rates, no durations, no before and after. If the lines have a time, --format NAME says how to read it."
	}
	return "no diagnosis had the signals it needs in " + h.scope(), "No line tells of a pool, a queue, a timeout or of progress. The log of the other side (callers, database, proxy) may."
}
