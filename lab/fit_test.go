package lab

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

// sourceIncident is the published incident: 20 writers made 16 writes a second,
// then 0.07, each expired write followed by a pause of 90 s.
func sourceIncident() Incident {
	server := Evento()
	server.PauseAfterExpiry = 90 * time.Second
	now := SightingOf(20, 0.07)
	now.ExpiredPerHour = 600
	return Incident{
		Server: server,
		Before: SightingOf(20, 16),
		Now:    now,
	}
}

// Fewer clients, more throughput: the published 25 writes a second with 8
// clients lie in the range, and most is made with 10 to 14.
func TestFitShowsTheInversion(t *testing.T) {
	f, err := FitEvento(sourceIncident())
	if err != nil {
		t.Fatal(err)
	}
	rate := func(clients int) Span {
		return f.Predict(1, func(c *Config) { c.Writers = clients }).PerSecond
	}
	few, knee, many := rate(8), rate(12), rate(20)
	if few.Least > 25 || few.Most < 25 {
		t.Errorf("8 clients make %v writes a second, want 25 among them", few)
	}
	if many.Most > 1 || few.Least < 20 || knee.Least <= few.Least {
		t.Errorf("8 clients %v, 12 %v, 20 %v: want an inversion with a knee", few, knee, many)
	}
}

// The time of a write that waits for nothing narrows it down.
func TestFitWithServiceTime(t *testing.T) {
	in := sourceIncident()
	in.Service = 300 * time.Millisecond
	f, err := FitEvento(in)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Models) != 1 || f.Models[0].NestedShare != 0.3 {
		t.Errorf("%d models, want the one with a nested share of 0.3", len(f.Models))
	}
	p := f.Predict(3, func(c *Config) { c.Writers = 8 })
	if p.Runs != 3 || !near(p.PerSecond.Least, 25, 0.01) || !near(p.PerSecond.Most, 25, 0.01) || p.ExpiredPerHour.Most != 0 || p.Stuck != 0 {
		t.Errorf("8 clients: %+v, want 25.0 writes a second and nothing expired", p)
	}
}

// What helps and what does not, from the present state.
func TestPredict(t *testing.T) {
	in := sourceIncident()
	in.Service = 300 * time.Millisecond
	f, err := FitEvento(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(*Config)
		works  bool
	}{
		{"nothing", nil, false},
		{"a larger queue", func(c *Config) { c.Queue = 4096 }, false},
		{"a larger max", func(c *Config) { c.Max = 128 }, false},
		{"growing first", func(c *Config) { c.GrowFirst = true }, true},
		{"at most 8 in flight", func(c *Config) { c.MaxInFlight = 8 }, true},
	} {
		if p := f.Predict(1, c.change); p.PerSecond.Least > 20 != c.works {
			t.Errorf("%s: %+v, works %v", c.name, p.PerSecond, c.works)
		}
	}
}

func TestFitOfAHealthyServer(t *testing.T) {
	f, err := FitEvento(Incident{
		Server: Evento(), Before: SightingOf(8, 25), Now: SightingOf(8, 25),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range f.Models {
		if !near(m.Service.Seconds(), 0.3, 0.01) {
			t.Errorf("a write takes %v under a share of %.2f, want 300 ms", m.Service, m.NestedShare)
		}
	}
	if shown := f.Now(); !near(shown.PerSecond.Least, 25, 0.01) || f.Before().Runs != len(f.Models) {
		t.Errorf("the models show %+v", shown)
	}
}

// A window that the model cannot show is refused with its numbers.
func TestMisfit(t *testing.T) {
	for _, c := range []struct {
		change func(*Incident)
		want   string
	}{
		{func(in *Incident) { in.Now.PerSecond = 15 }, "writes a second now: 15 observed"},
		{func(in *Incident) { in.Now.ExpiredPerHour = 9000 }, "writes expired an hour now: 9e+03 observed"},
		{func(in *Incident) { in.Service = 2 * time.Second }, "writes a second before: 16 observed"},
	} {
		in := sourceIncident()
		c.change(&in)
		_, err := FitEvento(in)
		var misfit *MisfitError
		if !errors.As(err, &misfit) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestSpan(t *testing.T) {
	var p Prediction
	for _, v := range []float64{math.NaN(), 3, 1, math.NaN(), 2} {
		p.add(Steady{Latency: v})
	}
	if p.Latency != (Span{1, 3}) || p.Runs != 5 {
		t.Errorf("%+v of %d, want 1 to 3 of 5", p.Latency, p.Runs)
	}
}

// Threads that wait for a handler for longer than its callers keep all of them
// busy, however long the callers pause; fewer clients alone do not bring that
// back, a restart does.
func TestFitOfLongWaits(t *testing.T) {
	in := sourceIncident()
	in.Service, in.Lasted = 300*time.Millisecond, 630*time.Second
	in.Server.HandlerWait = 230 * time.Second
	in.Now.Busy, in.Now.Waiting, in.Now.TimedOutPerHour = 16, 63.8, 250
	f, err := FitEvento(in)
	if err != nil {
		t.Fatal(err)
	}
	eight := func(c *Config) { c.Writers = 8 }
	if p, r := f.Predict(1, eight), f.Afresh(1, eight); p.PerSecond.Most > 1 || !near(r.PerSecond.Least, 25, 0.02) {
		t.Errorf("8 clients: %+v from the present state, %+v after a restart", p.PerSecond, r.PerSecond)
	}
	in.Server.HandlerWait = 0
	var misfit *MisfitError
	if _, err := FitEvento(in); !errors.As(err, &misfit) || !strings.Contains(err.Error(), BusyNow+": 16 observed") {
		t.Errorf("got %v, want a miss of the threads busy", err)
	}
}
