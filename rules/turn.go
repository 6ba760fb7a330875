package rules

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Directions in which a step turns a knob.
const (
	Up   = "up"
	Down = "down"
)

// A Turn is a knob that a step turns, and which way.
type Turn struct {
	Knob      string // "clients", "queue", ...: see the list in turn.go
	Direction string // Up or Down
}

// knobs are what steps turn, with what up means. Steps that turn nothing of it
// may be taken beside any other.
var knobs = map[string]string{
	"clients":              "work that callers bring at once: clients, senders, requests in flight",
	"consumers":            "those that take work out of a queue or a topic",
	"queue":                "places in which work waits",
	"retries":              "how often, and how soon, work is sent again",
	"deadline":             "how long callers wait",
	"threads":              "what works at once: threads, workers, permits",
	"connections":          "connections of a pool",
	"database_connections": "connections that a database, or another server, accepts",
	"limit":                "what may be used by a rule: a quota, a rate limit, a bound of a breaker",
	"cpu":                  "cores, or the share of them",
	"memory":               "heap and other memory",
	"servers":              "instances, replicas, processes",
}

func (t Turn) against(u Turn) bool { return t.Knob == u.Knob && t.Direction != u.Direction }

// anyAgainst tells whether one of the turns turns back one of the others.
func anyAgainst(turns, others []Turn) bool {
	return slices.ContainsFunc(turns, func(t Turn) bool { return slices.ContainsFunc(others, t.against) })
}

// anySame tells whether one of the turns is one of the others.
func anySame(turns, others []Turn) bool {
	return slices.ContainsFunc(turns, func(t Turn) bool { return slices.Contains(others, t) })
}

// turns reads {clients: down, queue: up}, in the order of the knobs' names. Given
// tells {} from nothing: a step that was found to turn nothing.
type turns struct {
	list  []Turn
	given bool
}

func (t *turns) UnmarshalYAML(node *yaml.Node) error {
	var m map[string]string
	if err := node.Decode(&m); err != nil {
		return err
	}
	t.given = true
	for _, knob := range slices.Sorted(maps.Keys(m)) {
		switch {
		case knobs[knob] == "":
			return fmt.Errorf("turns: no knob %q; there are %s", knob, strings.Join(slices.Sorted(maps.Keys(knobs)), ", "))
		case m[knob] != Up && m[knob] != Down:
			return fmt.Errorf("turns: %s goes up or down, not %q", knob, m[knob])
		}
		t.list = append(t.list, Turn{knob, m[knob]})
	}
	return nil
}

// turningVerbs begin a text that turns something.
var turningVerbs = []string{
	"allow more", "allow longer", "allow fewer", "cut", "reduce", "lower", "decrease", "limit", "bound", "shrink", "shorten", "use longer", "use larger",
	"use shorter", "use more", "start more", "raise", "increase", "enlarge", "grow", "lengthen", "double", "add", "widen", "let fewer",
	"give the pool more", "give it more", "give the database more", "switch off automatic retries",
}

// knobWords are words for the knobs.
var knobWords = []string{
	"clients", "writers", "consumers", "callers", "concurrency", "in flight", "requests", "producers", "queue", "retries", "deadline", "timeout", "time-out",
	"connections", "pool", "threads", "workers", "quota", "heap", "memory", "rate", "limit", "servers", "replicas", "cores",
}

var templateAction = regexp.MustCompile(`{{[^}]*}}`)

// readsAsTurn tells whether a text, short and imperative, seems to turn a knob:
// a verb for it, and then a word for one.
func readsAsTurn(text string) bool {
	text = strings.ToLower(strings.TrimSpace(templateAction.ReplaceAllString(text, "")))
	for _, verb := range turningVerbs {
		if rest, ok := strings.CutPrefix(text, verb); ok && strings.HasPrefix(rest+" ", " ") {
			rest, _, _ = strings.Cut(rest, ".")
			return slices.ContainsFunc(knobWords, func(w string) bool { return strings.Contains(verb+rest, w) })
		}
	}
	return false
}
