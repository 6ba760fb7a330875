package lab

import (
	"strings"
	"testing"
	"time"
)

// A value of 20 over 2, 4 and 8 servers: 20, 20 and 24 calls at once.
func TestThrottleIsDividedAndRoundedUp(t *testing.T) {
	for _, c := range []struct{ servers, throttle, share, most int }{
		{2, 20, 10, 20}, {4, 20, 5, 20}, {8, 20, 3, 24}, {6, 20, 4, 24}, {7, 20, 3, 21}, {8, 16, 2, 16}, {8, 3, 1, 8},
	} {
		config := LegacyDomain()
		config.Servers, config.Throttle, config.Callers = c.servers, c.throttle, 12
		d := NewDomain(config, epoch)
		d.RunTo(epoch.Add(time.Minute))
		if s := d.Stats(); s.Share != c.share || s.Most != c.most {
			t.Errorf("%d over %d: share %d, %d calls at once; want %d, %d", c.throttle, c.servers, s.Share, s.Most, c.share, c.most)
		}
	}
}

// The backend bears 20 calls at once: 50 a second. With 24 it makes 21.
func TestBackendAboveItsLimit(t *testing.T) {
	rate := func(servers int) float64 {
		c := LegacyDomain()
		c.Servers = servers
		d := NewDomain(c, epoch)
		d.RunTo(epoch.Add(time.Minute))
		before := d.Stats().Done
		d.RunTo(epoch.Add(3 * time.Minute))
		return float64(d.Stats().Done-before) / 120
	}
	if within, above := rate(4), rate(8); !near(within, 50, 0.03) || !near(above, 21, 0.03) {
		t.Errorf("%.1f/s with 20 calls at once, %.1f/s with 24; want 50 and 21", within, above)
	}
}

// A batch of 10 over a share of 5 and no queue: exactly 5 branches fail; with 5
// places in the queue none does.
func TestBatchExceedsShare(t *testing.T) {
	for _, c := range []struct {
		servers, queue int
		failed         string
	}{{4, 0, "ok=10 failed=0"}, {8, 0, "ok=5 failed=5"}, {8, 5, "ok=10 failed=0"}, {8, 3, "ok=8 failed=2"}} {
		config := LegacyDomain()
		config.Servers, config.Throttle, config.Queue, config.Callers, config.Bears = c.servers, 40, c.queue, 0, 80
		config.Batch, config.BatchEvery = 10, 5*time.Second
		d := NewDomain(config, epoch)
		d.RunTo(epoch.Add(12 * time.Second))
		log := text(d.Logs(BusTarget))
		if n := strings.Count(log, c.failed); n != 2 {
			t.Errorf("%d servers, queue %d: %d batches with %s, want 2:\n%s", c.servers, c.queue, n, c.failed, log)
		}
	}
}

func TestMessageExpiresInThrottlingQueue(t *testing.T) {
	c := LegacyDomain()
	c.Servers, c.Throttle, c.Callers, c.Queue, c.Expiration = 1, 1, 0, 10, time.Second
	c.Batch, c.BatchEvery, c.CallTime = 4, time.Minute, 600*time.Millisecond
	d := NewDomain(c, epoch)
	d.RunTo(epoch.Add(65 * time.Second))
	// One at once; the second begins after 0.6 s; the others would begin after 1.2 s and more.
	if s := d.Stats(); s.Done != 2 || s.Refused != 2 || s.InUse != 0 {
		t.Errorf("%+v; want 2 done, 2 expired", s)
	}
}

// The exporter of WebLogic writes no HELP and no TYPE lines.
func TestBusPage(t *testing.T) {
	d := osbRounding().Play(epoch)
	bus, back := d.Pages()[BusTarget], d.Pages()[BackendTarget]
	if strings.Contains(string(bus), "#") {
		t.Error("the page of the exporter has comments")
	}
	families := parsed(t, bus)
	for _, name := range []string{"wls_threadpool_execute_thread_total_count", "wls_threadpool_completed_request_count", "wls_jvm_process_cpu_load"} {
		if families[name] == nil {
			t.Errorf("no %s", name)
		}
	}
	if busy := parsed(t, back)["tomcat_threadpool_currentthreadsbusy"].Metric[0].GetUntyped().GetValue(); busy < 22 || busy > 24 {
		t.Errorf("%v calls at the backend, want up to 24", busy)
	}
}
