package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/scrape"
	"github.com/capdoctor/capdoctor/series"
)

// openCase makes inputs of the targets of a case and states its facts.
func (s *session) openCase(c *incident.Case) error {
	for _, t := range c.Targets {
		s.add(rules.Input{Name: t.Name, Kind: "case", Origin: c.Dir, Interval: intervalOf(t.Scrapes)}, "", series.Scrape)
	}
	return s.addCaseFacts(c)
}

// feedCase judges a case that was opened, at the times it was recorded: a tick
// is a round of scrapes. each is called after every tick; until bounds the
// times when it is not zero.
func (s *session) feedCase(ctx context.Context, c *incident.Case, until time.Time, each func(time.Time) error) error {
	targets := map[string]*input{}
	for _, in := range s.inputs {
		targets[in.Name] = in
	}
	replays := s.replays(c)
	l, err := s.readCaseLogs(c, replays)
	if err != nil {
		return err
	}
	s.caseLogs = l
	var due time.Time
	flush := func() error {
		if due.IsZero() {
			return nil
		}
		l.feed(due)
		if err := s.tick(ctx, due); err != nil {
			return err
		}
		return each(due)
	}
	for t, shot := range c.InOrder() {
		at := c.Start.Add(shot.Offset)
		if !until.IsZero() && at.After(until) {
			break
		}
		if !at.Equal(due) {
			if err := flush(); err != nil {
				return err
			}
			due = at
		}
		r, err := recorded(c, t, shot, replays[t.Name])
		if err != nil {
			return err
		}
		s.take(targets[t.Name], r)
	}
	if due.IsZero() {
		return s.judgeLogs(ctx, l, until, each)
	}
	return flush()
}

// readCaseLogs reads the logs of a case to their end. What the scrapes of the
// same instance supply is taken from them, not from the log.
func (s *session) readCaseLogs(c *incident.Case, replays map[string]*scrape.Replay) (*logs, error) {
	for _, t := range c.Targets {
		for _, shot := range t.Scrapes {
			r, err := recorded(c, &t, shot, replays[t.Name])
			if err != nil {
				return nil, err
			}
			if r.Err == nil {
				s.note(t.Name, r.Samples)
				break
			}
		}
	}
	if len(c.Logs) == 0 {
		return &logs{session: s}, nil
	}
	l, err := s.newLogs(logparse.GridOptions{Undated: c.Start, Until: lastScrape(c)})
	if err != nil {
		return nil, err
	}
	for _, file := range c.Logs {
		r, err := file.Open()
		if err != nil {
			return nil, err
		}
		err = l.read(r, file.Name, logparse.InstanceOf(file.Name), "", logparse.Options{Base: c.Start})
		r.Close()
		if err != nil {
			return nil, err
		}
	}
	l.close()
	return l, nil
}

// lastScrape is the time to which a case was watched; zero without scrapes.
func lastScrape(c *incident.Case) time.Time {
	var last time.Time
	for _, t := range c.Targets {
		for _, shot := range t.Scrapes {
			if at := c.Start.Add(shot.Offset); at.After(last) {
				last = at
			}
		}
	}
	return last
}

// judgeLogs judges logs without scrapes, at every point of their grid at which
// one of them has something to say.
func (s *session) judgeLogs(ctx context.Context, l *logs, until time.Time, each func(time.Time) error) error {
	ticks := l.ticks(until)
	if len(ticks) == 0 {
		return nil // nothing has a time: the report will say that nothing was judged
	}
	if s.stepwise {
		for _, t := range ticks {
			at := time.UnixMilli(t).UTC()
			l.feed(at)
			if err := s.tick(ctx, at); err != nil {
				return err
			}
			if err := each(at); err != nil {
				return err
			}
		}
		return nil
	}
	last := time.UnixMilli(ticks[len(ticks)-1])
	l.feed(last)
	s.ticked = last.UnixMilli()
	if err := s.judge.Advance(ctx, ticks...); err != nil {
		return err
	}
	return each(last)
}

// addCaseFacts states what the case says its user would tell.
func (s *session) addCaseFacts(c *incident.Case) error {
	for _, key := range slices.Sorted(maps.Keys(c.Facts)) {
		f, err := rules.ParseFact(key + "=" + c.Facts[key])
		if err != nil {
			file, line := c.FactAt(key)
			return &incident.Error{File: file, Line: line, Msg: err.Error()}
		}
		f.Rank, f.Origin = rules.FromFlag, "stated by the case"
		s.judge.AddFact(f)
	}
	return nil
}

// recorded turns a recorded answer back into the result of a scrape.
func recorded(c *incident.Case, t *incident.Target, shot incident.Scrape, replay *scrape.Replay) (scrape.Result, error) {
	body, err := shot.Body()
	if err != nil {
		return scrape.Result{}, fmt.Errorf("%s: target %q at %s: %w", c.Dir, t.Name, shot.Offset, err)
	}
	return replay.Result(scrape.Recorded{
		At: c.Start.Add(shot.Offset), Duration: shot.Meta.Duration, Status: shot.Meta.Status,
		ContentType: shot.Meta.ContentType, Error: shot.Meta.Error, Body: body, HasBody: shot.HasBody(),
	}), nil
}

// replays makes a reader of the recorded scrapes of every target. Only the
// metrics that somebody asks for are read.
func (s *session) replays(c *incident.Case) map[string]*scrape.Replay {
	filter := scrape.NewFilter(s.wanted()).OrMatching(s.judge.Catalog().MatchesMetric)
	replays := map[string]*scrape.Replay{}
	for _, t := range c.Targets {
		replays[t.Name] = scrape.NewReplay(scrape.Target{Name: t.Name, Instance: t.Name, Raw: t.Name}, scrape.ParseOptions{Filter: filter})
	}
	return replays
}

// intervalOf is the most common distance of two scrapes.
func intervalOf(shots []incident.Scrape) time.Duration {
	var offsets []time.Duration
	for _, shot := range shots {
		offsets = append(offsets, shot.Offset)
	}
	return stepOf(offsets)
}

// stepOf is the most common distance of neighbours, the shorter among equals; a
// single scrape counts as one every 15 s.
func stepOf(offsets []time.Duration) time.Duration {
	counts := map[time.Duration]int{}
	for i := 1; i < len(offsets); i++ {
		counts[offsets[i]-offsets[i-1]]++
	}
	best := 15 * time.Second
	for i, d := range slices.SortedFunc(maps.Keys(counts), func(a, b time.Duration) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	}) {
		if i == 0 {
			best = d
		}
	}
	return best
}
