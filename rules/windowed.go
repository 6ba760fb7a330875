package rules

import (
	"fmt"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/promql/parser"
)

// Windows are the lengths that the windows of the rules have for one input at
// one time.
type Windows struct {
	Short, Events time.Duration
}

// WindowsFor gives the windows of an input that is sampled every interval and
// has been watched for a time (since its first sample or its last gap). The
// half interval makes rate() exact from the second sample on, whether the
// engine's ranges include their left border or not.
func WindowsFor(interval, watched time.Duration) Windows {
	return Windows{
		Short:  min(watched, max(ShortWindow, 4*interval)) + interval/2,
		Events: min(watched, max(EventsWindow, 4*interval)) + interval/2,
	}
}

// holdFor is how long a condition must hold for an input watched for a time.
func holdFor(rule, watched time.Duration) time.Duration { return min(rule, watched/2) }

// windowed is an expression whose [1m] and [5m] are filled in per input.
type windowed struct {
	plain  *parser.VectorSelector // it is this selector and nothing else; nil otherwise
	pieces []string               // between them stand ranges
	ranges []rangeWindow          // len(pieces)-1
}

type rangeWindow uint8

const (
	shortRange rangeWindow = iota
	eventsRange
)

// Stand-ins for the two windows while an expression is printed: lengths that
// nobody writes.
const (
	shortMark  = 9973*time.Hour + 11*time.Millisecond
	eventsMark = 9967*time.Hour + 13*time.Millisecond
)

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
	w := splitWindows(withRanges(expr, map[time.Duration]time.Duration{ShortWindow: shortMark, EventsWindow: eventsMark}))
	if s, ok := expr.(*parser.VectorSelector); ok && s.OriginalOffset == 0 && s.OriginalOffsetExpr == nil && s.Timestamp == nil && s.StartOrEnd == 0 {
		w.plain = s
	}
	return w, nil
}

func checkWindow(d time.Duration) error {
	switch d {
	case ShortWindow, EventsWindow, BaselineWindow:
		return nil
	}
	return fmt.Errorf("window [%s]: write [1m] for rates, [5m] for events, [30m] for the baseline", model.Duration(d))
}

// withRanges prints an expression with some of its ranges replaced, and puts
// them back.
func withRanges(expr parser.Expr, replace map[time.Duration]time.Duration) string {
	var undo []func()
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if m, ok := node.(*parser.MatrixSelector); ok {
			if d, ok := replace[m.Range]; ok {
				old := m.Range
				m.Range = d
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

func splitWindows(text string) windowed {
	short, events := "["+model.Duration(shortMark).String()+"]", "["+model.Duration(eventsMark).String()+"]"
	var w windowed
	for {
		i, j := strings.Index(text, short), strings.Index(text, events)
		switch {
		case i < 0 && j < 0:
			w.pieces = append(w.pieces, text)
			return w
		case j < 0 || i >= 0 && i < j:
			w.pieces, w.ranges, text = append(w.pieces, text[:i]), append(w.ranges, shortRange), text[i+len(short):]
		default:
			w.pieces, w.ranges, text = append(w.pieces, text[:j]), append(w.ranges, eventsRange), text[j+len(events):]
		}
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
			d := win.Short
			if w.ranges[i-1] == eventsRange {
				d = win.Events
			}
			b.WriteByte('[')
			b.WriteString(model.Duration(max(d, time.Millisecond)).String())
			b.WriteByte(']')
		}
		b.WriteString(piece)
	}
	return b.String()
}

// has tells whether the expression has that window.
func (w windowed) has(r rangeWindow) bool {
	for _, x := range w.ranges {
		if x == r {
			return true
		}
	}
	return false
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
