package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// mostInputLines is how many failing inputs and notes are told one by one.
const mostInputLines = 5

// inputs writes what was read: all of it in a few lines, failures by name.
func (t *reportText) inputs() {
	if len(t.r.Inputs) == 0 {
		return
	}
	t.lines("INPUTS", t.inputTexts())
}

func (t *wording) inputTexts() []string {
	return append([]string{t.readText() + " " + t.windowText()}, t.inputNotes()...)
}

// readText is "24 of 24 scrapes, gap 09:00:30 to 09:10:00; 303 lines, 170
// records, 0 unparsed; 48 kB in 0.3 s."
func (t *wording) readText() string {
	var sum rules.Input
	var gaps []rules.Gap
	logs := 0
	for _, in := range t.r.Inputs {
		sum.Scrapes += in.Scrapes
		sum.Failed += in.Failed
		sum.Restarts += in.Restarts
		sum.Bytes += in.Bytes
		sum.Duration += in.Duration
		sum.Lines += in.Lines
		sum.Records += in.Records
		sum.Unparsed += in.Unparsed
		sum.Undated += in.Undated
		gaps = append(gaps, in.Gaps...)
		if in.Kind == "log" {
			logs++
		}
	}
	parts := []string{t.scrapesText(sum, gaps), linesText(sum, logs), costText(sum)}
	return joinNonEmpty(parts, "; ") + "."
}

func (t *wording) scrapesText(sum rules.Input, gaps []rules.Gap) string {
	if sum.Scrapes == 0 {
		return ""
	}
	s := fmt.Sprintf("%d of %s", sum.Scrapes-sum.Failed, rules.Plural(sum.Scrapes, "scrape", "scrapes"))
	if n := sum.Restarts; n > 0 {
		s += ", " + rules.Plural(n, "restart", "restarts")
	}
	return s + t.gapsText(gaps)
}

// gapsText names one gap, the longest of several.
func (t *wording) gapsText(gaps []rules.Gap) string {
	if len(gaps) == 0 {
		return ""
	}
	longest := gaps[0]
	for _, g := range gaps[1:] {
		if g.To.Sub(g.From) > longest.To.Sub(longest.From) {
			longest = g
		}
	}
	span := t.clock.time(longest.From) + " to " + t.clock.time(longest.To)
	if len(gaps) == 1 {
		return ", gap " + span
	}
	return fmt.Sprintf(", %d gaps, longest %s", len(gaps), span)
}

func linesText(sum rules.Input, logs int) string {
	if logs == 0 {
		return ""
	}
	s := fmt.Sprintf("%d lines, %d records, %d unparsed", sum.Lines, sum.Records, sum.Unparsed)
	if sum.Undated > 0 {
		s += fmt.Sprintf(", %d undated", sum.Undated)
	}
	return s
}

// costText is what reading cost the targets.
func costText(sum rules.Input) string {
	if sum.Bytes == 0 {
		return ""
	}
	s := rules.Bytes(float64(sum.Bytes))
	if sum.Duration > 0 {
		s += " in " + rules.Duration(sum.Duration)
	}
	return s
}

// windowText names the windows that rates and counts were taken over: "Windows
// 67.5 s, 5 min, 11 of 30 min."
func (t *wording) windowText() string {
	w := t.r.Window
	if w.Short == 0 && w.Events == 0 && w.Baseline == 0 {
		return ""
	}
	return "Windows " + strings.Join([]string{
		oneWindow(w.Short, rules.ShortWindow),
		oneWindow(w.Events, rules.EventsWindow),
		oneWindow(w.Baseline, rules.BaselineWindow),
	}, ", ") + "."
}

// oneWindow is the length that a window had, and the one it should have had
// where it was shorter.
func oneWindow(had, full time.Duration) string {
	s := rules.Duration(had)
	if had < 2*time.Minute {
		s = rules.Number(had.Seconds()) + " s"
	}
	if had < full {
		return s + " of " + rules.Duration(full)
	}
	return s
}

// down names the inputs whose last read failed, with the likely fix.
func (t *reportText) down() {
	var out []string
	failing := failing(t.r)
	for i, in := range failing {
		if i == mostInputLines {
			out = append(out, fmt.Sprintf("+%d more failed", len(failing)-i))
			break
		}
		out = append(out, t.name(in.Name, mostName)+": "+rules.Sentence(in.Error))
	}
	t.linesAs(critical, "× DOWN", out)
}

func failing(r *rules.Report) []rules.Input {
	var out []rules.Input
	for _, in := range r.Inputs {
		if in.Error != "" {
			out = append(out, in)
		}
	}
	return out
}

// inputNotes says what was odd about inputs; the same remark once.
func (t *wording) inputNotes() []string {
	byNote := map[string][]string{}
	var notes []string
	for _, in := range t.r.Inputs {
		if in.Note != "" {
			notes = appendNew(notes, in.Note)
			byNote[in.Note] = append(byNote[in.Note], t.name(in.Name, mostName))
		}
	}
	var out []string
	for i, n := range notes {
		if i == mostInputLines {
			out = append(out, rules.Plural(len(notes)-i, "more remark", "more remarks")+" on inputs.")
			break
		}
		out = append(out, firstOf(byNote[n], 3)+": "+rules.Sentence(n))
	}
	return out
}
