package rules

import (
	"regexp"
	"time"
)

// A Signal is one word of the vocabulary (catalog/signals.yaml): a cap:* or
// capdoctor_* series that rules may speak of.
type Signal struct {
	Name    string   `yaml:"name"`    // cap:waiting
	Title   string   `yaml:"title"`   // "requests waiting": what a row of the report calls it; lower case, no period
	Unit    string   `yaml:"unit"`    // ratio, 1/s, s, bytes, 1, or the plural of what is counted (requests, threads)
	Type    string   `yaml:"type"`    // gauge or counter
	Labels  []string `yaml:"labels"`  // identity labels it always has: instance, system, resource, kind, service
	Meaning string   `yaml:"meaning"` // one or two sentences
	// Baseline is set for signals that need a time before the trouble: a
	// condition on one proves and never clears.
	Baseline bool `yaml:"baseline,omitempty"`
	// Enable says how to supply it on any system, where that is possible (a flag).
	Enable string `yaml:"enable,omitempty"`
}

// A System is one kind of software that the catalogue knows (catalog/systems.yaml).
type System struct {
	ID    string `yaml:"id"`    // evento: the value of the label system
	Title string `yaml:"title"` // "Evento server"
	// Markers are metric names that only this system has; one of them present
	// on a target's good scrape recognises the system there.
	Markers []string `yaml:"markers"`
	// MarkerPatterns are markers whose users choose the name: regular
	// expressions that a whole metric name has to match.
	MarkerPatterns []string `yaml:"marker_patterns,omitempty"`
	markerPatterns []*regexp.Regexp
	// Repeats names systems whose meters this one shows again under other
	// names (jdbc repeats hikaricp), or whose exporter it may be (go of
	// postgres): where both are present this one is left out.
	Repeats []string `yaml:"repeats,omitempty"`
	// Facts are defaults of a recognised system, values as on the command line ("30s", "4").
	Facts map[string]string `yaml:"facts,omitempty"`
	// Titles are what a signal of this system is called where the vocabulary's
	// title would mislead: an Evento server's completions are database uses.
	Titles map[string]string `yaml:"titles,omitempty"`
	// Supplies says for each signal which meter supplies it and what to switch
	// on where the meter is absent. A signal may also be supplied by another
	// system that one can add (System set): it then counts as "could supply".
	Supplies []Supply `yaml:"supplies"`
}

// A Supply is one way to a signal.
type Supply struct {
	Signal string            `yaml:"signal"`
	From   string            `yaml:"from,omitempty"`   // the meter or property
	Labels map[string]string `yaml:"labels,omitempty"` // static labels the signal then has (kind, resource)
	System string            `yaml:"system,omitempty"` // another system that supplies it
	Enable string            `yaml:"enable,omitempty"` // what to switch on or add: a flag, a property, a target
}

// Facts that no meter exposes. The list is closed.
var factNames = []string{
	"acquire_timeout_seconds", "backend_limit", "batch", "clients", "deadline_seconds",
	"fetch_concurrency", "limit", "max_in_flight", "nodes", "pool_core", "queue_capacity",
	"window_seconds",
}

// The three windows that rules may write.
const (
	ShortWindow    = time.Minute
	EventsWindow   = 5 * time.Minute
	BaselineWindow = 30 * time.Minute
)
