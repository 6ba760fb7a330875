package scrape

import (
	"io"
	"time"
)

// Limits of one scrape where Options sets none.
const (
	DefaultTimeout  = 5 * time.Second
	DefaultMaxBytes = 64 << 20
)

// Options say how a target is scraped. The zero value is a plain, unencrypted
// request for the text format with the default limits.
type Options struct {
	Timeout   time.Duration // of a whole scrape, with all its tries and redirects; 0 is DefaultTimeout
	MaxBytes  int64         // of the page when decompressed; 0 is DefaultMaxBytes
	KeepBody  bool          // hand back the page in Result.Body
	UserAgent string        // "capdoctor/1.2.3"; "capdoctor" when empty

	// Formats are asked for, the first one preferred; none asks for Text alone.
	// Spring Boot ignores the preference: protobuf wins over OpenMetrics, and
	// that over text.
	Formats []Format
	Gzip    bool // ask for a compressed page: less to send, more work for the target

	// Names are the metric names to take, as they stand on the page; all when
	// nil. Lines with other names are passed over unread.
	Names []string
	// Match accepts further names; see Filter.OrMatching. It counts only where
	// there are Names.
	Match func(name string) bool
	// FilterAtServer also asks the server to leave them out, where it is known
	// to understand that.
	FilterAtServer bool

	Parse ParseOptions // Instance and Service are those of the target

	Auth Auth
	TLS  TLSConfig
	// HTTP is what Auth and TLS are added to: proxy, OAuth2, headers. It must not
	// have what they have. The zero value has none.
	HTTP HTTPConfig

	Stdin io.Reader // read by the target "-"
}

func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.UserAgent == "" {
		o.UserAgent = "capdoctor"
	}
	return o
}
