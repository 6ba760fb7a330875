package logparse

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A text is literal text with captures in it: "http-{port}".
type text struct {
	source string
	pieces []textPiece
}

// A textPiece is literal text, or a capture when slot is not negative.
type textPiece struct {
	literal string
	slot    int
}

// Slots of texts that are no captures: {frame} is the first class of the
// application in the trace, {threads} the thread's name without its number.
const (
	frameSlot = 1<<16 + iota
	threadsSlot
)

// addText returns the index of a text in the pattern's texts; -1 for none.
func (p *Pattern) addText(s string) (int, error) {
	if s == "" {
		return -1, nil
	}
	if i := slices.IndexFunc(p.texts, func(t text) bool { return t.source == s }); i >= 0 {
		return i, nil
	}
	t, err := p.parseText(s)
	p.texts = append(p.texts, t)
	return len(p.texts) - 1, err
}

func (p *Pattern) parseText(s string) (text, error) {
	t := text{source: s}
	for s != "" {
		before, rest, found := strings.Cut(s, "{")
		if before != "" {
			t.pieces = append(t.pieces, textPiece{literal: before, slot: -1})
		}
		if !found {
			break
		}
		name, after, closed := strings.Cut(rest, "}")
		slot := p.slot(name)
		switch {
		case !closed:
			return t, fmt.Errorf("%q has no closing brace", s)
		case name == "frame":
			slot = frameSlot
		case name == "threads":
			slot = threadsSlot
		case slot < 0:
			return t, fmt.Errorf("%q: no template captures %q", s, name)
		}
		t.pieces = append(t.pieces, textPiece{slot: slot})
		s = after
	}
	return t, nil
}

// append appends the text with the captures from r to b.
func (t *text) append(b []byte, captures [][]byte, r *Record) []byte {
	for _, p := range t.pieces {
		switch {
		case p.slot == frameSlot:
			b = append(b, applicationFrame(r.Trace)...)
		case p.slot == threadsSlot:
			b = append(b, bytes.TrimRight(r.Thread, "0123456789-#_ ")...)
		case p.slot >= 0:
			b = append(b, captures[p.slot]...)
		default:
			b = append(b, p.literal...)
		}
	}
	return b
}

// An operand is a number, or captures that are added and subtracted. The zero
// value is 1.
type operand struct {
	terms []term
}

type term struct {
	sign   float64
	number float64
	slot   int // -1 is number, timeSlot the time of the record
}

// timeSlot stands for the time of the record.
const timeSlot = 1 << 17

func (p *Pattern) parseOperand(s string) (operand, error) {
	var o operand
	sign := 1.0
	for i, word := range strings.Fields(s) {
		if i%2 == 1 {
			if word != "+" && word != "-" {
				return o, fmt.Errorf("value %q: want + or - instead of %q", s, word)
			}
			sign = 1
			if word == "-" {
				sign = -1
			}
			continue
		}
		t := term{sign: sign, slot: p.slot(word)}
		if word == "time" {
			t.slot = timeSlot
		}
		if t.slot < 0 {
			var err error
			if t.number, err = strconv.ParseFloat(word, 64); err != nil {
				return o, fmt.Errorf("value %q: no template captures %q", s, word)
			}
		}
		o.terms = append(o.terms, t)
	}
	return o, nil
}

// value returns the operand's value; ok is false where a capture is missing or
// is no number, or the record has no time.
func (o operand) value(p *Pattern, captures [][]byte, at time.Time) (v float64, ok bool) {
	if len(o.terms) == 0 {
		return 1, true
	}
	for _, t := range o.terms {
		n, ok := t.value(p, captures, at)
		if !ok {
			return 0, false
		}
		v += t.sign * n
	}
	return v, true
}

func (t term) value(p *Pattern, captures [][]byte, at time.Time) (float64, bool) {
	switch {
	case t.slot < 0:
		return t.number, true
	case t.slot == timeSlot:
		return float64(at.UnixMilli()) / 1000, !at.IsZero()
	case captures[t.slot] == nil:
		return 0, false
	}
	return p.captures[t.slot].kind.value(captures[t.slot])
}

// mapSlot returns the slot of the operand when it is one map, else -1.
func (o operand) mapSlot(p *Pattern) int {
	if len(o.terms) == 1 && o.terms[0].slot >= 0 && o.terms[0].slot < timeSlot && p.captures[o.terms[0].slot].kind == kindMap {
		return o.terms[0].slot
	}
	return -1
}
