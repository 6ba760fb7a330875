package logparse

import "time"

// A Level is the severity that a record states; the zero value is none stated.
type Level uint8

const (
	NoLevel Level = iota
	Trace
	Debug
	Info
	Warn
	Error
	Fatal
)

// A Record is one log entry: its first line and the lines that belong to it (a
// stack trace). Its byte slices point into the reader's buffer and are valid
// until the next record is read.
type Record struct {
	File    string // as it is shown: the path that was given, or the member of a rotated set
	Line    int64  // number of its first line, from 1
	Time    time.Time
	Level   Level
	Logger  []byte // may be empty
	Thread  []byte // may be empty
	Message []byte // first line without the header
	Trace   []byte // further lines, with their newlines; may be empty
	Raw     []byte // the whole first line as it stands in the file, without its newline
}
