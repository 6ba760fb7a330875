package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/promql/parser"
)

// Windows are the lengths that the windows of the rules have for one input at
// one time.
type Windows struct {
	Short, Events time.Duration

	// Extremes is the events window of max_over_time and min_over_time. It may
	// reach behind the first sample, where rate() would read low.
	Extremes time.Duration
}

// WindowsFor gives the windows of an input that is sampled every interval and
// has been watched for a time (since its first sample or its last gap). The
// half interval makes rate() exact from the second sample on, whether the
// engine's ranges include their left border or not. One counter reads low: that
// which began at 0 within the window. The engine takes it to have been 0 before
// and does not extrapolate into the half interval: by a third at the second
// sample, a fifth at the third, a tenth at the fifth. Reports so early say that
// they are provisional.
func WindowsFor(interval, watched time.Duration) Windows {
	events := min(watched, max(EventsWindow, 4*interval)) + interval/2
	return Windows{
		Short:    min(watched, max(ShortWindow, 4*interval)) + interval/2,
		Events:   events,
		Extremes: events,
	}
}

// everyWindow gives all windows one length.
func everyWindow(d time.Duration) Windows { return Windows{Short: d, Events: d, Extremes: d} }

// length is what a window that a rule writes under a function comes to: whole
// milliseconds. The baseline's stays.
func (w Windows) length(function string, written time.Duration) time.Duration {
	if r, ok := rangeOf(function, written); ok {
		written = w.of(r)
	}
	return max(written.Truncate(time.Millisecond), time.Millisecond)
}

// holdFor is how long a condition must hold for an input watched for a time.
func holdFor(rule, watched time.Duration) time.Duration { return min(rule, watched/2) }

// windowed is an expression whose [1m] and [5m] are filled in per input.
type windowed struct {
	expr   parser.Expr   // as it is written
	pieces []string      // between them stand ranges
	ranges []rangeWindow // len(pieces)-1
}

type rangeWindow uint8

const (
	shortRange rangeWindow = iota
	eventsRange
	extremesRange
)

// marks stand for the windows while an expression is printed: lengths that
// nobody writes.
var marks = [...]time.Duration{
	shortRange:    9973*time.Hour + 11*time.Millisecond,
	eventsRange:   9967*time.Hour + 13*time.Millisecond,
	extremesRange: 9949*time.Hour + 17*time.Millisecond,
}

// newWindowed takes the windows out of an expression. It refuses lengths other
// than the three that rules may write, and subqueries.
func newWindowed(expr parser.Expr) (windowed, error) {
	var err error
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		switch n := node.(type) {
		case *parser.MatrixSelector:
			err = firstError(err, checkWindow(n.Range))
		case *parser.SubqueryExpr:
			err = firstError(err, fmt.Errorf("a subquery: record the inner part as a signal"))
		}
		return err
	})
	if err != nil {
		return windowed{}, err
	}
	w := splitWindows(marked(expr))
	w.expr = expr
	return w, nil
}

func checkWindow(d time.Duration) error {
	switch d {
	case ShortWindow, EventsWindow, BaselineWindow:
		return nil
	}
	return fmt.Errorf("window [%s]: write [1m] for rates, [5m] for events, [30m] for the baseline", model.Duration(d))
}

// marked prints an expression with a mark for each window.
func marked(expr parser.Expr) string {
	var undo []func()
	parser.Inspect(expr, func(node parser.Node, path []parser.Node) error {
		if m, ok := node.(*parser.MatrixSelector); ok {
			old := m.Range
			if r, ok := rangeOf(functionAbove(path), old); ok {
				m.Range = marks[r]
				undo = append(undo, func() { m.Range = old })
			}
		}
		return nil
	})
	text := expr.String()
	for _, f := range undo {
		f()
	}
	return text
}

// functionAbove is the name of the function nearest above a node.
func functionAbove(path []parser.Node) string {
	for _, parent := range slices.Backward(path) {
		if call, ok := parent.(*parser.Call); ok {
			return call.Func.Name
		}
	}
	return ""
}

// rangeOf tells which window a range is under its function; the baseline is none.
func rangeOf(function string, written time.Duration) (r rangeWindow, ok bool) {
	switch {
	case written == BaselineWindow:
		return 0, false
	case written == ShortWindow:
		return shortRange, true
	case function == "max_over_time", function == "min_over_time":
		return extremesRange, true
	}
	return eventsRange, true
}

func splitWindows(text string) windowed {
	var w windowed
	for {
		at, found := len(text), rangeWindow(0)
		for r, d := range marks {
			if i := strings.Index(text, "["+model.Duration(d).String()+"]"); i >= 0 && i < at {
				at, found = i, rangeWindow(r)
			}
		}
		w.pieces = append(w.pieces, text[:at])
		if at == len(text) {
			return w
		}
		w.ranges = append(w.ranges, found)
		text = text[at+len("["+model.Duration(marks[found]).String()+"]"):]
	}
}

// at fills the windows in.
func (w windowed) at(win Windows) string {
	if len(w.ranges) == 0 {
		return w.pieces[0]
	}
	var b strings.Builder
	for i, piece := range w.pieces {
		if i > 0 {
			b.WriteByte('[')
			b.WriteString(model.Duration(max(win.of(w.ranges[i-1]), time.Millisecond)).String())
			b.WriteByte(']')
		}
		b.WriteString(piece)
	}
	return b.String()
}

func (w Windows) of(r rangeWindow) time.Duration {
	switch r {
	case shortRange:
		return w.Short
	case extremesRange:
		return w.Extremes
	}
	return w.Events
}

// countsEvents tells whether the expression looks back over an events window.
func (w windowed) countsEvents() bool {
	return slices.ContainsFunc(w.ranges, func(r rangeWindow) bool { return r != shortRange })
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
