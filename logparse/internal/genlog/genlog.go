// Package genlog writes logs of any size for tests and benchmarks. The same
// size and seed give the same bytes.
package genlog

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"time"
)

// A Generator writes the lines of one log.
type Generator struct {
	rnd *rand.Rand
	now time.Time
	n   int
	buf []byte
}

// New returns a generator whose first line is of start.
func New(seed uint64, start time.Time) *Generator {
	return &Generator{rnd: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), now: start}
}

// A Line appends the next record to b, with its newline.
type Line func(g *Generator, b []byte) []byte

// Write writes records of a form until size bytes are reached; the last record
// is whole. It returns the first error of w.
func (g *Generator) Write(w io.Writer, size int64, line Line) error {
	out := bufio.NewWriterSize(w, 1<<20)
	for written := int64(0); written < size; {
		g.buf = line(g, g.buf[:0])
		written += int64(len(g.buf))
		if _, err := out.Write(g.buf); err != nil {
			return err
		}
	}
	return out.Flush()
}

// step moves the time on by 0 to 20 ms.
func (g *Generator) step() {
	g.n++
	g.now = g.now.Add(time.Duration(g.rnd.IntN(20_000)) * time.Microsecond)
}

type message struct {
	logger string
	format string // with two numbers
}

// infos are what a healthy service says.
var infos = [...]message{
	{"c.acme.shop.orders.OrderController", "order %d accepted, %d items"},
	{"c.acme.shop.orders.OrderService", "order %d stored in %d ms"},
	{"c.a.s.p.PaymentGatewayClient", "authorised payment %d in %d ms, provider reference 7f3a9c"},
	{"o.s.web.servlet.DispatcherServlet", "Completed initialization of handler %d in %d ms"},
	{"c.a.s.catalog.CatalogProjection", "projected event %d of aggregate %d, 3 rows updated"},
	{"c.acme.shop.stock.StockReservation", "reserved article %d, %d left in warehouse north-2"},
}

// warns are what a saturated one says.
var warns = [...]message{
	{"com.zaxxer.hikari.pool.HikariPool", "OrdersPool - Connection is not available, request timed out after %dms (total=10, active=10, idle=0, waiting=%d)"},
	{"o.h.engine.jdbc.spi.SqlExceptionHelper", "SQL Error: 0, SQLState: null, statement %d of %d"},
	{"c.a.s.p.PaymentGatewayClient", "payment %d answered late, %d ms"},
}

func (g *Generator) pick() (level string, m message) {
	if g.rnd.IntN(100) == 0 {
		return " WARN", warns[g.rnd.IntN(len(warns))]
	}
	return " INFO", infos[g.rnd.IntN(len(infos))]
}

// Spring appends a line as Spring Boot writes it; one in two hundred has a
// stack trace.
func Spring(g *Generator, b []byte) []byte {
	g.step()
	level, m := g.pick()
	trace := g.rnd.IntN(200) == 0
	if trace {
		level = "ERROR"
	}
	b = g.now.AppendFormat(b, "2006-01-02T15:04:05.000Z07:00")
	b = fmt.Appendf(b, " %s 1 --- [shop] [nio-8080-exec-%-2d] %-40s : ", level, g.rnd.IntN(64), m.logger)
	b = fmt.Appendf(b, m.format, g.rnd.IntN(1_000_000), g.rnd.IntN(500))
	b = append(b, '\n')
	if trace {
		b = g.trace(b)
	}
	return b
}

func (g *Generator) trace(b []byte) []byte {
	b = append(b, "java.lang.IllegalStateException: basket is closed\n"...)
	for i := range 12 {
		b = fmt.Appendf(b, "\tat com.acme.shop.orders.OrderService.method%d(OrderService.java:%d) ~[classes!/:1.4.2]\n", i, g.rnd.IntN(900))
	}
	return append(b, "\t... 61 common frames omitted\n"...)
}

// JSON appends a line as the logstash encoder writes it.
func JSON(g *Generator, b []byte) []byte {
	g.step()
	level, m := g.pick()
	b = append(b, `{"@timestamp":"`...)
	b = g.now.AppendFormat(b, "2006-01-02T15:04:05.000Z07:00")
	b = append(b, `","@version":"1","message":"`...)
	b = fmt.Appendf(b, m.format, g.rnd.IntN(1_000_000), g.rnd.IntN(500))
	return fmt.Appendf(b, `","logger_name":"%s","thread_name":"http-nio-8080-exec-%d","level":"%s","level_value":20000,"traceId":"%016x","spanId":"%08x","service":"shop"}`+"\n",
		m.logger, g.rnd.IntN(64), level[1:], g.rnd.Uint64(), g.rnd.Uint32())
}

// Access appends a line of an access log of nginx, one in a hundred a 504.
func Access(g *Generator, b []byte) []byte {
	g.step()
	status := 200
	if g.rnd.IntN(100) == 0 {
		status = 504
	}
	b = fmt.Appendf(b, "10.0.%d.%d - - [", g.rnd.IntN(256), g.rnd.IntN(256))
	b = g.now.AppendFormat(b, "02/Jan/2006:15:04:05 -0700")
	return fmt.Appendf(b, "] \"GET /orders/%d HTTP/1.1\" %d %d \"-\" \"okhttp/4.9.3\"\n", g.rnd.IntN(1_000_000), status, g.rnd.IntN(9000))
}

// Numbered appends a line whose number is its only content, for tests that
// count lines: "2026-03-02T10:15:31.004Z INFO line 17".
func Numbered(g *Generator, b []byte) []byte {
	g.step()
	b = g.now.AppendFormat(b, "2006-01-02T15:04:05.000Z07:00")
	return fmt.Appendf(b, " INFO line %d\n", g.n)
}

// Now returns the time of the last record.
func (g *Generator) Now() time.Time { return g.now }
