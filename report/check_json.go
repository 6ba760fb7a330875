package report

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/capdoctor/capdoctor/rules"
)

// CheckSchemaVersion is the version of the JSON form of a check. It grows when a
// field goes away or changes its meaning; new fields may come at any time.
const CheckSchemaVersion = 1

type checkDoc struct {
	SchemaVersion int         `json:"schemaVersion"`
	Tool          toolDoc     `json:"tool"`
	Cases         []caseDoc   `json:"cases"`
	Matrix        []matrixDoc `json:"matrix"`
	Exit          int         `json:"exit"`
}

type caseDoc struct {
	Name       string        `json:"name"`
	Path       string        `json:"path"`
	Pass       bool          `json:"pass"`
	Status     string        `json:"status"` // pass, fail, unreadable or not-judged
	Error      string        `json:"error"`
	Seconds    float64       `json:"seconds"`
	Mismatches []mismatchDoc `json:"mismatches"`
	Report     *document     `json:"report"` // null when the case could not be read
}

type mismatchDoc struct {
	Field    string `json:"field"`
	ID       string `json:"id"`
	Expected string `json:"expected"`
	Got      string `json:"got"`
	Evidence string `json:"evidence"`
	Where    string `json:"where"`
}

type matrixDoc struct {
	ID          string   `json:"id"`
	Hits        int      `json:"hits"`
	Misses      int      `json:"misses"`
	FalseAlarms int      `json:"falseAlarms"`
	Unknown     int      `json:"unknown"`
	Precision   *float64 `json:"precision"` // null when it never fired where a case speaks of it
	Recall      *float64 `json:"recall"`    // null when no case expects it
	Cases       []string `json:"cases"`
}

// CheckJSON writes the result of a check as one JSON document, with the whole
// report of each case. Characters that a terminal would obey are escaped. The
// only error is one of w.
func CheckJSON(w io.Writer, r rules.CheckResult, o Options) error {
	doc := checkDoc{
		SchemaVersion: CheckSchemaVersion,
		Tool:          toolDoc{Name: "capdoctor", Version: o.Version},
		Cases:         each(r.Cases, func(c rules.CaseResult) caseDoc { return newCaseDoc(c, o) }),
		Matrix:        each(r.Matrix, newMatrixDoc),
		Exit:          r.ExitCode(),
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return err
	}
	_, err := w.Write(escapeJSON(b.Bytes()))
	return err
}

func newCaseDoc(c rules.CaseResult, o Options) caseDoc {
	doc := caseDoc{
		Name: c.Name, Path: c.Path, Pass: c.Pass, Status: caseStatus(c), Error: c.Err, Seconds: c.Took.Seconds(),
		Mismatches: each(c.Mismatches, func(m rules.Mismatch) mismatchDoc {
			return mismatchDoc{m.Field, m.ID, m.Expected, m.Got, m.Evidence, m.Where}
		}),
	}
	if c.Report != nil {
		report := newDocument(c.Report, o)
		doc.Report = &report
	}
	return doc
}

func caseStatus(c rules.CaseResult) string {
	switch {
	case c.Err != "":
		return "unreadable"
	case c.Failed():
		return "fail"
	case c.NotJudged():
		return "not-judged"
	}
	return "pass"
}

func newMatrixDoc(m rules.MatrixRow) matrixDoc {
	return matrixDoc{m.ID, m.Hits, m.Misses, m.FalseAlarms, m.Unknown, number(m.Precision()), number(m.Recall()), list(m.Cases)}
}
