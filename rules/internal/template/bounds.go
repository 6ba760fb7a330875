package template

import (
	"errors"
	"fmt"
	"strings"
)

// What one annotation may do. Those of the catalogue write some hundred bytes in
// some hundred steps.
const (
	maxOutput = 1 << 20   // bytes that it writes, and of any text that it computes
	maxSteps  = 1_000_000 // nodes that are evaluated, and bytes of the texts that functions read
	maxNested = 20        // maps within maps, in what is printed
)

// spend takes steps off what is left.
func (s *state) spend(steps int) error {
	if s.left -= steps; s.left < 0 {
		return s.failed("%w", errSteps)
	}
	return nil
}

func (s *state) write(text string) error {
	if s.out.Len()+len(text) > maxOutput {
		return s.failed("%w", errTooMuch)
	}
	s.out.WriteString(text)
	return nil
}

// print writes a value.
func (s *state) print(v any) error {
	if v == nil {
		return s.write("<no value>")
	}
	if text, ok := v.(string); ok {
		return s.write(text)
	}
	if err := s.weighPrinted("print", []any{v}); err != nil {
		return err
	}
	return s.write(fmt.Sprint(v))
}

// weigh spends what a function costs that reads these arguments, and refuses
// what would print too much.
func (s *state) weigh(name string, args []any) error {
	switch name {
	case "print", "println", "printf":
		return s.weighPrinted(name, args)
	}
	steps := 1
	for _, v := range args {
		n, _ := length(v)
		if _, ok := v.(string); !ok {
			n /= 16 // a list of samples is looked at, or sorted: an answer may have very many
		}
		steps += n
	}
	return s.spend(steps)
}

// weighPrinted weighs values that are printed with all that they hold.
func (s *state) weighPrinted(name string, args []any) error {
	total := 0
	for _, v := range args {
		n, err := size(v, maxOutput-total, 0)
		if err != nil {
			return s.failed("%s: %w", name, err)
		}
		total += n
	}
	if name == "printf" {
		if err := checkFormat(args, total); err != nil {
			return s.failed("printf: %w", err)
		}
	}
	return s.spend(1 + total)
}

// weighResult refuses a text that is too long.
func (s *state) weighResult(v any) error {
	if text, ok := v.(string); ok && len(text) > maxOutput {
		return s.failed("%w", errTooMuch)
	}
	return nil
}

var (
	errTooMuch = fmt.Errorf("more than %d bytes of text", maxOutput)
	errSteps   = fmt.Errorf("more than %d steps", maxSteps)
	errNested  = fmt.Errorf("values nested more than %d deep", maxNested)
)

// size is about how many bytes a value prints, at most. It fails beyond limit.
func size(v any, limit, nested int) (int, error) {
	if nested > maxNested {
		return 0, errNested
	}
	total := 8 // a number takes up to 24 bytes, but few are long
	add := func(v any) (err error) {
		n, err := size(v, limit-total, nested+1)
		total += n
		return err
	}
	switch v := v.(type) {
	case string:
		total = len(v)
	case *Sample:
		if v != nil {
			if err := add(v.Labels); err != nil {
				return total, err
			}
		}
	case []*Sample:
		for _, sample := range v {
			if err := add(sample); err != nil {
				return total, err
			}
		}
	case map[string]string:
		for key, value := range v {
			total += 2 + len(key) + len(value)
			if total > limit {
				break
			}
		}
	case map[string]any:
		for key, value := range v {
			total += 2 + len(key)
			if err := add(value); err != nil {
				return total, err
			}
		}
	}
	if total > limit {
		return total, errTooMuch
	}
	return total, nil
}

// maxQuoted is how many bytes %q or %x write for one byte, at most.
const maxQuoted = 5

// checkFormat refuses a format that might write too much: each verb may print
// all that the arguments hold, at the width that stands there or that an
// argument gives. It also refuses addresses, which differ from run to run.
func checkFormat(args []any, held int) error {
	format, ok := args[0].(string)
	if !ok {
		return nil // printf says so
	}
	total, number, verb := len(format), 0, false
	for i := 0; i < len(format); i++ {
		switch c := format[i]; {
		case c == '%':
			total, number, verb = total+maxQuoted*held, 0, !verb
		case verb && c == '*':
			total += widest(args)
		case verb && c >= '0' && c <= '9':
			number = min(10*number+int(c-'0'), maxOutput)
			total += number
		case verb && strings.IndexByte("+-# .[]", c) >= 0:
			number = 0
		case verb && c == 'p':
			return errAddress
		default:
			verb = false
		}
		if total > maxOutput {
			return errTooMuch
		}
	}
	return nil
}

var errAddress = errors.New("%p prints an address")

// widest is the largest width that an argument can give.
func widest(args []any) int {
	most := 0
	for _, v := range args {
		if n, ok := v.(int); ok {
			most = max(most, min(n, maxOutput), min(-max(n, -maxOutput), maxOutput))
		}
	}
	return most
}
