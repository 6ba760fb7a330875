package scrape

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"

	"github.com/capdoctor/capdoctor/series"
)

// A page is one body on its way to samples, read by Prometheus' own parsers.
type page struct {
	format  Format
	body    []byte // text formats: with a final newline, and no capacity beyond it
	opts    ParseOptions
	labeler labeler
	parser  textparse.Parser
	done    int // text formats: bytes of the body that were read without fault
	info    Info
	emit    func(entry)
}

// An entry is one sample on a page. Its labels are those of the target's sample
// when fate is kept.
type entry struct {
	labels series.Labels
	time   int64
	value  float64
	fate   fate
}

// A fate says whether a series on a page becomes one of the target.
type fate uint8

const (
	kept    fate = iota
	tooLong      // its labels exceed a limit
	unasked      // the filter does not want its name
)

// newPage returns a page that hands its samples to emit. The body is not empty,
// and o has its defaults.
func newPage(f Format, body []byte, o ParseOptions, emit func(entry)) *page {
	p := &page{format: f, opts: o, labeler: newLabeler(o), emit: emit}
	p.info = Info{Format: f, FinalNewline: body[len(body)-1] == '\n'}
	p.body = body[:len(body):len(body)]
	symbols := labels.NewSymbolTable()
	switch f {
	case Protobuf:
		p.parser = textparse.NewProtobufParser(p.body, false, true, false, false, symbols)
	case OpenMetrics:
		p.endLine()
		p.parser = textparse.NewOpenMetricsParser(p.body, symbols)
	default:
		p.endLine()
		p.parser = textparse.NewPromParser(p.body, symbols, false)
	}
	return p
}

// endLine gives the body the final newline that both text parsers need. A body
// that lacks it is copied.
func (p *page) endLine() {
	if !p.info.FinalNewline {
		p.body = append(p.body, '\n')
		p.body = p.body[:len(p.body):len(p.body)]
	}
}

// read takes all samples of the page.
func (p *page) read() error {
	if err := p.check(); err != nil {
		return err
	}
	for {
		entry, err := p.parser.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = p.take(entry)
		}
		if err != nil {
			return p.fail(err)
		}
	}
}

// check finds what the parsers would not report.
func (p *page) check() error {
	switch p.format {
	case Text:
		if at := silentEnd(p.body); at >= 0 {
			p.done = at
			return p.fail(errors.New("a NUL byte: this is not text"))
		}
	case Protobuf:
		return checkFamilies(p.body)
	}
	return nil
}

// silentEnd returns the place of a NUL byte at which the text parser would
// stop as if the page ended there, or -1. Only the first NUL of a line can be
// one: it begins the line, or stands in a comment without a blank after its #.
func silentEnd(body []byte) int {
	for at := 0; ; {
		nul := bytes.IndexByte(body[at:], 0)
		if nul < 0 {
			return -1
		}
		nul += at
		start := bytes.LastIndexByte(body[:nul], '\n') + 1
		line := bytes.TrimLeft(body[start:nul], " \t")
		if len(line) == 0 || line[0] == '#' && (len(line) == 1 || line[1] != ' ' && line[1] != '\t') {
			return nul
		}
		end := bytes.IndexByte(body[nul:], '\n')
		if end < 0 {
			return -1
		}
		at = nul + end
	}
}

// take reads one entry.
func (p *page) take(entry textparse.Entry) error {
	switch entry {
	case textparse.EntrySeries:
		return p.takeSeries()
	case textparse.EntryHistogram:
		p.parser.Histogram() // having asked, the classic series come next
		p.info.Native++
	case textparse.EntryHelp:
		name, _ := p.parser.Help()
		p.passed(name)
	case textparse.EntryType:
		name, _ := p.parser.Type()
		p.passed(name)
	case textparse.EntryUnit:
		name, _ := p.parser.Unit()
		p.passed(name)
	case textparse.EntryComment:
		p.passed(p.parser.Comment())
	}
	return nil
}

func (p *page) takeSeries() error {
	text, ts, value := p.parser.Series()
	var scraped labels.Labels
	p.parser.Labels(&scraped)
	if p.format == Text && (text[0] == ' ' || text[0] == '\t') {
		scraped = withoutIndent(scraped)
	}
	e := entry{value: canonical(value)}
	var err error
	if e.labels, e.fate, err = p.fateOf(scraped); err != nil {
		return err
	}
	switch e.fate {
	case tooLong:
		p.info.Skipped++
	case unasked:
		p.info.Unasked++
	case kept:
		e.time = p.time(ts)
		if p.info.Samples++; p.info.Samples > p.opts.MaxSamples {
			return tooManySamples(p.format, p.opts.MaxSamples)
		}
	}
	p.emit(e)
	p.passed(text)
	return nil
}

func (p *page) fateOf(scraped labels.Labels) (series.Labels, fate, error) {
	if !p.opts.Filter.Wants(scraped.Get(model.MetricNameLabel)) {
		return labels.EmptyLabels(), unasked, nil
	}
	l, err := p.labeler.label(scraped)
	if errors.Is(err, errLabelLimit) {
		return l, tooLong, nil
	}
	return l, kept, err
}

// withoutIndent drops the blanks before a line, which the text parser leaves in
// the metric name.
func withoutIndent(l labels.Labels) labels.Labels {
	b := labels.NewBuilder(l)
	b.Set(model.MetricNameLabel, strings.TrimLeft(l.Get(model.MetricNameLabel), " \t"))
	return b.Labels()
}

// time returns the time of a sample, 0 for that of the scrape.
func (p *page) time(ts *int64) int64 {
	if ts == nil {
		return 0
	}
	p.info.Timestamps++
	if !p.opts.HonorTimestamps {
		return 0
	}
	return *ts
}

// canonical makes every NaN the ordinary one, so that no page can end a series
// with the bit pattern of a stale marker.
func canonical(v float64) float64 {
	if math.IsNaN(v) {
		return math.NaN()
	}
	return v
}

// passed notes that everything up to the end of the line of part was read. part
// is a piece of the body: its capacity reaches to the body's end and so tells
// where it starts.
func (p *page) passed(part []byte) {
	if p.format == Protobuf {
		return
	}
	end := cap(p.body) - cap(part) + len(part)
	p.done = end + bytes.IndexByte(p.body[min(end, len(p.body)-1):], '\n') + 1
}
