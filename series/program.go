package series

import (
	"errors"
	"slices"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// Lengths gives the length that a range has in an evaluation, by the function
// that it stands under and the length that the expression writes.
type Lengths func(function string, written time.Duration) time.Duration

// A Program is a PromQL expression made ready to be evaluated at one time after
// another over a store. It answers what the engine answers, to the bit, for the
// part of the language that it knows; it remembers which labels its operators
// make of which, and so spares most of the engine's work. A Program is used by
// one goroutine.
//
// What it knows: selectors by metric name without offset or @, functions over a
// range, label_replace and label_join, rounding and clamping, time(), sum, min,
// max, count, avg and group, and all binary operators but atan2 and fill.
type Program struct {
	store *Store
	root  vector
}

// errEngine says that the engine must tell: most often an error whose words are
// the engine's own.
var errEngine = errors.New("not for a program")

// Compile makes a program of an expression. It returns nil where the engine must
// be asked. The expression is not changed and not kept.
func (s *Store) Compile(expr parser.Expr) *Program {
	if expr.Type() != parser.ValueTypeVector {
		return nil
	}
	root, ok := compileVector(expr)
	if !ok {
		return nil
	}
	return &Program{store: s, root: root}
}

// Instant evaluates the program at t (milliseconds), as Store.Instant does. Each
// range of the expression is replaced by what length makes of it. ok is false
// where the engine must be asked: always for a nil program. The elements are
// sorted by labels; the slice is valid until the next evaluation.
func (p *Program) Instant(v View, length Lengths, t int64) (elements []Element, ok bool) {
	if p == nil {
		return nil, false
	}
	if elements, ok = p.elements(v, length, t); !ok {
		return nil, false
	}
	slices.SortFunc(elements, func(a, b Element) int { return labels.Compare(a.Set.Value(), b.Set.Value()) })
	return elements, true
}

func (p *Program) elements(v View, length Lengths, t int64) ([]Element, bool) {
	p.store.mu.RLock()
	defer p.store.mu.RUnlock()
	elements, err := p.root.eval(&moment{p.store, v, length, t})
	return elements, err == nil
}

// A moment is what one evaluation is about.
type moment struct {
	store  *Store
	view   View
	length Lengths
	t      int64
}

// An Element is one sample of an instant vector.
type Element struct {
	Set   LabelSet
	Value float64
}

// A vector is a part of a program that gives an instant vector. The slice is
// valid until the next evaluation.
type vector interface {
	eval(*moment) ([]Element, error)
}

// A scalar is a part of a program that gives one number.
type scalar func(*moment) float64

// distinct returns errEngine when a label set occurs twice: an error in PromQL.
func distinct(elements []Element, seen map[LabelSet]bool) error {
	clear(seen)
	for _, e := range elements {
		if seen[e.Set] {
			return errEngine
		}
		seen[e.Set] = true
	}
	return nil
}
