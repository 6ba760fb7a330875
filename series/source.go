package series

import "time"

// A SourceID names a source within one Store; it is dense from 0.
type SourceID int32

// A Kind says what sort of input a source is.
type Kind uint8

const (
	Scrape Kind = iota // an exposition read at intervals
	Log                // lines turned into samples on a grid of log time
	Facts              // what the user, a configuration or a default says
	Rules              // results that belong to no single input (aggregated by service)
	Meter              // what was measured about a Scrape; made with it, and good even when the scrape failed
)

// A Source is one input: one target, or one log. Windows and staleness are
// counted per source, because each has its own interval and its own gaps.
type Source struct {
	Instance string        // the label instance of everything it supplies; never empty for Scrape and Log
	Service  string        // the label service, or empty
	Kind     Kind          // zero value: Scrape
	Interval time.Duration // the time between two samples; more than 0
}

// A Batch is what one source supplied at one time.
type Batch struct {
	Source  SourceID
	Time    int64 // milliseconds since the epoch; must grow from batch to batch of a source
	Failed  bool  // nothing usable came: every series of the source ends here
	Samples []Sample
	// Meta are samples about the batch itself (up, scrape_duration_seconds). They
	// belong to the Meter of the source and are kept even when the batch failed.
	Meta []Sample
}

// Appended counts what became of a batch.
type Appended struct {
	Stored     int // samples stored
	Duplicates int // second samples for one series and time: refused
	OutOfOrder int // samples older than the last of their series: refused
	OverLimit  int // samples of new series beyond Options.MaxSeries: refused
	Stale      int // series that ended with this batch
}
