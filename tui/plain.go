package tui

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/capdoctor/capdoctor/rules"
)

// Plain tells what changes, one sentence a line, for screen readers, for pipes
// and for terminals that cannot move their cursor. It ends like Run. The error is
// one of w, or the cause of an ended context.
func Plain(ctx context.Context, w io.Writer, o Options) (Result, error) {
	p := teller{w: w, clock: clock{o.zone()}, ascii: o.ASCII}
	m := newDashboard(ctx, o)
	for {
		select {
		case <-ctx.Done():
			return m.result, context.Cause(ctx)
		case f, ok := <-o.Frames:
			if !ok {
				return m.result, p.err
			}
			p.tell(f)
			m.result.Last = f.Report
			m = m.watchCalm(f)
			if m.result.Recovered {
				p.say(f.Report, "RECOVERED  nothing at or above "+o.failOn()+" has fired for "+rules.Duration(o.UntilRecovered))
			}
			if p.err != nil || m.result.Recovered {
				return m.result, p.err
			}
		}
	}
}

// A teller writes what is new in a report.
type teller struct {
	w     io.Writer
	err   error
	clock clock
	ascii bool
	last  *rules.Report
	blind bool // no target has answered so far
}

// say writes one line.
func (t *teller) say(r *rules.Report, text string) {
	text = clean(text)
	if t.ascii {
		text = toASCII(text)
	}
	_, err := fmt.Fprintf(t.w, "%s %s\n", t.clock.zoned(r.At), text)
	t.err = errors.Join(t.err, err)
}

// tell compares a report with the one before and says what is new: findings that
// began, changed or ended, and inputs that failed or came back.
func (t *teller) tell(f Frame) {
	r := f.Report
	if t.last == nil {
		t.opening(r)
	} else if t.blind && !allSilent(targetsOf(r)) {
		t.blind = false
		t.coverage(r)
	}
	for _, g := range r.Findings {
		if g.Severity != rules.Info {
			t.began(r, g)
		}
	}
	if t.last != nil {
		t.ended(r)
		t.inputs(r)
	}
	t.last = r
}

// opening says what is watched, and that quiet is not silence.
func (t *teller) opening(r *rules.Report) {
	for _, in := range r.Inputs {
		if in.Error != "" {
			t.say(r, "DOWN  "+in.Name+": "+in.Error)
		}
	}
	if t.blind = allSilent(targetsOf(r)); t.blind {
		t.say(r, "UNKNOWN  no target answers; nothing was compared")
		return
	}
	t.coverage(r)
}

// coverage says what was looked at when nothing fires.
func (t *teller) coverage(r *rules.Report) {
	if len(r.Causes()) > 0 {
		return
	}
	unknown := map[string]bool{}
	for _, n := range r.NotJudged {
		unknown[n.ID] = true
	}
	t.say(r, fmt.Sprintf("CLEAR  nothing fires on %s; %d judged and clear, %d unknown", rules.Plural(len(r.Inputs), "input", "inputs"), len(r.Cleared), len(unknown)))
}

// began tells a finding that was not there, or not in this state.
func (t *teller) began(r *rules.Report, f *rules.Finding) {
	var was *rules.Finding
	if t.last != nil {
		was = findingLike(t.last, keyOf(f), rules.Unknown)
	}
	silent := !f.NotJudgedSince.IsZero()
	if was != nil && was.State == f.State && was.Severity == f.Severity && silent == !was.NotJudgedSince.IsZero() {
		return
	}
	if silent {
		t.say(r, fmt.Sprintf("NOT JUDGED  %s on %s since %s: the target does not answer", f.ID, subjectOf(f), t.clock.time(f.NotJudgedSince)))
		return
	}
	t.say(r, fmt.Sprintf("%s  %s on %s: %s", markTexts[markOf(f)].word, f.Title, subjectOf(f), rules.Sentence(f.Summary)))
	if f.State == rules.Firing && len(f.ExplainedBy) == 0 && len(f.Steps) > 0 {
		first := f.First
		if first == "" {
			first = f.Steps[0].Do
		}
		t.say(r, "DO FIRST  "+rules.Sentence(first))
	}
}

// ended tells what does not fire any more.
func (t *teller) ended(r *rules.Report) {
	for _, f := range t.last.Findings {
		if f.Severity != rules.Info && findingLike(r, keyOf(f), rules.Pending) == nil {
			t.say(r, fmt.Sprintf("ENDED  %s on %s after %s", f.Title, subjectOf(f), rules.Duration(r.At.Sub(f.Since))))
		}
	}
	if len(t.last.Causes()) > 0 && len(r.Causes()) == 0 {
		t.say(r, "CLEAR  nothing fires any more")
	}
}

// inputs tells which inputs failed since, and which came back.
func (t *teller) inputs(r *rules.Report) {
	before := map[string]string{}
	for _, in := range t.last.Inputs {
		before[in.Name+"\xff"+in.Kind] = in.Error
	}
	for _, in := range r.Inputs {
		was := before[in.Name+"\xff"+in.Kind]
		switch {
		case in.Error != "" && was == "":
			t.say(r, "DOWN  "+in.Name+": "+in.Error)
		case in.Error == "" && was != "":
			t.say(r, "BACK  "+in.Name+" answers again")
		}
	}
}
