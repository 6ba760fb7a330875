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
// the process takes: scraping, judging and drawing.
//
//	go test ./cmd/capdoctor -run '^$' -bench Watch
func BenchmarkWatch(b *testing.B) {
	for _, targets := range []int{1, 200} {
		b.Run(fmt.Sprint("targets=", targets), func(b *testing.B) {
			for range b.N {
				b.ReportMetric(watchShare(b, targets, 20*time.Second), "%core")
			}
		})
	}
}

// watchShare is the share of a core, in percent, that a dashboard takes once its
// windows are full of samples.
func watchShare(b *testing.B, targets int, length time.Duration) float64 {
	pages := fixturePages(b)
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
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

// fixturePages are the pages of a server in a congestion collapse.
func fixturePages(b *testing.B) (pages [][]byte) {
	names, err := filepath.Glob("../../fixtures/evento-collapse/scrapes/evento-server/*.prom")
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
