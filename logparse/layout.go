package logparse

import (
	"errors"
	"fmt"
	"strings"
)

// A layout is the form of a first line, compiled from a text such as
//
//	{time} {level} {int} --- [{thread}] {logger} : {message}
//
// Spaces stand for one or more spaces or tabs. A field reaches to the text that
// follows it; {logger}, {source} and {word} hold no space. {message} is the rest
// of the line; what follows it must be found inside the message as well. Right
// after a text one space in front of the message is passed over, not more.
type layout struct {
	text  string
	steps []step
	head  int       // steps that tell the time and the level
	plain bool      // these are a stamp, spaces and a level
	first [256]bool // bytes that a line may begin with
	spare bool      // begins with a level, which may be padded on the left
}

// A step is one part of a layout.
type step struct {
	op   op
	form form   // for opForm
	to   field  // where the text goes
	lit  string // for opLit and opUntil
	rare int    // index of the byte of lit to search for
}

type op uint8

const (
	opLit     op = iota // the literal
	opSpace             // one or more spaces
	opPad               // any number of spaces
	opWord              // a word without spaces, not empty
	opUntil             // text up to the literal, which is passed over
	opWordTo            // a word without spaces up to the literal, which is passed over
	opMessage           // the message begins here
	opText              // the message begins here, after one space if there is one
	opTime
	opForm // a stamp of one form
	opEpoch
	opKlog
	opLevel
	opFindLevel // the next word, within reach, that is a level
	opPgLevel   // a level of PostgreSQL, or the kind of a further line (DETAIL)
	opInt
	opStatus
	opPri
	opData   // structured data of RFC 5424
	opTail   // the logger in parentheses at the end of the line
	opStream // stdout or stderr
	opFlag   // F for a whole line, P for a part of one (CRI)
	opMark   // the level mark of Redis: . - * #
	opEnd    // the end of the line
)

type field uint8

const (
	toNothing field = iota
	toLogger
	toThread
	toSource
)

// fieldOps says how a field of a layout is read when that does not depend on
// what follows it.
func fieldOps(name string) (op, bool) {
	switch name {
	case "time":
		return opTime, true
	case "epoch":
		return opEpoch, true
	case "klog":
		return opKlog, true
	case "level":
		return opLevel, true
	case "..level":
		return opFindLevel, true
	case "pglevel":
		return opPgLevel, true
	case "int":
		return opInt, true
	case "status":
		return opStatus, true
	case "pri":
		return opPri, true
	case "data":
		return opData, true
	case "tail":
		return opTail, true
	case "stream":
		return opStream, true
	case "flag":
		return opFlag, true
	case "mark":
		return opMark, true
	case "end":
		return opEnd, true
	case "message":
		return opMessage, true
	}
	return 0, false
}

// textField returns where a field of free text goes and whether it is one word.
func textField(name string) (to field, word, ok bool) {
	switch name {
	case "logger":
		return toLogger, true, true
	case "subsystem":
		return toLogger, false, true
	case "thread":
		return toThread, false, true
	case "source":
		return toSource, true, true
	case "word":
		return toNothing, true, true
	case "skip":
		return toNothing, false, true
	}
	return 0, false, false
}

// compileLayout compiles a layout and says what is wrong with it.
func compileLayout(text string) (*layout, error) {
	l := &layout{text: text}
	rest := text
	for rest != "" {
		if rest[0] != '{' || strings.HasPrefix(rest, "{{") {
			n := nextField(rest)
			l.literal(strings.ReplaceAll(rest[:n], "{{", "{"))
			rest = rest[n:]
			continue
		}
		end := strings.IndexByte(rest, '}')
		if end < 0 {
			return nil, fmt.Errorf("layout %q: no } after %q", text, rest)
		}
		n, err := l.field(rest[1:end], rest[end+1:])
		if err != nil {
			return nil, fmt.Errorf("layout %q: %w", text, err)
		}
		rest = rest[end+1+n:]
	}
	if len(l.steps) == 0 {
		return nil, errors.New("a layout is empty")
	}
	l.setFirst()
	return l, nil
}

// nextField returns the position of the next field in text.
func nextField(text string) int {
	for i := 0; i < len(text); i++ {
		if text[i] != '{' {
			continue
		}
		if strings.HasPrefix(text[i:], "{{") {
			i++
			continue
		}
		return i
	}
	return len(text)
}

// field adds the step of one field; rest is what follows it. It returns how
// much of rest the step consumes.
func (l *layout) field(name, rest string) (int, error) {
	if op, ok := fieldOps(name); ok {
		if op == opMessage && l.closed() {
			op = opText
		}
		l.steps = append(l.steps, step{op: op})
		return 0, nil
	}
	if form, ok := formNamed(name); ok {
		l.steps = append(l.steps, step{op: opForm, form: form})
		return 0, nil
	}
	to, word, ok := textField(name)
	if !ok {
		return 0, fmt.Errorf("unknown field %q", name)
	}
	n := nextField(rest)
	lit := strings.TrimRight(strings.ReplaceAll(rest[:n], "{{", "{"), " ")
	switch {
	case n == 0 && rest != "" && rest != "{end}":
		return 0, fmt.Errorf("nothing separates %q from the next field", name)
	case lit == "" || word && lit[0] == ' ':
		l.steps = append(l.steps, step{op: opWord, to: to})
		return 0, nil
	case word:
		l.steps = append(l.steps, step{op: opWordTo, to: to, lit: lit, rare: rarest(lit)})
	default:
		l.steps = append(l.steps, step{op: opUntil, to: to, lit: lit, rare: rarest(lit)})
	}
	if strings.HasSuffix(rest[:n], " ") {
		l.steps = append(l.steps, step{op: opSpace})
	}
	return n, nil
}

// closed says whether the layout so far ends with a text other than a space.
func (l *layout) closed() bool {
	if len(l.steps) == 0 {
		return false
	}
	op := l.steps[len(l.steps)-1].op
	return op == opLit || op == opUntil || op == opWordTo
}

// literal adds the steps of a text between fields: its spaces are flexible at
// both ends, and padding is allowed between a level and what follows.
func (l *layout) literal(text string) {
	lead := strings.HasPrefix(text, " ")
	body := strings.Trim(text, " ")
	switch {
	case lead:
		l.steps = append(l.steps, step{op: opSpace})
	case len(l.steps) > 0 && l.steps[len(l.steps)-1].op == opLevel:
		l.steps = append(l.steps, step{op: opPad})
	}
	if body == "" {
		return
	}
	l.steps = append(l.steps, step{op: opLit, lit: body})
	if strings.HasSuffix(text, " ") {
		l.steps = append(l.steps, step{op: opSpace})
	}
}

// rarest returns the index of the byte of lit that a search should look for.
func rarest(lit string) int {
	best := 0
	for i := range len(lit) {
		if lit[i] != ' ' && (lit[best] == ' ' || !isLetter(lit[i]) && isLetter(lit[best])) {
			best = i
		}
	}
	return best
}

// setFirst fills in the bytes that a line of this layout may begin with.
func (l *layout) setFirst() {
	s := l.steps[0]
	for c := range l.first {
		b := byte(c)
		switch s.op {
		case opLit:
			l.first[c] = b == s.lit[0]
		case opTime, opForm:
			l.first[c] = s.form.begins(b)
		case opEpoch, opInt, opStatus:
			l.first[c] = isDigit(b)
		case opKlog:
			l.first[c] = b == 'I' || b == 'W' || b == 'E' || b == 'F'
		case opLevel:
			l.first[c] = isLetter(b) || b == ' '
		case opPri:
			l.first[c] = b == '<'
		default:
			l.first[c] = b != ' ' && b != '\t'
		}
	}
	l.spare = s.op == opLevel
	l.head = headLen(l.steps)
	l.plain = l.head == 3 && s.op == opTime && l.steps[1].op == opSpace && l.steps[2].op == opLevel
}

// headLen returns how many steps tell the time, the level and the status: those
// up to the level, when the time comes before it and nothing else after.
func headLen(steps []step) int {
	n := len(steps)
	timed := false
	for i, s := range steps {
		switch s.op {
		case opTime, opForm, opEpoch, opKlog, opStatus:
			timed, n = true, len(steps)
		case opLevel:
			if timed && n == len(steps) {
				n = i + 1
			}
		}
	}
	return n
}
