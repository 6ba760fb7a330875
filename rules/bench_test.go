package rules

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/capdoctor/capdoctor/series"
)

// A fleet is some targets that show the page of a server in a congestion
// collapse, each under its own name.
type fleet struct {
	store   *series.Store
	judge   *Judge
	ids     []series.SourceID
	labels  [][]series.Labels // by target and line
	first   []float64         // by line
	last    []float64
	counter []bool
	round   int64
}

const fleetInterval = 15 * time.Second

// newFleet reads the pages of a recorded case.
func newFleet(b *testing.B, targets int) *fleet {
	b.Helper()
	c, err := Default()
	if err != nil {
		b.Fatal(err)
	}
	first, last := recordedPage(b, "0105s.prom"), recordedPage(b, "0120s.prom")
	store := series.New(series.Options{Raw: 2*EventsWindow + time.Minute, Signals: BaselineWindow + time.Minute})
	f := &fleet{store: store, judge: NewJudge(c, store), labels: make([][]series.Labels, targets)}
	names := slices.Sorted(maps.Keys(last))
	for n := range targets {
		f.ids = append(f.ids, store.AddSource(series.Source{Instance: fmt.Sprint("t", n), Interval: fleetInterval}))
		for _, text := range names {
			l, err := parser.NewParser(parser.Options{}).ParseMetric(text)
			if err != nil {
				b.Fatal(err)
			}
			f.labels[n] = append(f.labels[n], onInput(l, feed{instance: fmt.Sprint("t", n)}))
		}
	}
	for _, text := range names {
		f.first, f.last = append(f.first, first[text]), append(f.last, last[text])
		f.counter = append(f.counter, strings.Contains(text, "_total") || strings.Contains(text, "_count") || strings.Contains(text, "_sum"))
	}
	return f
}

// recordedPage reads a page of the collapse that is kept in the repository.
func recordedPage(b *testing.B, name string) map[string]float64 {
	b.Helper()
	data, err := os.ReadFile(filepath.Join("..", "fixtures", "evento-collapse", "scrapes", "evento-server", name))
	if err != nil {
		b.Fatal(err)
	}
	page := map[string]float64{}
	for line := range strings.Lines(string(data)) {
		end := strings.LastIndexByte(line, ' ')
		if end < 0 || line[0] == '#' {
			continue
		}
		if page[line[:end]], err = strconv.ParseFloat(strings.TrimSpace(line[end:]), 64); err != nil {
			b.Fatal(err)
		}
	}
	return page
}

// scrape takes the next page of every target; counters go on as they went.
func (f *fleet) scrape() int64 {
	at := testBegin.Add(time.Duration(f.round) * fleetInterval).UnixMilli()
	for n, id := range f.ids {
		samples := make([]series.Sample, len(f.last))
		for i := range samples {
			samples[i] = series.Sample{Labels: f.labels[n][i], Value: f.last[i]}
			if f.counter[i] {
				samples[i].Value += float64(f.round) * (f.last[i] - f.first[i])
			}
		}
		up := series.FromStrings(model.MetricNameLabel, "up", "instance", fmt.Sprint("t", n))
		f.store.Ingest(series.Batch{Source: id, Time: at, Samples: samples, Meta: []series.Sample{{Labels: up, Value: 1}}})
	}
	f.round++
	return at
}

// The whole catalogue, judged at one tick.
func BenchmarkTick(b *testing.B) {
	for _, targets := range []int{1, 100, 1000} {
		b.Run(fmt.Sprint("targets=", targets), func(b *testing.B) {
			f := newFleet(b, targets)
			for range 24 {
				if err := f.judge.Advance(b.Context(), f.scrape()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			var cpu time.Duration
			ticks := 0
			for b.Loop() {
				b.StopTimer()
				at, begun := f.scrape(), cpuTime(b)
				b.StartTimer()
				if err := f.judge.Advance(b.Context(), at); err != nil {
					b.Fatal(err)
				}
				cpu, ticks = cpu+cpuTime(b)-begun, ticks+1
			}
			b.ReportMetric(float64(cpu.Microseconds())/1000/float64(ticks), "cpu-ms/op")
		})
	}
}

// The report of one tick.
func BenchmarkReport(b *testing.B) {
	for _, targets := range []int{1, 100, 1000} {
		b.Run(fmt.Sprint("targets=", targets), func(b *testing.B) {
			f := newFleet(b, targets)
			for range 4 {
				if err := f.judge.Advance(b.Context(), f.scrape()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := f.judge.Report(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
