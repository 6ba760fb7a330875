package tui

import (
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// A scene is the moment on the screen with all that is derived from it. It is
// built when something arrives and only read by what draws.
type scene struct {
	vocabulary
	theme    *theme
	clock    clock
	mode     Mode
	now      time.Time // wall time of the last tick
	frame    Frame
	reading  reading
	causes   []*rules.Finding
	targets  []target
	counts   [marks]int
	plan     plan
	done     recovery
	changes  []change
	picked   picked
	raws     rawMsg // the page of a target that was read in full
	hasLines bool   // log lines can be read
	play     playback
	names    []string // what is watched, before the first frame
	begun    time.Time
}

// A picked says what the person wants to see in detail; zero values leave it to
// what is worst.
type picked struct {
	target  string
	finding findingKey
}

// A playback says where the screen stands in time.
type playback struct {
	frozen bool
	paused bool // a replay that does not go on
	ended  bool // there will be no more frames
	speed  float64
	from   time.Time   // of what can be scrubbed
	to     time.Time   // of the newest frame
	marks  []time.Time // where findings began
}

// newScene derives what the screens need from a frame and what was read for it.
func newScene(f Frame, read reading) scene {
	s := scene{frame: f, reading: read}
	s.causes = f.Report.Causes()
	s.targets = targetsOf(f.Report)
	for i := range s.targets {
		t := &s.targets[i]
		if v, ok := read.fleet[t.name]; ok {
			t.service, t.last = v.service, v.read
		}
	}
	s.counts = countMarks(s.targets)
	s.plan = planFor(s.causes)
	return s
}

func (s *scene) empty() bool           { return s.frame.Report == nil }
func (s *scene) report() *rules.Report { return s.frame.Report }

// lead is the finding that the first rows are about: the first cause, else what
// is pending, else nil.
func (s *scene) lead() *rules.Finding {
	if len(s.causes) > 0 {
		return s.causes[0]
	}
	for _, f := range s.frame.Report.Findings {
		if f.State == rules.Pending && f.Severity != rules.Info {
			return f
		}
	}
	return nil
}

// target is the target of a name.
func (s *scene) target(name string) (target, bool) {
	for _, t := range s.targets {
		if t.name == name {
			return t, true
		}
	}
	return target{}, false
}

// vitals are the few values of a target.
func (s *scene) vitals(name string) vitals {
	if v, ok := s.reading.fleet[name]; ok {
		return v
	}
	return unknownVitals()
}

// moment is the time that ages are counted to: now on a live screen, else that of
// the frame.
func (s *scene) moment() time.Time {
	if s.mode == Live && !s.play.frozen {
		return s.now
	}
	return s.report().At
}

// dataAge is how old the newest data of any target is; it is not known where no
// target was ever read.
func (s *scene) dataAge() (age time.Duration, known bool) {
	var newest time.Time
	for _, t := range s.targets {
		if !t.logOnly && t.last.After(newest) {
			newest = t.last
		}
	}
	if newest.IsZero() {
		return 0, false
	}
	return max(0, s.now.Sub(newest)), true
}

// A clock writes times in one zone.
type clock struct{ zone *time.Location }

func (c clock) time(t time.Time) string   { return t.In(c.zone).Format("15:04:05") }
func (c clock) minute(t time.Time) string { return t.In(c.zone).Format("15:04") }

// between writes a time between two others: with seconds where they are near.
func (c clock) between(t, from, to time.Time) string {
	if to.Sub(from) < 10*time.Minute {
		return c.time(t)
	}
	return c.minute(t)
}

func (c clock) zoned(t time.Time) string { return t.In(c.zone).Format("15:04:05 MST") }

// since is "since 09:00:50", with the day where it is another one than that of now.
func (c clock) since(t, now time.Time) string {
	t, now = t.In(c.zone), now.In(c.zone)
	if t.YearDay() != now.YearDay() || t.Year() != now.Year() {
		return "since " + t.Format("2006-01-02 15:04:05")
	}
	return "since " + t.Format("15:04:05")
}
