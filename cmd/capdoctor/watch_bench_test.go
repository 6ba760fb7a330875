//go:build linux

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkWatch runs the dashboard in a terminal of 200×60 on targets on
// loopback, scraped every two seconds, and reports the share of one core that
// the process takes: scraping, judging and drawing. Some of the targets are in
// trouble; what fires costs more.
//
//	go test ./cmd/capdoctor -run '^$' -bench Watch
func BenchmarkWatch(b *testing.B) {
	for _, fleet := range []struct{ targets, troubled int }{{1, 1}, {200, 0}, {200, 20}, {200, 200}} {
		b.Run(fmt.Sprintf("targets=%d/troubled=%d", fleet.targets, fleet.troubled), func(b *testing.B) {
			for range b.N {
				b.ReportMetric(watchShare(b, fleet.targets, fleet.troubled, 20*time.Second), "%core")
			}
		})
	}
}

// watchShare is the share of a core, in percent, that a dashboard takes once its
// windows are full of samples.
func watchShare(b *testing.B, targets, troubled int, length time.Duration) float64 {
	sick := fixturePages(b, "../../fixtures/evento-collapse/scrapes/evento-server")
	well := fixturePages(b, "../../fixtures/evento-healthy/scrapes/evento-server")
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pages := well
		if n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/t")); err == nil && n < troubled {
			pages = sick
		}
		w.Write(pages[int(asked.Add(1))/targets%len(pages)])
	}))
	defer server.Close()
	args := []string{"watch"}
	for n := range targets {
		args = append(args, fmt.Sprintf("t%d=%s/t%d", n, server.URL, n))
	}
	m := start(b, nil, "capdoctor", args...)
	m.resize(b, 200, 60)
	m.shows(b, fmt.Sprintf("%d of %d", targets, targets))
	time.Sleep(length / 2)
	before, begun := m.cpuTime(b), time.Now()
	time.Sleep(length)
	share := 100 * float64(m.cpuTime(b)-before) / float64(time.Since(begun))
	m.press(b, "q")
	m.exits(b, 0)
	return share
}

// cpuTime is what the program has used of its processors, in steps of 10 ms.
func (m *terminal) cpuTime(b *testing.B) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", m.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // the name before it may hold anything
	fields := strings.Fields(rest)
	ticks := 0
	for _, field := range fields[11:13] { // utime and stime
		n, err := strconv.Atoi(field)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// fixturePages are the pages of a recorded target, in their order.
func fixturePages(b *testing.B, dir string) (pages [][]byte) {
	names, err := filepath.Glob(dir + "/*.prom")
	if err != nil || len(names) == 0 {
		b.Fatal("no pages: ", err)
	}
	for _, name := range names {
		page, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		pages = append(pages, page)
	}
	return pages
}
