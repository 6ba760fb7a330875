package rules

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/prometheus/prometheus/promql/parser"

	"github.com/capdoctor/capdoctor/series"
)

// A feed is one input of a test, in Prometheus' notation: a value per round,
// "_" where the page does not have the series. Signals may be written as they
// are; a catalogue under test need not have rules that record them.
type feed struct {
	instance string // "app" when empty
	service  string
	kind     series.Kind
	interval time.Duration // 10 s when 0
	start    time.Duration // of the first round
	rounds   string        // "." a good round, "x" a failed one, "-" none; good ones for all values when empty
	lines    string        // one series on each line
}

// A scenario is a judge with the store and the catalogue behind it.
type scenario struct {
	*testing.T
	store   *series.Store
	judge   *Judge
	batches []series.Batch // in order of time
}

// testBegin is when every test begins; nothing depends on the time of day.
var testBegin = time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)

func at(d time.Duration) int64 { return testBegin.Add(d).UnixMilli() }

func newScenario(t *testing.T, c *Catalog, feeds ...feed) *scenario {
	t.Helper()
	s := &scenario{T: t, store: series.New(series.Options{})}
	s.judge = NewJudge(c, s.store)
	for _, f := range feeds {
		s.add(f)
	}
	slices.SortStableFunc(s.batches, func(a, b series.Batch) int { return cmp.Compare(a.Time, b.Time) })
	return s
}

// add prepares the batches of one input.
func (s *scenario) add(f feed) {
	s.Helper()
	f.instance, f.interval = cmp.Or(f.instance, "app"), cmp.Or(f.interval, 10*time.Second)
	id := s.store.AddSource(series.Source{Instance: f.instance, Service: f.service, Kind: f.kind, Interval: f.interval})
	rounds := map[int][]series.Sample{}
	longest := 0
	for line := range strings.Lines(f.lines) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		l, values, err := parser.NewParser(parser.Options{}).ParseSeriesDesc(line)
		if err != nil {
			s.Fatalf("%q: %s", line, err)
		}
		longest = max(longest, len(values))
		for i, v := range values {
			if !v.Omitted {
				rounds[i] = append(rounds[i], series.Sample{Labels: onInput(l, f), Value: v.Value})
			}
		}
	}
	if f.rounds == "" {
		f.rounds = strings.Repeat(".", longest)
	}
	for i, letter := range f.rounds {
		if letter != '-' {
			s.batches = append(s.batches, series.Batch{
				Source: id, Time: at(f.start + time.Duration(i)*f.interval), Failed: letter == 'x', Samples: rounds[i],
				Meta: []series.Sample{{Labels: onInput(series.FromStrings("__name__", "up"), f), Value: map[rune]float64{'.': 1}[letter]}},
			})
		}
	}
}

// onInput gives labels the instance and the service of an input.
func onInput(l series.Labels, f feed) series.Labels {
	m := l.Map()
	m["instance"] = f.instance
	if f.service != "" {
		m["service"] = f.service
	}
	return series.FromMap(m)
}

var testLabels = series.FromStrings("__name__", "cap:x", "instance", "app")

// withLabel is l with one label set.
func withLabel(l series.Labels, name, value string) series.Labels {
	m := l.Map()
	m[name] = value
	return series.FromMap(m)
}

// ticks are the times of all batches.
func (s *scenario) ticks() []int64 {
	var ticks []int64
	for _, b := range s.batches {
		ticks = append(ticks, b.Time)
	}
	return slices.Compact(ticks)
}

// run feeds and judges round by round and calls each after every tick.
func (s *scenario) run(each ...func(tick int64)) *scenario {
	s.Helper()
	rest := s.batches
	for _, tick := range s.ticks() {
		for len(rest) > 0 && rest[0].Time <= tick {
			s.store.Ingest(rest[0])
			rest = rest[1:]
		}
		s.advance(tick)
		for _, f := range each {
			f(tick)
		}
	}
	return s
}

// ingest feeds everything and judges nothing.
func (s *scenario) ingest() *scenario {
	for _, b := range s.batches {
		s.store.Ingest(b)
	}
	return s
}

func (s *scenario) advance(ticks ...int64) {
	s.Helper()
	if err := s.judge.Advance(s.Context(), ticks...); err != nil {
		s.Fatal(err)
	}
}

func (s *scenario) report() *Report {
	s.Helper()
	r, err := s.judge.Report(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	return r
}

// finding is the one finding of a diagnosis; nil when there is none.
func (s *scenario) finding(id string) *Finding {
	s.Helper()
	var found *Finding
	for _, f := range s.report().Findings {
		if f.ID == id && found != nil {
			s.Fatalf("several findings %q", id)
		}
		if f.ID == id {
			found = f
		}
	}
	return found
}

// verdict is the state of a diagnosis as a report tells it: the word for its
// finding, "unknown", "clear" or "not applicable".
func (s *scenario) verdict(id string) string {
	s.Helper()
	r := s.report()
	for _, f := range r.Findings {
		if f.ID == id {
			return map[State]string{Firing: "firing", Pending: "pending"}[f.State]
		}
	}
	for _, n := range r.NotJudged {
		if n.ID == id {
			return "unknown"
		}
	}
	for _, c := range r.Cleared {
		if c.ID == id {
			return "clear"
		}
	}
	return "not applicable"
}

// verdicts runs a scenario and tells the state of a diagnosis at every tick,
// one letter each: F firing, P pending, u unknown, c clear, n not applicable.
func (s *scenario) verdicts(id string) string {
	s.Helper()
	var b strings.Builder
	s.run(func(int64) {
		word := s.verdict(id)
		if word == "firing" || word == "pending" {
			word = strings.ToUpper(word)
		}
		b.WriteByte(word[0])
	})
	return b.String()
}

// load reads a catalogue out of files by name.
func load(t *testing.T, files map[string]string) *Catalog {
	t.Helper()
	c, err := Load(Folder{FS: folder(files)})
	if err != nil {
		t.Fatal(problemText(err))
	}
	return c
}

func folder(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, data := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return fsys
}

// problemText writes problems as a linter shows them.
func problemText(err error) string {
	problems, ok := err.(Problems)
	if !ok {
		return err.Error()
	}
	var b strings.Builder
	for _, p := range problems {
		b.WriteString(p.Error() + "\n" + p.Excerpt())
	}
	return b.String()
}
