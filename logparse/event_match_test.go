package logparse

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// eventsOf matches a record and lists its events as "name type waits_on count".
func eventsOf(t *testing.T, r *Record) []string {
	t.Helper()
	if r.Raw == nil {
		r.Raw = r.Message
	}
	var got []string
	for _, e := range testCatalog(t).NewMatcher().Match(r, nil) {
		s := e.Pattern.Event
		for _, part := range []string{e.Type, e.WaitsOn} {
			if part != "" {
				s += " " + part
			}
		}
		got = append(got, s)
	}
	return got
}

func TestMatch(t *testing.T) {
	tests := []struct {
		name           string
		level          Level
		message, trace string
		want           []string
	}{
		{"nothing known", Info, "order 17 stored in 12 ms", "", nil},
		{"handler timed out", Warn, "event=local_handler_threw payloadType=A correlationId=1",
			"java.util.concurrent.TimeoutException: null\n\tat java.base/java.util.concurrent.CompletableFuture.timedGet(CompletableFuture.java:1981)\n",
			[]string{"local_handler_timeout A future_get"}},
		{"handler failed", Warn, "event=local_handler_threw payloadType=A correlationId=1", "java.lang.NullPointerException: null\n", []string{"local_handler_threw A"}},
		{"fetch waited too long", Warn, "event=local_handler_threw payloadType=EventFetchRequest correlationId=1",
			"java.lang.IllegalStateException: EventFetchRequest expired: age=41022ms > max=30000ms; dropped\n", []string{"event_fetch_expired"}},
		{"a fallback speaks alone", Error, "failed", "java.util.concurrent.TimeoutException: null\n", []string{"application_timeout"}},
		{"once for message and trace", Error, "P-1 - Connection is not available, request timed out after 5001ms.",
			"java.sql.SQLTransientConnectionException: P-1 - Connection is not available, request timed out after 5001ms.\n",
			[]string{"hikari_acquire_timeout P-1"}},
		{"the exception alone", Error, "failed",
			"org.acme.E: x\n\tat a.B.c(B.java:1)\nCaused by: java.sql.SQLTransientConnectionException: P-1 - Connection is not available, request timed out after 5001ms.\n",
			[]string{"hikari_acquire_timeout P-1"}},
		{"no frame is an exception", Error, "failed", "\tat java.util.concurrent.TimeoutException.<init>(TimeoutException.java:1)\n", nil},
		{"progress is no warning", Warn, "event=x total=1 submitted=553", "", nil},
		{"two events of one record", Error, "Error while appending records to o-3 in dir /d", "java.io.IOException: No space left on device\n",
			[]string{"disk_full", "kafka_log_dir_failed"}},
		{"polling by design", Error, `[STUCK] ExecuteThread: '10' for queue: 'q' has been busy for "705" seconds working on the request "x"`,
			"\tjava.lang.Object.wait(Native Method)\n\toracle.tip.adapter.db.InboundWork.run(InboundWork.java:498)\n",
			[]string{"weblogic_stuck_thread oracle.tip.adapter.db.InboundWork polling"}},
		{"known constraint", Info, "<BEA-002936> <maximum thread constraint ClusterMessaging is reached>", "", nil},
		{"stopped pool", Error, "failed", "java.util.concurrent.RejectedExecutionException: Task x rejected from java.util.concurrent.ThreadPoolExecutor@4[Terminated, pool size = 0, active threads = 0, queued tasks = 0, completed tasks = 764]\n",
			[]string{"executor_rejected_at_shutdown"}},
		{"indented by the console logger of .NET", NoLevel, "fail: Microsoft.EntityFrameworkCore.Database.Connection[20004]",
			"      An error occurred using the connection.\n         at Npgsql.NpgsqlConnector.Open()\n" +
				"      Npgsql.NpgsqlException (0x80004005): The connection pool has been exhausted, either raise 'Max Pool Size' (currently 100)\n",
			[]string{"adonet_pool_timeout"}},
		{"an inner exception of .NET", NoLevel, "fail: Shop.Api[0]",
			"      System.InvalidOperationException: failed\n       ---> Npgsql.NpgsqlException (0x80004005): The connection pool has been exhausted, either raise 'Max Pool Size' (currently 100)\n",
			[]string{"adonet_pool_timeout"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &Record{Level: tt.level, Message: []byte(tt.message), Trace: []byte(tt.trace)}
			if diff := cmp.Diff(tt.want, eventsOf(t, r)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestMatchStructured holds that an error in another field than the message is
// seen.
func TestMatchStructured(t *testing.T) {
	raw := `{"time":"2026-03-02T10:15:31Z","level":"ERROR","msg":"query failed","err":"dial tcp 10.0.0.4:5432: connect: connection refused"}`
	r := &Record{Level: Error, Message: []byte("query failed"), Raw: []byte(raw)}
	if diff := cmp.Diff([]string{"connection_refused"}, eventsOf(t, r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEventHoldsNoMemoryOfTheRecord(t *testing.T) {
	message := []byte("P-1 - Connection is not available, request timed out after 5001ms.")
	r := &Record{Message: message, Raw: message, Thread: []byte("exec-1"), Time: time.Unix(1, 0)}
	e := testCatalog(t).NewMatcher().Match(r, nil)[0]
	before := e.Text + e.Type + e.Thread + e.texts[0]
	for i := range message {
		message[i] = 'x'
	}
	r.Thread[0] = 'x'
	if after := e.Text + e.Type + e.Thread + e.texts[0]; after != before {
		t.Errorf("got %q, want %q", after, before)
	}
}

func TestQuoteNamesTheTellingLine(t *testing.T) {
	long := strings.Repeat("x", 2*MaxQuote)
	tests := []struct{ name, message, trace, want string }{
		{"message", "event=correlations_expired count=2 pending=1", "", "event=correlations_expired count=2 pending=1"},
		{"exception", "failed", "org.acme.E: x\n\tat a.B.c(B.java:1)\nCaused by: java.net.ConnectException: Connection refused\n",
			"failed | Caused by: java.net.ConnectException: Connection refused"},
		{"top frame", "Thread Thread[vert.x-eventloop-thread-8,5,main] has been blocked for 3428 ms, time limit is 2000 ms",
			"\tat java.lang.Thread.sleep(Thread.java:509)\n",
			"Thread Thread[vert.x-eventloop-thread-8,5,main] has been blocked for 3428 ms, time limit is 2000 ms | at java.lang.Thread.sleep(Thread.java:509)"},
		{"long", "event=correlations_expired count=2 pending=1 " + long, "", ("event=correlations_expired count=2 pending=1 " + long)[:MaxQuote]},
		{"not UTF-8", "event=correlations_expired count=2 pending=1 \xff", "", "event=correlations_expired count=2 pending=1 \uFFFD"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &Record{Message: []byte(tt.message), Raw: []byte(tt.message), Trace: []byte(tt.trace), Level: Warn}
			events := testCatalog(t).NewMatcher().Match(r, nil)
			if len(events) != 1 || events[0].Text != tt.want {
				t.Errorf("got %+v, want %q", events, tt.want)
			}
		})
	}
}

func FuzzMatch(f *testing.F) {
	c := testCatalog(f)
	for _, p := range c.Patterns() {
		first, rest, _ := strings.Cut(p.Lines[0], "\n")
		f.Add([]byte(first), []byte(rest))
	}
	f.Fuzz(func(t *testing.T, message, trace []byte) {
		m := c.NewMatcher()
		g := NewGrid(c, GridOptions{})
		s := g.Sampler("x", "")
		r := &Record{Message: message, Raw: message, Trace: trace, Level: Warn, Time: time.Unix(1_772_446_531, 0)}
		s.Record(r)
		for _, e := range m.Match(r, nil) {
			s.Add(e)
		}
		for _, b := range s.Batches(0) {
			for _, sample := range b.Samples {
				if sample.Labels.Get("instance") != "x" {
					t.Errorf("sample %v", sample.Labels)
				}
			}
		}
	})
}
