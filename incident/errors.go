package incident

import "fmt"

// An Error is a fault in a file of an incident, at a line where there is one.
type Error struct {
	File string // path; inside a .capdoctor file FILE.capdoctor/case.yaml
	Line int    // from 1; 0 unknown
	Msg  string
}

// Error returns "file:line: message".
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

func fault(file string, line int, format string, args ...any) error {
	return &Error{File: file, Line: line, Msg: fmt.Sprintf(format, args...)}
}
