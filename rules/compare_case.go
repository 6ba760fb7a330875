package rules

import "time"

// A CaseResult is what came of checking one case.
type CaseResult struct {
	Name string // of the case
	Path string // of its folder or file
	// Pass is set when the case was judged and its report has no mismatch.
	Pass       bool
	Err        string // why the case could not be read, "file:line: what"; empty when it could
	Took       time.Duration
	Expect     Expect
	Mismatches []Mismatch
	Report     *Report // nil when the case could not be read
}

// Judged returns the result of a case that was read and judged.
func Judged(name, path string, e Expect, r *Report, took time.Duration) CaseResult {
	mismatches := Compare(e, r)
	return CaseResult{
		Name: name, Path: path, Took: took, Expect: e, Report: r,
		Mismatches: mismatches, Pass: len(mismatches) == 0 && r.judgedAnything(),
	}
}

// Unreadable returns the result of a case that could not be read or judged.
func Unreadable(name, path string, err error) CaseResult {
	return CaseResult{Name: name, Path: path, Err: err.Error()}
}

// NotJudged reports whether the case agrees with its report only because
// nothing in it could be judged. Such a case does not pass and does not fail.
func (c CaseResult) NotJudged() bool { return c.Err == "" && !c.Pass && len(c.Mismatches) == 0 }

// Failed reports whether the report of the case has mismatches.
func (c CaseResult) Failed() bool { return len(c.Mismatches) > 0 }

// A CheckResult is what came of checking several cases.
type CheckResult struct {
	Cases  []CaseResult
	Matrix []MatrixRow // empty when not asked for
	Took   time.Duration
}

// Counts says how many cases passed, failed, could not be read and could not
// be judged.
func (r CheckResult) Counts() (pass, fail, unreadable, notJudged int) {
	for _, c := range r.Cases {
		switch {
		case c.Err != "":
			unreadable++
		case c.Failed():
			fail++
		case c.NotJudged():
			notJudged++
		default:
			pass++
		}
	}
	return pass, fail, unreadable, notJudged
}

// ExitCode is the exit status of a check: 2 when a case could not be read, 1
// when one has mismatches, 3 when one could not be judged or there is none, and
// 0 when all pass.
func (r CheckResult) ExitCode() int {
	pass, fail, unreadable, notJudged := r.Counts()
	switch {
	case unreadable > 0:
		return 2
	case fail > 0:
		return 1
	case notJudged > 0 || pass == 0:
		return 3
	}
	return 0
}
