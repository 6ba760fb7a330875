package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/tui"
)

// lines returns the newest quotable lines of an instance (empty: of all) that
// contain a text, oldest first.
func (l *logs) lines(instance, filter string, most int) []rules.Line {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []rules.Line
	for _, name := range l.names() {
		if instance != "" && instance != name {
			continue
		}
		for _, q := range l.byName[name].sampler.Quotes().Newest(filter, most) {
			all = append(all, l.line(name, q))
		}
	}
	slices.SortStableFunc(all, func(a, b rules.Line) int { return a.Time.Compare(b.Time) })
	return all[max(0, len(all)-most):]
}

// caseLines are the lines of a case that is being judged; none before its first
// tick.
func (s *session) caseLines(instance, filter string, most int) []rules.Line {
	if s.caseLogs == nil {
		return nil
	}
	return s.caseLogs.lines(instance, filter, most)
}

// effects say in words what became of a step.
var effects = map[tui.Effect]string{
	tui.Unseen: "effect not seen", tui.TooEarly: "too early to say", tui.Improving: "improving",
	tui.NoEffect: "no effect", tui.Worse: "worse", tui.Reached: "reached",
}

// doneLines say what was done and what came of it.
func doneLines(done []tui.Done, zone *time.Location) []string {
	var lines []string
	for _, d := range done {
		what := strings.TrimSuffix(d.Step.Do, ".")
		lines = append(lines, fmt.Sprintf("%s %s: %s, %s", d.At.In(zone).Format(time.TimeOnly), what, rules.Value(d.Now, d.Unit), effects[d.Effect]))
	}
	return lines
}
