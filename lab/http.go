package lab

import (
	"net/http"
	"time"
)

const contentType = "text/plain;version=0.0.4;charset=utf-8"

// Handler serves the model's pages at the virtual time that now gives, which
// moves the model on: each at /NAME and the usual path of its target, such as
// /evento-server/actuator/prometheus. The first target is also served at its
// path alone.
//
// While a target is down a request for its page is cut off without an answer,
// as by a port that nobody listens on.
func Handler(m System, now func() time.Time) http.Handler {
	mux := http.NewServeMux()
	for i, target := range m.Targets() {
		page := servePage(m, target.Name, now)
		mux.HandleFunc("GET /"+target.Name+target.Path, page)
		if i == 0 {
			mux.HandleFunc("GET "+target.Path, page)
		}
	}
	return mux
}

func servePage(m System, target string, now func() time.Time) http.HandlerFunc {
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
