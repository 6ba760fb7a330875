package report

import (
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// PostmortemText writes a look back for a terminal: no line is wider than
// o.Width. The only error is one of w.
func PostmortemText(w io.Writer, p *rules.Postmortem, o Options) error {
	t := newPostmortemText(p, o)
	switch {
	case p.Main >= 0:
		t.incident()
	case !judged(p.Report):
		t.nothing()
		t.timeline()
		t.events()
	default:
		t.calm()
	}
	t.exit()
	_, err := io.WriteString(w, t.b.String())
	return err
}

// A postmortemText is a page on which the blocks of one look back are written.
type postmortemText struct {
	reportText
	p *rules.Postmortem
}

func newPostmortemText(p *rules.Postmortem, o Options) *postmortemText {
	r := *p.Report
	r.Facts = knownFacts(r.Facts)
	t := &postmortemText{reportText: *newReportText(&r, o), p: p}
	if p.Main >= 0 {
		t.clock.day = p.Incidents[p.Main].Onset.In(t.clock.zone)
	}
	return t
}

// knownFacts leaves out defaults that something says better.
func knownFacts(facts []rules.Fact) []rules.Fact {
	return slices.DeleteFunc(slices.Clone(facts), func(f rules.Fact) bool {
		return f.Rank == rules.FromDefault && slices.ContainsFunc(facts, func(g rules.Fact) bool { return g.Name == f.Name && g.Rank > f.Rank })
	})
}

// main is the incident that is told in full.
func (t *postmortemText) main() *rules.Incident { return &t.p.Incidents[t.p.Main] }

// incident is the form for logs in which something went wrong.
func (t *postmortemText) incident() {
	f := t.main().Finding
	t.incidentHeadline()
	t.hang(text(""), t.course())
	t.incidents()
	t.movers()
	t.timeline()
	t.labelled("WHY", sentence(f.Meaning))
	t.facts()
	t.paces()
	t.outcomes()
	t.changes(f)
	t.avoid(f.Avoid)
	t.proof("PROOF "+t.clock.time(t.main().Judged), f)
	t.quotes(f)
	t.others("ALSO FIRING THEN", t.companions())
	t.events()
	t.ruledOut(f)
	t.labelled("NOT RULED OUT", t.notSeen(f))
	t.background()
}

// labelled writes a text beside its label, unless it is empty.
func (t *postmortemText) labelled(label, s string) {
	if s != "" {
		t.lines(label, []string{s})
	}
}

// background is what the look back rests on.
func (t *postmortemText) background() {
	t.labelled("RESTARTS", t.restarts())
	t.labelled("SILENCE", t.silence())
	t.down()
	t.notes("NOTED")
	t.lines("READ", append([]string{t.read()}, t.inputNotes()...))
	t.judgedCount("JUDGED")
}

// calm is the form for logs in which nothing went wrong.
func (t *postmortemText) calm() {
	t.hang(span{plain, "· CLEAR  "}, t.clearText()+", "+t.spanText(t.p.First, t.p.Last))
	t.littleJudged()
	t.timeline()
	t.others("NOTED AT THE END", t.out.others)
	t.paces()
	t.outcomes()
	t.events()
	t.notJudged("NOT JUDGED")
	t.background()
}

// incidentHeadline says what, where, from when to when; and on what that rests.
func (t *postmortemText) incidentHeadline() {
	in := t.main()
	lead := state(in.Finding)
	indent := strings.Repeat(" ", Width(lead.text)+2)
	what := t.name(in.Finding.Title, mostName) + " on " + t.target(in.Finding.Subject) + ", " + t.clock.date(in.Onset) + " " + t.period(in)
	t.hang(span{lead.role, lead.text + "  "}, what)
	t.hang(text(indent), t.inputCount()+", "+t.spanText(t.p.First, t.p.Last))
}

// period is "09:00:50 to 09:11:00 UTC", with "after" where the end was not seen.
func (t *postmortemText) period(in *rules.Incident) string {
	from := t.clock.time(in.Onset)
	switch {
	case in.AtStart:
		from = "before " + from
	case !in.After.IsZero():
		from = "between " + t.clock.time(in.After) + " and " + from
	}
	if in.End.IsZero() {
		return from + " to after " + t.clock.time(in.LastSeen) + " " + t.clock.abbreviation()
	}
	return from + " to " + t.clock.time(in.End) + " " + t.clock.abbreviation()
}

// spanText is "2026-07-02 08:12:05 to 11:01:00 UTC".
func (t *postmortemText) spanText(from, to time.Time) string {
	s := t.clock.date(from) + " " + from.In(t.clock.zone).Format("15:04:05") + " to "
	if t.clock.date(from) != t.clock.date(to) {
		s += t.clock.date(to) + " "
	}
	return s + to.In(t.clock.zone).Format("15:04:05 MST")
}

// course says what happened in numbers.
func (t *postmortemText) course() string {
	in := t.main()
	var parts []string
	if f := t.p.Fall; f != nil {
		s := fmt.Sprintf("%s fell from %s to %s", upperFirst(f.Title), rules.Rate(f.Before), rules.Rate(f.During))
		if !math.IsNaN(f.After) {
			s += fmt.Sprintf(", later %s", rules.Rate(f.After))
		}
		parts = append(parts, s+"; about "+rules.Number(roundTo(f.Missed, 2))+" were missed.")
	}
	if l := t.p.Outcomes; l.Indeterminate > 0 {
		parts = append(parts, requests(l.Indeterminate)+" expired"+payloadTypes(l.Types)+".")
	}
	if len(parts) < 2 {
		parts = append(parts, "At "+t.clock.time(in.Judged)+": "+sentence(in.Finding.Summary))
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

// incidents is the table of all incidents.
func (t *postmortemText) incidents() {
	onset, worst, end := 24, 24, 30
	if t.width < 96 {
		onset, worst, end = 12, 12, 18
	}
	tab := table{indent: 2, columns: []column{{head: "INCIDENT", most: 4}, {head: "onset", most: onset}, {head: "worst", most: worst}, {head: "end", most: end}, {head: "length"}}}
	for i := range t.p.Incidents {
		in := &t.p.Incidents[i]
		tab.add(fmt.Sprint(i+1), t.onset(in), t.worst(in), t.end(in), t.incidentLength(in))
		if len(t.p.Incidents) > 1 {
			tab.rows[i][4] += "; " + in.Finding.ID + " on " + t.target(in.Finding.Subject)
		}
	}
	tab.write(&t.page)
}

func (t *postmortemText) onset(in *rules.Incident) string {
	s := t.clock.time(in.Onset)
	if in.Within >= time.Second {
		s += " ± " + rules.Duration(in.Within.Round(time.Second))
	}
	switch {
	case in.AtStart:
		s += " or before: it begins so"
	case !in.After.IsZero():
		s += " or before: silence since " + t.clock.time(in.After)
	}
	return s
}

func (t *postmortemText) worst(in *rules.Incident) string {
	s := t.clock.time(in.Worst.At)
	if !math.IsNaN(in.Worst.Value) {
		s += ", " + valueOf(in.Worst)
	}
	return s
}

// valueOf is "0.07/s", "50 requests" or "in use 10".
func valueOf(p rules.Peak) string {
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

func (t *postmortemText) end(in *rules.Incident) string {
	switch {
	case !in.End.IsZero():
		return t.clock.time(in.End)
	case in.Next.IsZero():
		return "not seen: " + t.sources() + " stop " + t.clock.time(in.LastSeen)
	}
	return "not seen: " + t.sources() + " stop " + t.clock.time(in.LastSeen) + ", next " + t.clock.time(in.Next)
}

// sources is what was read.
func (t *postmortemText) sources() string {
	if targets, _ := countInputs(t.r); targets > 0 {
		return "records"
	}
	return "logs"
}

func (t *postmortemText) incidentLength(in *rules.Incident) string {
	if !in.End.IsZero() {
		return rules.Duration(in.End.Sub(in.Onset).Round(time.Second))
	}
	s := "at least " + rules.Duration(in.LastSeen.Sub(in.Onset).Round(time.Second))
	if !in.Next.IsZero() {
		s += ", at most " + rules.Duration(in.Next.Sub(in.Onset).Round(time.Second))
	}
	return s
}

// movers lists what changed, first mover first.
func (t *postmortemText) movers() {
	if len(t.p.Movers) == 0 {
		return
	}
	t.line(span{heading, "FIRST MOVER ORDER"})
	tab := table{indent: 2, columns: []column{{most: 30}, {}, {}}}
	room := t.width - 2 - 2*2
	at, where := 0, 0
	for _, m := range t.p.Movers {
		tab.add(t.moverTime(m), t.moverText(m), t.whereOf(m))
		at, where = max(at, Width(t.clean(t.moverTime(m)))), max(where, Width(t.clean(t.whereOf(m))))
	}
	tab.columns[1].most = max(20, room-at-where)
	tab.write(&t.page)
}

func (t *postmortemText) moverTime(m rules.Mover) string {
	s := t.clock.time(m.Time)
	if m.Within >= time.Second {
		s += " ± " + rules.Duration(m.Within.Round(time.Second))
	}
	return s
}

// moverText is "completions 16.0/s → 0.07/s", "requests expired, 110 until
// 09:09:51", or the title where that says it all. It names the target where no
// line does.
func (t *postmortemText) moverText(m rules.Mover) string {
	s := m.Title
	switch {
	case math.IsNaN(m.During):
	case m.Kind == rules.Count:
		s += ", " + rules.Number(math.Round(m.During))
		if m.Until.After(m.Time) {
			s += " until " + t.clock.time(m.Until)
		}
	default:
		s += " " + rules.Value(m.Before, m.Unit) + " → " + rules.Value(m.During, m.Unit)
	}
	if m.Where == nil && m.Instance != "" && m.Instance != string(t.main().Finding.Subject["instance"]) {
		s += ", on " + t.name(m.Instance, mostName)
	}
	return s
}

func (t *postmortemText) whereOf(m rules.Mover) string {
	if m.Where == nil {
		return "computed"
	}
	return t.shortPlace(*m.Where)
}

// shortPlace is "evento-server.log:13", without folders.
func (t *wording) shortPlace(l rules.Line) string {
	return t.name(path.Base(l.File), mostName) + ":" + rules.Number(float64(l.Number))
}

// paces shows what more clients came to, where fewer did more.
func (t *postmortemText) paces() {
	t.labelled("FEWER IS MORE", t.pacesText())
}

func (t *postmortemText) pacesText() string {
	const most = 5
	all := t.p.Paces
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

// outcomes says what became of requests whose answer never came.
func (t *postmortemText) outcomes() {
	l := t.p.Outcomes
	var parts []string
	if l.Indeterminate > 0 {
		parts = append(parts, requests(l.Indeterminate)+" timed out"+payloadTypes(l.Types)+" and may have been applied: look before you retry.")
	}
	if l.Refused > 0 || l.Indeterminate > 0 && l.Refused == 0 {
		parts = append(parts, "Refused: "+rules.Number(l.Refused)+" (nothing was done: safe to repeat).")
	}
	t.labelled("RESULT UNKNOWN", strings.Join(parts, " "))
}

// changes writes what to change, in order.
func (t *postmortemText) changes(f *rules.Finding) {
	if len(f.Steps) == 0 {
		return
	}
	t.line(span{heading, "CHANGE, IN THIS ORDER"})
	for i, s := range f.Steps {
		t.hangAt(4, text(fmt.Sprintf("  %d ", i+1)), sentence(s.Do))
		t.why(s)
	}
}

// companions are the findings that fired beside the leading one.
func (t *postmortemText) companions() []group {
	var all []group
	for _, g := range append(slices.Clone(t.out.causes), t.out.others...) {
		if f := t.main().Finding; g.first().ID != f.ID || !g.first().Subject.Equal(f.Subject) {
			all = append(all, g)
		}
	}
	return all
}

// events lists what the logs tell most.
func (t *postmortemText) events() {
	const most = 6
	if len(t.p.Events) == 0 {
		return
	}
	t.line(span{heading, "LOG EVENTS"})
	tab := table{indent: 2, columns: []column{{align: right, least: 5}, {most: max(24, t.width-56)}, {}}}
	for i, e := range t.p.Events {
		if i == most {
			tab.add("", plural(len(t.p.Events)-i, "more event", "more events"), "")
			break
		}
		tab.add(rules.Number(e.Count), t.eventText(e), t.eventPlace(e))
	}
	tab.write(&t.page)
}

func (t *postmortemText) eventText(e rules.EventCount) string {
	s := e.Title
	if s == "" {
		s = e.Event
	}
	if len(e.Types) < 2 {
		return s
	}
	types := map[string]float64{}
	for _, x := range e.Types {
		types[x.Type] = x.Count
	}
	return s + payloadTypes(types)
}

// eventPlace is the first line and the time of the last one.
func (t *postmortemText) eventPlace(e rules.EventCount) string {
	if e.First == nil {
		return t.name(e.Instance, mostName)
	}
	s := t.shortPlace(*e.First) + ", " + t.clock.time(e.First.Time)
	if e.Last != nil && e.Last.Time.After(e.First.Time) {
		s += " to " + t.clock.time(e.Last.Time)
	}
	return s
}

// notSeen names the look-alikes that could not be judged; from logs alone most
// have no meter.
func (t *postmortemText) notSeen(f *rules.Finding) string {
	var ids []string
	for _, m := range f.NotRuledOut {
		ids = appendNew(ids, m.ID)
	}
	if len(ids) == 0 {
		return ""
	}
	if targets, _ := countInputs(t.r); targets == 0 {
		return strings.Join(ids, ", ") + ": logs carry no meter for them"
	}
	return strings.Join(t.missingLooks(f), "; ")
}

// restarts lists starts and stops.
func (t *postmortemText) restarts() string {
	const most = 4
	var list []string
	for _, r := range t.p.Restarts {
		s := t.name(r.Text, mostName) + " " + t.clock.time(r.Time)
		if r.Where != nil {
			s += " (" + t.shortPlace(*r.Where) + ")"
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return "none seen"
	}
	return firstOf(list, most)
}

// silence lists the gaps of the inputs.
func (t *postmortemText) silence() string {
	const most = 4
	var list []string
	for _, in := range t.r.Inputs {
		for _, g := range in.Gaps {
			list = append(list, t.name(in.Name, mostName)+" "+t.clock.time(g.From)+" to "+t.clock.time(g.To))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return firstOf(list, most)
}

// read is the account of what was read.
func (t *postmortemText) read() string {
	var sum rules.Input
	for _, in := range t.r.Inputs {
		sum.Bytes += in.Bytes
		sum.Lines += in.Lines
		sum.Records += in.Records
		sum.Unparsed += in.Unparsed
		sum.Undated += in.Undated
	}
	s := fmt.Sprintf("%s, %d lines, %d records, %d unparsed, %d undated", rules.Bytes(float64(sum.Bytes)), sum.Lines, sum.Records, sum.Unparsed, sum.Undated)
	if targets, _ := countInputs(t.r); targets > 0 {
		s = t.readText() + " " + s
	}
	return s + ", judged every " + rules.Duration(t.p.Step) + "."
}

// date is "2026-07-02".
func (c clock) date(at time.Time) string { return at.In(c.zone).Format("2006-01-02") }

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
