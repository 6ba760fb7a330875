package rules

import (
	"regexp"
	"slices"
	"sync"

	"github.com/prometheus/prometheus/promql/parser"
)

// Software whose users choose the metric names themselves, WebLogic above all,
// is asked for by patterns of names.

// mostNames bounds the names whose answer is remembered: pages are hostile.
const mostNames = 1 << 16

// A nameMemo remembers which names a set of patterns accepts. Pages are read
// again and again, and their names are the same.
type nameMemo struct {
	mu    sync.Mutex
	known map[string]bool
}

func (m *nameMemo) ask(name string, accepts func(name string) bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	answer, ok := m.known[name]
	if ok {
		return answer
	}
	answer = accepts(name)
	if m.known == nil || len(m.known) >= mostNames {
		m.known = map[string]bool{}
	}
	m.known[name] = answer
	return answer
}

// MatchesMetric tells whether a system rule asks for a metric name by a pattern.
// It may be called from several goroutines.
func (c *Catalog) MatchesMetric(name string) bool {
	return c.matching.ask(name, func(name string) bool {
		return slices.ContainsFunc(c.patterns, func(s *parser.VectorSelector) bool { return matchesName(s, name) })
	})
}

// namePatterns lists the selectors of system rules that give no metric name,
// one of each pattern.
func (c *Catalog) namePatterns() []*parser.VectorSelector {
	var found []*parser.VectorSelector
	seen := map[string]bool{}
	for _, r := range c.fromSystems {
		for _, s := range selectors(r.expr) {
			if pattern := namesAsked(s); s.Name == "" && !seen[pattern] {
				seen[pattern] = true
				found = append(found, s)
			}
		}
	}
	return found
}

// namesAsked writes the matchers on names of a selector.
func namesAsked(s *parser.VectorSelector) string {
	text := ""
	for _, m := range s.LabelMatchers {
		if m.Name == "__name__" {
			text += m.String() + ","
		}
	}
	return text
}

// matchesName tells whether a metric name fits a selector's pattern of names.
func matchesName(s *parser.VectorSelector, name string) bool {
	patterned := false
	for _, m := range s.LabelMatchers {
		if m.Name == "__name__" {
			if !m.Matches(name) {
				return false
			}
			patterned = true
		}
	}
	return patterned
}

// A patternNames is what a pattern matched while the store had its names.
type patternNames struct {
	version int
	names   []string
}

// matching lists the names of the store that fit a pattern. It asks again only
// when the store has other names.
func (j *Judge) matching(pattern string, fits func(name string) bool) []string {
	version := j.store.NamesVersion()
	last, ok := j.patterns[pattern]
	if !ok || last.version != version {
		last = patternNames{version, slices.DeleteFunc(j.store.Names(), func(name string) bool { return !fits(name) })}
		j.patterns[pattern] = last
	}
	return last.names
}

// exists tells whether the store has a metric that a selector can name.
func (j *Judge) exists(s *parser.VectorSelector) bool {
	if s.Name != "" {
		return j.store.Has(s.Name)
	}
	return len(j.matching(namesAsked(s), func(name string) bool { return matchesName(s, name) })) > 0
}

// markersOf lists the metric names by which a system is recognised: those it
// gives, and those of the store that fit its patterns.
func (j *Judge) markersOf(s *System) []string {
	names := s.Markers
	for i, pattern := range s.markerPatterns {
		names = append(slices.Clip(names), j.matching("marker "+s.MarkerPatterns[i], pattern.MatchString)...)
	}
	return names
}

// compileMarkers compiles the patterns of a system; the error names the first
// that is none.
func (s *System) compileMarkers() error {
	s.markerPatterns = nil
	for _, text := range s.MarkerPatterns {
		pattern, err := regexp.Compile("^(?:" + text + ")$")
		if err != nil {
			return err
		}
		s.markerPatterns = append(s.markerPatterns, pattern)
	}
	return nil
}
