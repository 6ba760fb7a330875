package scrape

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A clock is a time that moves only when the test says so.
type clock struct {
	mu     sync.Mutex
	now    time.Time
	timers map[chan time.Time]time.Time
	waits  chan time.Duration // every wait that was begun
}

func newClock() *clock {
	return &clock{now: at, timers: make(map[chan time.Time]time.Time), waits: make(chan time.Duration, 100)}
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	fire := make(chan time.Time, 1)
	c.timers[fire] = c.now.Add(d)
	c.waits <- d
	return fire
}

// advance moves the time and fires what is due.
func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	for fire, due := range c.timers {
		if !due.After(c.now) {
			fire <- c.now
			delete(c.timers, fire)
		}
	}
}

func poll(t *testing.T, c *clock, o PollOptions, scrapers ...*Scraper) (*Poller, <-chan Result, context.CancelFunc) {
	t.Helper()
	o.Now, o.After = c.Now, c.After
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	p := NewPoller(scrapers, o)
	return p, p.Run(ctx), cancel
}

// A good target is scraped on its grid, a failing one ever less often, and the
// times of results are those of the clock.
func TestPollerPace(t *testing.T) {
	for _, test := range []struct {
		name string
		code int
		want []time.Duration
	}{
		{"good", 200, []time.Duration{4 * time.Second, 4 * time.Second, 4 * time.Second, 4 * time.Second, 4 * time.Second}},
		{"failing", 500, []time.Duration{4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second, 32 * time.Second}},
	} {
		t.Run(test.name, func(t *testing.T) {
			target := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(test.code)
				io.WriteString(w, "a 1\n")
			})
			c := newClock()
			s := newScraper(t, target+"/m", Options{})
			p, results, _ := poll(t, c, PollOptions{Interval: 4 * time.Second}, s)
			c.advance(<-c.waits)
			start := at.Add(Jitter(s.Target().Instance, 4*time.Second))
			for i, want := range test.want {
				if r := <-results; !r.At.Equal(start) {
					t.Errorf("scrape %d at %v, want %v", i, r.At, start)
				}
				got := <-c.waits
				if got != want {
					t.Errorf("wait %d: got %v, want %v", i, got, want)
				}
				start = start.Add(got)
				c.advance(got)
			}
			<-results
			cost := p.Costs()[0]
			cost.Time = 0
			wantCost := Cost{Instance: s.Target().Instance, Scrapes: 6, Requests: 6, Bytes: 24}
			if test.code != 200 {
				wantCost.Failed = 6
			}
			if diff := cmp.Diff(wantCost, cost); diff != "" {
				t.Errorf("cost (-want +got):\n%s", diff)
			}
		})
	}
}

// One target that hangs does not hold up another.
func TestPollerHangingTarget(t *testing.T) {
	hanging := newScraper(t, "a="+serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }), Options{Timeout: time.Minute})
	good := newScraper(t, "b="+serve(t, textAt("/actuator/prometheus", "a 1\n")), Options{})
	c := newClock()
	_, results, cancel := poll(t, c, PollOptions{Interval: time.Second}, hanging, good)
	<-c.waits
	<-c.waits
	c.advance(time.Second)
	for range 3 {
		if r := <-results; r.Target.Name != "b" || r.Err != nil {
			t.Errorf("got %s, %v", r.Target.Name, r.Err)
		}
		c.advance(time.Second)
	}
	cancel()
	for r := range results {
		if r.Target.Name == "a" {
			t.Errorf("a scrape that was called off was delivered: %v", r.Err)
		}
	}
}

// No more targets are asked at one time than allowed, and all in the end.
func TestPollerConcurrency(t *testing.T) {
	const targets, limit = 20, 3
	var mu sync.Mutex
	running, most := 0, 0
	enter := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		running += n
		most = max(most, running)
	}
	inside, leave := make(chan bool, targets), make(chan bool)
	target := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		enter(1)
		inside <- true
		<-leave
		enter(-1)
		io.WriteString(w, "a 1\n")
	})
	var scrapers []*Scraper
	for i := range targets {
		scrapers = append(scrapers, newScraper(t, fmt.Sprintf("t%d=%s/m", i, target), Options{Timeout: time.Minute}))
	}
	c := newClock()
	_, results, _ := poll(t, c, PollOptions{Interval: time.Second, Concurrency: limit}, scrapers...)
	for range targets {
		<-c.waits
	}
	c.advance(time.Second)
	for range limit {
		<-inside
	}
	for i := range targets {
		leave <- true
		if r := <-results; r.Err != nil {
			t.Error(r.Err)
		}
		if i < targets-limit {
			<-inside
		}
	}
	if most != limit {
		t.Errorf("%d requests at one time, want %d", most, limit)
	}
}

// Files are read once; the channel then closes.
func TestPollerFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.prom")
	if err := os.WriteFile(path, []byte("a 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := newClock()
	_, results, _ := poll(t, c, PollOptions{Interval: time.Second}, newScraper(t, path, Options{}))
	c.advance(<-c.waits)
	n := 0
	for r := range results {
		if r.Err != nil {
			t.Error(r.Err)
		}
		n++
	}
	if n != 1 {
		t.Errorf("%d results, want 1", n)
	}
}
