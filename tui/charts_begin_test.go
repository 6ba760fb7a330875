package tui

import (
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// TestChartsBegin holds that charts begin with the first scrape, however far
// back a log goes, and with the log where there is nothing else.
func TestChartsBegin(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2026, 7, 2, 9, minute, 0, 0, time.UTC) }
	log, late, early := rules.Input{Kind: "log", First: at(0)}, rules.Input{Kind: "scrape", First: at(32)}, rules.Input{Kind: "case", First: at(30)}
	down := rules.Input{Kind: "scrape"}
	for _, c := range []struct {
		name   string
		start  int
		inputs []rules.Input
		want   int
	}{
		{"a log alone", 1, []rules.Input{log}, 1},
		{"a target that never answered", 1, []rules.Input{log, down}, 1},
		{"a log and targets", 1, []rules.Input{log, late, early, down}, 30},
		{"targets that were seen before the window", 31, []rules.Input{early}, 31},
	} {
		r := &rules.Report{Window: rules.Window{Start: at(c.start), End: at(40)}, Inputs: c.inputs}
		if got := chartsBegin(r); !got.Equal(at(c.want)) {
			t.Errorf("%s: %s, want %s", c.name, got, at(c.want))
		}
	}
}
