package rules

import (
	"strings"
	"testing"

	"github.com/capdoctor/capdoctor/series"
)

// The meters of an Evento server mislead in known ways; each has a test against
// the built-in catalogue.

// bus is the page of an Evento server's pool.
func bus(size, most, active, queue, saturated string) string {
	return "evento_server_connections 3x9\nevento_server_bus_executor_pool_size " + size + "\nevento_server_bus_executor_max " + most +
		"\nevento_server_bus_executor_active " + active + "\nevento_server_bus_executor_queue_depth " + queue + "\nevento_server_bus_executor_saturated_total " + saturated
}

// value is the one answer to an expression, or "none".
func (s *scenario) value(expr string) string {
	s.Helper()
	found, err := s.store.Instant(s.Context(), series.View{}, expr, s.judge.at())
	if err != nil || len(found) > 1 {
		s.Fatal(expr, found, err)
	}
	if len(found) == 0 {
		return "none"
	}
	return Number(found[0].Value)
}

// active counts queued tasks too, and for ever each one that a caller ran itself.
func TestTrapActiveCountsQueuedAndLeaks(t *testing.T) {
	tests := []struct {
		name, page, want string
	}{
		{"queued tasks are not running", bus("64x9", "64x9", "300x9", "256x9", "0x9"), "44"},
		{"idle after five caller-runs", bus("4x9", "4x9", "5x9", "0x9", "5x9"), "0"},
		{"the leak grows with each saturation", bus("64x9", "64x9", "732x9", "256x9", "412x9"), "64"},
		{"never more than the threads there are", bus("16x9", "64x9", "500x9", "100x9", "0x9"), "16"},
		{"a version without the leak", bus("64x9", "64x9", "20x9", "10x9", "412x9"), "10"},
	}
	for _, tt := range tests {
		s := newScenario(t, builtIn(t), feed{lines: tt.page}).run()
		if got := s.value(`cap:pool_busy{system="evento"}`); got != tt.want {
			t.Errorf("%s: %s threads busy, want %s", tt.name, got, tt.want)
		}
	}
}

// evento_server_bus_executor_max is the size of a pool; the _max of a timer is a
// time and the size of nothing.
func TestTrapMaxOfATimer(t *testing.T) {
	s := newScenario(t, builtIn(t), feed{lines: bus("16x9", "64x9", "16x9", "0x9", "0x9") +
		"\nhikaricp_connections{pool=\"h\"} 10x9\nhikaricp_connections_max{pool=\"h\"} 10x9\nhikaricp_connections_active{pool=\"h\"} 3x9" +
		"\nhikaricp_connections_usage_seconds_max{pool=\"h\"} 0.2x9\nhikaricp_connections_acquire_seconds_max{pool=\"h\"} 7x9"}).run()
	for expr, want := range map[string]string{
		`cap:pool_max{system="evento"}`:   "64",
		`cap:pool_max{system="hikaricp"}`: "10",
		`count(cap:pool_max)`:             "2",
	} {
		if got := s.value(expr); got != want {
			t.Errorf("%s is %s, want %s", expr, got, want)
		}
	}
}

// The bus counts no completions: uses of the database stand in, or --goodput.
func TestTrapNoCompletionCounter(t *testing.T) {
	page := bus("16x9", "64x9", "16x9", "5x9", "0x9")
	if got := newScenario(t, builtIn(t), feed{lines: page}).run().value(`cap:completed_rate{system="evento"}`); got != "none" {
		t.Errorf("%s completions without any counter", got)
	}
	used := page + "\nhikaricp_connections_usage_seconds_count{pool=\"a\"} 1000+50x9\nhikaricp_connections_usage_seconds_count{pool=\"b\"} 1000+10x9\nwrites_done_total 500+20x9"
	s := newScenario(t, builtIn(t), feed{lines: used})
	if err := s.judge.AddGoodput(Goodput{Selector: "writes_done_total"}); err != nil {
		t.Fatal(err)
	}
	s.run()
	if got := s.value(`cap:completed_rate{system="evento"}`); got != "6" {
		t.Errorf("%s uses of the database per second, want 6", got)
	}
	if got := s.value("cap:goodput_rate"); got != "2" {
		t.Errorf("goodput is %s, want 2", got)
	}
}

// No meter shows the places of the queue: only a fact or the start-up line does.
func TestTrapQueueCapacity(t *testing.T) {
	capacity := func(page string, facts ...Fact) string {
		s := newScenario(t, builtIn(t), feed{lines: page})
		for _, f := range facts {
			s.judge.AddFact(f)
		}
		return s.run().value(`cap:queue_capacity{system="evento"}`)
	}
	page := bus("64x9", "64x9", "64x9", "30x9", "0x9") + "\nexecutor_queued_tasks{name=\"taskScheduler\"} 4x9\nexecutor_queue_remaining_tasks{name=\"taskScheduler\"} 2147483643x9"
	log := Fact{Name: "queue_capacity", Value: 1024, Origin: "server.log:1", Rank: FromLog}
	flag := Fact{Name: "queue_capacity", Value: 512, Origin: "--fact", Rank: FromFlag}
	if got := capacity(page); got != "256" {
		t.Errorf("the default is %s, want 256", got)
	}
	if got := capacity(page, log); got != "1024" {
		t.Errorf("with the start-up line it is %s, want 1024", got)
	}
	if got := capacity(page, log, flag); got != "512" {
		t.Errorf("with a flag it is %s, want 512", got)
	}
}

// Spring's taskScheduler is another pool; its queued tasks are timers.
func TestTrapTaskScheduler(t *testing.T) {
	s := newScenario(t, builtIn(t), feed{lines: bus("16x9", "64x9", "8x9", "0x9", "0x9") + strings.ReplaceAll(`
executor_pool_size_threads{N} 1x9
executor_pool_core_threads{N} 1x9
executor_pool_max_threads{N} 2147483647x9
executor_active_threads{N} 1x9
executor_queued_tasks{N} 40x9
executor_queue_remaining_tasks{N} 2147483647x9`, "{N}", `{name="taskScheduler"}`)}).run()
	for expr, want := range map[string]string{
		`cap:pool_size{resource="bus"}`:         "16",
		`cap:pool_core{resource="bus"}`:         "none",
		`cap:waiting{resource="taskScheduler"}`: "0",
		`count(cap:pool_size{resource="bus"})`:  "1",
	} {
		if got := s.value(expr); got != want {
			t.Errorf("%s is %s, want %s", expr, got, want)
		}
	}
	for _, id := range []string{"pool-never-grows", "pool-exhausted", "serial-bottleneck", "dead-work-queue"} {
		if f := s.finding(id); f != nil {
			t.Errorf("%s on %s", id, f.Subject)
		}
	}
}

// Locks keep up to five connections for life: five in use and nobody waiting is
// an idle database.
func TestTrapPinnedConnections(t *testing.T) {
	lines := bus("16x9", "64x9", "0x9", "0x9", "0x9") + `
hikaricp_connections{pool="h"} 10x9
hikaricp_connections_max{pool="h"} 10x9
hikaricp_connections_active{pool="h"} 5x9
hikaricp_connections_idle{pool="h"} 5x9
hikaricp_connections_pending{pool="h"} 0x9
hikaricp_connections_timeout_total{pool="h"} 0x9
hikaricp_connections_usage_seconds_count{pool="h"} 900x9
hikaricp_connections_usage_seconds_sum{pool="h"} 90x9`
	s := newScenario(t, builtIn(t), feed{lines: lines}).run()
	for _, f := range s.report().Findings {
		if f.Severity != Info {
			t.Errorf("%s: %s", f.ID, f.Summary)
		}
	}
}

// A server before 2.4.0 has no meters of its pool: that is unknown, with the
// advice to update, and not clear.
func TestTrapOldServer(t *testing.T) {
	s := newScenario(t, builtIn(t), feed{lines: "evento_server_connections 3x9\nevento_server_correlations_pending 40x9\nprocess_cpu_usage 0.04x9\nprocess_uptime_seconds 5000+10x9"}).run()
	told := false
	for _, n := range s.report().NotJudged {
		for _, m := range n.Missing {
			told = told || strings.Contains(m.Enable, "2.4.0")
		}
	}
	if !told {
		t.Errorf("nothing says to update: %+v", s.report().NotJudged)
	}
	for _, id := range []string{"pool-never-grows", "pool-exhausted", "congestion-collapse"} {
		if got := s.verdict(id); got == "clear" {
			t.Errorf("%s is %s", id, got)
		}
	}
}

// Consumer meters are snapshots of 30 s: a value that stands still between two
// of them is no standstill, and one of a bundle that left is no value at all.
func TestTrapStaleConsumers(t *testing.T) {
	const labels = `{bundle="b",executor="read",instance="i"}`
	page := func(completed, inFlight string) string {
		lines := bus("16x40", "64x40", "0x40", "0x40", "0x40") + "\n" + strings.NewReplacer("{L}", labels).Replace(
			"evento_consumer_executor_capacity{L} 32x39\nevento_consumer_executor_in_flight{L} "+inFlight+"\nevento_consumer_executor_completed_total{L} "+completed)
		return strings.ReplaceAll(lines, `,instance="i"`, `,exported_instance="i"`)
	}
	var steps []string
	for n := range 40 {
		steps = append(steps, Number(float64(1000+60*(n/3))))
	}
	s := newScenario(t, builtIn(t), feed{lines: page(strings.Join(steps, " "), "2x39")}).run()
	if got := s.value(`cap:completed_rate{system="evento-consumer"} > bool 1.5`); got != "1" {
		t.Errorf("the rate is %s", s.value(`cap:completed_rate{system="evento-consumer"}`))
	}
	if f := s.finding("consumer-stalled"); f != nil {
		t.Errorf("stalled between two snapshots: %s", f.Summary)
	}
	gone := newScenario(t, builtIn(t), feed{lines: page(strings.Join(steps[:20], " ")+" _x19", "2x19 _x19"), rounds: strings.Repeat(".", 40)}).run()
	if got := gone.value(`cap:pool_busy{system="evento-consumer"}`); got != "none" {
		t.Errorf("%s in flight in a bundle that left", got)
	}
}
