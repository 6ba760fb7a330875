package logparse

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"
)

// springLog returns about size bytes of a Spring Boot log, of which one line in
// a hundred is a WARN that a pattern knows, and one in a thousand has a trace.
func springLog(size int) []byte {
	var b bytes.Buffer
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("order customer basket invoice product price stock shipment processed accepted rendered loaded stored updated session account for in with name total user batch cache refreshed request handled index written from queue thread pool connection")
	at := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	for i := 0; b.Len() < size; i++ {
		at = at.Add(time.Duration(r.IntN(20)) * time.Millisecond)
		stamp := at.Format("2006-01-02 15:04:05.000")
		switch {
		case i%1000 == 0:
			fmt.Fprintf(&b, "%s ERROR 1 --- [io-8080-exec-%d] c.a.orders.OrderController : failed\njava.lang.IllegalStateException: no stock\n", stamp, i%200)
			for k := range 20 {
				fmt.Fprintf(&b, "\tat com.acme.orders.OrderService.step%d(OrderService.java:%d)\n", k, 40+k)
			}
		case i%100 == 0:
			fmt.Fprintf(&b, "%s  WARN 1 --- [io-8080-exec-%d] c.a.orders.OrderController : ShopPool - Connection is not available, request timed out after 30001ms.\n", stamp, i%200)
		default:
			fmt.Fprintf(&b, "%s  INFO 1 --- [io-8080-exec-%d] c.acme.orders.OrderController            : %s %d", stamp, r.IntN(200), words[r.IntN(len(words))], r.IntN(100000))
			for range 6 {
				b.WriteString(" " + words[r.IntN(len(words))])
			}
			fmt.Fprintf(&b, " %d ms\n", r.IntN(1000))
		}
	}
	return b.Bytes()
}

// BenchmarkPrefilter looks for all literals of the catalogue in blocks of a
// log, as a reader does.
func BenchmarkPrefilter(b *testing.B) {
	p := testCatalog(b).Prefilter()
	text := springLog(1 << 20)
	b.SetBytes(int64(len(text)))
	hits := 0
	for b.Loop() {
		hits = 0
		for rest := text; ; {
			at := p.Find(rest)
			if at < 0 {
				break
			}
			hits++
			end := bytes.IndexByte(rest[at:], '\n')
			rest = rest[at+end+1:]
		}
	}
	b.ReportMetric(float64(hits), "hits")
}

// BenchmarkPrefilterLines asks line by line.
func BenchmarkPrefilterLines(b *testing.B) {
	p := testCatalog(b).Prefilter()
	text := springLog(1 << 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for line := range bytes.Lines(text) {
			p.Find(line)
		}
	}
}

// BenchmarkOneRegexp is what one regular expression over all literals takes.
func BenchmarkOneRegexp(b *testing.B) {
	p := testCatalog(b).Prefilter()
	var quoted []string
	for _, l := range p.literals {
		quoted = append(quoted, regexp.QuoteMeta(l))
	}
	re := regexp.MustCompile(strings.Join(quoted, "|"))
	text := springLog(1 << 14)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		re.FindAllIndex(text, -1)
	}
}

// BenchmarkContains is what a search for each literal in turn takes.
func BenchmarkContains(b *testing.B) {
	p := testCatalog(b).Prefilter()
	text := springLog(1 << 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for _, l := range p.literals {
			bytes.Contains(text, []byte(l))
		}
	}
}

// BenchmarkPrefilterSize shows that the number of literals hardly matters.
func BenchmarkPrefilterSize(b *testing.B) {
	all := testCatalog(b).Prefilter().literals
	text := springLog(1 << 20)
	for _, n := range []int{1, 50, len(all)} {
		p, err := NewPrefilter(all[:n])
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				for rest := text; ; {
					at := p.Find(rest)
					if at < 0 {
						break
					}
					rest = rest[at+1:]
				}
			}
		})
	}
}

// BenchmarkMatch is what the events of one interesting record take.
func BenchmarkMatch(b *testing.B) {
	m := testCatalog(b).NewMatcher()
	msg := []byte("ShopPool - Connection is not available, request timed out after 30001ms (total=10, active=10, idle=0, waiting=37)")
	r := &Record{Message: msg, Raw: msg, Level: Error, Thread: []byte("exec-1"), Time: time.Unix(1, 0)}
	var events []Event
	for b.Loop() {
		events = m.Match(r, events[:0])
	}
	if len(events) != 1 {
		b.Fatal(len(events))
	}
}

// BenchmarkSample is what an interesting record takes from the record to the
// samples.
func BenchmarkSample(b *testing.B) {
	m := testCatalog(b).NewMatcher()
	s := NewGrid(testCatalog(b), GridOptions{}).Sampler("app", "")
	msg := []byte("ShopPool - Connection is not available, request timed out after 30001ms (total=10, active=10, idle=0, waiting=37)")
	r := &Record{Message: msg, Raw: msg, Level: Error, Thread: []byte("exec-1"), Time: time.Unix(1, 0)}
	var events []Event
	b.ReportAllocs()
	for b.Loop() {
		r.Time = r.Time.Add(time.Millisecond)
		events = m.Match(r, events[:0])
		s.Add(events[0])
	}
}
