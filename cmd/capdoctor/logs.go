package main

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/series"
)

// logs turns the logs of one session into samples of its store.
//
// Lines are asked for by a dashboard while they are read: mu guards the rest.
type logs struct {
	mu      sync.Mutex
	session *session
	catalog *logparse.Catalog
	grid    *logparse.Grid
	matcher *logparse.Matcher
	byName  map[string]*logInput
	files   []string         // that were read
	skipped map[string]int64 // lines at the start of files that were passed over
	clocks  clocks
	notes   []string         // what could not be read to its end
	failed  []error          // what could not be read at all
	known   map[string]int64 // records at warning and above that a pattern knows, by instance
	events  []logparse.Event // scratch of take
}

// A logInput is one instance whose logs are read.
type logInput struct {
	*input
	service string
	sampler *logparse.Sampler
	batches []series.Batch      // of a log that was read to its end, not yet stored
	stated  map[statedFact]bool // that the judge has
}

// newLogs prepares reading logs. Metrics that the scrapes of an instance supply
// are not taken from its log.
func (s *session) newLogs(o logparse.GridOptions) (*logs, error) {
	c, err := s.patterns()
	if err != nil {
		return nil, err
	}
	o.Drop = s.supplied
	return &logs{session: s, catalog: c, grid: logparse.NewGrid(c, o), matcher: c.NewMatcher(), byName: map[string]*logInput{}, skipped: map[string]int64{}, known: map[string]int64{}}, nil
}

// take gives the events of a record to the sampler of its log.
func (l *logs) take(s *logparse.Sampler, r *logparse.Record) {
	l.events = l.matcher.Match(r, l.events[:0])
	for _, e := range l.events {
		s.Add(e)
	}
	if r.Level >= logparse.Warn && len(l.events) > 0 {
		l.known[s.Instance()]++
	}
	l.clocks.note(s.Instance(), r)
}

// read takes all records of a log, or all rows of a table.
func (l *logs) read(r io.Reader, file, instance, service string, o logparse.Options) error {
	r, head := peek(r)
	if logparse.HasStatistics(head) {
		return l.readTable(r, file, l.grid.Sampler(instance, service), service, o)
	}
	return l.readOn(r, file, instance, service, 0, o)
}

// readOn takes records of a log of which so many lines were read before.
func (l *logs) readOn(r io.Reader, file, instance, service string, before int64, o logparse.Options) error {
	sampler := l.grid.Sampler(instance, service)
	o.Formats = l.catalog.Formats()
	scanner := logparse.NewScanner(r, file, o)
	var record logparse.Record
	for scanner.Next(&record) {
		record.Line += before
		sampler.Record(&record)
		l.take(sampler, &record)
	}
	if err := scanner.Err(); err != nil {
		return fmt.Errorf("log %q: %w", file, err)
	}
	l.account(instance, service, sampler, scanner.Stats())
	return nil
}

// account keeps what was read of an instance's logs.
func (l *logs) account(instance, service string, sampler *logparse.Sampler, st logparse.Stats) {
	in := l.byName[instance]
	if in == nil {
		in = &logInput{service: service, sampler: sampler, input: &input{Input: rules.Input{Name: instance, Kind: "log", Origin: st.File}}}
		l.byName[instance] = in
	}
	if !slices.Contains(l.files, st.File) {
		l.files = append(l.files, st.File)
	}
	in.Bytes += st.Bytes
	in.Lines += st.Lines
	in.Records += st.Records
	in.Unparsed += st.Unparsed
	in.Undated += st.Undated
	if in.First.IsZero() || !st.First.IsZero() && st.First.Before(in.First) {
		in.First = st.First
	}
	if st.Last.After(in.Last) {
		in.Last = st.Last
	}
	for _, text := range append(slices.Clone(st.Assumed), endedNote(st)...) {
		if strings.Contains(in.Note, text) {
			continue
		}
		if in.Note != "" {
			in.Note += "; "
		}
		in.Note += text
	}
}

// endedNote says that a file was not read to its end.
func endedNote(st logparse.Stats) []string {
	if !st.Ended {
		return nil
	}
	return []string{"what follows --until was not read"}
}

// close makes sources of all logs that were read, and hands their facts and
// quotes to the judge.
func (l *logs) close() {
	step := l.grid.Step()
	for _, name := range l.names() {
		in := l.byName[name]
		in.Interval = step
		in.source = l.session.store.AddSource(series.Source{Instance: name, Service: in.service, Kind: series.Log, Interval: step})
		in.batches = in.sampler.Batches(in.source)
		l.session.inputs = append(l.session.inputs, in.input)
		l.stateFacts(in)
	}
	l.session.judge.SetQuotes(l.quote)
}

func (l *logs) names() []string {
	var names []string
	for name := range l.byName {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// feed stores what the logs yielded up to t.
func (l *logs) feed(t time.Time) {
	for _, name := range l.names() {
		in := l.byName[name]
		for len(in.batches) > 0 && in.batches[0].Time <= t.UnixMilli() {
			l.session.past.tell(in.batches[0].Time, l.grid.Step())
			l.session.store.Ingest(in.batches[0])
			in.batches = in.batches[1:]
		}
	}
}

// ticks lists the times, in milliseconds, at which a log that was read and not
// yet stored has something to say, up to a time that is not zero.
func (l *logs) ticks(until time.Time) []int64 {
	var all []int64
	for _, in := range l.byName {
		for _, b := range in.batches {
			if until.IsZero() || b.Time <= until.UnixMilli() {
				all = append(all, b.Time)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// quote finds lines that a series was read from.
func (l *logs) quote(instance, name string, labels map[string]string, from, to time.Time, most int) []rules.Line {
	l.mu.Lock()
	defer l.mu.Unlock()
	in := l.byName[instance]
	if in == nil {
		return nil
	}
	var lines []rules.Line
	for _, q := range in.sampler.Quotes().Find(name, labels, from, to, most) {
		lines = append(lines, l.line(instance, q))
	}
	return lines
}

// line is a line of the log of an instance as it is told.
func (l *logs) line(instance string, q logparse.Quote) rules.Line {
	return rules.Line{File: l.shown(q.File), Number: q.Line + l.skipped[q.File], Time: q.Time.UTC(), Instance: instance, Event: q.Event, Text: q.Text}
}

// shown is the name of a file without its folders, where no other file that was
// read has the same.
func (l *logs) shown(file string) string {
	base := path.Base(file)
	for _, other := range l.files {
		if other != file && path.Base(other) == base {
			return file
		}
	}
	return base
}

// follow takes further lines of a log that is read as it grows and stores what
// they yield up to t.
func (l *logs) follow(r io.Reader, file, instance string, t time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := int64(0)
	if in := l.byName[instance]; in != nil {
		before = in.Lines
	}
	if err := l.readOn(r, file, instance, "", before, logparse.Options{Base: t}); err != nil {
		return err
	}
	in := l.byName[instance]
	if in.Interval == 0 {
		in.Interval = l.grid.Step()
		in.source = l.session.store.AddSource(series.Source{Instance: instance, Kind: series.Log, Interval: in.Interval})
		l.session.inputs = append(l.session.inputs, in.input)
		l.session.judge.SetQuotes(l.quote)
	}
	for _, b := range in.sampler.Advance(in.source, t) {
		l.session.store.Ingest(b)
	}
	l.stateFacts(in)
	return nil
}

// A statedFact is the value that a log states for a fact from some time on.
type statedFact struct {
	name string
	from int64 // milliseconds
}

// stateFacts hands new facts of a log to the judge.
func (l *logs) stateFacts(in *logInput) {
	if in.stated == nil {
		in.stated = map[statedFact]bool{}
	}
	for _, f := range in.sampler.Facts() {
		key := statedFact{f.Name, f.Quote.Time.UnixMilli()}
		if in.stated[key] {
			continue
		}
		in.stated[key] = true
		l.session.judge.AddFact(rules.Fact{
			Name: f.Name, Instance: in.Name, Value: f.Value, Rank: rules.FromLog,
			Origin: fmt.Sprintf("%s:%d", l.shown(f.Quote.File), f.Quote.Line+l.skipped[f.Quote.File]), From: f.Quote.Time.UnixMilli(),
		})
	}
}
