package tui

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// headline is the first row: state word, what, where, since when; on the right
// the mode, the time and the age of the data.
func (s *scene) headline(columns int) row {
	p := s.theme.pen(columns)
	state, paint, what := s.verdict()
	right := s.situation(columns)
	p.put(paint, state).put(plain, "  ")
	p.put(strong, longest(what, columns-p.w-width(right)-2, s.theme))
	return p.right(s.situationRole(), right).row()
}

// longest is the first of several ways to say something that fits; the last one
// is cut.
func longest(ways []string, w int, t *theme) string {
	for _, way := range ways[:len(ways)-1] {
		if width(t.fit(way)) <= w {
			return way
		}
	}
	return cutEnd(t.fit(ways[len(ways)-1]), w, t.ellipsis)
}

// verdict is the state with its paint, and what stands beside it, the longest way
// to say it first.
func (s *scene) verdict() (state string, paint role, what []string) {
	if s.empty() {
		return "? UNKNOWN", doubtful, s.waiting()
	}
	f := s.lead()
	switch {
	case f != nil && s.frame.Provisional:
		return "~ PROVISIONAL", doubtful, s.provisional(f)
	case f != nil:
		m := markOf(f)
		return m.text(), m.role(), s.about(f)
	case s.allSilent():
		return "? UNKNOWN", doubtful, []string{fmt.Sprintf("none of %s answers; nothing can be judged", rules.Plural(len(s.targets), "target", "targets")), "no target answers"}
	case s.frame.Provisional:
		return "~ PROVISIONAL", doubtful, s.soFar()
	case s.judgedNothing():
		return "? UNKNOWN", doubtful, []string{"nothing has been judged yet"}
	}
	return "· CLEAR", plain, s.quiet()
}

func (s *scene) waiting() []string {
	what := "the first target"
	if len(s.names) > 0 {
		what = s.names[0]
	}
	if len(s.names) > 1 {
		what += fmt.Sprintf(" and %d more", len(s.names)-1)
	}
	asked := shortAge(s.now.Sub(s.begun))
	return []string{
		fmt.Sprintf("no answer yet from %s, first asked %s ago; nothing has been judged", what, asked),
		fmt.Sprintf("no answer yet from %s in %s", what, asked),
	}
}

func (s *scene) provisional(f *rules.Finding) []string {
	what := fmt.Sprintf("%s is likely on %s (%s)", f.Title, subjectOf(f), rules.Plural(s.frame.Scrapes, "scrape", "scrapes"))
	firm := ""
	if s.frame.FirmIn > 0 {
		firm = "; firm in " + rules.Duration(s.frame.FirmIn.Round(time.Second))
	}
	return []string{what + firm, fmt.Sprintf("%s likely on %s", f.Title, nameOf(f)) + firm, f.Title + " likely on " + nameOf(f)}
}

// soFar says that nothing fires yet, while that means little.
func (s *scene) soFar() []string {
	what := "nothing fires so far"
	seen := " (" + rules.Plural(s.frame.Scrapes, "scrape", "scrapes") + ")"
	if s.frame.FirmIn > 0 {
		return []string{what + seen + "; firm in " + rules.Duration(s.frame.FirmIn.Round(time.Second)), what}
	}
	return []string{what + seen, what}
}

// about is what is wrong, where and since when.
func (s *scene) about(f *rules.Finding) []string {
	long, brief := s.when(f)
	more := ""
	if n := len(s.causes); n > 1 {
		more = ", +" + rules.Plural(n-1, "more cause", "more causes")
	}
	return []string{
		f.Title + " on " + subjectOf(f) + long + more,
		f.Title + " on " + subjectOf(f) + brief + more,
		f.Title + " on " + nameOf(f) + brief + more,
		f.Title + " on " + nameOf(f) + brief,
		f.Title + " on " + nameOf(f),
	}
}

// when says since when a finding holds, and in few words.
func (s *scene) when(f *rules.Finding) (long, brief string) {
	at := s.frame.Report.At
	switch d, busy := s.latestDeed(); {
	case !f.NotJudgedSince.IsZero():
		long = ", not judged since " + s.clock.time(f.NotJudgedSince)
	case busy:
		effect, _ := s.effectOf(d)
		return fmt.Sprintf(", %s done %s ago: %s", s.stepName(d), shortAge(at.Sub(d.at)), effect), ", " + s.stepName(d) + ": " + effect.String()
	case f.Since.IsZero() || f.SeenOnce:
		long = ", seen once"
	default:
		length := rules.Duration(at.Sub(f.Since).Round(time.Second))
		return fmt.Sprintf(" %s (%s)", s.clock.since(f.Since, at), length), ", " + shortAge(at.Sub(f.Since))
	}
	brief, _, _ = strings.Cut(long, " since")
	return long, brief
}

// stepName is "step 1", by its place in the plan.
func (s *scene) stepName(d deed) string {
	for i, p := range s.plan.steps {
		if p.key == d.key {
			return fmt.Sprintf("step %d", i+1)
		}
	}
	return "a step"
}

// latestDeed is the last step marked done before the moment on the screen.
func (s *scene) latestDeed() (deed, bool) {
	for i := len(s.done.deeds) - 1; i >= 0; i-- {
		if d := s.done.deeds[i]; !d.at.After(s.frame.Report.At) {
			return d, true
		}
	}
	return deed{}, false
}

func (s *scene) allSilent() bool { return allSilent(s.targets) }

func (s *scene) judgedNothing() bool {
	r := s.report()
	return len(r.Findings) == 0 && len(r.Cleared) == 0
}

// quiet says how much was looked at when nothing fires.
func (s *scene) quiet() []string {
	unknown := map[string]bool{}
	for _, n := range s.report().NotJudged {
		unknown[n.ID] = true
	}
	judged := len(s.report().Cleared)
	what := "nothing fires on " + rules.Plural(len(s.targets), "target", "targets")
	all := fmt.Sprintf("; %d of %d judged", judged, judged+len(unknown))
	open := ""
	if len(unknown) > 0 {
		open = fmt.Sprintf(", %d unknown (4: coverage)", len(unknown))
	}
	return []string{what + all + open, what + all, what}
}

// situation is the right end of the first row: mode, time and age of the data.
func (s *scene) situation(width int) string {
	if s.empty() {
		return s.clock.zoned(s.now)
	}
	at := s.frame.Report.At
	switch {
	case s.play.frozen && s.mode == Live:
		back := "FROZEN " + s.clock.zoned(at)
		if d := s.play.to.Sub(at); d > 0 {
			back += ", " + shortAge(d) + " back"
		}
		return back
	case s.play.frozen:
		return "LOOKING BACK " + s.clock.zoned(at)
	case s.mode != Live:
		return s.playing(at, width)
	}
	age, known := s.dataAge()
	text := "data " + shortAge(age) + " old"
	switch {
	case !known:
		text = "no data"
	case s.isStale(age):
		text = "stale " + shortAge(age)
	}
	if width < 100 {
		return s.clock.zoned(s.now) + ", " + strings.TrimPrefix(text, "data ")
	}
	return "LIVE  " + s.clock.zoned(s.now) + "  " + text
}

// playing is "REPLAY 10x  09:02:00 UTC".
func (s *scene) playing(at time.Time, width int) string {
	word := "REPLAY"
	if s.mode == PostMortem {
		word = "POST-MORTEM"
	}
	state := speedText(s.play.speed)
	switch {
	case s.play.ended:
		state = "end"
	case s.play.paused:
		state = "paused"
	}
	gap := "  "
	if width < twoColumns {
		gap = " "
	}
	return word + " " + state + gap + s.clock.zoned(at)
}

// speedText is "10x"; a replay without waiting has no speed.
func speedText(speed float64) string {
	if math.IsInf(speed, 1) {
		return "at once"
	}
	return rules.Number(speed) + "x"
}

func (s *scene) situationRole() role {
	switch {
	case s.play.frozen:
		return frozen
	case !s.empty() && s.mode == Live && s.isOld():
		return doubtful
	}
	return plain
}

// isOld tells whether there is no data, or even the newest is stale.
func (s *scene) isOld() bool {
	age, known := s.dataAge()
	return !known || s.isStale(age)
}

// isStale tells whether even the newest data is too old to speak of now.
func (s *scene) isStale(age time.Duration) bool {
	var interval time.Duration
	for _, t := range s.targets {
		interval = max(interval, t.interval)
	}
	return interval > 0 && age.Seconds() > staleIntervals*interval.Seconds()
}
