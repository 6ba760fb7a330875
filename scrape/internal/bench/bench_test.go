package bench

import (
	"bytes"
	"errors"
	"io"
	"testing"

	victoria "github.com/VictoriaMetrics/VictoriaMetrics/lib/protoparser/prometheus"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"

	"github.com/capdoctor/capdoctor/scrape"
	"github.com/capdoctor/capdoctor/scrape/internal/springpage"
	"github.com/capdoctor/capdoctor/series"
)

// A reader reads one page and returns how many samples, or families, it found.
type reader func(b *testing.B, page []byte) int

// readers lists what is compared. A new one is made for each measurement; those
// called warm have seen the page of the turn before.
func readers() []namedReader {
	asked := scrape.ParseOptions{Instance: "h:1", Filter: scrape.NewFilter(springpage.Names())}
	all := scrape.ParseOptions{Instance: "h:1"}
	return []namedReader{
		{"asked-cold", func() reader { return cold(asked) }},
		{"asked-warm", func() reader { return warm(asked) }},
		{"all-cold", func() reader { return cold(all) }},
		{"all-warm", func() reader { return warm(all) }},
		{"textparse", func() reader { return byTextparse }},
		{"expfmt", func() reader { return byExpfmt }},
		{"victoriametrics", byVictoriaMetrics},
	}
}

type namedReader struct {
	name string
	make func() reader
}

// cold reads each page as the first of its target.
func cold(o scrape.ParseOptions) reader {
	return func(b *testing.B, page []byte) int {
		samples, _, err := scrape.NewCache(o).Parse(page, "", nil)
		if err != nil {
			b.Fatal(err)
		}
		return len(samples)
	}
}

// warm reads each page as the next of its target.
func warm(o scrape.ParseOptions) reader {
	c := scrape.NewCache(o)
	var buf []series.Sample
	return func(b *testing.B, page []byte) int {
		var err error
		if buf, _, err = c.Parse(page, "", buf[:0]); err != nil {
			b.Fatal(err)
		}
		return len(buf)
	}
}

// byTextparse reads a page with Prometheus' parser, labels and all.
func byTextparse(b *testing.B, page []byte) int {
	p := textparse.NewPromParser(page, labels.NewSymbolTable(), false)
	n := 0
	for {
		e, err := p.Next()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			b.Fatal(err)
		}
		if e == textparse.EntrySeries {
			var l labels.Labels
			p.Labels(&l)
			p.Series()
			n++
		}
	}
}

// byExpfmt reads a page with the parser of the Go client.
func byExpfmt(b *testing.B, page []byte) int {
	p := expfmt.NewTextParser(model.UTF8Validation)
	families, err := p.TextToMetricFamilies(bytes.NewReader(page))
	if err != nil {
		b.Fatal(err)
	}
	return len(families)
}

// byVictoriaMetrics reads pages with the parser of VictoriaMetrics, which
// reuses its rows. They point into the page: its conversion to a string is part
// of reading it.
func byVictoriaMetrics() reader {
	var rows victoria.Rows
	return func(b *testing.B, page []byte) int {
		rows.UnmarshalWithErrLogger(string(page), func(s string) { b.Fatal(s) })
		return len(rows.Rows)
	}
}

// BenchmarkParse compares readers of a Spring Boot page in one run.
func BenchmarkParse(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"260KB", 260_000}, {"5MB", 5_000_000}} {
		for _, r := range readers() {
			b.Run(size.name+"/"+r.name, func(b *testing.B) {
				turns := [2][]byte{springpage.Page(size.bytes, 1), springpage.Page(size.bytes, 2)}
				read := r.make()
				read(b, turns[1])
				b.SetBytes(int64(len(turns[0])))
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					read(b, turns[i%2])
				}
				b.ReportMetric(float64(len(turns[0])), "page-bytes")
			})
		}
	}
}
