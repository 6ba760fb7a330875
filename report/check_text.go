package report

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// CheckText writes what came of checking cases for a terminal: a line for each
// case, the differences under those that fail, and the matrix when there is one.
// The only error is one of w.
func CheckText(w io.Writer, r rules.CheckResult, o Options) error {
	t := &checkText{page: page{width: o.width(), style: o.Style, letters: lettering{o.ASCII}}, r: r}
	for _, c := range r.Cases {
		t.nameWidth = max(t.nameWidth, min(Width(t.letters.clean(c.Name)), t.width*3/10))
	}
	for _, c := range r.Cases {
		t.caseLine(c)
		t.differences(c)
	}
	t.total()
	t.matrix()
	_, err := io.WriteString(w, t.b.String())
	return err
}

// A checkText is a page on which the result of one check is written.
type checkText struct {
	page
	r         rules.CheckResult
	nameWidth int
}

// verdict is how a case came out, in a word and in a colour.
func verdict(c rules.CaseResult) span {
	switch {
	case c.Err != "":
		return span{critical, "ERROR"}
	case c.Failed():
		return span{critical, "FAIL"}
	case c.NotJudged():
		return span{doubtful, "?"}
	}
	return span{plain, "PASS"}
}

const (
	verdictWidth = 7
	tookWidth    = 8
)

// caseLine is the verdict, the name, what was seen, and how long it took.
func (t *checkText) caseLine(c rules.CaseResult) {
	v := verdict(c)
	v.text = padRight(v.text, verdictWidth)
	lead := t.letters.name(c.Name, t.nameWidth)
	if c.Err != "" {
		t.line(v, text(lead))
		t.hangAt(verdictWidth, text(strings.Repeat(" ", verdictWidth)), c.Err)
		return
	}
	lead = padRight(lead, t.nameWidth) + "  "
	indent := verdictWidth + Width(lead)
	room := t.width - indent - 2 - tookWidth
	said := wrap(t.letters.prose(caseSummary(c)), room)
	took := rules.Duration(c.Took.Round(time.Millisecond))
	t.line(v, text(lead+padRight(said[0], room)+"  "+padLeft(took, tookWidth)))
	for _, more := range said[1:] {
		t.line(text(strings.Repeat(" ", indent) + more))
	}
}

// caseSummary says in one line what a case asked and what came of it.
func caseSummary(c rules.CaseResult) string {
	switch {
	case c.Failed():
		return rules.Plural(len(c.Mismatches), "difference", "differences")
	case c.NotJudged():
		return "nothing in it could be judged"
	}
	silent := fmt.Sprintf("%d of %d stayed silent", len(c.Expect.Not), len(c.Expect.Not))
	n := len(c.Expect.Find)
	found := "nothing at warning or above"
	if n > 0 {
		found = fmt.Sprintf("%d of %d found, %s first", n, n, c.Expect.Find[0].ID)
	}
	if len(c.Expect.Not) == 0 {
		return found
	}
	return found + "; " + silent
}

// The columns of the differences.
const (
	fieldIndent = 6
	fieldWidth  = 18
	sideBySide  = 80 // columns that it takes to have expected and got beside each other
)

// differences shows what was expected and what was got, and under each pair the
// number that made the difference and where the expectation stands.
func (t *checkText) differences(c rules.CaseResult) {
	for i, m := range c.Mismatches {
		if t.width < sideBySide {
			t.line(text(strings.Repeat(" ", fieldIndent) + m.Field))
			t.detail("expected", m.Expected)
			t.detail("got", m.Got)
		} else {
			tab := t.differenceTable(i == 0)
			tab.add(m.Field, m.Expected, m.Got)
			tab.write(&t.page)
		}
		t.detail("evidence", m.Evidence)
		t.detail("where", m.Where)
	}
}

func (t *checkText) differenceTable(first bool) *table {
	expected := (t.width - fieldIndent - fieldWidth - 4) / 2
	columns := []column{
		{align: name, least: fieldWidth, most: fieldWidth},
		{least: expected, most: expected},
		{},
	}
	if first {
		columns[0].head, columns[1].head, columns[2].head = strings.Repeat(" ", fieldIndent)+"field", "expected", "got"
	}
	return &table{columns: columns, indent: fieldIndent}
}

func (t *checkText) detail(label, s string) {
	if s == "" {
		return
	}
	indent := fieldIndent + fieldWidth + 2
	if t.width < sideBySide {
		indent = fieldIndent + 12
	}
	t.hangAt(indent, span{note, padRight(strings.Repeat(" ", fieldIndent+2)+label, indent)}, s)
}

// total counts the verdicts, and says the exit status that they make.
func (t *checkText) total() {
	pass, fail, unreadable, notJudged := t.r.Counts()
	s := fmt.Sprintf("%s: %d pass, %d fail, %d unreadable", rules.Plural(len(t.r.Cases), "case", "cases"), pass, fail, unreadable)
	if notJudged > 0 {
		s += fmt.Sprintf(", %d not judged", notJudged)
	}
	s += ", in " + rules.Duration(t.r.Took.Round(time.Millisecond))
	exit := fmt.Sprintf("exit %d", t.r.ExitCode())
	if Width(s)+2+Width(exit) > t.width {
		t.hang(text(""), s)
		s = ""
	}
	t.line(text(padRight(s, t.width-Width(exit)) + exit))
}

// Columns that it takes to show the ratios and the cases beside the counts.
const (
	ratiosWidth = 80
	notesWidth  = 100
)

// matrix is a row for each diagnosis.
func (t *checkText) matrix() {
	if len(t.r.Matrix) == 0 {
		return
	}
	pass, fail, _, notJudged := t.r.Counts()
	tab := &table{columns: []column{
		{head: "MATRIX, " + rules.Plural(pass+fail+notJudged, "case", "cases"), align: name, most: 20},
		{head: "hits", align: right}, {head: "misses", align: right}, {head: "false alarms", align: right}, {head: "unknown", align: right},
	}}
	if t.width >= ratiosWidth {
		tab.columns = append(tab.columns, column{head: "precision", align: right}, column{head: "recall", align: right})
	}
	if t.width >= notesWidth {
		tab.columns[0].most = 24
		tab.columns = append(tab.columns, column{})
	}
	for _, m := range t.r.Matrix {
		tab.add(matrixCells(m)[:len(tab.columns)]...)
	}
	tab.write(&t.page)
}

func matrixCells(m rules.MatrixRow) []string {
	count := func(n int) string { return rules.Number(float64(n)) }
	return []string{
		m.ID, count(m.Hits), count(m.Misses), count(m.FalseAlarms), count(m.Unknown),
		ratio(m.Precision()), ratio(m.Recall()), matrixNote(m),
	}
}

// ratio writes a number from 0 to 1 with two decimals, "-" where there is none.
func ratio(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.2f", v)
}

func matrixNote(m rules.MatrixRow) string {
	if m.Hits+m.Misses == 0 && len(m.Cases) == 0 {
		return "no case"
	}
	return firstOf(m.Cases, 3)
}
