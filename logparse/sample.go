package logparse

import (
	"fmt"
	"time"
)

// A Sample is a line that a format must match, and what it must find in it.
type Sample struct {
	Line    string `yaml:"line"`
	Time    string `yaml:"time,omitempty"`  // RFC 3339; for stamps without year or date those of 2026-03-02; empty: none
	Level   string `yaml:"level,omitempty"` // as Level.String writes it
	Logger  string `yaml:"logger,omitempty"`
	Thread  string `yaml:"thread,omitempty"`
	Source  string `yaml:"source,omitempty"`
	Status  int    `yaml:"status,omitempty"`
	Message string `yaml:"message,omitempty"`
	Trace   string `yaml:"trace,omitempty"`
}

// sampleBase dates the samples whose stamps have no year or no date.
func sampleBase() time.Time { return time.Date(2026, 3, 2, 23, 0, 0, 0, time.UTC) }

// check checks that every sample is read as it says, and that every layout has
// a sample.
func (f *Format) check() error {
	for _, want := range f.Samples {
		got, ok := f.sample([]byte(want.Line))
		if !ok {
			return fmt.Errorf("sample does not match: %q", want.Line)
		}
		if got != want {
			return fmt.Errorf("sample is read as %+v, want %+v", got, want)
		}
	}
	for _, d := range f.decoders {
		if l, ok := d.(*layout); ok && !f.hasSample(l) {
			return fmt.Errorf("no sample matches the layout %q", l.text)
		}
	}
	return nil
}

func (f *Format) hasSample(l *layout) bool {
	for _, s := range f.Samples {
		var r stampReader
		if l.decode([]byte(s.Line), &header{}, &r) {
			return true
		}
	}
	return false
}

// sample reads one line with the decoders of f alone.
func (f *Format) sample(line []byte) (Sample, bool) {
	var r stampReader
	for _, d := range f.decoders {
		var h header
		if !d.decode(line, &h, &r) {
			continue
		}
		text := func(s span) string { return string(h.text(nil, s.of(line))) }
		s := Sample{
			Line: string(line), Level: h.level.String(), Status: h.status,
			Logger: text(h.logger), Thread: text(h.thread), Source: text(h.source),
			Message: text(h.message), Trace: text(h.trace),
		}
		if h.stamp.has != 0 {
			c := newClock(Options{Base: sampleBase()})
			sec, nsec := c.resolve(&h.stamp)
			s.Time = time.Unix(sec, int64(nsec)).UTC().Format(time.RFC3339Nano)
		}
		return s, true
	}
	return Sample{}, false
}

// text returns a part of a header as it reads: without escapes.
func (h *header) text(buf, part []byte) []byte {
	if !h.escaped {
		return part
	}
	return unescape(buf, part)
}
