package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

type junitSuites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Time     string   `xml:"time,attr"`
	Suite    junitSuite
}

type junitSuite struct {
	XMLName  xml.Name `xml:"testsuite"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Time     string   `xml:"time,attr"`
	Cases    []junitCase
}

type junitCase struct {
	XMLName   xml.Name      `xml:"testcase"`
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	File      string        `xml:"file,attr,omitempty"`
	Time      string        `xml:"time,attr"`
	Failure   *junitProblem `xml:"failure"`
	Error     *junitProblem `xml:"error"`
	Skipped   *junitProblem `xml:"skipped"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",cdata"`
}

// CheckJUnit writes the result of a check as JUnit XML: a test case for each
// case; mismatches are a failure, a case that cannot be read an error, one in
// which nothing could be judged skipped. No case at all is an error too. The
// only error is one of w.
func CheckJUnit(w io.Writer, r rules.CheckResult, _ Options) error {
	_, fail, unreadable, notJudged := r.Counts()
	suite := junitSuite{Name: "capdoctor check", Tests: len(r.Cases), Failures: fail, Errors: unreadable, Skipped: notJudged, Time: junitTime(r.Took)}
	for _, c := range r.Cases {
		suite.Cases = append(suite.Cases, newJUnitCase(c))
	}
	if len(r.Cases) == 0 {
		suite.Tests, suite.Errors = 1, 1
		suite.Cases = []junitCase{{Name: "check", ClassName: "capdoctor", Time: junitTime(0), Error: &junitProblem{Message: noCase, Type: "empty"}}}
	}
	doc := junitSuites{Name: suite.Name, Tests: suite.Tests, Failures: suite.Failures, Errors: suite.Errors, Skipped: suite.Skipped, Time: suite.Time, Suite: suite}
	out, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(out)+"\n")
	return err
}

// noCase is what a check says that has checked nothing.
const noCase = "no case was checked"

func newJUnitCase(c rules.CaseResult) junitCase {
	j := junitCase{Name: Escape(c.Name), ClassName: "capdoctor", File: Escape(c.Path), Time: junitTime(c.Took)}
	switch {
	case c.Err != "":
		j.Error = &junitProblem{Message: Escape(c.Err), Type: "unreadable"}
	case c.Failed():
		j.Failure = &junitProblem{Message: caseSummary(c) + ": " + Escape(fieldList(c)), Type: "mismatch", Text: mismatchText(c)}
	case c.NotJudged():
		j.Skipped = &junitProblem{Message: caseSummary(c)}
	}
	return j
}

func junitTime(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// fieldList names the entries of an expectation that a report does not meet.
func fieldList(c rules.CaseResult) string {
	return firstOf(each(c.Mismatches, func(m rules.Mismatch) string { return m.Field }), 5)
}

// mismatchText writes each mismatch as a short paragraph, escaped.
func mismatchText(c rules.CaseResult) string {
	var b strings.Builder
	for _, m := range c.Mismatches {
		fmt.Fprintf(&b, "%s\n  expected  %s\n  got       %s\n", Escape(m.Field), Escape(m.Expected), Escape(m.Got))
		if m.Evidence != "" {
			fmt.Fprintf(&b, "  evidence  %s\n", Escape(m.Evidence))
		}
		if m.Where != "" {
			fmt.Fprintf(&b, "  where     %s\n", Escape(m.Where))
		}
	}
	return b.String()
}
