package main

import (
	"context"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// mostPast is at how many times the logs are judged before the first tick, at
// most: enough for a baseline, and little beside what follows.
const mostPast = 120

// A past is what the logs told before the first tick.
type past struct {
	from int64 // the first time, in milliseconds; 0 for none
	grid time.Duration
}

// tell notes that a log has something to say of a time.
func (p *past) tell(ms int64, grid time.Duration) {
	if p.from == 0 || ms < p.from {
		p.from, p.grid = ms, grid
	}
}

// ticks are the times before the first tick at which the past is judged, no
// further back than a baseline reaches. The steps are even and on the grid of
// the logs, because such ones are judged many at once.
func (p past) ticks(first int64) []int64 {
	grid := p.grid.Milliseconds()
	if p.from == 0 || grid <= 0 {
		return nil
	}
	from := p.from
	if earliest := first - rules.BaselineWindow.Milliseconds(); from < earliest {
		from += (earliest - from + grid - 1) / grid * grid
	}
	step := grid * max(1, (first-from+mostPast*grid-1)/(mostPast*grid))
	var ticks []int64
	for t := from; t < first; t += step {
		ticks = append(ticks, t)
	}
	return ticks
}

// judgePast judges what the logs say of the time before the first tick, so that
// there is a baseline of it.
func (s *session) judgePast(ctx context.Context, first int64) error {
	ticks := s.past.ticks(first)
	if len(ticks) == 0 {
		return nil
	}
	return s.judge.Advance(ctx, ticks...)
}
