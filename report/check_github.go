package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// CheckGitHub writes the result of a check as GitHub workflow commands, the
// worst problem first because GitHub shows only some of many: errors for cases
// that fail or cannot be read, warnings for those that could not be judged. The
// only error is one of w.
func CheckGitHub(w io.Writer, r rules.CheckResult, _ Options) error {
	var b strings.Builder
	for _, p := range problems(r) {
		level := "error"
		if p.rule == "not-judged" {
			level = "warning"
		}
		file, line := filePath(p.c, p.file, p.line)
		at := "file=" + commandProperty(file)
		if line > 0 {
			at += fmt.Sprintf(",line=%d", line)
		}
		fmt.Fprintf(&b, "::%s %s,title=%s::%s\n", level, at, commandProperty(p.title), commandText(p.message))
	}
	if len(r.Cases) == 0 {
		b.WriteString("::error title=capdoctor check::" + noCase + "\n")
	}
	pass, fail, unreadable, notJudged := r.Counts()
	fmt.Fprintf(&b, "capdoctor check: %d pass, %d fail, %d unreadable, %d not judged\n", pass, fail, unreadable, notJudged)
	_, err := io.WriteString(w, b.String())
	return err
}

// commandText makes s the message of a workflow command.
func commandText(s string) string {
	return strings.ReplaceAll(Escape(s), "%", "%25") // Escape leaves no line break
}

// commandProperty makes s a property of a workflow command.
func commandProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(commandText(s))
}
