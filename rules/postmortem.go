package rules

import (
	"context"
	"time"
)

// A Postmortem is what happened in a time that is over: when it began, what
// moved first, how bad it was, when it ended. The same samples give the same
// Postmortem: every list is sorted.
type Postmortem struct {
	First, Last time.Time // ticks
	Step        time.Duration
	Incidents   []Incident // by onset
	Main        int        // the worst one, as an index of Incidents; -1 when there is none
	// Report is how it stood when the main incident was worst, or at the last
	// tick when there is none. Its Inputs are left to the caller.
	Report   *Report
	Movers   []Mover // what changed around the main incident, in the order in which it did
	Timeline Timeline
	Paces    []Pace // completions by the number of clients, fewest clients first
	// Fall is what the completions of the main incident's target fell from and
	// to, nil where they did not.
	Fall     *Fall
	Outcomes Ledger       // of the whole time
	Events   []EventCount // what the logs say, most frequent first
	Restarts []Restart    // by time
}

// An Incident is a time in which at least one diagnosis of warning or above
// fired: episodes that overlap, or are no further apart than the events window.
type Incident struct {
	Finding *Finding      // the leading one, as it stood when it was worst
	Onset   time.Time     // of the first signal that moved; else the first tick of the verdict
	Within  time.Duration // how far off Onset may be
	AtStart bool          // it was so from the first tick on: it began then or before
	// After is set where a gap lies before the verdict: the last tick before
	// that. It began between the two.
	After    time.Time
	Worst    Peak
	Judged   time.Time // the tick that Finding speaks of: the last one as bad as the worst
	End      time.Time // zero: not seen
	LastSeen time.Time // last tick at which it held
	Next     time.Time // where the end was not seen: the first tick after the silence; zero when nothing follows
	Episodes []Episode // of the leading severity, by start
}

// A Peak is the most extreme value of the signal that an incident is about.
type Peak struct {
	At     time.Time
	Signal string
	Title  string
	Value  float64 // NaN when no value is known
	Unit   string
}

// A Fall is what the trouble cost.
type Fall struct {
	Title          string
	Before, During float64 // 1/s, typical
	After          float64 // NaN: not seen
	Missed         float64 // completions fewer than at the rate before
}

// A Mover is something that changed.
type Mover struct {
	Time     time.Time
	Within   time.Duration // how far off Time may be; 0 when a line says it
	Signal   string        // empty for a start or a stop
	Title    string        // what changed, or in words what happened
	Kind     StrandKind
	Unit     string
	Before   float64   // NaN where Title says it all, and for counts
	During   float64   // median of levels and rates, sum of counts; NaN where Title says it all
	Until    time.Time // of counts: the last one in the incident
	Instance string
	Where    *Line // the line that shows it; nil: computed
}

// A StrandKind says what the values of a signal over time mean.
type StrandKind uint8

const (
	Level StrandKind = iota // a reading
	PerSecond
	Count // how many in the time
)

// A Timeline is the course of the main signals, in columns of time.
type Timeline struct {
	Columns []Column
	Tracks  []Track
}

// A Column is a stretch of time.
type Column struct {
	From, To time.Time
	Gap      time.Duration // for how long nothing was heard before it; 0 when it follows the one before
}

// A Track is one signal of a Timeline. NaN is unknown: no log.
type Track struct {
	Signal   string
	Title    string
	Unit     string
	Instance string
	Resource string // may be empty
	Kind     StrandKind
	Values   []float64 // one for each column
	// Typical levels and rates, sums of counts: in the half hour before the
	// main incident, in it, and in the half hour of data after it.
	Before, During, After float64
}

// A Pace is what was completed per second while a number of clients were at
// work.
type Pace struct {
	Clients  float64
	Rate     float64 // median, 1/s
	Incident bool    // in the main incident
	For      time.Duration
}

// An EventCount is how often the log of an instance told of an event.
type EventCount struct {
	Instance string
	Event    string
	Title    string // what it means; left to the caller, who knows the patterns
	Count    float64
	Types    []TypeCount // most first; empty when the lines name none
	First    *Line       // nil when no line was kept
	Last     *Line
	PointsTo []string // of lines without a time, which are not judged: the diagnoses they speak for
}

// A TypeCount is a payload type, pool or class, and how often it was named.
type TypeCount struct {
	Type  string
	Count float64
}

// A Restart is a start or a stop of a program.
type Restart struct {
	Time     time.Time
	Instance string
	Text     string
	Where    *Line // nil: seen from its uptime
}

// Postmortem looks back at everything that was judged. The judge must have been
// keeping from its first tick on; it returns ErrNoTick when it judged nothing.
func (j *Judge) Postmortem(ctx context.Context) (*Postmortem, error) {
	q := newInquiry(ctx, j)
	if len(q.ticks) == 0 {
		return nil, ErrNoTick
	}
	if err := q.spin(); err != nil {
		return nil, err
	}
	p := &Postmortem{First: utc(q.ticks[0]), Last: utc(q.ticks[len(q.ticks)-1]), Step: q.step, Main: -1}
	var err error
	if p.Incidents, err = q.incidents(); err != nil {
		return nil, err
	}
	at := p.Last
	if p.Main = worstIncident(p.Incidents); p.Main >= 0 {
		at = p.Incidents[p.Main].Judged
	}
	if p.Report, err = j.ReportAt(ctx, at); err != nil {
		return nil, err
	}
	p.Outcomes = q.outcomes()
	p.Events = q.events()
	p.Restarts = q.restarts()
	if p.Main >= 0 {
		q.look(p)
	}
	p.Timeline = q.timeline(p)
	return p, nil
}

// look tells what moved around the main incident and what it cost.
func (q *inquiry) look(p *Postmortem) {
	in := &p.Incidents[p.Main]
	p.Movers = q.movers(in, p.Restarts)
	p.Paces = q.paces(in)
	p.Fall = q.fall(in)
}
