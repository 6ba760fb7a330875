package report

import (
	"cmp"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// A problem is one thing that a check has to say about a case.
type problem struct {
	c        rules.CaseResult
	m        *rules.Mismatch // nil when the case could not be read or judged
	rule     string          // unreadable, find, not, where, says, unknown, advice_must, advice_must_not, not-judged
	title    string
	message  string
	file     string // of the expectation or of the fault; may be empty
	line     int    // 0 unknown
	severity int    // 0 is worst
}

// Kinds of problems from worst to least, and what they mean.
var problemKinds = []struct{ rule, meaning string }{
	{"unreadable", "a case that cannot be read"},
	{"find", "a diagnosis that must fire, or lead the report, does not; or one fires where none may"},
	{"not", "a diagnosis fires that must not"},
	{"where", "a diagnosis fires on another subject than it must"},
	{"advice_must_not", "the steps give an advice that must not be given"},
	{"advice_must", "the steps lack an advice that must be given"},
	{"unknown", "a diagnosis is judged that cannot be"},
	{"says", "a finding does not contain a fact that it must"},
	{"not-judged", "a case in which nothing could be judged"},
}

// problems are what is wrong with the cases, worst first.
func problems(r rules.CheckResult) []problem {
	var out []problem
	for _, c := range r.Cases {
		switch {
		case c.Err != "":
			out = append(out, unreadable(c))
		case c.NotJudged():
			out = append(out, newProblem(c, nil, "not-judged", c.Name+": not judged", caseSummary(c), c.Path, 0))
		}
		for i := range c.Mismatches {
			out = append(out, mismatched(c, &c.Mismatches[i]))
		}
	}
	slices.SortStableFunc(out, func(a, b problem) int { return cmp.Compare(a.severity, b.severity) })
	return out
}

func newProblem(c rules.CaseResult, m *rules.Mismatch, rule, title, message, file string, line int) problem {
	severity := slices.IndexFunc(problemKinds, func(k struct{ rule, meaning string }) bool { return k.rule == rule })
	return problem{c, m, rule, title, message, file, line, severity}
}

func unreadable(c rules.CaseResult) problem {
	file, line, message := cutPosition(c.Err)
	if file == "" {
		file, message = c.Path, c.Err
	}
	return newProblem(c, nil, "unreadable", c.Name+": unreadable", message, file, line)
}

func mismatched(c rules.CaseResult, m *rules.Mismatch) problem {
	file, line, _ := cutPosition(m.Where + ": ")
	if file == "" {
		file = cmp.Or(m.Where, c.Path)
	}
	message := "expected " + m.Expected + "; got " + m.Got
	if m.Evidence != "" {
		message += "; " + m.Evidence
	}
	return newProblem(c, m, fieldKind(m.Field), c.Name+": "+m.Field, message, file, line)
}

var position = regexp.MustCompile(`^(.+?):(\d{1,9}): ?`)

// cutPosition splits "file:line: message".
func cutPosition(s string) (file string, line int, message string) {
	m := position.FindStringSubmatch(s)
	if m == nil {
		return "", 0, s
	}
	line, _ = strconv.Atoi(m[2]) // nine digits
	return m[1], line, s[len(m[0]):]
}

// fieldKind is what an entry of an expectation is about: find[0].says[1] is
// about says.
func fieldKind(field string) string {
	kind := field[strings.LastIndexByte(field, '.')+1:]
	kind, _, _ = strings.Cut(kind, "[")
	if kind == "id" {
		return "find"
	}
	return kind
}

// filePath is the path of a problem as a tool that looks at files can use it:
// inside a packed case that is the packed file, which has no lines.
func filePath(c rules.CaseResult, file string, line int) (string, int) {
	if path.Ext(filepath.ToSlash(c.Path)) == ".capdoctor" {
		return filepath.ToSlash(c.Path), 0
	}
	return filepath.ToSlash(file), line
}
