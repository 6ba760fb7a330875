package report

import (
	"fmt"
	"unicode/utf16"

	"github.com/capdoctor/capdoctor/rules"
)

// A documenter turns the parts of a report into their JSON form.
type documenter struct {
	o     Options
	clock clock
}

func newDocument(r *rules.Report, o Options) document {
	d := documenter{o: o, clock: newClock(o, r)}
	shown := make([]*rules.Finding, 0, len(r.Findings))
	for _, f := range r.Findings {
		if o.shows(f.Severity) {
			shown = append(shown, f)
		}
	}
	code, reason := o.Exit(r)
	return document{
		SchemaVersion: SchemaVersion,
		Tool:          toolDoc{Name: "capdoctor", Version: o.Version},
		At:            d.moment(r.At),
		Window:        d.window(r.Window),
		Inputs:        each(r.Inputs, d.input),
		Findings:      each(shown, d.finding),
		NotJudged:     each(r.NotJudged, d.notJudged),
		Cleared:       each(r.Cleared, d.cleared),
		NotApplicable: r.NotApplicable,
		Limits:        each(r.Limits, d.limit),
		Ledger:        d.ledger(r.Ledger),
		Facts:         each(r.Facts, d.fact),
		Vitals:        each(r.Vitals, d.vital),
		Notes:         list(r.Notes),
		Exit:          exitDoc{code, reason},
	}
}

func (d documenter) window(w rules.Window) windowDoc {
	return windowDoc{
		Start: d.moment(w.Start), End: d.moment(w.End), Zone: d.clock.zone.String(),
		Short: w.Short.Seconds(), Events: w.Events.Seconds(), Baseline: w.Baseline.Seconds(),
	}
}

func (d documenter) input(in rules.Input) inputDoc {
	return inputDoc{
		Name: in.Name, Kind: in.Kind, Origin: in.Origin,
		Scrapes: in.Scrapes, Failed: in.Failed, Restarts: in.Restarts,
		Interval: in.Interval.Seconds(), First: d.moment(in.First), Last: d.moment(in.Last),
		Gaps:  each(in.Gaps, func(g rules.Gap) gapDoc { return gapDoc{d.moment(g.From), d.moment(g.To)} }),
		Error: in.Error, Note: in.Note, Systems: list(in.Systems),
		Bytes: in.Bytes, Duration: in.Duration.Seconds(),
		Lines: in.Lines, Records: in.Records, Unparsed: in.Unparsed, Undated: in.Undated,
	}
}

func stateName(s rules.State) string {
	switch s {
	case rules.Clear:
		return "clear"
	case rules.Pending:
		return "pending"
	case rules.Firing:
		return "firing"
	}
	return "unknown"
}

func (d documenter) finding(f *rules.Finding) findingDoc {
	return findingDoc{
		ID: f.ID, State: stateName(f.State), Severity: f.Severity, Subject: labels(f.Subject),
		Since: d.moment(f.Since), SeenOnce: f.SeenOnce, NotJudgedSince: d.moment(f.NotJudgedSince),
		Title: f.Title, Summary: f.Summary, Meaning: f.Meaning, First: firstStep(f),
		Evidence:    each(f.Evidence, d.evidence),
		RuledOut:    each(f.RuledOut, func(l rules.Look) lookDoc { return lookDoc{l.ID, l.Instance, d.evidence(l.Evidence)} }),
		NotRuledOut: each(f.NotRuledOut, d.missing),
		Explains:    each(f.Explains, func(c *rules.Finding) referenceDoc { return referenceDoc{c.ID, labels(c.Subject)} }),
		ExplainedBy: list(f.ExplainedBy),
		Affected:    list(f.Affected),
		Steps:       each(f.Steps, d.step),
		Avoid:       each(f.Avoid, func(a rules.Advice) adviceDoc { return adviceDoc{a.Do, a.Why, each(a.Turns, turn)} }),
	}
}

func (d documenter) evidence(e rules.Evidence) evidenceDoc {
	return evidenceDoc{
		Signal: e.Signal, Title: e.Title, Expr: e.Expr, Labels: labels(e.Labels),
		Observed: number(e.Observed), Op: e.Op, Threshold: number(e.Threshold), Unit: e.Unit,
		Role: e.Role, State: e.State, More: e.More, Origin: e.Origin,
		Lines: each(e.Lines, func(l rules.Line) lineDoc { return lineDoc{l.File, l.Number, d.moment(l.Time), l.Text} }),
	}
}

func (d documenter) missing(m rules.Missing) missingDoc {
	return missingDoc{ID: m.ID, Instance: m.Instance, Signal: m.Signal, Meter: m.Meter, Enable: m.Enable, Why: m.Why}
}

func (d documenter) step(s rules.Step) stepDoc {
	v := s.Verify
	return stepDoc{
		Do: s.Do, Why: s.Why, Turns: each(s.Turns, turn), Within: s.Within.Seconds(), Risk: s.Risk, Reversible: s.Reversible, From: s.From,
		Verify: verifyDoc{Signal: v.Signal, Reaches: number(v.Reaches), Direction: v.Direction, By: number(v.By), Text: v.Text},
	}
}

func turn(t rules.Turn) turnDoc { return turnDoc{t.Knob, t.Direction} }

func (d documenter) notJudged(n rules.NotJudged) notJudgedDoc {
	return notJudgedDoc{n.ID, n.Title, n.Severity, n.Instance, each(n.Missing, d.missing), n.Why}
}

func (d documenter) cleared(c rules.Cleared) clearedDoc {
	doc := clearedDoc{ID: c.ID, Subjects: c.Subjects}
	if n := c.Nearest; n != nil {
		doc.Nearest = &nearDoc{n.Alert, labels(n.Subject), each(n.Failed, d.evidence)}
	}
	return doc
}

func (d documenter) limit(l rules.Limit) limitDoc {
	return limitDoc{l.Instance, l.Resource, l.Title, number(l.InUse), number(l.Max), l.Binding, l.Note}
}

func (d documenter) ledger(l rules.Ledger) ledgerDoc {
	types := make(map[string]*float64, len(l.Types))
	for name, n := range l.Types {
		types[name] = number(n)
	}
	return ledgerDoc{number(l.Indeterminate), number(l.Refused), d.moment(l.Since), types}
}

func (d documenter) fact(f rules.Fact) factDoc {
	return factDoc{f.Instance, f.Name, number(f.Value), f.Origin}
}

func (d documenter) vital(v rules.Vital) vitalDoc {
	return vitalDoc{v.Instance, v.Resource, v.Signal, v.Title, number(v.Value), v.Unit}
}

// appendUTF16 appends a character as JSON escapes it, as a pair where it needs one.
func appendUTF16(out []byte, r rune) []byte {
	if r1, r2 := utf16.EncodeRune(r); r1 != 0xfffd {
		return fmt.Appendf(out, `\u%04x\u%04x`, r1, r2)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}
