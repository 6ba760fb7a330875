package rules

import (
	"strings"
	"testing"
)

// TestExplain holds that every diagnosis can be explained, in general words and
// in those of every system, and that no text fails or lacks its conditions.
func TestExplain(t *testing.T) {
	c, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range c.IDs() {
		for _, system := range append([]string{""}, c.SystemIDs()...) {
			e, err := c.Explain(id, system)
			if err != nil {
				t.Fatal(err)
			}
			if e.Title == "" || e.Meaning == "" || len(e.Sources) == 0 || len(e.Steps) == 0 {
				t.Errorf("%s, %q: title %q, meaning %q, %d sources, %d steps", id, system, e.Title, e.Meaning, len(e.Sources), len(e.Steps))
			}
			for _, s := range e.Signs {
				if len(s.Conditions) == 0 || s.Title == "" {
					t.Errorf("%s, %q: a sign without conditions", id, system)
				}
				for _, text := range append(s.Conditions, s.Unless...) {
					if strings.Contains(text, "cap:") || strings.Contains(text, "NaN") {
						t.Errorf("%s, %q: condition %q is not in words", id, system, text)
					}
				}
			}
			for _, s := range e.Steps {
				if s.Do == "" || strings.Contains(s.Do, "NaN") || strings.Contains(s.Verify.Text, "cap:") {
					t.Errorf("%s, %q: step %q, then %q", id, system, s.Do, s.Verify.Text)
				}
			}
		}
		if e, _ := c.Explain(id, ""); len(e.Signs) == 0 || len(e.Systems) == 0 {
			t.Errorf("%s: %d signs on %d systems", id, len(e.Signs), len(e.Systems))
		}
	}
	if _, err := c.Explain("no-such", ""); err == nil {
		t.Error("an unknown diagnosis is explained")
	}
	if _, err := c.Explain("pool-exhausted", "no-such"); err == nil {
		t.Error("an unknown system is accepted")
	}
}

// TestExplainSpeaksOfASystem holds that words and variants of other systems are
// left out where one is asked for.
func TestExplainSpeaksOfASystem(t *testing.T) {
	c, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	all, _ := c.Explain("pool-exhausted", "")
	hikari, _ := c.Explain("pool-exhausted", "hikaricp")
	if len(hikari.Signs) == 0 || len(hikari.Signs) >= len(all.Signs) {
		t.Errorf("%d signs on HikariCP, %d in all", len(hikari.Signs), len(all.Signs))
	}
	for _, s := range hikari.Signs {
		if s.System != "" && s.System != c.System("hikaricp").Title {
			t.Errorf("a sign of %s", s.System)
		}
	}
}
