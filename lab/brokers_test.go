package lab

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// The rule of the remainder: 150 + 1,000 − 750 is 400, and five times 400 is
// 2,000, without one throttle event.
func TestRemainder(t *testing.T) {
	c := OrderBrokers()
	c.Steady, c.Burst, c.BurstEvery = 150, 250, 10*time.Second
	m := NewBrokers(c, epoch)
	m.RunTo(epoch.Add(9500 * time.Millisecond))
	if s := m.Stats(); !slices.Equal(s.Thresholds, []int64{400, 400, 400, 400, 400}) || s.Peak != 750 {
		t.Errorf("thresholds %v at a use of %d; want 400 at 750", s.Thresholds, s.Peak)
	}
	m.RunTo(epoch.Add(15 * time.Second))
	if s := m.Stats(); s.Peak != 2000 || s.Throttled != 0 || s.Waiting != 0 {
		t.Errorf("%+v; want 2000 in one window, nothing throttled", s)
	}
}

// An unused cluster lets five times its limit through, a used one just that.
func TestRemainderAtTheEnds(t *testing.T) {
	c := OrderBrokers()
	c.Steady, c.Burst, c.BurstEvery = 0, 2000, 5*time.Second
	m := NewBrokers(c, epoch)
	m.RunTo(epoch.Add(7 * time.Second))
	if s := m.Stats(); s.Peak != 5000 || s.Throttled == 0 {
		t.Errorf("%+v; want 5 × 1000 in one window, and the rest throttled", s)
	}
	c = OrderBrokers()
	c.Steady = 200
	m = NewBrokers(c, epoch)
	m.RunTo(epoch.Add(5500 * time.Millisecond))
	if s := m.Stats(); !slices.Equal(s.Thresholds, []int64{200, 200, 200, 200, 200}) {
		t.Errorf("thresholds %v of a cluster at its limit, want 200", s.Thresholds)
	}
}

// 100 messages by 400 ms use up a limit of 100: the next waits for the window.
func TestWindowThatIsUsedUp(t *testing.T) {
	c := BrokersConfig{Brokers: 1, Limit: 100, Producers: 1, Topic: "persistent://acme/stock/moves", Burst: 101, BurstEvery: 10400 * time.Millisecond}
	m := NewBrokers(c, epoch)
	m.RunTo(epoch.Add(10900 * time.Millisecond))
	if s := m.Stats(); s.Taken != 100 || s.Waiting != 1 || s.Throttled != 1 {
		t.Errorf("%+v; want 100 taken, one waiting", s)
	}
	m.RunTo(epoch.Add(11 * time.Second))
	if s := m.Stats(); s.Taken != 101 {
		t.Errorf("%+v; want the last one taken with the next window", s)
	}
	if log := text(m.Logs(ProducerLog)); !strings.Contains(log, "101 messages acknowledged in 602 ms") {
		t.Errorf("the wait of 600 ms is not told: %s", log)
	}
}

// 3,000 messages at once are three windows at the limit and an average of 200.
func TestHiddenBurst(t *testing.T) {
	m := pulsarBurst().Play(epoch).(*Brokers)
	before := m.Stats()
	m.RunTo(epoch.Add(time.Minute))
	after := m.Stats()
	if taken := after.Taken - before.Taken; taken != 12000 || after.Throttled-before.Throttled != 16 || after.Peak != 1000 {
		t.Errorf("%d messages a minute, %d events, peak %d; want 12000, 16, 1000",
			taken, after.Throttled-before.Throttled, after.Peak)
	}
}

// Pulsar writes TYPE lines and no HELP, counters under the name of their family
// without _total or with it, and sentinels below zero.
func TestBrokerPage(t *testing.T) {
	m := pulsarOvershoot().Play(epoch)
	pages := m.Pages()
	if len(pages) != 5 {
		t.Fatalf("%d pages, want 5", len(pages))
	}
	page := string(pages["broker-3"])
	for _, want := range []string{
		"# TYPE process_cpu_seconds counter\nprocess_cpu_seconds_total{",
		`pulsar_storage_backlog_quota_limit_time{cluster="pro-1",namespace="acme/stock",topic="persistent://acme/stock/moves-partition-3"} -1.0`,
		"# TYPE pulsar_publish_rate_limit_times gauge\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("page lacks %s", want)
		}
	}
	if strings.Contains(page, "# HELP") {
		t.Error("page has HELP lines")
	}
}
