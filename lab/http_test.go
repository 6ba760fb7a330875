package lab

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

func TestHandler(t *testing.T) {
	m := New(startEight(), epoch)
	var mu sync.Mutex
	now := epoch
	server := httptest.NewServer(Handler(m, func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(10 * time.Second)
		return now
	}))
	defer server.Close()
	get := func(path string) string {
		response, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != 200 {
			t.Fatalf("%s: %s, %v", path, response.Status, err)
		}
		if got := response.Header.Get("Content-Type"); got != contentType {
			t.Errorf("%s: content type %q", path, got)
		}
		return string(body)
	}
	for i, path := range []string{"/actuator/prometheus", "/evento-server/actuator/prometheus", "/catalog-bundle/actuator/prometheus"} {
		families := parsed(t, []byte(get(path)))
		if got := families["process_uptime_seconds"].Metric[0].GetGauge().GetValue(); got != float64(10*(i+1)) {
			t.Errorf("%s: up for %v s, want %d", path, got, 10*(i+1))
		}
	}
	requests := parsed(t, []byte(get("/actuator/prometheus")))["http_server_requests_seconds"]
	if got := requests.GetMetric()[0].GetSummary().GetSampleCount(); got != 2 {
		t.Errorf("the page counts %d scrapes before its own, want 2", got)
	}
	response, err := http.Get(server.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusNotFound {
		t.Errorf("/metrics: %s, want 404", response.Status)
	}
}

func TestHandlerCutsOffWhileDown(t *testing.T) {
	m := New(startEight(), epoch)
	m.Restart(time.Minute)
	server := httptest.NewServer(Handler(m, func() time.Time { return epoch.Add(time.Second) }))
	defer server.Close()
	if response, err := http.Get(server.URL + "/actuator/prometheus"); err == nil {
		response.Body.Close()
		t.Errorf("%s from a server that is down", response.Status)
	}
	response, err := http.Get(server.URL + "/catalog-bundle/actuator/prometheus")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
}

// Pages, knobs and logs are used by several goroutines at once.
func TestHandlerConcurrently(t *testing.T) {
	m := New(startEight(), epoch)
	var mu sync.Mutex
	now := epoch
	handler := Handler(m, func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(100 * time.Millisecond)
		return now
	})
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for range 50 {
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, httptest.NewRequest("GET", "/actuator/prometheus", nil))
				m.Set(func(c *Config) { c.Writers = 8 + i })
				m.Logs(BundleTarget)
				m.Expired()
				m.Config()
			}
		})
	}
	all.Wait()
	if st := m.Stats(); st.Completed == 0 || !m.Now().Equal(epoch.Add(20*time.Second)) {
		t.Errorf("%d writes by %v", st.Completed, m.Now())
	}
}
