package logparse

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// builtin returns the built-in formats.
func builtin(t testing.TB) *Formats {
	t.Helper()
	set, err := builtinFormats()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// ownFormats returns the formats of a file of patterns that holds a list of them.
func ownFormats(list string) (*Formats, error) {
	body := "system: own\ntitle: our own\nformats:\n" + list
	c, err := ReadCatalog(fstest.MapFS{"own.yaml": {Data: []byte(body)}})
	if err != nil {
		return nil, err
	}
	return c.Formats(), nil
}

// scanText returns the records of a text, copied, and the account.
func scanText(t testing.TB, text string, o Options) ([]Record, Stats) {
	t.Helper()
	s := NewScanner(strings.NewReader(text), "test.log", o)
	var p part
	p.scan(s)
	if p.err != nil {
		t.Fatal(p.err)
	}
	return p.records, p.stats
}

// TestSamplesAreDetected reads every sample as a log of its own: the format must
// be found by itself.
func TestSamplesAreDetected(t *testing.T) {
	for _, f := range builtin(t).list {
		for _, s := range f.Samples {
			_, st := scanText(t, s.Line+"\n", Options{Base: sampleBase()})
			if name, _, _ := strings.Cut(st.Format, "+"); name != f.Name {
				t.Errorf("%s: sample is read as %s: %s", f.Name, st.Format, s.Line)
			}
		}
	}
}

// TestSamplesAreRead checks what a scanner makes of the samples, beyond what
// their format makes of them alone.
func TestSamplesAreRead(t *testing.T) {
	for _, f := range builtin(t).list {
		if f.Wrap == "hard" || f.Decoder == "journal" {
			continue
		}
		for _, s := range f.Samples {
			recs, _ := scanText(t, s.Line+"\n", Options{Base: sampleBase()})
			if len(recs) != 1 {
				t.Fatalf("%s: %d records of %s", f.Name, len(recs), s.Line)
			}
			r := &recs[0]
			got := ""
			if !r.Time.IsZero() {
				got = r.Time.Format(time.RFC3339Nano)
			}
			if got != s.Time || r.Level.String() != s.Level && s.Level != "" || r.Status != s.Status {
				t.Errorf("%s: %s %s %d of %s", f.Name, got, r.Level, r.Status, s.Line)
			}
		}
	}
}

func TestPatternFile(t *testing.T) {
	const file = `
- name: acme
  title: our own form
  layouts: ['#{level}# at {time} by {thread}; {message}']
  samples:
  - line: '#WARN# at 2026-03-02 10:15:31.004 by main; slow'
    time: 2026-03-02T10:15:31.004Z
    level: warn
    thread: main
    message: slow
`
	set, err := ownFormats(file)
	if err != nil {
		t.Fatal(err)
	}
	recs, st := scanText(t, "#ERROR# at 2026-03-02 10:15:32 by w 1; out\n\tat a.B\n", Options{Formats: set})
	if st.Format != "acme" || len(recs) != 1 || recs[0].Level != Error || string(recs[0].Thread) != "w 1" || string(recs[0].Trace) != "\tat a.B\n" {
		t.Errorf("format %s, records %+v", st.Format, recs)
	}
}

func TestPatternFileErrors(t *testing.T) {
	for file, want := range map[string]string{
		"- {name: a, title: b, layouts: ['{time} {message}'], samples: [{line: 'no time'}]}":                                                    `sample does not match: "no time"`,
		"- {name: a, title: b, layouts: ['{time} {message}']}":                                                                                  "a sample is needed",
		"- {name: a, title: b, layouts: ['{colour}'], samples: [{line: x}]}":                                                                    `unknown field "colour"`,
		"- {name: a, title: b, layouts: ['{time'], samples: [{line: x}]}":                                                                       "no } after",
		"- {name: a, title: b, layouts: ['{thread}{logger}'], samples: [{line: x}]}":                                                            `nothing separates "thread"`,
		"- {name: a, title: b, layouts: ['{time}{end}', '<{time}>'], samples: [{line: '<2026-03-02 10:15:31>', time: '2026-03-02T10:15:31Z'}]}": `no sample matches the layout "{time}{end}"`,
		"- {name: a, title: b, decoder: xml, samples: [{line: x}]}":                                                                             `unknown decoder "xml"`,
		"- {name: json, title: b, decoder: json, samples: [{line: '{\"ts\":1772446531,\"msg\":\"a\"}'}]}":                                       "sample is read as",
		"- {name: a, title: b, layouts: ['{message}'], samples: [{line: x, message: x}], wrap: soggy}":                                          "want hard or soft",
		"- {title: b, layouts: ['{message}'], samples: [{line: x, message: x}]}":                                                                "name and title are needed",
		"- {name: a, title: b, colour: red, layouts: ['{message}'], samples: [{line: x, message: x}]}":                                          "colour",
		"- {name: a, title: b, layouts: ['{message}'], decoder: json, samples: [{line: x, message: x}]}":                                        "either layouts or a decoder",
		"- {name: cri, title: b, layouts: ['{date} {message}'], samples: [{line: '2026-03-02 10:15:31 x', message: x}]}":                        "sample is read as",
	} {
		_, err := ownFormats(file)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "own.yaml:4: ") {
			t.Errorf("%s: error %v, want %q in it", file, err, want)
		}
	}
}

func TestFormatOption(t *testing.T) {
	text := "2026-03-02 10:15:31,004 [main] INFO  a.B - one\n{\"ts\":1772446532,\"level\":\"info\",\"msg\":\"two\"}\n"
	if recs, _ := scanText(t, text, Options{}); len(recs) != 2 {
		t.Errorf("%d records when formats are found, want 2", len(recs))
	}
	recs, st := scanText(t, text, Options{Format: "logback"})
	if len(recs) != 1 || st.Format != "logback" || !strings.Contains(string(recs[0].Trace), "two") {
		t.Errorf("%d records as logback, want 1 with a further line", len(recs))
	}
	s := NewScanner(strings.NewReader(text), "x", Options{Format: "logbook"})
	if s.Next(&Record{}) || s.Err() == nil || !strings.Contains(s.Err().Error(), `unknown log format "logbook"; known are access, airflow`) {
		t.Errorf("error %v", s.Err())
	}
}
