package rules

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// stepOf fills in one step of a recovery.
func (a assembly) stepOf(f *Finding, s recoveryText, write func(wording) string) Step {
	step := Step{
		Do: write(s.Do), Why: write(s.Why), Turns: s.Turns.list, Within: time.Duration(s.Within),
		Risk: s.Risk, Reversible: s.Reversible, From: f.ID,
		Verify: Verify{Signal: s.Verify.Signal, Reaches: math.NaN(), Direction: s.Verify.Direction, By: s.Verify.By},
	}
	if s.Verify.Reaches.source != "" {
		step.Verify.Reaches = a.target(f, write(s.Verify.Reaches))
	}
	step.Verify.Text = a.verifyText(step, string(f.Subject["system"]))
	return step
}

// target reads what a signal must reach: a number, or another signal of the
// subject.
func (a assembly) target(f *Finding, text string) float64 {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return v
	}
	if !isSignalName(text) {
		return math.NaN()
	}
	if v, ok := a.valueOf(a.ctx, text, f.Subject); ok {
		return v
	}
	return math.NaN()
}

// verifyText says in words what must move, and by when.
func (a assembly) verifyText(s Step, system string) string {
	sig := a.catalog.signals[s.Verify.Signal]
	if sig == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(a.catalog.title(sig.Name, system))
	switch {
	case !math.IsNaN(s.Verify.Reaches):
		b.WriteString(" at " + Value(s.Verify.Reaches, sig.Unit))
	case s.Verify.Direction == "up":
		b.WriteString(" up")
	case s.Verify.Direction == "down":
		b.WriteString(" down")
	default:
		b.WriteString(" back")
	}
	if s.Within > 0 {
		b.WriteString(" within " + Duration(s.Within))
	}
	return b.String()
}
