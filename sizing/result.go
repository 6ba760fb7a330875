package sizing

import "fmt"

// A Result is an answer: what went in, what was computed and how, and what
// follows from it.
type Result struct {
	Title  string
	Inputs []Input
	Lines  []Line
	Advice []string // sentences
}

// An Input is a number that went in.
type Input struct {
	Name   string
	Value  float64
	Unit   string // see Format
	Origin string
}

// A Line is one computed number.
type Line struct {
	Name    string
	Formula string // in words and in numbers: "workers ÷ service time = 12 ÷ 500 ms"
	Value   float64
	Unit    string // see Format
	Source  string // where the formula comes from
}

// A sheet is a result in the making. It goes on after a wrong input, so that
// calculations read straight; done then returns the error alone.
type sheet struct {
	Result
	missing []string
	err     error
}

func newSheet(title string) *sheet { return &sheet{Result: Result{Title: title}} }

// need takes an input that must be given.
func (s *sheet) need(name, unit string, n Number, b bound) float64 {
	if !n.Known() {
		s.missing = append(s.missing, name)
		return 1
	}
	v, _ := s.take(name, unit, n, b)
	return v
}

// take takes an input that may be given.
func (s *sheet) take(name, unit string, n Number, b bound) (float64, bool) {
	if !n.Known() {
		return 0, false
	}
	if !b.allows(n.Value) {
		s.fail(&RangeError{name, n.Value, unit, n.Origin, b.sentence})
		return 1, false
	}
	s.Inputs = append(s.Inputs, Input{name, n.Value, unit, n.Origin})
	return n.Value, true
}

// line adds a computed number and returns it.
func (s *sheet) line(name, unit string, v float64, source, formula string, args ...any) float64 {
	s.Lines = append(s.Lines, Line{name, fmt.Sprintf(formula, args...), v, unit, source})
	return v
}

func (s *sheet) advise(text string, args ...any) {
	s.Advice = append(s.Advice, fmt.Sprintf(text, args...))
}

func (s *sheet) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// contradict notes that inputs exclude each other.
func (s *sheet) contradict(inputs []string, why string, args ...any) {
	s.fail(&ContradictionError{inputs, fmt.Sprintf(why, args...)})
}

// bad tells whether the inputs so far cannot be computed with.
func (s *sheet) bad() bool { return s.err != nil || len(s.missing) > 0 }

func (s *sheet) done() (Result, error) {
	switch {
	case s.err != nil:
		return Result{}, s.err
	case len(s.missing) > 0:
		return Result{}, &MissingError{s.missing}
	}
	return s.Result, nil
}
