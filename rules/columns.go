package rules

import (
	"context"
	"math"

	"github.com/capdoctor/capdoctor/series"
)

// A column is one series of an answer: a value for every tick, NaN where there
// is none.
type column struct {
	set    series.LabelSet
	values []float64
}

func (c column) labels() series.Labels { return c.set.Value() }

// query evaluates an expression at every tick, over a group and with its windows.
func (j *Judge) query(ctx context.Context, g group, w windowed, ticks []int64) ([]column, error) {
	if len(ticks) == 1 {
		elements, err := j.elements(ctx, g, w, ticks[0])
		return columnsOf(elements), err
	}
	step := ticks[1] - ticks[0]
	found, err := j.store.Range(ctx, g.view, w.at(g.windows), ticks[0], ticks[len(ticks)-1], step)
	if err != nil {
		return nil, err
	}
	columns := make([]column, len(found))
	for i, s := range found {
		columns[i] = column{series.LabelSetOf(s.Labels), spread(s.Points, ticks[0], step, len(ticks))}
	}
	return columns, nil
}

// program is an expression made ready for the store of this judge.
func (j *Judge) program(w windowed) *series.Program {
	p, ok := j.programs[w.expr]
	if !ok {
		p = j.store.Compile(w.expr)
		j.programs[w.expr] = p
	}
	return p
}

// elements evaluates an expression at one tick. The slice is valid until the
// same expression is evaluated again.
func (j *Judge) elements(ctx context.Context, g group, w windowed, t int64) ([]series.Element, error) {
	if elements, ok := j.program(w).Instant(g.view, g.windows.length, t); ok {
		return elements, nil
	}
	samples, err := j.store.Instant(ctx, g.view, w.at(g.windows), t)
	elements := make([]series.Element, len(samples))
	for i, s := range samples {
		elements[i] = series.Element{Set: series.LabelSetOf(s.Labels), Value: s.Value}
	}
	return elements, err
}

// columnsOf makes columns of the elements of a single tick.
func columnsOf(elements []series.Element) []column {
	columns, values := make([]column, len(elements)), make([]float64, len(elements))
	for i, e := range elements {
		values[i] = e.Value
		columns[i] = column{e.Set, values[i : i+1 : i+1]}
	}
	return columns
}

// spread lays points out on n ticks.
func spread(points []series.Point, start, step int64, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = math.NaN()
	}
	for _, p := range points {
		values[(p.Time-start)/step] = p.Value
	}
	return values
}
