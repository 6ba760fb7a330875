package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/common/model"
)

// A FactRank says who states a fact; a higher rank wins.
type FactRank uint8

const (
	FromDefault FactRank = iota // of a recognised system
	FromLog                     // a start-up line
	FromConfig
	FromFlag
)

// A Fact is a number that no meter exposes.
type Fact struct {
	Name     string  // one of the closed list, see ParseFact
	Instance string  // empty: every instance
	Value    float64 // seconds where the name ends in _seconds
	Origin   string  // "--fact", "Evento's default", "server.log, line 1"
	Rank     FactRank
	From     int64 // it holds from this time on, in milliseconds; 0 always
}

// FactNames is the closed list of facts, sorted.
func FactNames() []string { return slices.Clone(factNames) }

// ParseFact reads a fact as the command line has it: name=value or
// INSTANCE:name=value. A value is a number or a Go duration ("30s" is 30).
func ParseFact(text string) (Fact, error) {
	left, value, ok := strings.Cut(text, "=")
	if !ok {
		return Fact{}, fmt.Errorf("fact %q: want [NAME:]name=value", text)
	}
	var f Fact
	f.Name = left
	if i := strings.LastIndexByte(left, ':'); i >= 0 {
		f.Instance, f.Name = left[:i], left[i+1:]
	}
	if !slices.Contains(factNames, f.Name) {
		return Fact{}, fmt.Errorf("fact %q: no fact %q; there are %s", text, f.Name, strings.Join(factNames, ", "))
	}
	var err error
	if f.Value, err = ParseFactValue(value); err != nil {
		return Fact{}, fmt.Errorf("fact %q: %w", text, err)
	}
	return f, nil
}

// ParseFactValue reads a number, or a duration as seconds. It refuses negative
// and non-finite values.
func ParseFactValue(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		d, derr := model.ParseDuration(text)
		if derr != nil {
			return 0, fmt.Errorf("%q is neither a number nor a duration such as 30s", text)
		}
		v = float64(d) / 1e9
	}
	if !(v >= 0 && v <= 1e15) {
		return 0, fmt.Errorf("%q is not a usable number: want 0 or more", text)
	}
	return v, nil
}

// overrides tells whether a fact that was given later stands above one that was
// given before, on an instance that both are for: by its rank, else by being for
// that instance alone.
func (f Fact) overrides(old Fact) bool {
	if f.Rank != old.Rank {
		return f.Rank > old.Rank
	}
	return f.Instance != "" || old.Instance == ""
}

// factsAt picks, for one instance at one time, the fact of the highest rank of
// each name; among equal ranks the one for that instance, else the one given
// last. They are sorted by name.
func (j *Judge) factsAt(instance string, systems []*System, t int64) []Fact {
	best := map[string]Fact{}
	offer := func(f Fact) {
		if old, ok := best[f.Name]; !ok || f.overrides(old) {
			best[f.Name] = f
		}
	}
	for _, s := range slices.Backward(systems) {
		for name, value := range s.Facts {
			if v, err := ParseFactValue(value); err == nil {
				offer(Fact{Name: name, Value: v, Origin: s.Title + "'s default"})
			}
		}
	}
	for _, f := range j.facts {
		if (f.Instance == "" || f.Instance == instance) && f.From <= t {
			offer(f)
		}
	}
	facts := make([]Fact, 0, len(best))
	for _, f := range best {
		f.Instance = instance
		facts = append(facts, f)
	}
	slices.SortFunc(facts, func(a, b Fact) int { return cmp.Compare(a.Name, b.Name) })
	return facts
}

// contradictions says which facts were given twice with different values, by the
// same right and for the same time, and which of them is taken. A log line of
// later only says what is so since.
func (a assembly) contradictions(taken []Fact) []string {
	var notes []string
	for i, f := range a.Judge.facts {
		var others []string
		for _, old := range a.Judge.facts[:i] {
			if old.Name == f.Name && old.Instance == f.Instance && old.Rank == f.Rank && old.From == f.From && old.Value != f.Value {
				others = append(others, old.text())
			}
		}
		isTaken := slices.ContainsFunc(taken, func(t Fact) bool {
			return t.Name == f.Name && t.Value == f.Value && t.Origin == f.Origin && (f.Instance == "" || t.Instance == f.Instance)
		})
		if len(others) == 0 || !isTaken {
			continue
		}
		where := ""
		if f.Instance != "" {
			where = f.Instance + ": "
		}
		notes = append(notes, fmt.Sprintf("%s%s was given more than once: %s is taken, not %s", where, f.Name, f.text(), strings.Join(others, ", ")))
	}
	return slices.Compact(notes)
}

// text is the value of a fact and who stated it: "30 s (--fact)".
func (f Fact) text() string {
	unit := "1"
	if strings.HasSuffix(f.Name, "_seconds") {
		unit = "s"
	}
	return Value(f.Value, unit) + " (" + f.Origin + ")"
}
