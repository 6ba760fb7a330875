package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/capdoctor/capdoctor/lab"
	"github.com/capdoctor/capdoctor/scrape"
)

// TestOneRequestInFlight holds that a target never has two requests at once,
// however slow it is, and that a slow target is judged all the same.
func TestOneRequestInFlight(t *testing.T) {
	var flying, most, served atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		most.Store(max(most.Load(), flying.Add(1)))
		time.Sleep(300 * time.Millisecond)
		flying.Add(-1)
		served.Add(1)
		w.Write([]byte("# TYPE hikaricp_connections_active gauge\nhikaricp_connections_active{pool=\"p\"} 10\n" +
			"hikaricp_connections_max{pool=\"p\"} 10\nhikaricp_connections{pool=\"p\"} 10\nhikaricp_connections_idle{pool=\"p\"} 0\nhikaricp_connections_pending{pool=\"p\"} 5\n"))
	}))
	defer server.Close()
	var out bytes.Buffer
	code := run(context.Background(), []string{"diagnose", server.URL + "/metrics", "--for", "2s", "--interval", "100ms"}, streams{nil, &out, &bytes.Buffer{}})
	if most.Load() != 1 {
		t.Errorf("%d requests at once, want 1", most.Load())
	}
	if served.Load() < 4 {
		t.Errorf("%d scrapes in 2 s of a page that takes 0.3 s", served.Load())
	}
	if code != 1 {
		t.Errorf("exit %d, want 1:\n%s", code, &out)
	}
}

// TestTargetsAreAskedApart holds that each of several targets is asked at its own
// distance from the beginning of a round, and one target at once.
func TestTargetsAreAskedApart(t *testing.T) {
	var mu sync.Mutex
	asked := map[string][]time.Time{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked[r.URL.Path[1:]] = append(asked[r.URL.Path[1:]], time.Now())
		w.Write([]byte("up_time 1\n"))
	}))
	defer server.Close()
	const interval = 2 * time.Second
	args := []string{"diagnose", "--for", "2s", "--interval", interval.String(), "--exit-zero"}
	for n := range 20 {
		args = append(args, fmt.Sprintf("t%d=%s/t%d", n, server.URL, n))
	}
	begun := time.Now().Truncate(time.Millisecond)
	run(context.Background(), args, streams{nil, io.Discard, io.Discard})
	for n := range 20 {
		name := fmt.Sprint("t", n)
		if len(asked[name]) != 2 {
			t.Fatalf("%s was asked %d times, want 2", name, len(asked[name]))
		}
		for round, at := range asked[name] {
			if early := begun.Add(time.Duration(round)*interval + scrape.Jitter(name, interval)); at.Before(early) {
				t.Errorf("%s was asked %s too early in round %d", name, early.Sub(at), round)
			}
		}
	}
	alone := &watching{interval: interval, scrapers: make([]*scrape.Scraper, 1)}
	if d := alone.delay(0); d != 0 {
		t.Errorf("a target alone is asked after %s", d)
	}
}

// finding is what two reports of one input must agree on.
type finding struct {
	ID       string            `json:"id"`
	State    string            `json:"state"`
	Subject  map[string]string `json:"subject"`
	Summary  string            `json:"summary"`
	Evidence []struct {
		Signal   string   `json:"signal"`
		Observed *float64 `json:"observed"`
	} `json:"evidence"`
}

// TestReplayTellsTheSame records a live incident and judges the recording: it
// must find what was found live, with the same numbers.
func TestReplayTellsTheSame(t *testing.T) {
	scenario, err := lab.Find("saturated")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	model := scenario.Roll(start)
	server := httptest.NewServer(lab.Handler(model, time.Now))
	defer server.Close()
	target := "evento-server=" + server.URL + "/evento-server/actuator/prometheus"
	file := filepath.Join(t.TempDir(), "incident.capdoctor")
	if code := run(context.Background(), []string{"record", target, "-o", file, "--interval", "500ms", "--for", "4s"}, streams{nil, os.Stdout, &bytes.Buffer{}}); code != 0 {
		t.Fatalf("record: exit %d", code)
	}
	first := diagnosed(t, file)
	if len(first) == 0 {
		t.Fatal("the recording of a saturated server shows nothing")
	}
	if diff := cmp.Diff(first, diagnosed(t, file)); diff != "" {
		t.Errorf("the same recording gives another report:\n%s", diff)
	}
}

func diagnosed(t *testing.T, args ...string) []finding {
	t.Helper()
	var out bytes.Buffer
	run(context.Background(), append([]string{"diagnose", "-o", "json"}, args...), streams{nil, &out, &bytes.Buffer{}})
	var r struct {
		Findings []finding `json:"findings"`
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("%v in %s", err, &out)
	}
	return r.Findings
}

// TestDemo runs the built-in healthy server for a moment.
func TestDemo(t *testing.T) {
	var out, progress bytes.Buffer
	code := run(context.Background(), []string{"demo", "--healthy", "--one-shot", "--for", "3s"}, streams{nil, &out, &progress})
	if code != 0 {
		t.Errorf("exit %d\n%s\n%s", code, &out, &progress)
	}
}
