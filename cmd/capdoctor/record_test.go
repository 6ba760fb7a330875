package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestRecordEndsOnTime holds that a log with more than can be copied does not
// hold up the end of a recording, and that what was left of it is said.
func TestRecordEndsOnTime(t *testing.T) {
	dir := t.TempDir()
	log, ready := filepath.Join(dir, "app.log"), filepath.Join(dir, "ready.log")
	write(t, ready, "2026-03-02T10:00:00.000Z  INFO 1 --- [shop] [main] c.acme.shop.Orders : order 17 stored\n")
	if err := os.Truncate(ready, 16<<30); err != nil { // a hole: nobody copies that much in a second
		t.Skipf("no file with a hole here: %v", err)
	}
	var appears sync.Once
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		appears.Do(func() {
			if err := os.Rename(ready, log); err != nil {
				t.Error(err)
			}
		})
		w.Write([]byte("# TYPE a gauge\na 1\n"))
	}))
	defer server.Close()
	var told bytes.Buffer
	start := time.Now()
	code := run(context.Background(), []string{
		"record", server.URL + "/metrics", "-o", filepath.Join(dir, "incident.capdoctor"), "--log", log, "--interval", "500ms", "--for", "1s",
	}, streams{nil, &bytes.Buffer{}, &told})
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, told.String())
	}
	if took := time.Since(start); took > 6*time.Second {
		t.Errorf("--for 1s took %s", took)
	}
	if !strings.Contains(told.String(), "bytes were not recorded") {
		t.Errorf("what was left of the log is not said:\n%s", told.String())
	}
}
