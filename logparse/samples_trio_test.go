package logparse

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/capdoctor/capdoctor/series"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update-patterns", false, "rewrite testdata/patterns/*.golden")

// TestTrios reads for each file of patterns a log in the formats of its
// programs and compares the samples with a golden. Every event of the file
// must be in the log.
func TestTrios(t *testing.T) {
	c := testCatalog(t)
	paths, err := filepath.Glob("patterns/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		t.Run(name, func(t *testing.T) {
			log, golden := "testdata/patterns/"+name+".log", "testdata/patterns/"+name+".golden"
			s := NewGrid(c, GridOptions{Undated: start}).Sampler("app", "")
			seen := sampleFile(t, c, s, log, start)
			for _, p := range c.Patterns() {
				if p.file == filepath.Base(path) && !seen[p.Event] {
					t.Errorf("%s has no event %q", log, p.Event)
				}
			}
			got := describe(s)
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", golden, diff)
			}
		})
	}
}

// describe lists the series of a log that are ever not zero, each with its
// values from point to point, "0 1 2x3" for 0, 1, 2, 2, 2, and its facts.
func describe(s *Sampler) string {
	values := map[string][]string{}
	for _, b := range s.Batches(0) {
		for _, sample := range b.Samples {
			name := seriesName(sample.Labels)
			values[name] = append(values[name], fmt.Sprintf("%.10g", sample.Value))
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if runs := runLengths(values[name]); runs != "" {
			fmt.Fprintf(&b, "%s %s\n", name, runs)
		}
	}
	for _, f := range s.Facts() {
		fmt.Fprintf(&b, "fact %s %g from line %d\n", f.Name, f.Value, f.Quote.Line)
	}
	return b.String()
}

// seriesName is a series without its instance.
func seriesName(l series.Labels) string {
	var parts []string
	for name, value := range l.Map() {
		if name != "__name__" && name != "instance" {
			parts = append(parts, fmt.Sprintf("%s=%q", name, value))
		}
	}
	slices.Sort(parts)
	return l.Get("__name__") + "{" + strings.Join(parts, ",") + "}"
}

// runLengths joins equal neighbours; it is empty when all are zero.
func runLengths(values []string) string {
	var runs []string
	for i := 0; i < len(values); {
		n := 1
		for i+n < len(values) && values[i+n] == values[i] {
			n++
		}
		if n > 1 {
			runs = append(runs, fmt.Sprintf("%sx%d", values[i], n))
		} else {
			runs = append(runs, values[i])
		}
		i += n
	}
	if len(runs) == 1 && strings.HasPrefix(runs[0], "0") && (len(runs[0]) == 1 || runs[0][1] == 'x') {
		return ""
	}
	return strings.Join(runs, " ")
}
