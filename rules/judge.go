package rules

import (
	"context"
	"time"

	"github.com/prometheus/prometheus/promql/parser"

	"github.com/capdoctor/capdoctor/series"
)

// A Judge evaluates a catalogue over a store, tick by tick, and remembers since
// when each diagnosis has held. A tick is a round of scrapes, or a point of a
// log's time grid. Judging a hundred ticks at once or one by one gives the same
// verdicts. A Judge is used by one goroutine.
type Judge struct {
	catalog *Catalog
	store   *series.Store
	rules   series.SourceID // owns results that belong to no single input
	facts   []Fact
	goodput []*recording
	tracks  map[trackKey]*track
	outputs map[*recording]*results // what each rule gave last
	stated  map[statement]*said     // what Go supplied at the last tick
	begun   int64                   // first tick; 0 before it
	now     *moment                 // the ticks that were judged last
	i       int                     // the last tick, as an index of now
	keeping bool
	kept    []*moment // what was judged so far, while keeping
	history []Episode
	quotes  Quoter
	// eventWindows are the windows that events were counted over at the last tick.
	eventWindows eventWindows
	identities   identities
	indexes      []*index                        // of the terms of the last moment, by the number of the operand
	pairs        []pairing                       // likewise, by the number of the comparison
	programs     map[parser.Expr]*series.Program // nil for what only the engine knows
	questions    map[string]*question            // of reports, by expression
	answers      map[string]answer               // of the report that is being made, by expression
	reports      int                             // that were begun
	known        []map[string][]*System          // what was recognised at each tick of the last advance, by instance
	recognised   recognition                     // at the tick that was asked for last
	patterns     map[string]patternNames
}

// NewJudge returns a judge that has seen no tick.
func NewJudge(c *Catalog, s *series.Store) *Judge {
	return &Judge{
		catalog: c,
		store:   s,
		rules:   s.AddSource(series.Source{Kind: series.Rules, Interval: time.Second}),
		tracks:  map[trackKey]*track{},
		outputs: map[*recording]*results{},
		stated:  map[statement]*said{},

		indexes:   make([]*index, c.operands),
		pairs:     make([]pairing, c.comparisons),
		programs:  map[parser.Expr]*series.Program{},
		questions: map[string]*question{},
		patterns:  map[string]patternNames{},
	}
}

// AddFact states a fact; see Fact for what wins.
func (j *Judge) AddFact(f Fact) { j.facts = append(j.facts, f) }

// Catalog returns what the judge judges by.
func (j *Judge) Catalog() *Catalog { return j.catalog }

// Advance judges the given ticks (milliseconds, ascending, later than those
// before). Samples up to the last tick must be in the store.
func (j *Judge) Advance(ctx context.Context, ticks ...int64) error {
	for len(ticks) > 0 {
		plan := j.plan(ticks[0])
		n := j.alike(plan, ticks)
		if err := j.advance(ctx, plan, ticks[:n]); err != nil {
			return err
		}
		ticks = ticks[n:]
	}
	return nil
}

// alike counts the leading ticks that can be evaluated together: evenly spaced
// and with the same inputs and windows.
func (j *Judge) alike(p plan, ticks []int64) int {
	for n := 1; n < len(ticks); n++ {
		even := n == 1 || ticks[n]-ticks[n-1] == ticks[1]-ticks[0]
		if !even || !p.same(j.plan(ticks[n])) {
			return n
		}
	}
	return len(ticks)
}

// advance evaluates the three strata over ticks that are alike.
func (j *Judge) advance(ctx context.Context, p plan, ticks []int64) error {
	if j.begun == 0 {
		j.begun = ticks[0]
	}
	j.eventWindows = eventWindows{}
	j.state(p, ticks)
	for _, r := range j.catalog.fromSystems {
		if err := j.record(ctx, r, p.bySource, p, ticks); err != nil {
			return err
		}
	}
	if err := j.recordGoodput(ctx, p, ticks); err != nil {
		return err
	}
	for _, r := range j.catalog.derived {
		if err := j.record(ctx, r, p.byInstance, p, ticks); err != nil {
			return err
		}
	}
	m, err := j.evaluate(ctx, p, ticks)
	if err != nil {
		return err
	}
	for i := range ticks {
		j.follow(ctx, m, i)
	}
	j.now, j.i = m, len(ticks)-1
	if j.keeping {
		j.kept = append(j.kept, m)
	}
	return nil
}
