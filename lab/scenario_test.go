package lab

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// What scenarios promise, as figures: of their last minute, and at its end.
func TestScenarios(t *testing.T) {
	type figures struct {
		Steady
		Stats
		retried, offered int64
		saturated        int64
	}
	stuck := func(f figures) bool { return f.PerSecond < 0.2 && f.Steady.CPU < 0.02 && f.Steady.Busy > 15 }
	promises := map[string]func(figures) bool{
		"collapse":   func(f figures) bool { return stuck(f) && near(f.ExpiredPerHour, 2400, 0.05) && f.Steady.PoolSize == 16 },
		"old-server": stuck,
		"healthy": func(f figures) bool {
			return near(f.PerSecond, 25, 0.02) && f.Expired == 0 && f.Steady.CPU > 0.18 && f.Steady.CPU < 0.2
		},
		"metastable": func(f figures) bool { return stuck(f) && f.Writers == 16 && f.retried == f.offered && f.retried > 0 },
		"restart": func(f figures) bool {
			return near(f.PerSecond, 37.5, 0.02) && f.Uptime < 4*time.Minute && f.Expired > 0 && f.Expired <= 12
		},
		"saturated": func(f figures) bool {
			return f.PerSecond > 37 && f.PerSecond < 40 && f.Stats.Waiting >= 220 && f.Steady.Busy == 64 && f.saturated > 100 &&
				f.Expired == 0 && f.Latency < 10
		},
		"busy": func(f figures) bool {
			return near(f.PerSecond, 87.5, 0.02) && f.Steady.CPU > 0.6 && f.Steady.CPU < 0.7 && f.Steady.Busy/64 > 0.6 &&
				f.Steady.Busy/64 < 0.7 && f.Expired == 0
		},
		"retry-storm": func(f figures) bool {
			return f.PerSecond < 1 && f.retried*3 >= f.offered*2 && f.offered > 450 && f.AppliedLate > 50
		},
		"wedged": func(f figures) bool {
			return f.PerSecond == 0 && f.Expired == 0 && f.Stats.Busy == 64 && f.Stats.Stuck()
		},
		"fetch-semaphore": func(f figures) bool {
			return f.Stats.Busy == 64 && f.FetchWaiting > 45 && f.Correlations <= 8 && f.PerSecond < 2 && f.Expired == 0 &&
				f.Steady.CPU < 0.1
		},
	}
	for _, s := range eventoScenarios() {
		t.Run(s.Name, func(t *testing.T) {
			m := s.Roll(epoch)
			a := m.Stats()
			if !a.At.Equal(epoch) {
				t.Errorf("stands at %v, want %v", a.At, epoch)
			}
			m.RunTo(epoch.Add(time.Minute))
			b := m.Stats()
			f := figures{between(a, b), b, b.Retried - a.Retried, b.Offered - a.Offered, b.Saturated - a.Saturated}
			if !promises[s.Name](f) {
				t.Errorf("does not keep its promise: %+v", f)
			}
			if s.Title == "" || s.Story == "" || len(s.Promises) == 0 || s.Expect.Why == "" {
				t.Error("title, story, promises or reason missing")
			}
		})
	}
}

// Without retries the server of the metastable scenario recovers by itself.
func TestMetastableNeedsRetries(t *testing.T) {
	s := metastable()
	s.Config.Retries = 0
	m := s.Roll(epoch)
	a := m.Stats()
	m.RunTo(epoch.Add(time.Minute))
	if got := between(a, m.Stats()); !near(got.PerSecond, 18.6, 0.03) {
		t.Errorf("%.1f/s without retries, want 18.6", got.PerSecond)
	}
}

func TestRestartLosesTheServersState(t *testing.T) {
	m := New(startEight(), epoch)
	m.RunTo(epoch.Add(time.Minute))
	m.Restart(10 * time.Second)
	m.Restart(10 * time.Second)
	m.RunTo(epoch.Add(65 * time.Second))
	if _, up := m.Pages()[ServerTarget]; up || m.Stats().Up {
		t.Error("a server that is down has a page")
	}
	m.Set(func(c *Config) { c.Core = 20 })
	m.RunTo(epoch.Add(5 * time.Minute))
	st := m.Stats()
	if st.Uptime != 230*time.Second || st.Core != 20 || st.Expired > 8 {
		t.Errorf("up for %v with core %d, %d expired; want 3m50s, 20, at most 8", st.Uptime, st.Core, st.Expired)
	}
	if n := strings.Count(text(m.Logs(ServerTarget)), "executor_configured"); n != 2 {
		t.Errorf("%d start lines, want 2", n)
	}
}

func TestRefused(t *testing.T) {
	c := Evento()
	c.MaxInFlight = 5
	m := New(c, epoch)
	m.RunTo(epoch.Add(time.Minute))
	if st := m.Stats(); st.Refused == 0 || st.InFlight > 5 {
		t.Errorf("%d refused, %d in flight; want some and at most 5", st.Refused, st.InFlight)
	}
}

func TestFetchTooOld(t *testing.T) {
	s := fetchSemaphore()
	s.Steps = append(s.Steps, Step{21 * time.Minute, "more consumers", func(m *Model) {
		m.Set(func(c *Config) { c.Consumers, c.Core, c.Max = 300, 400, 400 })
	}})
	log := text(s.Roll(epoch).Logs(ServerTarget))
	if !strings.Contains(log, "payloadType=EventFetchRequest") || !strings.Contains(log, "IllegalStateException: EventFetchRequest expired: age=") {
		t.Error("no fetch was thrown away for its age")
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	run := func(seed uint64, step time.Duration) string {
		c := Evento()
		c.Seed = seed
		m := New(c, epoch)
		for at := step; at <= 4*time.Minute; at += step {
			m.RunTo(epoch.Add(at))
		}
		pages := m.Pages()
		return string(pages[ServerTarget]) + string(pages[BundleTarget]) + text(m.Logs(ServerTarget)) + text(m.Logs(BundleTarget))
	}
	whole := run(7, 4*time.Minute)
	if whole != run(7, 4*time.Minute) || whole != run(7, 300*time.Millisecond) {
		t.Error("the same seed gives different bytes")
	}
	if whole == run(8, 4*time.Minute) {
		t.Error("another seed gives the same bytes")
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"colapse", `no scenario "colapse"; did you mean collapse?`},
		{"storm", `no scenario "storm"; did you mean retry-storm?`},
		{"osb-roundin", `no scenario "osb-roundin"; did you mean osb-rounding?`},
		{"", `no scenario ""; there are ` + strings.Join(sortedNames(), ", ")},
	} {
		if _, err := Find(c.name); err == nil || err.Error() != c.want {
			t.Errorf("Find(%q): %v, want %s", c.name, err, c.want)
		}
	}
	for _, s := range Scenarios() {
		if got, err := Find(s.Name); err != nil || got.Name != s.Name {
			t.Errorf("Find(%q) = %q, %v", s.Name, got.Name, err)
		}
	}
}

func sortedNames() []string {
	var names []string
	for _, s := range Scenarios() {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	return names
}

// files reads a folder: path to content.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = string(body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestWriteCase(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	for _, dir := range []string{first, second} {
		if err := WriteCase(dir, restart(), epoch, 15*time.Second, 5*time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	got := files(t, first)
	if diff := cmp.Diff(got, files(t, second)); diff != "" {
		t.Errorf("two writings differ:\n%s", diff)
	}
	for _, name := range []string{"scrapes/evento-server/0000s.prom", "scrapes/evento-server/0300s.prom",
		"scrapes/catalog-bundle/0135s.prom", "logs/evento-server.log", "logs/catalog-bundle.log", "case.yaml"} {
		if got[name] == "" {
			t.Errorf("no %s", name)
		}
	}
	// The restart is at 20 min of 23 min, 120 s after the first scrape; 10 s later
	// the server is there again.
	if got["scrapes/evento-server/0120s.prom"] == "" || got["scrapes/evento-server/0135s.prom"] == "" {
		t.Error("no page just before or after the restart")
	}
	if !strings.Contains(got["logs/evento-server.log"], "20260702080200000 INFO  1 --- [SpringApplicationShutdownHook") {
		t.Error("the stop of the server is not in the log at its time")
	}
	var answer map[string]any
	if err := yaml.Unmarshal([]byte(got["case.yaml"]), &answer); err != nil {
		t.Fatal(err)
	}
	if answer["start"] != epoch || answer["title"] != restart().Title {
		t.Errorf("case.yaml: %v", answer)
	}
}

func TestWriteCaseOfAServerThatIsAway(t *testing.T) {
	dir := t.TempDir()
	if err := WriteCase(dir, restart(), epoch, 5*time.Second, 5*time.Minute); err != nil {
		t.Fatal(err)
	}
	got := files(t, dir)
	if _, ok := got["scrapes/evento-server/0125s.prom"]; ok || got["scrapes/evento-server/0125s.meta"] != "error: connection refused\n" {
		t.Error("a scrape of a server that is down has a page or no note")
	}
}

func TestWriteCaseRefuses(t *testing.T) {
	for _, c := range []struct{ every, length time.Duration }{
		{500 * time.Millisecond, time.Minute},
		{15 * time.Second, 50 * time.Second},
		{time.Second, 24 * time.Hour},
		{0, time.Minute},
	} {
		if err := WriteCase(t.TempDir(), healthy(), epoch, c.every, c.length); err == nil {
			t.Errorf("every %v for %v: no error", c.every, c.length)
		}
	}
}

func TestCaseLogIsAboutItsTime(t *testing.T) {
	dir := t.TempDir()
	if err := WriteCase(dir, healthy(), epoch, 15*time.Second, 2*time.Minute); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(filepath.Join(dir, "logs", "catalog-bundle.log"))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(log, []byte("\n")); n < 6 || n > 12 {
		t.Errorf("%d lines, want the progress of the first minute and of the two scraped", n)
	}
}
