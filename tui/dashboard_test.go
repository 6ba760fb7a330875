package tui

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/series"
)

// shows fails the test unless the screen shows a text.
func shows(t *testing.T, m dashboard, want string) {
	t.Helper()
	if got := bareView(m); !strings.Contains(got, want) {
		t.Errorf("screen does not show %q:\n%s", want, got)
	}
}

func TestKeysOpenScreens(t *testing.T) {
	m := sized(watching(t, collapse(), Options{}), 120, 36)
	for i, want := range []string{"Targets 3 of 3", "Evidence: 5 of 5 hold", "Do, in this order", "Coverage", "Signals of evento-server", "Lines 1", "Limits on the way"} {
		shows(t, press(m, string(rune('1'+i))), want)
	}
	m = press(m, "2", "5", "esc")
	shows(t, m, "Evidence: 5 of 5 hold")
	shows(t, press(m, "esc"), "Targets 3 of 3")
	shows(t, press(m, "esc", "esc", "esc"), "Targets 3 of 3") // esc never quits
}

func TestQuit(t *testing.T) {
	m := sized(watching(t, collapse(), Options{}), 120, 36)
	if _, cmd := m.take(keyPress("q")); cmd == nil || cmd() != tea.Quit() {
		t.Error("q does not quit")
	}
	m = press(m, "/")
	if m, cmd := m.take(keyPress("q")); cmd != nil || m.screens[overviewScreen].(overview).filter.text != "q" {
		t.Error("q quits while a filter is typed")
	}
	if _, cmd := m.take(keyPress("ctrl+c")); cmd == nil {
		t.Error("ctrl+c does not quit while a filter is typed")
	}
	if _, cmd := press(m, "esc").take(keyPress("ctrl+z")); cmd == nil || cmd() != tea.Suspend() {
		t.Error("ctrl+z does not suspend")
	}
}

func TestFilterTargets(t *testing.T) {
	m := press(sized(watching(t, fleet(), Options{}), 120, 36), "/", "0", "1", "7")
	shows(t, m, "/ 017")
	shows(t, m, "Targets 1 of 200")
	m = press(m, "enter", "enter") // keep the filter, open the target
	shows(t, m, "pool-exhausted")
	m = press(m, "1", "esc")
	shows(t, m, "Targets 200 of 200")
	shows(t, press(m, "/", "x", "y", "z", "enter"), "Targets 0 of 200")
}

func TestOrderOfTargets(t *testing.T) {
	m := press(sized(watching(t, fleet(), Options{}), 120, 36), "o")
	shows(t, m, "by name")
	shows(t, press(m, "o"), "by service")
	shows(t, press(m, "o", "o"), "worst first")
}

func TestSelectionSurvivesResizeAndFrames(t *testing.T) {
	w := collapse()
	m := press(sized(watching(t, w, Options{}), 120, 36), "j", "j")
	shows(t, m, "> · CLEAR     db")
	m = sized(m, 80, 24)
	shows(t, m, "> · CLEAR    db")
	later := *w.report
	later.At = noon.Add(every)
	m = feed(m, Frame{Report: &later})
	shows(t, m, "> · CLEAR    db")
	shows(t, m, "Load of db")
}

func TestEvidenceAndItsLine(t *testing.T) {
	m := press(sized(watching(t, collapse(), Options{}), 120, 36), "2", "j", "j", "enter")
	shows(t, m, "─ catalog-bundle.log:78")
	shows(t, press(m, "e"), "Evidence: 5 of 5 hold")
}

// TestMeaningIsReadInFull opens and closes a long meaning where there is little room.
func TestMeaningIsReadInFull(t *testing.T) {
	w := collapse()
	w.report.Findings[0].Meaning = strings.Repeat("Work is queued for longer than its callers wait. ", 10) + "The end."
	m := press(sized(watching(t, w, Options{}), 80, 24), "2")
	shows(t, m, "enter: all of it")
	if strings.Contains(bareView(m), "The end.") {
		t.Fatal("the meaning is short enough to stand in full")
	}
	m = press(m, "enter")
	shows(t, m, "The end.")
	shows(t, press(m, "enter"), "enter: all of it")
}

func TestLinesAreAskedFor(t *testing.T) {
	var asked []string
	lines := func(instance, filter string, most int) []rules.Line {
		asked = append(asked, instance+"/"+filter)
		return []rules.Line{
			{File: "server.log", Number: 1, Time: noon.Add(-time.Minute), Instance: "evento-server", Text: "before"},
			{File: "server.log", Number: 2, Time: noon.Add(time.Minute), Instance: "evento-server", Text: "written later"},
		}
	}
	m := press(sized(watching(t, collapse(), Options{Lines: lines}), 120, 36), "6")
	shows(t, m, "before")
	if strings.Contains(bareView(m), "written later") {
		t.Error("a line from after the moment on the screen is shown")
	}
	press(m, "/", "b", "e", "enter", "tab")
	if diff := cmp.Diff([]string{"/", "/be", "evento-server/be"}, asked); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
}

func TestRefreshReadsTheWholePage(t *testing.T) {
	page := func(_ context.Context, instance string) ([]series.Sample, error) {
		return []series.Sample{{Labels: series.FromStrings("__name__", "jvm_threads_live", "instance", instance), Value: 42}}, nil
	}
	m := press(sized(watching(t, collapse(), Options{Refresh: page}), 120, 36), "5")
	m, cmd := m.take(keyPress("r"))
	m, _ = m.take(cmd())
	shows(t, m, "jvm_threads_live")
	shows(t, m, "read 1 series of evento-server")
	m = press(sized(watching(t, collapse(), Options{}), 120, 36), "5", "r")
	shows(t, m, "only a live target can be read again")
}

func TestCopyAndSave(t *testing.T) {
	var copied []string
	var clips []Clip
	o := Options{
		Text: func(c Clip) string { clips = append(clips, c); return "text of the clip" },
		Copy: func(_ context.Context, text string) error { copied = append(copied, text); return nil },
		Save: func(*rules.Report) (string, error) { return "capdoctor-1.txt", nil },
	}
	m := press(sized(watching(t, collapse(), o), 120, 36), "y")
	shows(t, m, "h hand-over text")
	runSequence(t, m, "h")
	runSequence(t, m, "c")
	if len(clips) != 1 || clips[0].Kind != CopyHandOver || clips[0].Finding.ID != "congestion-collapse" {
		t.Errorf("clips %+v", clips)
	}
	if diff := cmp.Diff([]string{"text of the clip", "Cut the writers of catalog-import from 20 to 8."}, copied); diff != "" {
		t.Errorf("copied (-want +got):\n%s", diff)
	}
	if got := press(m, "esc").notice.text; got != "" {
		t.Errorf("esc after y says %q", got)
	}
	_, cmd := m.take(keyPress("esc"))
	if cmd != nil {
		t.Error("esc after y copies")
	}
	_, cmd = press(m, "esc").take(keyPress("ctrl+s"))
	if got := cmd(); got != noticeMsg("saved capdoctor-1.txt") {
		t.Errorf("save says %v", got)
	}
}

// runSequence presses a key and runs the commands that it asks for, in order.
func runSequence(t *testing.T, m dashboard, k string) {
	t.Helper()
	_, cmd := m.take(keyPress(k))
	if cmd == nil {
		t.Fatalf("%s asks for nothing", k)
	}
	list := reflect.ValueOf(cmd()) // a sequence is a slice of commands of a private type
	if list.Kind() != reflect.Slice || list.Len() != 2 {
		t.Fatalf("%s asks for %v, want two commands", k, list.Kind())
	}
	for i := range list.Len() {
		list.Index(i).Interface().(tea.Cmd)()
	}
}

func TestNoticeGoesAway(t *testing.T) {
	m := sized(watching(t, collapse(), Options{}), 120, 36)
	m, _ = m.take(noticeMsg("saved x"))
	shows(t, m, "saved x")
	m, _ = m.take(tickMsg(m.now.Add(noticeTime + time.Second)))
	if strings.Contains(bareView(m), "saved x") {
		t.Error("the notice stays")
	}
}

func TestStaleIsSaid(t *testing.T) {
	m := sized(watching(t, collapse(), Options{}), 120, 36)
	m, _ = m.take(tickMsg(noon.Add(30 * time.Second)))
	shows(t, m, "data 30 s old")
	m, _ = m.take(tickMsg(noon.Add(45 * time.Second)))
	shows(t, m, "stale 45 s")
}

func TestBeforeTheFirstFrame(t *testing.T) {
	o := Options{Store: series.New(series.Options{}), Start: noon, Targets: []string{"evento-server", "db"}}
	m := sized(newDashboard(context.Background(), o), 120, 36)
	m, _ = m.take(tickMsg(noon.Add(3 * time.Second)))
	shows(t, m, "? UNKNOWN  no answer yet from evento-server and 1 more, first asked 3 s ago; nothing has been judged")
	shows(t, m, "? asked  db")
	press(m, "2", "space", "y", "ctrl+s", "f", "left", "n", "N", "?", "esc", "r") // nothing to work on, and no panic
}

// TestUnansweredIsNotClear holds that a target without an answer is unknown, also
// before its first scrape has failed.
func TestUnansweredIsNotClear(t *testing.T) {
	w := healthy()
	w.report.Inputs = append(w.report.Inputs, rules.Input{Name: "slow", Kind: "scrape", Interval: every})
	m := sized(watching(t, w, Options{}), 120, 36)
	shows(t, m, "? UNKNOWN   slow")
	shows(t, m, "no answer yet")
}

// TestFindingsOfOneTargetAreToldApart names the resource where a target has one
// finding several times.
func TestFindingsOfOneTargetAreToldApart(t *testing.T) {
	on := func(instance, resource string) *rules.Finding {
		return &rules.Finding{ID: "pool-exhausted", Subject: model.Metric{"instance": model.LabelValue(instance), "resource": model.LabelValue(resource)}}
	}
	got := findingNames([]*rules.Finding{on("a", "p1"), on("a", "p2"), on("b", "p1"), {ID: "disk-full"}})
	want := []string{"pool-exhausted a (p1)", "pool-exhausted a (p2)", "pool-exhausted b", "disk-full"}
	if !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
}

func TestProvisional(t *testing.T) {
	w := collapse()
	m := newDashboard(context.Background(), Options{Store: w.store, Start: noon, Catalog: wordCatalog()})
	m = sized(feed(m, Frame{Report: w.report, Provisional: true, Scrapes: 2, FirmIn: 18 * time.Second}), 160, 36)
	shows(t, m, "~ PROVISIONAL  Congestion collapse is likely on evento-server (bus) (2 scrapes); firm in 18 s")
}

func TestProvisionalCalm(t *testing.T) {
	w := healthy()
	m := newDashboard(context.Background(), Options{Store: w.store, Start: noon, Catalog: wordCatalog()})
	m = sized(feed(m, Frame{Report: w.report, Provisional: true, Scrapes: 2, FirmIn: 18 * time.Second}), 120, 36)
	shows(t, m, "~ PROVISIONAL  nothing fires so far (2 scrapes); firm in 18 s")
}

func TestChangeIsTold(t *testing.T) {
	m := sized(watching(t, healthy(), Options{}), 120, 36)
	later := *collapse().report
	later.At = noon.Add(every)
	m = feed(m, Frame{Report: &later})
	shows(t, m, "was · CLEAR until 09:11:15")
	if got := m.scene.markRole(m.scene.targets[1]); got != strong {
		t.Errorf("a changed state is painted as %d", got)
	}
	for i := range 5 {
		r := later
		r.At = later.At.Add(time.Duration(i+1) * every)
		m = feed(m, Frame{Report: &r})
	}
	if strings.Contains(bareView(m), "was · CLEAR") {
		t.Error("the change is told for more than a minute")
	}
}

func TestUntilRecovered(t *testing.T) {
	w := collapse()
	m := watching(t, w, Options{UntilRecovered: 30 * time.Second})
	calm := healthy().report
	for i, want := range []bool{false, false, true} {
		r := *calm
		r.At = noon.Add(time.Duration(i+1) * every)
		var cmd tea.Cmd
		m, cmd = m.take(frameMsg(Frame{Report: &r}))
		if m.result.Recovered != want {
			t.Errorf("frame %d: recovered %v, want %v", i, m.result.Recovered, want)
		}
		if want && (cmd == nil || cmd() != tea.Quit()) {
			t.Error("does not end")
		}
	}
}

func TestUnjudgedIsNotRecovered(t *testing.T) {
	m := watching(t, collapse(), Options{UntilRecovered: every})
	for i := range 4 {
		r := *silent().report
		r.At = noon.Add(time.Duration(i+1) * every)
		r.Cleared = cleared("scrape-starved") // what is judged of the scrapes themselves
		m, _ = m.take(frameMsg(Frame{Report: &r}))
	}
	if m.result.Recovered {
		t.Error("a target that does not answer counts as recovered")
	}
}

func TestErrorsOfCommandsAreSaid(t *testing.T) {
	m := sized(watching(t, collapse(), Options{Save: func(*rules.Report) (string, error) { return "", errors.New("disk full") }}), 120, 36)
	_, cmd := m.take(keyPress("ctrl+s"))
	m, _ = m.take(cmd())
	shows(t, m, "not saved: disk full")
}

func TestHelpIsDrawnFromTheKeyMap(t *testing.T) {
	m := press(sized(watching(t, collapse(), Options{}), 200, 60), "?")
	for _, b := range m.keys.all() {
		shows(t, m, b.Help().Desc)
	}
	if press(m, "x").help {
		t.Error("a key does not close the help")
	}
}

func TestEveryKeyIsInTheHelp(t *testing.T) {
	k := newKeyMap(Live)
	seen := map[string]string{}
	for _, b := range k.all() {
		for _, name := range b.Keys() {
			if other, ok := seen[name]; ok {
				t.Errorf("key %q is both %q and %q", name, other, b.Help().Desc)
			}
			seen[name] = b.Help().Desc
		}
	}
	if len(seen) < 40 {
		t.Errorf("only %d keys", len(seen))
	}
}
