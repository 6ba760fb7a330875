package logparse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// brief shows a record in one line.
func brief(r *Record) string {
	s := fmt.Sprintf("%d %s", r.Line, r.Level)
	for _, part := range []struct {
		sign string
		text []byte
	}{{"@", r.Source}, {"~", r.Thread}, {":", r.Logger}, {" ", r.Message}} {
		if len(part.text) > 0 {
			s += part.sign + string(part.text)
		}
	}
	if len(r.Trace) > 0 {
		s += fmt.Sprintf(" +%q", r.Trace)
	}
	return s
}

func briefs(recs []Record) (out []string) {
	for i := range recs {
		out = append(out, brief(&recs[i]))
	}
	return out
}

func TestRecords(t *testing.T) {
	for _, c := range []struct {
		name, text string
		format     string
		want       []string
		unparsed   int64
	}{
		{
			name:   "a stack trace belongs to its record",
			format: "logback",
			text: "2026-03-02 10:15:31,004 [a] ERROR x.Y - failed\njava.lang.IllegalStateException: no\n\tat a.B.c(B.java:1)\n" +
				"Caused by: java.io.IOException: out\n\t... 3 more\n\n2026-03-02 10:15:32,004 [a] INFO  x.Y - next\n",
			want: []string{
				`1 error~a:x.Y failed +"java.lang.IllegalStateException: no\n\tat a.B.c(B.java:1)\nCaused by: java.io.IOException: out\n\t... 3 more\n\n"`,
				`7 info~a:x.Y next`,
			},
		},
		{
			name:   "a message of several lines",
			format: "spring-boot",
			text:   "2026-03-02 10:15:31.004  INFO 1 --- [m] a.B : select\n  *\nfrom t\n2026-03-02 10:15:31.005  INFO 1 --- [m] a.B : two\n",
			want:   []string{`1 info~m:a.B select +"  *\nfrom t\n"`, `4 info~m:a.B two`},
		},
		{
			name:   "colour, carriage returns and a byte order mark",
			format: "evento-server",
			text:   "\ufeff\x1b[2m20260302101531004\x1b[0;39m \x1b[33mWARN \x1b[0;39m \x1b[35m1\x1b[0;39m --- [m] A : event=\x1b[1mx\x1b[0m\r\n\tat a.B\r\n",
			want:   []string{`1 warn~m:A event=x +"\tat a.B\n"`},
		},
		{
			name:   "bytes that are not UTF-8 and zero bytes",
			format: "stamped",
			text:   "\x00\x00\x002026-03-02 10:15:31 WARN caf\xe9\n",
			want:   []string{"1 warn caf\xe9"},
		},
		{
			name:   "two lines per record",
			format: "jul",
			text: "Mar 02, 2026 10:15:31 AM org.apache.tomcat.util.threads.ThreadPool logFull\nSEVERE: All threads (200) are busy\n" +
				"\tat a.B\nMar 02, 2026 10:15:32 AM a.B c\nINFO: done\n",
			want: []string{`1 error:org.apache.tomcat.util.threads.ThreadPool All threads (200) are busy +"\tat a.B\n"`, `4 info:a.B done`},
		},
		{
			name:   "RabbitMQ's old form",
			format: "rabbitmq",
			text:   "=WARNING REPORT==== 2-Mar-2026::10:15:31 ===\nmemory resource limit alarm set on node 'rabbit@mq1'.\n",
			want:   []string{`1 warn +"memory resource limit alarm set on node 'rabbit@mq1'.\n"`},
		},
		{
			name:   "Spring inside CRI, with a line in two parts and interleaved streams",
			format: "cri+spring-boot",
			text: "2026-03-02T10:15:31.1Z stdout F 2026-03-02 11:15:31.004  WARN 1 --- [m] a.B : one\n" +
				"2026-03-02T10:15:31.2Z stderr F java.lang.Error: elsewhere\n" +
				"2026-03-02T10:15:31.3Z stdout F \tat a.B\n" +
				"2026-03-02T10:15:31.4Z stdout P 2026-03-02 11:15:31.005  INFO 1 --- [m] \n" +
				"2026-03-02T10:15:31.5Z stderr F \tat c.D\n" +
				"2026-03-02T10:15:31.6Z stdout F a.B : two\n",
			want: []string{
				`1 warn@stdout~m:a.B one +"\tat a.B\n"`,
				`2 @stderr java.lang.Error: elsewhere +"\tat c.D\n"`,
				`4 info@stdout~m:a.B two`,
			},
		},
		{
			name:   "Docker's parts",
			format: "docker-json+logback",
			text: `{"log":"2026-03-02 10:15:31,004 [m] WARN  a.B - say \"","stream":"stdout","time":"2026-03-02T10:15:31.1Z"}` + "\n" +
				`{"log":"hi\"\n","stream":"stdout","time":"2026-03-02T10:15:31.2Z"}` + "\n" +
				`{"log":"\tat a.B\n","stream":"stdout","time":"2026-03-02T10:15:31.2Z"}` + "\n" +
				`{"log":"2026-03-02 10:15:31,004 [m] INFO  a.B - two\n","stream":"stdout","time":"2026-03-02T10:15:31.3Z"}` + "\n",
			want: []string{`1 warn@stdout~m:a.B say "hi" +"\tat a.B\n"`, `4 info@stdout~m:a.B two`},
		},
		{
			name:   "compose with two services",
			format: "compose+logback",
			text: "app-1  | 2026-03-02 10:15:31,004 [m] WARN  a.B - one\ndb-1   | 2026-03-02 10:15:31.005 UTC [4] LOG:  ready\n" +
				"app-1  | \tat a.B\napp-1  | 2026-03-02 10:15:31,006 [m] INFO  a.B - two\n",
			want: []string{`1 warn@app-1~m:a.B one +"\tat a.B\n"`, `2 info@db-1 ready`, `4 info@app-1~m:a.B two`},
		},
		{
			name:   "syslog that relays other formats",
			format: "syslog",
			text: "Mar  2 10:15:31 h kubelet[9]: E0302 10:15:31.004567    4643 pod.go:13] failed\n" +
				"Mar  2 10:15:31 h app[7]: 2026-03-02 10:15:31.004  WARN 1 --- [m] a.B : one\n" +
				"Mar  2 10:15:31 h cron[8]: run\n" +
				"Mar  2 10:15:31 h app[7]: \tat a.B\n" +
				"Mar  2 10:15:32 h haproxy[3]: 10.0.0.9:1 [02/Mar/2026:10:15:31.004] www a/b 0/0/0/0/1 503 9 - - sQNN 1/1/1/1/0 0/0 \"GET / HTTP/1.1\"\n",
			want: []string{
				`1 error@h~4643:pod.go:13 failed`,
				`2 warn@h~m:a.B one +"\tat a.B\n"`,
				`3 @h~8:cron run`,
				`5 @h:a/b 10.0.0.9:1 [02/Mar/2026:10:15:31.004] www a/b 0/0/0/0/1 503 9 - - sQNN 1/1/1/1/0 0/0 "GET / HTTP/1.1"`,
			},
		},
		{
			name:   "a shipper's JSON around a line without a level",
			format: "json",
			text:   `{"@timestamp":"2026-03-02T10:15:33Z","message":"2026-03-02 10:15:31.004  WARN 1 --- [m] a.B : say \"hi\"","agent":{"type":"filebeat"}}` + "\n",
			want:   []string{`1 warn~m:a.B say "hi"`},
		},
		{
			name:   "a JSON line that is cut off, and text between",
			format: "json",
			text: `{"ts":1772446531,"level":"info","msg":"one"}` + "\nplain text\n" + `{"ts":1772446532,"level":"warn","msg":"tw` + "\n" +
				"Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: no\nplain again\n",
			want: []string{
				`1 info one`, `2  plain text`,
				`3 warn tw +"Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: no\n"`, `7  plain again`,
			},
			unparsed: 2,
		},
		{
			name:   "several records in one line",
			format: "otlp",
			text: `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1772446531004000000","severityText":"WARN","body":{"stringValue":"one"}},` +
				`{"timeUnixNano":"1772446532004000000","body":{"stringValue":"two"}}]}]}]}` + "\n",
			want: []string{`1 warn one`, `1  two`},
		},
		{
			name:   "journal export with a binary field",
			format: "journal-export",
			text: "__CURSOR=a\n__REALTIME_TIMESTAMP=1772446531004000\nPRIORITY=3\nSYSLOG_IDENTIFIER=app\n_SYSTEMD_UNIT=app.service\nMESSAGE=one\n\n" +
				"__CURSOR=b\n__REALTIME_TIMESTAMP=1772446532004000\nMESSAGE\n\x08\x00\x00\x00\x00\x00\x00\x00two\n two\nPRIORITY=4\n\n",
			want: []string{`1 error@app.service:app one`, "8 warn two\n two"},
		},
		{
			name:   "a thread dump",
			format: "thread-dump",
			text:   "2026-03-02 10:15:31\nFull thread dump OpenJDK:\n\n\"a-1\" #6 prio=5\n   java.lang.Thread.State: WAITING\n\tat a.B\n\n\"a-2\" #7 prio=5\n\tat a.B\n",
			want: []string{
				`1  +"Full thread dump OpenJDK:\n\n"`,
				`4 ~a-1 6 prio=5 +"   java.lang.Thread.State: WAITING\n\tat a.B\n\n"`, `8 ~a-2 7 prio=5 +"\tat a.B\n"`,
			},
		},
		{
			name:     "no format at all",
			format:   "unknown",
			text:     "hello\n  more\nworld",
			want:     []string{`1  hello +"  more\n"`, `3  world`},
			unparsed: 2,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			recs, st := scanText(t, c.text, Options{Base: sampleBase()})
			if d := cmp.Diff(c.want, briefs(recs)); d != "" {
				t.Error(d)
			}
			if st.Format != c.format || st.Unparsed != c.unparsed {
				t.Errorf("format %s with %d unparsed, want %s with %d", st.Format, st.Unparsed, c.format, c.unparsed)
			}
			if st.Bytes != int64(len(c.text)) || st.Lines != int64(strings.Count(c.text, "\n"))+int64(min(1, len(c.text)-1-strings.LastIndex(c.text, "\n"))) {
				t.Errorf("%d bytes, %d lines", st.Bytes, st.Lines)
			}
		})
	}
}

// TestCarriedTime checks which stamp is taken: the one that says more.
func TestCarriedTime(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-02T10:15:31.1Z stdout F 2026-03-02 12:15:31.004  WARN 1 --- [m] a.B : naive":           "2026-03-02T10:15:31.1Z",
		"2026-03-02T10:15:31.1Z stdout F 2026-03-02T12:15:31.004+02:00  WARN 1 --- [m] a.B : with zone": "2026-03-02T10:15:31.004Z",
		"Mar  2 10:15:31 h app[7]: 2026-03-01 12:15:31.004  WARN 1 --- [m] a.B : with a year":           "2026-03-01T12:15:31.004Z",
	} {
		recs, _ := scanText(t, text+"\n", Options{Base: sampleBase()})
		if got := recs[0].Time.Format("2006-01-02T15:04:05.999Z07:00"); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestLongLinesAreCut(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	text := "2026-03-02 10:15:31 WARN " + long + "\n2026-03-02 10:15:32 WARN short\n\t" + strings.Repeat("y", 60<<10) + "\n\t" + strings.Repeat("z", 60<<10) + "\n" + long
	recs, st := scanText(t, text, Options{MaxLine: 1000})
	if len(recs) != 2 || len(recs[0].Raw) != 1000 || string(recs[1].Message) != "short" || len(recs[1].Trace) > maxTrace {
		t.Errorf("%d records", len(recs))
	}
	if st.Cut != 4 || st.Bytes != int64(len(text)) || st.Lines != 5 {
		t.Errorf("%d cut, %d bytes of %d, %d lines", st.Cut, st.Bytes, len(text), st.Lines)
	}
	recs, st = scanText(t, "2026-03-02 10:15:31 WARN a\n"+strings.Repeat("\t"+strings.Repeat("y", 1000)+"\n", 100), Options{})
	if st.Cut != 1 || len(recs[0].Trace) > maxTrace || len(recs[0].Trace) < maxTrace-2000 {
		t.Errorf("%d cut, trace of %d bytes", st.Cut, len(recs[0].Trace))
	}
}

func TestEmptyLog(t *testing.T) {
	for _, text := range []string{"", "\n", "\n\n"} {
		recs, st := scanText(t, text, Options{})
		if len(recs) != 0 || st.Format != "unknown" || st.Lines != int64(len(text)) || !st.First.IsZero() {
			t.Errorf("%q: %d records, %+v", text, len(recs), st)
		}
	}
}
