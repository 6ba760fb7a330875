package main

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/series"
	"github.com/capdoctor/capdoctor/sizing"
)

// benchResults judges the reports of benchmark runs, each alone and every one
// against the first.
func benchResults(in io.Reader, files []string, given func() (slots, service sizing.Number)) ([]sizing.Result, error) {
	var benches []sizing.Bench
	for _, file := range files {
		found, err := readBenches(in, file, shortName(file, files))
		if err != nil {
			return nil, err
		}
		benches = append(benches, found...)
	}
	slots, service := given()
	var results []sizing.Result
	if len(benches) == 1 {
		r, err := sizing.JudgeBench(benches[0], slots, service)
		return append(results, r), err
	}
	for _, b := range benches[1:] {
		r, err := sizing.CompareBench(benches[0], b)
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}

// shortName is the base name of a file, unless another file has the same one.
func shortName(file string, files []string) string {
	if file == "-" {
		return "standard input"
	}
	base := filepath.Base(file)
	for _, other := range files {
		if other != file && filepath.Base(other) == base {
			return file
		}
	}
	return base
}

// readBenches reads the reports in a file; a file may hold several, one after
// the other.
func readBenches(in io.Reader, file, name string) ([]sizing.Bench, error) {
	if file != "-" {
		f, err := logparse.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	runs, err := splitBenches(in, name)
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 {
		return nil, hinted{fmt.Errorf("%s: no benchmark report", name), `a report begins with a line "Benchmarking HOST:PORT — 240 SLEEP jobs, ..."`}
	}
	var benches []sizing.Bench
	for i, r := range runs {
		b := r.bench()
		b.Name = name
		if len(runs) > 1 {
			b.Name = fmt.Sprintf("%s, run %d", name, i+1)
		}
		benches = append(benches, b)
	}
	return benches, nil
}

// A benchText is what a log reader made of one report.
type benchText struct {
	task    string
	grid    *logparse.Grid
	sampler *logparse.Sampler
}

// splitBenches reads a file and begins a new report with each line that says a
// benchmark begins.
func splitBenches(in io.Reader, name string) ([]*benchText, error) {
	catalog, err := loadPatterns(nil)
	if err != nil {
		return nil, err
	}
	matcher := catalog.NewMatcher()
	scanner := logparse.NewScanner(in, name, logparse.Options{})
	var runs []*benchText
	var record logparse.Record
	var events []logparse.Event
	for scanner.Next(&record) {
		events = matcher.Match(&record, events[:0])
		for _, e := range events {
			if e.Pattern.Event == "bench_started" {
				grid := logparse.NewGrid(catalog, logparse.GridOptions{Undated: time.Unix(3600, 0)})
				runs = append(runs, &benchText{task: taskOf(string(record.Message)), grid: grid, sampler: grid.Sampler(name, "")})
			}
			if len(runs) > 0 && strings.HasPrefix(e.Pattern.Event, "bench_") {
				runs[len(runs)-1].sampler.Lines(0, record.Level, 1)
				runs[len(runs)-1].sampler.Add(e)
			}
		}
	}
	return runs, scanner.Err()
}

// taskOf is the kind of job in "Benchmarking HOST — 240 SLEEP jobs, ...".
func taskOf(line string) string {
	before, _, _ := strings.Cut(line, " jobs,")
	words := strings.Fields(before)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// bench takes the numbers of a report; those that it lacks are NaN.
func (t *benchText) bench() sizing.Bench {
	values := map[string]float64{}
	for _, batch := range t.sampler.Batches(0) {
		for _, s := range batch.Samples {
			values[benchKey(s)] = s.Value
		}
	}
	get := func(name string) float64 {
		if v, ok := values["coordinator_bench_"+name]; ok {
			return v
		}
		return math.NaN()
	}
	times := func(name string) sizing.Percentiles {
		return sizing.Percentiles{P50: get(name + " 0.5"), P95: get(name + " 0.95"), P99: get(name + " 0.99"), Max: get(name + " 1")}
	}
	return sizing.Bench{
		Task: t.task, Connections: get("connections"), Warmup: get("warmup_jobs"),
		Requested: get("jobs_requested"), Accepted: get("jobs_accepted"), Rejected: get("jobs_rejected"),
		Completed: get("jobs_completed"), Failed: get("jobs_failed"), Rate: get("throughput"),
		Ack: times("ack_seconds"), EndToEnd: times("end_to_end_seconds"),
	}
}

func benchKey(s series.Sample) string {
	key := s.Labels.Get("__name__")
	if q := s.Labels.Get("quantile"); q != "" {
		key += " " + q
	}
	return key
}
