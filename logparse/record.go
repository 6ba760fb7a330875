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
// until the next record is read. Bytes that are not UTF-8 are left as they are.
type Record struct {
	File    string    // as it is shown: the path that was given, or the member of a rotated set
	Line    int64     // number of its first line, from 1; of a file read from its middle counted from there (Stats.Skipped)
	Offset  int64     // bytes of the decompressed file before its first line
	Time    time.Time // without a stamp of its own: that of the record before it; zero if there is none
	Level   Level
	Status  int    // HTTP status of an access-log line; 0 for none
	Source  []byte // which of several writers of one file: container, host and tag, stream; may be empty
	Logger  []byte // may be empty
	Thread  []byte // may be empty
	Message []byte // first line without the header
	Trace   []byte // further lines, with their newlines; may be empty
	Raw     []byte // the whole first line as it stands in the file, without its newline
}
