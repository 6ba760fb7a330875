package lab

import (
	"fmt"
	"strconv"
	"time"
)

// A LogLine is one line as it stands in a log file, without its newline. A
// stack trace is several lines of one time.
type LogLine struct {
	Time time.Time
	Text string
}

// A layout writes the head of a log line: time, level, thread and logger.
type layout func(at time.Time, e *entry) string

// serverLayout is the pattern that an Evento server ships with: no separators
// in the time, no zone (here UTC), process 1.
func serverLayout(at time.Time, e *entry) string {
	return fmt.Sprintf("%s%03d %-5s 1 --- [%-40s] %-40s : ",
		at.Format("20060102150405"), at.Nanosecond()/1e6, e.level, e.thread, e.logger)
}

// bundleLayout is the Log4j2 pattern in the bundle's jar.
func bundleLayout(at time.Time, e *entry) string {
	return fmt.Sprintf("%s,%03d [%s] %-5s %s - ",
		at.Format("2006-01-02 15:04:05"), at.Nanosecond()/1e6, e.thread, e.level, e.logger)
}

// An entry is a logged event; its time of day is known when it is read.
type entry struct {
	at      time.Duration
	level   string
	thread  string
	logger  string
	message string
	trace   []string
}

// A journal is a log: what has been written since it was last read, and how
// much was ever written at each level.
type journal struct {
	entries []entry
	written map[string]int64
}

// maxEntries bounds what a journal keeps for a reader who does not come; the
// oldest go first.
const maxEntries = 50_000

func (j *journal) write(e entry) {
	if j.written == nil {
		j.written = map[string]int64{}
	}
	j.written[e.level]++
	if len(j.entries) >= maxEntries {
		j.entries = append(j.entries[:0], j.entries[maxEntries/2:]...)
	}
	j.entries = append(j.entries, e)
}

// drain returns the lines since the last call.
func (j *journal) drain(start time.Time, head layout) []LogLine {
	var lines []LogLine
	for i := range j.entries {
		e := &j.entries[i]
		at := start.Add(e.at).UTC()
		lines = append(lines, LogLine{at, head(at, e) + e.message})
		for _, t := range e.trace {
			lines = append(lines, LogLine{at, t})
		}
	}
	j.entries = nil
	return lines
}

// Logs returns the lines that a log has got since the last call: of
// "evento-server" or of "catalog-bundle". Times in the lines are UTC. Of a log
// that nobody reads, only the newest 25,000 entries or more are kept.
func (m *Model) Logs(name string) []LogLine {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch name {
	case ServerTarget:
		return m.serverLog.drain(m.start, serverLayout)
	case BundleTarget:
		return m.bundle.log.drain(m.start, bundleLayout)
	}
	return nil
}

// correlationID returns the request's id, a random UUID.
func (m *Model) correlationID(r *request) string {
	if r.id == "" {
		hi, lo := m.ids.Uint64(), m.ids.Uint64()
		r.id = fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x",
			hi>>32, hi>>16&0xffff, hi&0xfff, 0x8000|lo>>48&0x3fff, lo&0xffffffffffff)
	}
	return r.id
}

func itoa(n int) string { return strconv.Itoa(n) }
