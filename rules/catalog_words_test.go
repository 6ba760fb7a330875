package rules

import (
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"

	"github.com/capdoctor/capdoctor/rules/internal/template"
	"github.com/capdoctor/capdoctor/series"
)

// builtIn is the catalogue that comes with the program.
func builtIn(t *testing.T) *Catalog {
	t.Helper()
	c, err := Default()
	if err != nil {
		t.Fatal(problemText(err))
	}
	return c
}

// Every rule file is one that Prometheus loads as it stands, templates included.
func TestRuleFilesAreThoseOfPrometheus(t *testing.T) {
	files := 0
	err := fs.WalkDir(DefaultFS(), ".", func(name string, d fs.DirEntry, err error) error {
		dir := path.Dir(name)
		if err != nil || d.IsDir() || dir != "systems" && dir != "diagnoses" && name != "derived.yaml" {
			return err
		}
		files++
		data, err := fs.ReadFile(DefaultFS(), name)
		if err != nil {
			return err
		}
		_, problems := rulefmt.Parse(data, false, model.UTF8Validation, newParser(), slog.New(slog.DiscardHandler))
		for _, p := range problems {
			t.Errorf("%s: %s", name, p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Errorf("only %d files were looked at", files)
	}
}

// A filled is a finding of a variant as it reads with given labels, where every
// query has an answer, or none has.
type filled struct {
	Finding
	queries []string
	wrong   []string
}

// fill fills the texts of a variant in.
func fill(c *Catalog, v *variant, labels map[string]string, answers bool) filled {
	var out filled
	r := &renderer{data: template.Sample{Labels: labels, Value: 7}, ask: func(expr string) ([]series.Sample, error) {
		out.queries = append(out.queries, expr)
		if !answers {
			return nil, nil
		}
		return []series.Sample{{Labels: series.FromMap(labels), Value: 7}}, nil
	}}
	write := func(w wording) string {
		text, err := r.text(w)
		if err != nil {
			out.wrong = append(out.wrong, err.Error())
		}
		return text
	}
	out.Title, out.Summary, out.Meaning, out.First = write(v.texts().title), write(v.texts().summary), write(v.texts().meaning), write(v.texts().first)
	for _, s := range v.texts().recovery {
		out.Steps = append(out.Steps, Step{Do: write(s.Do), Why: write(s.Why), Turns: s.Turns.list, Risk: s.Risk, Verify: Verify{Text: write(s.Verify.Reaches)}})
	}
	for _, x := range v.texts().avoid {
		out.Avoid = append(out.Avoid, Advice{write(x.Do), write(x.Why), x.Turns.list})
	}
	return out
}

// usualLabels are those of a subject of some system.
func usualLabels(system string) map[string]string {
	return map[string]string{"instance": "app", "service": "shop", "system": system, "resource": "p1", "kind": "threads", "pool": "p1", "name": "p1", "event": "x"}
}

// eachText calls f for every alert, filled in with and without answers, for
// several systems.
func eachText(c *Catalog, f func(name string, v *variant, x filled)) {
	for _, d := range c.Diagnoses {
		for _, v := range d.variants {
			for _, system := range []string{"evento", "hikaricp", ""} {
				for _, answers := range []bool{true, false} {
					f(fmt.Sprintf("%s, %s (system %q, answers %v)", d.ID, v.alert, system, answers), v, fill(c, v, usualLabels(system), answers))
				}
			}
		}
	}
}

func TestWordsOfTheCatalog(t *testing.T) {
	sentence := func(t *testing.T, name, what, text string) {
		t.Helper()
		if text != "" && !strings.HasSuffix(text, ".") {
			t.Errorf("%s: %s ends without a period: %q", name, what, text)
		}
	}
	eachText(builtIn(t), func(name string, v *variant, x filled) {
		for _, text := range x.wrong {
			t.Errorf("%s: %s", name, text)
		}
		if n := len([]rune(x.Title)); n == 0 || n > 60 || strings.HasSuffix(x.Title, ".") {
			t.Errorf("%s: a title has 1 to 60 characters and no period: %q", name, x.Title)
		}
		if x.Summary == "" || x.Meaning == "" {
			t.Errorf("%s: no summary or no meaning", name)
		}
		sentence(t, name, "the summary", x.Summary)
		sentence(t, name, "the meaning", x.Meaning)
		sentence(t, name, "what to do first", x.First)
		for i, s := range x.Steps {
			sentence(t, name, fmt.Sprintf("do %d", i+1), s.Do)
			sentence(t, name, fmt.Sprintf("why %d", i+1), s.Why)
			if s.Do == "" || s.Why == "" {
				t.Errorf("%s: step %d lacks do or why", name, i+1)
			}
		}
		for _, a := range x.Avoid {
			sentence(t, name, "advice", a.Do)
			sentence(t, name, "advice", a.Why)
			if a.Do == "" || a.Why == "" {
				t.Errorf("%s: advice lacks do or why", name)
			}
		}
	})
}

// Every diagnosis says where it comes from, each source once and in few words.
func TestSourcesOfTheCatalog(t *testing.T) {
	for _, d := range builtIn(t).Diagnoses {
		if len(d.Sources()) == 0 {
			t.Errorf("%s: no sources", d.ID)
		}
		seen := map[Source]bool{}
		for _, s := range d.Sources() {
			if seen[s] || len(s.Title) > 120 || strings.HasSuffix(s.Title, ".") {
				t.Errorf("%s: source %q, %q", d.ID, s.Title, s.Link)
			}
			seen[s] = true
		}
	}
}

func TestStepsOfTheCatalog(t *testing.T) {
	c := builtIn(t)
	for _, d := range c.Diagnoses {
		for _, v := range d.variants {
			if len(v.texts().recovery) == 0 && v.rule.Labels["severity"] != Info {
				t.Errorf("%s, %s: no recovery", d.ID, v.alert)
			}
			for i, s := range v.texts().recovery {
				name := fmt.Sprintf("%s, %s, step %d", d.ID, v.alert, i+1)
				if !slices.Contains([]string{"low", "medium", "high"}, s.Risk) {
					t.Errorf("%s: risk %q", name, s.Risk)
				}
				if s.Within <= 0 || s.Verify.Signal == "" {
					t.Errorf("%s: verify %q within %s", name, s.Verify.Signal, time.Duration(s.Within))
				}
				if (s.Verify.Reaches.source == "") == (s.Verify.Direction == "") {
					t.Errorf("%s: verify wants either reaches or direction", name)
				}
				if d := s.Verify.Direction; d != "" && d != "up" && d != "down" {
					t.Errorf("%s: direction %q", name, d)
				}
			}
		}
	}
}

// Every query of a text is one that Prometheus understands, whatever stands in
// the labels, and no label changes how many steps there are.
func TestTextsWithHostileLabels(t *testing.T) {
	c := builtIn(t)
	values := []string{strings.Join(hostile[:len(hostile)-1], " "), "{{ end }}", "- {do: x}", `quote" } or vector(1) #`, "evento"}
	queries := 0
	for _, d := range c.Diagnoses {
		for _, v := range d.variants {
			plain := fill(c, v, usualLabels("evento"), true)
			for _, value := range values {
				labels := usualLabels(value)
				for name := range labels {
					labels[name] = value
				}
				for _, answers := range []bool{true, false} {
					x := fill(c, v, labels, answers)
					queries += len(x.queries)
					for _, q := range x.queries {
						if _, err := newParser().ParseExpr(q); err != nil {
							t.Fatalf("%s, %s with %q: query %s: %s", d.ID, v.alert, value, q, err)
						}
					}
					if len(x.wrong) > 0 || len(x.Steps) != len(plain.Steps) || len(x.Avoid) != len(plain.Avoid) {
						t.Fatalf("%s, %s with %q: %d steps, not %d; %q", d.ID, v.alert, value, len(x.Steps), len(plain.Steps), x.wrong)
					}
					if all := x.Title + x.Summary + x.Meaning + x.First; strings.ContainsAny(all, "\n\r\t") {
						t.Errorf("%s, %s with %q: a text of several lines: %q", d.ID, v.alert, value, all)
					}
				}
			}
		}
	}
	if queries < 1000 {
		t.Errorf("only %d queries were looked at", queries)
	}
}

// A text asks for signals and facts, not for the meters of one system: it must
// read the same whatever supplies them.
func TestTextsAskForSignals(t *testing.T) {
	c := builtIn(t)
	eachText(c, func(name string, v *variant, x filled) {
		for _, q := range x.queries {
			expr, err := newParser().ParseExpr(q)
			if err != nil {
				t.Errorf("%s: query %s: %s", name, q, err)
				continue
			}
			for _, s := range selectors(expr) {
				if c.signals[s.Name] == nil {
					t.Errorf("%s: %q in a query is not in the vocabulary: %s", name, s.Name, q)
				}
			}
		}
	})
}

func TestVocabularyIsComplete(t *testing.T) {
	c := builtIn(t)
	seen := map[string]bool{}
	for _, s := range c.Signals {
		if seen[s.Name] {
			t.Errorf("%s occurs twice", s.Name)
		}
		seen[s.Name] = true
		if !isSignalName(s.Name) || s.Title == "" || s.Unit == "" || s.Meaning == "" || len(s.Labels) == 0 {
			t.Errorf("%s lacks title, unit, labels or meaning: %+v", s.Name, *s)
		}
		if s.Title != strings.TrimSuffix(s.Title, ".") || !strings.HasSuffix(s.Meaning, ".") {
			t.Errorf("%s: a title has no period, a meaning ends with one: %q, %q", s.Name, s.Title, s.Meaning)
		}
		if s.Type != "gauge" && s.Type != "counter" {
			t.Errorf("%s: type %q", s.Name, s.Type)
		}
	}
	for name, recordings := range c.recordings {
		if !seen[name] {
			t.Errorf("%s:%d records %s, which is not in the vocabulary", recordings[0].file.path, recordings[0].rule.node.Line, name)
		}
	}
}

// What systems.yaml says a system supplies exists, and what its rules supply is
// said there.
func TestSystemsSupply(t *testing.T) {
	c := builtIn(t)
	for _, s := range c.Systems {
		if s.Title == "" {
			t.Errorf("%s has no title", s.ID)
		}
		for _, supply := range s.Supplies {
			if c.signals[supply.Signal] == nil {
				t.Errorf("%s supplies %q, which is not in the vocabulary", s.ID, supply.Signal)
			}
			if supply.System != "" && c.systems[supply.System] == nil {
				t.Errorf("%s has %s from %q, which is no system", s.ID, supply.Signal, supply.System)
			}
			if supply.From == "" && supply.System == "" {
				t.Errorf("%s supplies %s from nothing", s.ID, supply.Signal)
			}
		}
		for _, id := range s.Repeats {
			if c.systems[id] == nil {
				t.Errorf("%s repeats %q, which is no system", s.ID, id)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(s.Facts)) {
			if _, err := ParseFact(name + "=" + s.Facts[name]); err != nil {
				t.Errorf("%s: %s", s.ID, err)
			}
		}
	}
	for _, r := range c.fromSystems {
		if c.systems[r.labels["system"]] == nil {
			t.Errorf("%s:%d: %q is no system", r.file.path, r.rule.node.Line, r.labels["system"])
		}
	}
}

// A marker recognises one system.
func TestMarkersAreExclusive(t *testing.T) {
	owner := map[string]string{}
	for _, s := range builtIn(t).Systems {
		for _, m := range s.Markers {
			if first, ok := owner[m]; ok {
				t.Errorf("%s marks %s and %s", m, first, s.ID)
			}
			owner[m] = s.ID
		}
	}
}
