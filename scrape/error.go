package scrape

import (
	"fmt"
	"time"
)

// A Kind says what went wrong with a scrape.
type Kind uint8

// The kinds of failure. The zero value is none of them.
const (
	_            Kind = iota
	Refused           // nothing listens at the port
	Timeout           // no answer, or no complete one, in time
	DNS               // the host name is not known
	TLS               // the secure connection failed
	Network           // another failure of the connection
	Unauthorized      // 401
	Forbidden         // 403
	NotFound          // 404
	Status            // another status that is not 200
	Redirect          // sent to a login page, to another host, or in circles
	HTML              // a web page instead of metrics
	Empty             // 200 without a single sample
	Truncated         // the answer ended early
	TooLarge          // the answer exceeds a limit
	Garbage           // not a format that is known
	Busy              // the last scrape of this target still runs
	File              // a file or standard input could not be read
	Credentials       // a file of credentials could not be read
	Canceled          // the caller gave up
)

var kindNames = [...]string{
	"", "refused", "timeout", "dns", "tls", "network", "unauthorized", "forbidden",
	"not found", "status", "redirect", "html", "empty", "truncated", "too large",
	"garbage", "busy", "file", "credentials", "canceled",
}

// String returns the kind in lower-case words, "unknown" outside the range.
func (k Kind) String() string {
	if k == 0 || int(k) >= len(kindNames) {
		return "unknown"
	}
	return kindNames[k]
}

// An Error is a failed scrape. It never holds credentials.
type Error struct {
	Kind   Kind
	Target string // the instance
	Msg    string // what happened, with numbers; lower case, no period
	Hint   string // what to try, a sentence without period; may be empty
	Err    error  // the cause; may be nil

	Status    int           // HTTP status, 0 without an answer
	Connected bool          // a connection was made, or was still open
	Connect   time.Duration // how long that took; 0 on an open connection
	Received  int64         // bytes of the body that came
}

// Error returns one sentence without the hint.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Target, e.Msg) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
