package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// poolPage is a page of a pool of ten connections.
func poolPage(active, waiting int64) string {
	return fmt.Sprintf(`# TYPE hikaricp_connections_active gauge
hikaricp_connections_active{pool="p"} %d
hikaricp_connections_idle{pool="p"} %d
hikaricp_connections_pending{pool="p"} %d
hikaricp_connections{pool="p"} 10
hikaricp_connections_max{pool="p"} 10
`, active, 10-active, waiting)
}

// TestUntilRecovered watches a server whose pool is full and then is not: the
// command ends by itself, with 0.
func TestUntilRecovered(t *testing.T) {
	const ill = 12 // scrapes
	var served atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if served.Add(1) <= ill {
			fmt.Fprint(w, poolPage(10, 5))
			return
		}
		fmt.Fprint(w, poolPage(2, 0))
	}))
	defer server.Close()
	var out bytes.Buffer
	args := []string{"watch", "app=" + server.URL + "/metrics", "--plain", "--interval", "100ms", "--until-recovered=1s"}
	code := run(context.Background(), args, streams{nil, &out, &bytes.Buffer{}})
	if code != 0 {
		t.Errorf("exit %d, want 0", code)
	}
	for _, text := range []string{"WARNING  ", "DO FIRST  ", "ENDED  ", "CLEAR  ", "RECOVERED  nothing at or above warning has fired for 1"} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("it does not say %q:\n%s", text, &out)
		}
	}
}
