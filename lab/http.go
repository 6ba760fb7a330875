package lab

import (
	"net/http"
	"time"
)

const contentType = "text/plain;version=0.0.4;charset=utf-8"

// Handler serves the model's pages at the virtual time that now gives, which
// moves the model on:
//
//	/evento-server/actuator/prometheus, also as /actuator/prometheus
//	/catalog-bundle/actuator/prometheus
//
// While the server is down a request for its page is cut off without an
// answer, as by a port that nobody listens on.
func Handler(m *Model, now func() time.Time) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /actuator/prometheus", servePage(m, ServerTarget, now))
	for _, target := range []string{ServerTarget, BundleTarget} {
		mux.HandleFunc("GET /"+target+"/actuator/prometheus", servePage(m, target, now))
	}
	return mux
}

func servePage(m *Model, target string, now func() time.Time) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		body := m.scrape(target, now())
		if body == nil {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(body) // an error here is the client's: it has gone
	}
}

// scrape runs to t and reads one page; nil when the target is down.
func (m *Model) scrape(target string, t time.Time) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.agenda.runTo(t.Sub(m.start))
	body := m.pages()[target]
	if target == ServerTarget {
		m.scraped()
	}
	return body
}
