package logparse

import "time"

// DefaultMaxLine is the length in bytes at which a line is cut when
// Options.MaxLine is zero.
const DefaultMaxLine = 256 << 10

// maxTrace bounds the further lines of one record, in bytes.
const maxTrace = 64 << 10

// Options say how a log is read. The zero value finds the format by itself,
// takes stamps without a zone as UTC and reads everything.
type Options struct {
	Format  string         // name of the only format to accept inside the wrappers; empty: found by itself
	Formats *Formats       // the known formats; nil: the built-in ones
	Zone    *time.Location // of stamps that name none; nil: UTC
	// Base dates stamps without a year or a date: a time at or shortly after the
	// last record (the file's modification time). Zero leaves such records with
	// the year 0 or the day 0 of their stamp, which is reported as an assumption.
	Base    time.Time
	Since   time.Time     // records before it are left out; zero: none
	Until   time.Time     // records from it on are left out; zero: none
	Skew    time.Duration // added to every time
	MaxLine int           // bytes after which a line is cut; 0: DefaultMaxLine
}

func (o Options) maxLine() int {
	if o.MaxLine <= 0 {
		return DefaultMaxLine
	}
	return max(o.MaxLine, 256)
}

// Stats is the account of what was read: nothing is skipped in silence.
type Stats struct {
	File   string
	Format string // of most lines; wrappers first: "cri+spring-boot"; "unknown" if none was found

	Bytes    int64 // decompressed, newlines included
	Skipped  int64 // bytes before Since that were passed over without looking; not part of Bytes
	Ended    bool  // the reading stopped behind Until: what follows was not looked at, and is not part of Bytes
	Lines    int64
	Records  int64 // within Since and Until
	Outside  int64 // records before Since or from Until on
	Unparsed int64 // records, counted in Records, whose first line is of no known format
	Undated  int64 // records, counted in Records, without a time stamp of their own
	Cut      int64 // lines longer than MaxLine, and records whose further lines exceed 64 KiB

	First, Last time.Time // earliest and latest stamp within Since and Until
	Zone        string    // as written in the stamps ("+01:00", "UTC", "several"), or the assumed one, "assumed UTC"
	Newest      bool      // the file begins with its newest record
	Assumed     []string  // what was assumed to read the stamps, in sentences; sorted
}
