package rules

import (
	"context"
	"math"

	"github.com/capdoctor/capdoctor/series"
)

// A column is one series of an answer: a value for every tick, NaN where there
// is none.
type column struct {
	labels series.Labels
	values []float64
}

// query evaluates an expression at every tick.
func (j *Judge) query(ctx context.Context, v series.View, expr string, ticks []int64) ([]column, error) {
	if len(ticks) == 1 {
		samples, err := j.store.Instant(ctx, v, expr, ticks[0])
		if err != nil {
			return nil, err
		}
		columns := make([]column, len(samples))
		for i, s := range samples {
			columns[i] = column{s.Labels, []float64{s.Value}}
		}
		return columns, nil
	}
	step := ticks[1] - ticks[0]
	found, err := j.store.Range(ctx, v, expr, ticks[0], ticks[len(ticks)-1], step)
	if err != nil {
		return nil, err
	}
	columns := make([]column, len(found))
	for i, s := range found {
		columns[i] = column{s.Labels, spread(s.Points, ticks[0], step, len(ticks))}
	}
	return columns, nil
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
