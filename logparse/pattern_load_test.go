package logparse

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestEmbeddedCatalog also holds every pattern to its own lines.
func TestEmbeddedCatalog(t *testing.T) {
	c, err := LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Patterns()) < 200 {
		t.Errorf("%d patterns", len(c.Patterns()))
	}
}

// TestOnlyItsOwnPatternMatches holds that the lines of a pattern do not yield
// events of other systems, but for what many systems say in the same words.
func TestOnlyItsOwnPatternMatches(t *testing.T) {
	c := testCatalog(t)
	m := c.NewMatcher()
	shared := []string{"network", "host", "log", "jvm", "go"}
	for _, p := range c.Patterns() {
		for _, line := range p.Lines {
			for _, e := range m.Match(recordOf(p, line), nil) {
				if other := e.Pattern.System(); other != p.System() && !slices.Contains(shared, other) && !slices.Contains(shared, p.System()) {
					t.Errorf("%s %q: line %q is also %s of %s", p.System(), p.Event, line, e.Pattern.Event, other)
				}
			}
		}
	}
}

// recordOf is the record that a sample line of a pattern stands for.
func recordOf(p *Pattern, lines string) *Record {
	first, rest, _ := strings.Cut(lines, "\n")
	return &Record{Message: []byte(first), Raw: []byte(first), Trace: []byte(rest), Level: p.sampleLevel()}
}

// TestFactsAreKnown holds the facts to the closed list of the rules.
func TestFactsAreKnown(t *testing.T) {
	known := []string{
		"acquire_timeout_seconds", "backend_limit", "batch", "clients", "deadline_seconds", "fetch_concurrency",
		"limit", "max_in_flight", "nodes", "pool_core", "queue_capacity", "window_seconds",
	}
	for _, p := range testCatalog(t).Patterns() {
		for _, f := range p.Facts {
			if !slices.Contains(known, f.Name) {
				t.Errorf("event %q states the unknown fact %q", p.Event, f.Name)
			}
		}
	}
}

// TestTotalsAreCounters holds that what is called a total is one; that a metric
// is a counter everywhere or nowhere is checked when the catalogue is read.
func TestTotalsAreCounters(t *testing.T) {
	counters := map[string]bool{}
	for _, p := range testCatalog(t).Patterns() {
		for _, s := range p.Samples {
			counter := s.kind.counts()
			counters[s.Name] = counter
			if total := strings.HasSuffix(s.Name, "_total"); total && !counter {
				t.Errorf("event %q: %s is no counter", p.Event, s.Name)
			}
		}
	}
	if !slices.Contains(slices.Collect(maps.Keys(counters)), "hikaricp_connections_timeout_total") {
		t.Error("no sample of HikariCP")
	}
}

const goodPattern = `system: x
title: X
patterns:
- event: full
  title: it is full
  match: ["the pool {pool} is full"]
  lines: ["the pool a is full"]
`

func TestCatalogErrors(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"unknown field", "  title: it", "  titel: it", "x.yaml:5: field titel not found"},
		{"no yaml", "title: X", "title: [", "x.yaml:3: did not find expected node content"},
		{"event", "event: full", "event: Full!", `x.yaml:4: event "Full!": event must be snake_case`},
		{"title", "it is full", "it is full.", "must be there and not end with a period"},
		{"template", "{pool}", "{pool:thing}", `unknown type "thing"`},
		{"short literal", "the pool {pool} is full", "pool {pool} full", "has no literal of 9 bytes"},
		{"no line", "lines: [\"the pool a is full\"]", "lines: []", `x.yaml:4: event "full" has no sample line`},
		{"other line", "the pool a is", "a pool a is", `x.yaml:4: event "full" does not match its line "a pool a is full"`},
		{"must not match", "  lines:", "  not: [\"the pool b is full\"]\n  lines:", `matches "the pool b is full", which it must not`},
		{"count", "  lines:", "  count: many\n  lines:", `no template captures "many"`},
		{"type", "  lines:", "  type: \"{name}\"\n  lines:", `no template captures "name"`},
		{"where", "  lines:", "  where: {name: [a]}\n  lines:", `no template captures "name"`},
		{"level", "  lines:", "  levels: [loud]\n  lines:", `unknown level "loud"`},
		{"sample kind", "  lines:", "  samples: [{name: a, kind: rate}]\n  lines:", `sample "a": unknown kind "rate"`},
		{"two kinds", "  lines:", "  samples: [{name: a, kind: gauge}, {name: a, kind: count}]\n  lines:", `x.yaml:4: event "full": sample "a" is a counter here`},
		{"sample name", "  lines:", "  samples: [{name: a-b, kind: gauge}]\n  lines:", "not the name of a metric"},
		{"operand", "  lines:", "  samples: [{name: a, kind: gauge, value: \"1 * 2\"}]\n  lines:", "want + or - instead of"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := strings.Replace(goodPattern, tt.old, tt.new, 1)
			if body == goodPattern {
				t.Fatal("the test changes nothing")
			}
			_, err := ReadCatalog(fstest.MapFS{"x.yaml": {Data: []byte(body)}})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestReadCatalog(t *testing.T) {
	c, err := ReadCatalog(fstest.MapFS{"x.yaml": {Data: []byte(goodPattern)}})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Files()) != 1 || len(c.Patterns()) != 1 || c.Patterns()[0].System() != "x" {
		t.Errorf("got %+v", c)
	}
}
