package incident

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"
)

const openMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

// buildTimed makes scrapes of the files of timed samples.
func (x *index) buildTimed(c *Case) error {
	for name, f := range x.each(timedFile) {
		if slices.ContainsFunc(c.Targets, func(t Target) bool { return t.Name == f.target }) {
			return fault(x.path(name), 0, "target %q has a folder of scrapes too", f.target)
		}
		data, err := c.store.read(name)
		if err != nil {
			return err
		}
		scrapes, err := timedScrapes(x.path(name), data, c.Start)
		if err != nil {
			return err
		}
		c.Targets = append(c.Targets, Target{Name: f.target, Scrapes: scrapes})
	}
	slices.SortFunc(c.Targets, func(a, b Target) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	return nil
}

// timedScrapes sorts OpenMetrics with a timestamp on each sample into one body
// per time. A body has the samples of its time without timestamps and without
// exemplars, and the TYPE lines of their families.
func timedScrapes(path string, data []byte, start time.Time) ([]Scrape, error) {
	s := &timedSplitter{bodies: map[int64]*timedBody{}}
	for number := 1; len(data) > 0 && !s.ended; number++ {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		if err := s.add(bytes.TrimSuffix(line, []byte("\r"))); err != nil {
			return nil, fault(path, number, "%v", err)
		}
	}
	if !s.ended {
		return nil, fault(path, 0, "does not end with # EOF: the file is cut off")
	}
	var out []Scrape
	for _, ms := range slices.Sorted(maps.Keys(s.bodies)) {
		offset := time.UnixMilli(ms).Sub(start)
		if offset < 0 {
			return nil, fault(path, 0, "a sample of %s is older than the start of the case", time.UnixMilli(ms).UTC().Format(time.RFC3339Nano))
		}
		body := append(s.bodies[ms].text, "# EOF\n"...)
		out = append(out, Scrape{
			Offset: offset.Truncate(time.Millisecond),
			Meta:   Meta{Status: 200, ContentType: openMetricsType},
			Size:   int64(len(body)), inline: body,
		})
	}
	return out, nil
}

type timedSplitter struct {
	bodies   map[int64]*timedBody // by milliseconds since the epoch
	typeLine []byte               // of the present family
	family   int                  // how many TYPE lines were read
	size     int                  // bytes of all bodies
	ended    bool
}

type timedBody struct {
	text   []byte
	family int // whose TYPE line it has last
}

func (s *timedSplitter) add(line []byte) error {
	switch {
	case len(bytes.TrimSpace(line)) == 0:
		return nil
	case bytes.Equal(line, []byte("# EOF")):
		s.ended = true
		return nil
	case bytes.HasPrefix(line, []byte("# TYPE ")):
		s.typeLine, s.family = line, s.family+1
		return nil
	case line[0] == '#':
		return nil
	}
	sample, ms, err := cutTimestamp(line)
	if err != nil {
		return err
	}
	return s.put(ms, sample)
}

func (s *timedSplitter) put(ms int64, sample []byte) error {
	b := s.bodies[ms]
	if b == nil {
		if len(s.bodies) == maxEntries {
			return fmt.Errorf("more than %d different times", maxEntries)
		}
		b = &timedBody{}
		s.bodies[ms] = b
	}
	before := len(b.text)
	if b.family != s.family {
		b.text = append(append(b.text, s.typeLine...), '\n')
		b.family = s.family
	}
	b.text = append(append(b.text, sample...), '\n')
	s.size += len(b.text) - before
	if s.size > 2*maxTimed {
		return fmt.Errorf("makes bodies of more than %d bytes", 2*maxTimed)
	}
	return nil
}

// cutTimestamp takes the timestamp, in seconds, off a sample line.
func cutTimestamp(line []byte) (sample []byte, ms int64, err error) {
	line = bytes.TrimRight(cutExemplar(line), " ")
	i := bytes.LastIndexByte(line, ' ')
	if i < 0 {
		return nil, 0, errors.New("a sample without value and timestamp")
	}
	// A value and a timestamp: before the last word stands another number.
	sample = bytes.TrimRight(line[:i], " ")
	value := sample[bytes.LastIndexByte(sample, ' ')+1:]
	if _, err := strconv.ParseFloat(string(value), 64); err != nil || len(value) == len(sample) {
		return nil, 0, errors.New("a sample without timestamp; every sample needs one here")
	}
	seconds, err := strconv.ParseFloat(string(line[i+1:]), 64)
	if err != nil || !(math.Abs(seconds) < 1e11) {
		return nil, 0, fmt.Errorf("%q is not a timestamp in seconds", line[i+1:])
	}
	return sample, int64(math.Round(seconds * 1000)), nil
}

// cutExemplar cuts the line at the first # outside quotes.
func cutExemplar(line []byte) []byte {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && quoted:
			i++
		case line[i] == '"':
			quoted = !quoted
		case line[i] == '#' && !quoted:
			return line[:i]
		}
	}
	return line
}
