package report

import (
	"fmt"
	"io"

	"github.com/capdoctor/capdoctor/rules"
)

// CheckMarkdown writes the result of a check as GitHub-flavoured Markdown, for
// the summary of a job: every case, what differs, and the matrix when there is
// one. The only error is one of w.
func CheckMarkdown(w io.Writer, r rules.CheckResult, _ Options) error {
	m := &markdown{}
	pass, fail, unreadable, notJudged := r.Counts()
	m.heading(1, fmt.Sprintf("capdoctor check: %d pass, %d fail, %d unreadable, %d not judged", pass, fail, unreadable, notJudged))
	if len(r.Cases) == 0 {
		m.paragraph(noCase + ".")
	} else {
		m.checkCases(r)
	}
	for _, c := range r.Cases {
		m.checkDifferences(c)
	}
	m.checkMatrix(r.Matrix)
	_, err := io.WriteString(w, m.b.String())
	return err
}

func (m *markdown) checkCases(r rules.CheckResult) {
	m.row("", "case", "result")
	m.b.WriteString("| --- | --- | --- |\n")
	for _, c := range r.Cases {
		said := caseSummary(c)
		if c.Err != "" {
			said = c.Err
		}
		m.row(verdict(c).text, c.Name, said)
	}
	m.b.WriteByte('\n')
}

func (m *markdown) checkDifferences(c rules.CaseResult) {
	if !c.Failed() {
		return
	}
	m.heading(2, c.Name)
	m.row("field", "expected", "got", "evidence", "where")
	m.b.WriteString("| --- | --- | --- | --- | --- |\n")
	for _, d := range c.Mismatches {
		m.row(d.Field, d.Expected, d.Got, d.Evidence, d.Where)
	}
	m.b.WriteByte('\n')
}

func (m *markdown) checkMatrix(rows []rules.MatrixRow) {
	if len(rows) == 0 {
		return
	}
	m.heading(2, "Matrix")
	m.row("diagnosis", "hits", "misses", "false alarms", "unknown", "precision", "recall", "cases")
	m.b.WriteString("| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n")
	for _, r := range rows {
		m.row(matrixCells(r)...)
	}
	m.b.WriteByte('\n')
}
