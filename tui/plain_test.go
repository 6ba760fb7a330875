package tui

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/capdoctor/capdoctor/rules"
)

// tell runs Plain over reports that come every 15 s.
func tell(t *testing.T, o Options, reports ...*rules.Report) (string, Result) {
	t.Helper()
	frames := make(chan Frame, len(reports))
	for i, r := range reports {
		later := *r
		later.At = noon.Add(time.Duration(i) * every)
		frames <- Frame{Report: &later}
	}
	close(frames)
	o.Frames = frames
	var out bytes.Buffer
	result, err := Plain(t.Context(), &out, o)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), result
}

func TestPlainTellsChanges(t *testing.T) {
	got, _ := tell(t, Options{}, healthy().report, healthy().report, collapse().report, collapse().report, down().report, collapse().report, healthy().report)
	want := `09:11:00 UTC CLEAR  nothing fires on 3 inputs; 5 judged and clear, 2 unknown
09:11:30 UTC CRITICAL  Congestion collapse on evento-server (bus): Writes are at 0.07/s, were 16.0/s. 68 requests wait for 16 threads, 44 expired within 5 min, yet CPU is at 0.7 %.
09:11:30 UTC DO FIRST  Cut the writers of catalog-import from 20 to 8.
09:11:30 UTC WARNING  Pool never grows on evento-server (bus): 16 of 64 threads of bus run, all busy, while 68 wait.
09:12:00 UTC NOT JUDGED  congestion-collapse on evento-server (bus) since 09:10:45: the target does not answer
09:12:00 UTC NOT JUDGED  pool-never-grows on evento-server (bus) since 09:10:45: the target does not answer
09:12:00 UTC DOWN  evento-server: no answer within 5 s; try --timeout 30s
09:12:15 UTC CRITICAL  Congestion collapse on evento-server (bus): Writes are at 0.07/s, were 16.0/s. 68 requests wait for 16 threads, 44 expired within 5 min, yet CPU is at 0.7 %.
09:12:15 UTC DO FIRST  Cut the writers of catalog-import from 20 to 8.
09:12:15 UTC WARNING  Pool never grows on evento-server (bus): 16 of 64 threads of bus run, all busy, while 68 wait.
09:12:15 UTC BACK  evento-server answers again
09:12:30 UTC ENDED  Congestion collapse on evento-server (bus) after 11 min 40 s
09:12:30 UTC ENDED  Pool never grows on evento-server (bus) after 11 min 40 s
09:12:30 UTC CLEAR  nothing fires any more
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPlainDoesNotClearTheSilent holds that a target that never answered is neither
// clear nor recovered, and that the first answer is told.
func TestPlainDoesNotClearTheSilent(t *testing.T) {
	none := silent().report
	none.Cleared = cleared("scrape-starved")
	got, result := tell(t, Options{UntilRecovered: every}, none, none, none, healthy().report)
	want := `09:11:00 UTC DOWN  evento-server: no answer within 5 s; try --timeout 30s
09:11:00 UTC UNKNOWN  no target answers; nothing was compared
09:11:45 UTC CLEAR  nothing fires on 3 inputs; 5 judged and clear, 2 unknown
09:11:45 UTC BACK  evento-server answers again
`
	if diff := cmp.Diff(want, got); diff != "" || result.Recovered {
		t.Errorf("recovered %v (-want +got):\n%s", result.Recovered, diff)
	}
}

func TestPlainEndsWhenRecovered(t *testing.T) {
	got, result := tell(t, Options{UntilRecovered: every}, collapse().report, healthy().report, healthy().report, collapse().report)
	if !result.Recovered || !bytes.HasSuffix([]byte(got), []byte("09:11:30 UTC RECOVERED  nothing at or above warning has fired for 15 s\n")) {
		t.Errorf("recovered %v:\n%s", result.Recovered, got)
	}
}

func TestPlainIsSafe(t *testing.T) {
	got, _ := tell(t, Options{Display: Display{ASCII: true}}, hostile().report)
	for i, c := range got {
		if c != '\n' && (c < ' ' || c > '~') {
			t.Fatalf("holds %U at %d: %q", c, i, got)
		}
	}
}

func TestPlainEndsWithItsContext(t *testing.T) {
	why := errors.New("told to stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := Plain(ctx, &bytes.Buffer{}, Options{}); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
}
