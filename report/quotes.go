package report

import (
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// quotes writes the log lines that the evidence was read from, newest last.
func (t *reportText) quotes(f *rules.Finding) {
	t.quotedLines(quoted(f))
}

func (t *reportText) quotedLines(lines []rules.Line) {
	const mostLines = 2 // of the terminal, for one line of a log
	if len(lines) == 0 {
		return
	}
	t.line(span{heading, "LOG LINES"})
	for _, l := range lines {
		t.line(span{note, "  " + t.place(l)})
		quote := t.fitQuote(t.clean(fromEvent(l)), mostLines*(t.width-6))
		for _, part := range wrap(quote, t.width-4) {
			t.line(text("    " + part))
		}
	}
}

// fitQuote cuts a line to a width. What stands behind " | ", the exception or the
// frame that tells most, stays.
func (t *reportText) fitQuote(line string, width int) string {
	if i := strings.LastIndex(line, " | "); i > 0 && Width(line) > width && Width(line[i:]) < width*2/3 {
		return CutEnd(line[:i], width-Width(line[i:]), t.ellipsis()) + line[i:]
	}
	return CutEnd(line, width, t.ellipsis())
}

// place is "catalog-bundle.log:84, 09:09:34".
func (t *wording) place(l rules.Line) string {
	s := t.name(l.File, mostName)
	if l.Number > 0 {
		s += ":" + rules.Number(float64(l.Number))
	}
	if !l.Time.IsZero() {
		s += ", " + t.clock.time(l.Time)
	}
	return s
}

// fromEvent leaves out what stands before the event in a log line: time, level
// and thread, which the place says or nobody needs.
func fromEvent(l rules.Line) string {
	i := strings.Index(l.Text, l.Event)
	if l.Event == "" || i < 0 {
		return l.Text
	}
	return l.Text[strings.LastIndexByte(l.Text[:i], ' ')+1:]
}

// quoted is the newest lines of each piece of evidence, each line once.
func quoted(f *rules.Finding) []rules.Line {
	const mostEach, most = 2, 4
	type place struct {
		file   string
		number int64
	}
	var out []rules.Line
	seen := map[place]bool{}
	for _, e := range f.Evidence {
		for _, l := range e.Lines[max(0, len(e.Lines)-mostEach):] {
			at := place{l.File, l.Number}
			if !seen[at] && len(out) < most {
				out = append(out, l)
			}
			seen[at] = true
		}
	}
	return out
}
