package tui

import (
	"slices"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// ringBudget bounds the frames that are kept, in parts of reports: about 60 MB
// of the largest ones. Half an hour of three targets fits a hundred times over.
const ringBudget = 400_000

// ringAge is how long frames of a live session are kept: as long as the signals
// that belong to them.
const ringAge = rules.BaselineWindow + time.Minute

// A ring holds the frames of the past, oldest first. Frames are shared, never
// changed.
type ring struct {
	frames []Frame
	weight int
	live   bool
}

// add appends a frame and forgets the oldest ones. A frame that is not newer
// than the last one replaces what it overtakes: a replay went back.
func (r ring) add(f Frame) ring {
	frames := slices.Clip(r.frames)
	for n := len(frames); n > 0 && !f.Report.At.After(frames[n-1].Report.At); n = len(frames) {
		r.weight -= weigh(frames[n-1])
		frames = frames[:n-1]
	}
	frames = append(frames, f)
	r.weight += weigh(f)
	for len(frames) > 1 && (r.weight > ringBudget || r.live && f.Report.At.Sub(frames[0].Report.At) > ringAge) {
		r.weight -= weigh(frames[0])
		frames = frames[1:]
	}
	r.frames = frames
	return r
}

// weigh counts the parts of a report.
func weigh(f Frame) int {
	r := f.Report
	return 50 + 20*len(r.Findings) + len(r.Vitals) + len(r.NotJudged) + len(r.Limits) + 2*len(r.Inputs)
}

func (r ring) last() (Frame, bool) {
	if len(r.frames) == 0 {
		return Frame{}, false
	}
	return r.frames[len(r.frames)-1], true
}

// index is the frame that was in force at t: the last one not after it, or the
// oldest.
func (r ring) index(t time.Time) int {
	i, found := slices.BinarySearchFunc(r.frames, t, func(f Frame, t time.Time) int { return f.Report.At.Compare(t) })
	if found {
		return i
	}
	return max(0, i-1)
}

// begins lists the times at which a firing finding appeared that was not in the
// frame before.
func (r ring) begins() []time.Time {
	var out []time.Time
	for i := 1; i < len(r.frames); i++ {
		if news := fresh(r.frames[i-1].Report, r.frames[i].Report); news {
			out = append(out, r.frames[i].Report.At)
		}
	}
	return out
}

func fresh(before, after *rules.Report) bool {
	for _, f := range after.Findings {
		if f.State == rules.Firing && f.Severity != rules.Info && findingLike(before, keyOf(f), rules.Firing) == nil {
			return true
		}
	}
	return false
}

// slowdowns lists the times at which completions fell.
func (r ring) slowdowns() []time.Time {
	var out []time.Time
	slow := false
	paces := make([]Pace, len(r.frames))
	for i, f := range r.frames {
		paces[i] = PaceOf(f.Report)
		was := slow
		slow = paces[i].Fell(paces[max(0, i-FellOver):i])
		if slow && !was {
			out = append(out, f.Report.At)
		}
	}
	return out
}

// next is the first of the times, in order, behind t.
func next(times []time.Time, t time.Time) (time.Time, bool) {
	for _, x := range times {
		if x.After(t) {
			return x, true
		}
	}
	return time.Time{}, false
}
