package rules

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/capdoctor/capdoctor/series"
)

func TestParseFact(t *testing.T) {
	tests := []struct {
		text string
		want Fact
		err  string
	}{
		{"deadline_seconds=30s", Fact{Name: "deadline_seconds", Value: 30}, ""},
		{"clients=15", Fact{Name: "clients", Value: 15}, ""},
		{"bus:deadline_seconds=1m30s", Fact{Name: "deadline_seconds", Instance: "bus", Value: 90}, ""},
		{"10.0.0.7:3000:limit=24", Fact{Name: "limit", Instance: "10.0.0.7:3000", Value: 24}, ""},
		{"limit=0.5", Fact{Name: "limit", Value: 0.5}, ""},
		{"limit", Fact{}, `fact "limit": want [NAME:]name=value`},
		{"speed=3", Fact{}, `fact "speed=3": no fact "speed"; there are acquire_timeout_seconds, `},
		{"limit=fast", Fact{}, `fact "limit=fast": "fast" is neither a number nor a duration such as 30s`},
		{"limit=-1", Fact{}, `fact "limit=-1": "-1" is not a usable number: want 0 or more`},
		{"limit=NaN", Fact{}, `fact "limit=NaN": "NaN" is not a usable number`},
		{"limit=Inf", Fact{}, `fact "limit=Inf": "Inf" is not a usable number`},
	}
	for _, tt := range tests {
		got, err := ParseFact(tt.text)
		if (err == nil) != (tt.err == "") || err != nil && !strings.HasPrefix(err.Error(), tt.err) {
			t.Errorf("%s: got error %v, want %q", tt.text, err, tt.err)
		}
		if err == nil && got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.text, got, tt.want)
		}
	}
}

// A flag beats the configuration, that a log, that the default of a system.
func TestFactPrecedence(t *testing.T) {
	c := suppliers(t, map[string]string{"diagnoses/stated": "cap:deadline_seconds >= 0"})
	feeds := []feed{
		{instance: "web", lines: "tomcat_threads_busy_threads 1x5\ncap:waiting 1x5"},
		{instance: "plain", lines: "cap:waiting 1x5"},
	}
	log := Fact{Name: "deadline_seconds", Value: 11, Origin: "web.log:3", Rank: FromLog, Instance: "web", From: at(30 * time.Second)}
	config := Fact{Name: "deadline_seconds", Value: 12, Origin: "config", Rank: FromConfig}
	flag := Fact{Name: "deadline_seconds", Value: 13, Origin: "--fact", Rank: FromFlag, Instance: "web"}
	later := Fact{Name: "deadline_seconds", Value: 14, Origin: "--fact again", Rank: FromFlag, Instance: "web"}
	tests := []struct {
		name  string
		facts []Fact
		want  string // value and origin at the 30 s before and after the log line, then of the other target
	}{
		{"a default", nil, "20 Tomcat's default, 20 Tomcat's default, none"},
		{"a log line, from its time on", []Fact{log}, "20 Tomcat's default, 11 web.log:3, none"},
		{"the configuration", []Fact{config, log}, "12 config, 12 config, 12 config"},
		{"a flag", []Fact{flag, config, log}, "13 --fact, 13 --fact, 12 config"},
		{"the last of two flags", []Fact{flag, later}, "14 --fact again, 14 --fact again, none"},
		{"a flag for the target, before one for all", []Fact{flag, {Name: "deadline_seconds", Value: 15, Origin: "--fact", Rank: FromFlag}}, "13 --fact, 13 --fact, 15 --fact"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScenario(t, c, feeds...)
			for _, f := range tt.facts {
				s.judge.AddFact(f)
			}
			var before string
			s.run(func(tick int64) {
				if tick == at(20*time.Second) {
					before = stated(s, "web")
				}
			})
			if got := before + ", " + stated(s, "web") + ", " + stated(s, "plain"); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// Facts that contradict each other are said, and which one is taken.
func TestContradictoryFacts(t *testing.T) {
	fact := func(instance string, v float64, rank FactRank, from int64) Fact {
		return Fact{Name: "deadline_seconds", Instance: instance, Value: v, Origin: []string{"", "web.log:3", "case.yaml", "--fact"}[rank], Rank: rank, From: from}
	}
	for name, tt := range map[string]struct {
		facts []Fact
		want  []string
	}{
		"one":                   {[]Fact{fact("", 30, FromFlag, 0)}, nil},
		"twice the same":        {[]Fact{fact("", 30, FromFlag, 0), fact("", 30, FromFlag, 0)}, nil},
		"twice":                 {[]Fact{fact("", 30, FromFlag, 0), fact("", 10, FromFlag, 0)}, []string{"deadline_seconds was given more than once: 10 s (--fact) is taken, not 30 s (--fact)"}},
		"twice for one target":  {[]Fact{fact("web", 30, FromConfig, 0), fact("web", 10, FromConfig, 0)}, []string{"web: deadline_seconds was given more than once: 10 s (case.yaml) is taken, not 30 s (case.yaml)"}},
		"for one and for all":   {[]Fact{fact("web", 30, FromFlag, 0), fact("", 10, FromFlag, 0)}, nil},
		"a higher one is taken": {[]Fact{fact("web", 30, FromConfig, 0), fact("web", 10, FromConfig, 0), fact("web", 5, FromFlag, 0)}, nil},
		"a log tells a change":  {[]Fact{fact("web", 30, FromLog, 0), fact("web", 10, FromLog, at(10*time.Second))}, nil},
		"three":                 {[]Fact{fact("", 30, FromFlag, 0), fact("", 20, FromFlag, 0), fact("", 10, FromFlag, 0)}, []string{"deadline_seconds was given more than once: 10 s (--fact) is taken, not 30 s (--fact), 20 s (--fact)"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScenario(t, suppliers(t, nil), feed{instance: "web", lines: "cap:waiting 1x5"})
			for _, f := range tt.facts {
				s.judge.AddFact(f)
			}
			if diff := cmp.Diff(tt.want, s.run().report().Notes); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// stated is the deadline of an instance as evidence tells it.
func stated(s *scenario, instance string) string {
	s.Helper()
	for _, f := range s.report().Findings {
		if e := f.Evidence[0]; string(f.Subject["instance"]) == instance {
			return Number(e.Observed) + " " + e.Origin
		}
	}
	return "none"
}

// Exactly one cap:fact stands for each name and instance at a time.
func TestOneFactEach(t *testing.T) {
	s := newScenario(t, suppliers(t, nil), feed{instance: "web", lines: "tomcat_threads_busy_threads 1 1 _ 1"})
	s.judge.AddFact(Fact{Name: "deadline_seconds", Value: 11, Origin: "log", Rank: FromLog, From: at(10 * time.Second)})
	var got []string
	s.run(func(tick int64) {
		found, err := s.store.Instant(t.Context(), series.View{}, "cap:fact", tick)
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		got = append(got, Number(found[0].Value)+" "+found[0].Labels.Get("origin"))
	})
	if diff := cmp.Diff([]string{"20 Tomcat's default", "11 log", "11 log", "11 log"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := []Fact{{Name: "deadline_seconds", Instance: "web", Value: 11, Origin: "log", Rank: FromLog, From: at(10 * time.Second)}}
	if diff := cmp.Diff(want, s.report().Facts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
