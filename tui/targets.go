package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// A mark is the state of a target, worst first.
type mark uint8

const (
	isCritical mark = iota
	isAffected      // it only lends evidence to what another target has
	isWarning
	isPending
	isDown
	isUnknown
	isClear
	marks
)

// markTexts are the glyph, the word and the paint of each mark.
var markTexts = [marks]struct {
	glyph, word, plural string
	role                role
}{
	isCritical: {"■", "CRITICAL", "critical", critical},
	isAffected: {"└", "AFFECTED", "affected", plain},
	isWarning:  {"▲", "WARNING", "warning", warning},
	isPending:  {"▒", "PENDING", "pending", warning},
	isDown:     {"×", "DOWN", "down", critical},
	isUnknown:  {"?", "UNKNOWN", "unknown", doubtful},
	isClear:    {"·", "CLEAR", "clear", plain},
}

func (m mark) text() string { return markTexts[m].glyph + " " + markTexts[m].word }
func (m mark) role() role   { return markTexts[m].role }

// markOf is the mark of a finding.
func markOf(f *rules.Finding) mark {
	switch {
	case f.State == rules.Pending:
		return isPending
	case f.State != rules.Firing:
		return isUnknown
	case f.Severity == rules.Critical:
		return isCritical
	case f.Severity == rules.Warning:
		return isWarning
	}
	return isClear
}

// A target is one instance and how it does.
type target struct {
	name     string
	service  string
	mark     mark
	of       string         // the target that it is affected by
	finding  *rules.Finding // the leading one; may be nil
	err      string         // why the last read failed
	since    time.Time      // of the finding
	last     time.Time      // last good read
	interval time.Duration
	logOnly  bool
	systems  []string
}

// why is a few words on the state of a target.
func (t target) why() string {
	switch {
	case t.mark == isAffected:
		return "of " + t.of
	case t.mark == isDown || t.mark == isUnknown:
		return t.err
	case t.finding != nil:
		return t.finding.ID
	}
	return ""
}

// targetsOf lists the targets of a report, worst first; an affected one stands
// below the one that it suffers from.
func targetsOf(r *rules.Report) []target {
	byName := map[string]*target{}
	var names []string
	for _, in := range r.Inputs {
		t, ok := byName[in.Name]
		if !ok {
			t = &target{name: in.Name, mark: isClear, logOnly: true}
			byName[in.Name] = t
			names = append(names, in.Name)
		}
		t.join(in)
	}
	for _, f := range r.Findings {
		if t := byName[nameOf(f)]; t != nil {
			t.judge(f)
		}
	}
	affect(byName, r)
	out := make([]target, len(names))
	for i, name := range names {
		out[i] = *byName[name]
	}
	slices.SortStableFunc(out, compareTargets(byName))
	return out
}

// join adds what is known of one input of the target.
func (t *target) join(in rules.Input) {
	t.logOnly = t.logOnly && in.Kind == "log"
	t.interval = max(t.interval, in.Interval)
	t.systems = append(t.systems, in.Systems...)
	switch {
	case in.Error != "" && in.Scrapes > in.Failed:
		t.mark, t.err = isDown, in.Error
	case in.Error != "":
		t.mark, t.err = isUnknown, in.Error
	case in.Scrapes == 0 && in.Kind != "log":
		t.mark, t.err = isUnknown, "no answer yet"
	}
}

// judge adds a finding; the first one of the report leads, but for information.
func (t *target) judge(f *rules.Finding) {
	if t.finding != nil || f.State < rules.Pending || f.Severity == rules.Info {
		return
	}
	t.finding, t.since = f, f.Since
	t.mark = min(t.mark, markOf(f))
}

// allSilent tells whether there are targets and none of them answers.
func allSilent(targets []target) bool {
	return len(targets) > 0 && !slices.ContainsFunc(targets, func(t target) bool { return t.mark != isDown && t.mark != isUnknown })
}

// affect marks the targets that only lend evidence.
func affect(byName map[string]*target, r *rules.Report) {
	for _, f := range r.Findings {
		if !f.AsksForAction() {
			continue
		}
		for _, name := range f.Affected {
			if t := byName[name]; t != nil && t.mark == isClear {
				t.mark, t.of, t.since = isAffected, nameOf(f), f.Since
			}
		}
	}
}

// compareTargets orders worst first, then longest ill, then by name.
func compareTargets(byName map[string]*target) func(a, b target) int {
	lead := func(t target) target {
		if cause := byName[t.of]; t.mark == isAffected && cause != nil {
			return *cause
		}
		return t
	}
	return func(a, b target) int {
		x, y := lead(a), lead(b)
		return cmp.Or(cmp.Compare(x.mark, y.mark), x.since.Compare(y.since), strings.Compare(x.name, y.name),
			cmp.Compare(b2i(a.mark == isAffected), b2i(b.mark == isAffected)), strings.Compare(a.name, b.name))
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// age is how old the data of a target is, in few characters.
func (t target) age(now time.Time) string {
	if t.last.IsZero() {
		return "-"
	}
	return shortAge(now.Sub(t.last))
}

func shortAge(d time.Duration) string {
	d = max(0, d)
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h", int(d.Hours()))
}

// staleIntervals is how many intervals old data may be before it counts as stale.
const staleIntervals = 2.5

// stale tells whether the data of a target is too old to speak of now.
func (t target) stale(now time.Time) bool {
	return t.interval > 0 && !t.last.IsZero() && now.Sub(t.last).Seconds() > staleIntervals*t.interval.Seconds()
}

// countMarks counts targets by state.
func countMarks(targets []target) [marks]int {
	var n [marks]int
	for _, t := range targets {
		n[t.mark]++
	}
	return n
}
