package rules

import (
	"context"
	"maps"
	"time"

	"github.com/capdoctor/capdoctor/series"
)

// A question is an expression that reports ask, made ready. Reports mostly ask
// the same ones again.
type question struct {
	program *series.Program // nil for what only the engine knows
	report  int             // the one that asked last
}

// An answer is what an expression came to at the last tick.
type answer struct {
	samples []series.Sample
	err     error
}

// beginReport forgets the answers of the last report, and the questions that are
// not asked any more.
func (j *Judge) beginReport() {
	if len(j.questions) > 2*len(j.answers)+1000 {
		maps.DeleteFunc(j.questions, func(_ string, q *question) bool { return q.report != j.reports })
	}
	j.answers = map[string]answer{}
	j.reports++
}

// instant evaluates an expression over everything at the last tick, once per
// report.
func (j *Judge) instant(ctx context.Context, expr string) ([]series.Sample, error) {
	known, ok := j.answers[expr]
	if !ok {
		known = j.answer(ctx, expr)
		j.answers[expr] = known
	}
	return known.samples, known.err
}

func (j *Judge) answer(ctx context.Context, expr string) answer {
	elements, ok := j.question(expr).program.Instant(series.View{}, asWritten, j.at())
	if !ok {
		samples, err := j.store.Instant(ctx, series.View{}, expr, j.at())
		return answer{samples, err}
	}
	samples := make([]series.Sample, len(elements))
	for i, e := range elements {
		samples[i] = series.Sample{Labels: e.Set.Value(), Time: j.at(), Value: e.Value}
	}
	return answer{samples: samples}
}

// question is an expression made ready; one that does not parse is left to the
// engine, which says so.
func (j *Judge) question(text string) *question {
	q := j.questions[text]
	if q == nil {
		q = &question{}
		if expr, err := newParser().ParseExpr(text); err == nil {
			q.program = j.store.Compile(expr)
		}
		j.questions[text] = q
	}
	q.report = j.reports
	return q
}

func asWritten(_ string, written time.Duration) time.Duration { return written }
