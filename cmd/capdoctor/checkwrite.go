package main

import (
	"fmt"
	"io"

	"github.com/capdoctor/capdoctor/rules"
)

// writeCheck writes the result of check in one form.
func writeCheck(w io.Writer, format string, r rules.CheckResult) error {
	for _, c := range r.Cases {
		verdict := "PASS"
		if !c.Pass {
			verdict = "FAIL"
		}
		fmt.Fprintln(w, verdict, c.Name, c.Err)
		for _, m := range c.Mismatches {
			fmt.Fprintf(w, "   %s: expected %s, got %s | %s\n", m.Field, m.Expected, m.Got, m.Evidence)
		}
	}
	pass, fail, unreadable, notJudged := r.Counts()
	fmt.Fprintln(w, pass, fail, unreadable, notJudged, r.Took)
	return nil
}
