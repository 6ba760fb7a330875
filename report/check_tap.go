package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// CheckTAP writes the result of a check as TAP 14: a test point for each case,
// with its mismatches in a YAML block. A case in which nothing could be judged
// is skipped; no case at all is a bail out. The only error is one of w.
func CheckTAP(w io.Writer, r rules.CheckResult, _ Options) error {
	var b strings.Builder
	b.WriteString("TAP version 14\n")
	if len(r.Cases) == 0 {
		b.WriteString("Bail out! " + noCase + "\n")
	} else {
		fmt.Fprintf(&b, "1..%d\n", len(r.Cases))
	}
	for i, c := range r.Cases {
		writeTAPCase(&b, i+1, c)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeTAPCase(b *strings.Builder, number int, c rules.CaseResult) {
	result, directive := "ok", ""
	switch {
	case c.Err != "" || c.Failed():
		result = "not ok"
	case c.NotJudged():
		directive = " # SKIP " + caseSummary(c)
	}
	fmt.Fprintf(b, "%s %d - %s%s\n", result, number, tapText(c.Name), directive)
	if result == "ok" {
		return
	}
	b.WriteString("  ---\n")
	if c.Err != "" {
		fmt.Fprintf(b, "  message: %s\n  severity: error\n", yamlText(c.Err))
	} else {
		fmt.Fprintf(b, "  message: %s\n  severity: fail\n  mismatches:\n", yamlText(caseSummary(c)))
	}
	for _, m := range c.Mismatches {
		fmt.Fprintf(b, "    - field: %s\n      expected: %s\n      got: %s\n      evidence: %s\n      at: %s\n",
			yamlText(m.Field), yamlText(m.Expected), yamlText(m.Got), yamlText(m.Evidence), yamlText(m.Where))
	}
	b.WriteString("  ...\n")
}

// tapText is a description that cannot be taken for a directive.
func tapText(s string) string {
	return strings.NewReplacer(`\`, `\\`, `#`, `\#`).Replace(Escape(s))
}

// yamlText writes s as a double-quoted YAML scalar, which JSON strings are.
func yamlText(s string) string {
	b, err := json.Marshal(Escape(s))
	if err != nil { // strings can always be marshalled
		return `""`
	}
	return string(b)
}
