package rules

import (
	"math"
	"strconv"
	"time"
)

// stepOf fills in one step of a recovery.
func (a assembly) stepOf(f *Finding, s recoveryText, write func(wording) string) Step {
	step := s.step(write)
	step.From = f.ID
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
	target := ""
	if !math.IsNaN(s.Verify.Reaches) {
		target = Value(s.Verify.Reaches, sig.Unit)
	}
	return s.movement(a.catalog.title(sig.Name, system), target)
}

// step fills in a step as it stands in the file, but for what its signal must
// reach.
func (s recoveryText) step(write func(wording) string) Step {
	return Step{
		Do: write(s.Do), Why: write(s.Why), Turns: s.Turns.list, Within: time.Duration(s.Within),
		Risk: s.Risk, Reversible: s.Reversible,
		Verify: Verify{Signal: s.Verify.Signal, Reaches: math.NaN(), Direction: s.Verify.Direction, By: s.Verify.By},
	}
}

// movement says how the signal of a title must move: to a target, where there is
// one.
func (s Step) movement(title, target string) string {
	text := title
	switch {
	case target != "":
		text += " at " + target
	case s.Verify.Direction == "up", s.Verify.Direction == "down":
		text += " " + s.Verify.Direction
	default:
		text += " back"
	}
	if s.Within > 0 {
		text += " within " + Duration(s.Within)
	}
	return text
}
