package lab

import (
	"net/http/httptest"
	"testing"
	"time"
)

// What holds for the models of all systems: the same configuration gives the
// same bytes in whatever steps, what counts only grows, and the handler serves
// each target at its usual path.
func TestSystems(t *testing.T) {
	for _, s := range Scenarios() {
		if s.Other == nil {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			if s.Title == "" || s.Story == "" || len(s.Promises) == 0 || s.Expect.Why == "" || s.Length <= s.Span {
				t.Error("title, story, promises, reason or length missing")
			}
			whole, steps := s.begin(epoch), s.begin(epoch)
			whole.RunTo(epoch.Add(40 * time.Second))
			for at := time.Duration(0); at <= 40*time.Second; at += 300 * time.Millisecond {
				steps.RunTo(epoch.Add(at))
			}
			steps.RunTo(epoch.Add(40 * time.Second))
			if everything(whole) != everything(steps) {
				t.Error("the bytes depend on the steps")
			}
			checkServed(t, s.Play(epoch))
		})
	}
}

// everything is all pages and logs of a system.
func everything(m System) string {
	all := ""
	for _, target := range m.Targets() {
		all += string(m.Pages()[target.Name])
	}
	for _, name := range m.LogNames() {
		all += text(m.Logs(name))
	}
	return all
}

func checkServed(t *testing.T, m System) {
	t.Helper()
	handler := Handler(m, func() time.Time { return m.Now() })
	for _, target := range m.Targets() {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", "/"+target.Name+target.Path, nil))
		if w.Code != 200 || len(parsed(t, w.Body.Bytes())) < 5 {
			t.Errorf("%s: %d, %d bytes", target.Name, w.Code, w.Body.Len())
		}
	}
	if lines := m.Logs("nothing"); lines != nil {
		t.Errorf("a log that is not there has %d lines", len(lines))
	}
}

// Counters of the pages never fall.
func TestSystemsCountUp(t *testing.T) {
	for _, s := range []Scenario{osbRounding(), pulsarBurst()} {
		m := s.begin(epoch)
		last := map[string]float64{}
		for at := time.Second; at <= 5*time.Minute; at += 7 * time.Second {
			for _, target := range m.Targets() {
				for name, v := range counts(parsed(t, m.scrape(target.Name, epoch.Add(at)))) {
					if key := target.Name + " " + name; v < last[key] {
						t.Fatalf("%s: %s fell from %v to %v", s.Name, key, last[key], v)
					} else {
						last[key] = v
					}
				}
			}
		}
	}
}

// A case of a system without pages has its logs and its answer.
func TestWriteCaseOfLogs(t *testing.T) {
	dir := t.TempDir()
	if err := WriteCase(dir, coordinatorLimited(), epoch, 15*time.Second, 15*time.Second); err != nil {
		t.Fatal(err)
	}
	got := files(t, dir)
	if len(got) != 3 || got["logs/coordinator.log"] == "" || got["logs/bench.log"] == "" || got["case.yaml"] == "" {
		t.Errorf("files %v", keysOf(got))
	}
}

func keysOf(files map[string]string) []string {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	return names
}
