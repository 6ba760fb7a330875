package lab

import "time"

// A System is a model of any kind: an Evento server with its importer (*Model),
// a task coordinator (*Coordinator), a domain of OSB servers (*Domain), the
// brokers of a Pulsar cluster (*Brokers), a service with a pool
// (*Service), consumers of a log (*Group), a connection pool (*Pool). Its clock moves only when it is told
// to, and two of one configuration do and say the same, whatever steps their
// clocks move in. A System may be used by several goroutines.
type System interface {
	// RunTo moves the virtual clock to t and lets everything happen that is due.
	RunTo(t time.Time)
	// Now returns the virtual time.
	Now() time.Time
	// Targets lists what has a metrics page, in order; none where logs are all.
	Targets() []Target
	// Pages returns the metrics pages as they would be read now, by target. A
	// target that is down has none. Reading changes nothing.
	Pages() map[string][]byte
	// LogNames lists what writes a log, in order.
	LogNames() []string
	// Logs returns the lines that a log has got since the last call.
	Logs(name string) []LogLine

	seed() uint64 // 0: nothing is drawn
	// unanswered says what a reader is told while a target has no page.
	unanswered() string
	elapsed() time.Duration
	settle(end time.Time)
	scrape(target string, t time.Time) []byte
}

var (
	_ System = (*Model)(nil)
	_ System = (*Coordinator)(nil)
	_ System = (*Domain)(nil)
	_ System = (*Brokers)(nil)
	_ System = (*Service)(nil)
	_ System = (*Group)(nil)
	_ System = (*Pool)(nil)
)

// A Target is something with a metrics page.
type Target struct {
	Name string
	Path string // where its page is usually found: "/actuator/prometheus"
}
