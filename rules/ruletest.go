package rules

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"

	"github.com/capdoctor/capdoctor/series"
)

// A RuleTest is a small input written as series, with the right answer. The
// keys interval, input_series and values are those of Prometheus' own rule
// tests, and so is the notation of the values: "1+0x6 _x3 stale".
type RuleTest struct {
	Name     string
	Interval time.Duration
	Series   []TestSeries
	Facts    map[string]string
	Expect   Expect
	File     string
	Line     int
}

// TestSeries is one series of a test: its labels and a value at every interval,
// NaN where there is none.
type TestSeries struct {
	Labels series.Labels
	Values []float64
}

// testFile is a file of tests as it stands.
type testFile struct {
	Tests []yaml.Node `yaml:"tests"`
}

type testText struct {
	Name     string `yaml:"name"`
	Interval string `yaml:"interval"`
	Input    []struct {
		Series string `yaml:"series"`
		Values string `yaml:"values"`
	} `yaml:"input_series"`
	Facts  map[string]string `yaml:"facts"`
	Expect struct {
		Find          []wantText `yaml:"find"`
		Not           []string   `yaml:"not"`
		Unknown       []string   `yaml:"unknown"`
		AdviceMust    []string   `yaml:"advice_must"`
		AdviceMustNot []string   `yaml:"advice_must_not"`
	} `yaml:"expect"`
}

type wantText struct {
	ID    string            `yaml:"id"`
	Where map[string]string `yaml:"where"`
	Says  []string          `yaml:"says"`
}

// ParseRuleTests reads a file of rule tests. Problems name file and line.
func ParseRuleTests(file string, data []byte) ([]RuleTest, error) {
	var doc testFile
	if err := decodeStrict(data, &doc); err != nil {
		return nil, Problems{yamlProblem(file, err)}
	}
	var tests []RuleTest
	var problems Problems
	for i := range doc.Tests {
		t, err := parseRuleTest(&doc.Tests[i])
		if err != nil {
			problems = append(problems, Problem{File: file, Line: doc.Tests[i].Line, Msg: err.Error()})
			continue
		}
		t.File, t.Line = file, doc.Tests[i].Line
		t.Expect.File = file
		tests = append(tests, t)
	}
	return tests, problems.err()
}

func parseRuleTest(node *yaml.Node) (RuleTest, error) {
	text, err := yaml.Marshal(node)
	if err != nil {
		return RuleTest{}, err
	}
	var in testText
	if err := decodeStrict(text, &in); err != nil {
		return RuleTest{}, err
	}
	t := RuleTest{Name: in.Name, Facts: in.Facts, Interval: 15 * time.Second, Expect: Expect{
		Not: in.Expect.Not, Unknown: in.Expect.Unknown, AdviceMust: in.Expect.AdviceMust, AdviceMustNot: in.Expect.AdviceMustNot,
	}}
	for _, w := range in.Expect.Find {
		t.Expect.Find = append(t.Expect.Find, Want(w))
	}
	if in.Interval != "" {
		d, err := model.ParseDuration(in.Interval)
		if err != nil || d <= 0 {
			return t, fmt.Errorf("interval %q: want a duration such as 15s", in.Interval)
		}
		t.Interval = time.Duration(d)
	}
	for _, s := range in.Input {
		one, err := parseTestSeries(s.Series, s.Values)
		if err != nil {
			return t, fmt.Errorf("series %q: %w", s.Series, err)
		}
		t.Series = append(t.Series, one)
	}
	if t.Name == "" || len(t.Series) == 0 {
		return t, fmt.Errorf("a test needs a name and input_series")
	}
	return t, nil
}

func parseTestSeries(name, values string) (TestSeries, error) {
	labels, sequence, err := newParser().ParseSeriesDesc(name + " " + values)
	if err != nil {
		return TestSeries{}, err
	}
	if labels.Get("instance") == "" {
		return TestSeries{}, fmt.Errorf("no label instance: every sample belongs to a target")
	}
	s := TestSeries{Labels: labels}
	for _, v := range sequence {
		value := v.Value
		if v.Omitted || series.IsStale(value) {
			value = math.NaN()
		}
		s.Values = append(s.Values, value)
	}
	return s, nil
}

// testStart is the time of the first value of every test.
var testStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Run judges a test with a catalogue and returns the report at its last value.
func (t RuleTest) Run(ctx context.Context, c *Catalog) (*Report, error) {
	store := series.New(series.Options{})
	judge := NewJudge(c, store)
	for _, key := range sortedKeys(t.Facts) {
		f, err := ParseFact(key + "=" + t.Facts[key])
		if err != nil {
			return nil, err
		}
		f.Rank, f.Origin = FromFlag, "stated by the test"
		judge.AddFact(f)
	}
	sources := t.sources(store)
	for i := range t.length() {
		at := testStart.Add(time.Duration(i) * t.Interval).UnixMilli()
		for _, name := range sortedKeys(sources) {
			store.Ingest(t.batch(name, sources[name], i, at))
		}
		if err := judge.Advance(ctx, at); err != nil {
			return nil, err
		}
	}
	return judge.Report(ctx)
}

func (t RuleTest) length() int {
	n := 0
	for _, s := range t.Series {
		n = max(n, len(s.Values))
	}
	return n
}

// sources makes one target of every instance.
func (t RuleTest) sources(store *series.Store) map[string]series.SourceID {
	sources := map[string]series.SourceID{}
	sorted := slices.Clone(t.Series)
	slices.SortStableFunc(sorted, func(a, b TestSeries) int {
		return cmp.Compare(a.Labels.Get("instance"), b.Labels.Get("instance"))
	})
	for _, s := range sorted {
		name := s.Labels.Get("instance")
		if _, ok := sources[name]; !ok {
			sources[name] = store.AddSource(series.Source{Instance: name, Service: s.Labels.Get("service"), Interval: t.Interval})
		}
	}
	return sources
}

// batch is what a target supplies at step i.
func (t RuleTest) batch(instance string, id series.SourceID, i int, at int64) series.Batch {
	b := series.Batch{Source: id, Time: at}
	for _, s := range t.Series {
		if s.Labels.Get("instance") == instance && i < len(s.Values) && !math.IsNaN(s.Values[i]) {
			b.Samples = append(b.Samples, series.Sample{Labels: s.Labels, Value: s.Values[i]})
		}
	}
	return b
}
