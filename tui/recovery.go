package tui

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/series"
)

// An Effect is what became of a step that was marked done.
type Effect uint8

const (
	Unseen    Effect = iota // its signal has no value; the zero value
	TooEarly                // no value newer than the step yet
	Improving               // moving the right way, not there yet
	NoEffect                // not moving
	Worse                   // moving the wrong way
	Reached                 // where it had to come
)

var effectTexts = [...]struct {
	glyph, word string
	role        role
}{
	Unseen:    {"?", "NOT SEEN", doubtful},
	TooEarly:  {"·", "TOO EARLY", doubtful},
	Improving: {"↑", "IMPROVING", good},
	NoEffect:  {"=", "NO EFFECT", warning},
	Worse:     {"↓", "WORSE", critical},
	Reached:   {"·", "REACHED", good},
}

// String is the word for an effect, in capitals.
func (e Effect) String() string { return effectTexts[e].word }

const (
	// enough is the part of the way to a wanted value that counts as reached: a
	// baseline is what was passed in one minute of ten before.
	enough = 0.9
	// stir is the part of a value, or of the way to a wanted one, below which a
	// movement is noise.
	stir = 0.05
)

// A watched says what is looked at since a step was marked done. It can be
// compared.
type watched struct {
	signal    string
	instance  string
	system    string
	resource  string
	service   string
	done      int64 // milliseconds
	hasTarget bool
	target    float64 // what must be reached
	direction string  // "up" or "down", where nothing must be reached
	by        float64
}

func watch(s rules.Step, f *rules.Finding, at time.Time) watched {
	w := watched{
		signal: s.Verify.Signal, direction: s.Verify.Direction, by: s.Verify.By, done: at.UnixMilli(),
		instance: string(f.Subject["instance"]), system: string(f.Subject["system"]),
		resource: string(f.Subject["resource"]), service: string(f.Subject["service"]),
	}
	if !math.IsNaN(s.Verify.Reaches) && s.Verify.Direction == "" {
		w.hasTarget, w.target = true, s.Verify.Reaches
	}
	return w
}

// expressions are where the signal may be found, the nearest first: the subject
// itself, its target, its service.
func (w watched) expressions() []string {
	sum := "sum"
	if strings.HasSuffix(w.signal, "_ratio") || strings.HasSuffix(w.signal, "_seconds") {
		sum = "max"
	}
	subject := model.Metric{"instance": model.LabelValue(w.instance), "system": model.LabelValue(w.system), "resource": model.LabelValue(w.resource)}
	return []string{
		selector(w.signal, subject),
		sum + "(" + selector(w.signal, model.Metric{"instance": model.LabelValue(w.instance)}) + ")",
		sum + "(" + selector(w.signal, model.Metric{"service": model.LabelValue(w.service)}) + ")",
	}
}

// A progress is how the signal of a step has moved since it was marked done.
type progress struct {
	found   bool
	before  float64   // when it was marked done
	now     float64   // NaN when there is none
	history []float64 // since then, for a sparkline
	reached time.Time // when it first came to where it had to; zero when it did not
	effect  Effect
}

// progress reads how the signal of a step has moved.
func (r reader) progress(ctx context.Context, w watched, at time.Time) progress {
	step := max(time.Second.Milliseconds(), (at.UnixMilli()-w.done)/chartPoints)
	for _, expr := range w.expressions() {
		found, err := r.store.Range(ctx, series.View{}, expr, w.done, at.UnixMilli(), step)
		if err == nil && len(found) > 0 {
			return w.follow(found[0].Points, at.UnixMilli())
		}
	}
	return progress{before: math.NaN(), now: math.NaN()}
}

// follow judges the values since a step, oldest first.
func (w watched) follow(points []series.Point, at int64) progress {
	p := progress{found: true, before: math.NaN(), now: math.NaN()}
	for _, point := range points {
		if point.Time <= w.done {
			p.before = point.Value
		}
		if math.IsNaN(p.before) {
			p.before = point.Value // it had no value then: the first one after
		}
		p.now = point.Value
		p.history = append(p.history, point.Value)
		if p.reached.IsZero() && point.Time > w.done && w.judge(p.before, point.Value) == Reached {
			p.reached = time.UnixMilli(point.Time).UTC()
		}
	}
	p.effect = w.judge(p.before, p.now)
	if at <= w.done {
		p.effect = TooEarly
	}
	return p
}

// judge compares a value with the one before.
func (w watched) judge(before, now float64) Effect {
	moved, noise := now-before, stir*math.Max(math.Abs(before), math.Abs(now))
	if w.hasTarget {
		noise = math.Max(noise, stir*math.Abs(w.target-before))
	}
	switch up := w.up(before); {
	case math.IsNaN(now) || math.IsNaN(before):
		return Unseen
	case w.arrived(before, now, up):
		return Reached
	case math.Abs(moved) <= noise:
		return NoEffect
	case (moved > 0) == up:
		return Improving
	}
	return Worse
}

// up tells whether the value has to rise.
func (w watched) up(before float64) bool {
	if w.hasTarget {
		return w.target > before
	}
	return w.direction != "down"
}

func (w watched) arrived(before, now float64, up bool) bool {
	if !w.hasTarget {
		need := math.Max(w.by, stir*math.Max(math.Abs(before), math.Abs(now)))
		return up && now-before >= need && now > before || !up && before-now >= need && now < before
	}
	way := enough * (w.target - before)
	return up && now-before >= way || !up && now-before <= way
}

// A deed is a step that the person marked done.
type deed struct {
	key     stepKey
	step    rules.Step
	subject string
	at      time.Time
	watched watched
}

// A recovery is what was done so far, in order.
type recovery struct{ deeds []deed }

func (r recovery) find(key stepKey) (deed, bool) {
	i := slices.IndexFunc(r.deeds, func(d deed) bool { return d.key == key })
	if i < 0 {
		return deed{}, false
	}
	return r.deeds[i], true
}

// toggle marks a step done at a time, or takes that back.
func (r recovery) toggle(p planned, at time.Time) recovery {
	i := slices.IndexFunc(r.deeds, func(d deed) bool { return d.key == p.key })
	deeds := slices.Clone(r.deeds)
	if i >= 0 {
		return recovery{slices.Delete(deeds, i, i+1)}
	}
	return recovery{append(deeds, deed{key: p.key, step: p.step, subject: nameOf(p.finding), at: at, watched: watch(p.step, p.finding, at)})}
}

// wants lists what has to be read to judge the deeds up to a time.
func (r recovery) wants(at time.Time) []watched {
	var out []watched
	for _, d := range r.deeds {
		if !d.at.After(at) && d.watched.signal != "" {
			out = append(out, d.watched)
		}
	}
	return out
}

// left is how much of the time that a step may take remains at a time; 0 when it
// is up.
func (d deed) left(at time.Time) time.Duration {
	return max(0, d.step.Within-at.Sub(d.at))
}
