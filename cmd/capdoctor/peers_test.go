package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestPeers diagnoses real programs that have nothing wrong with them.
func TestPeers(t *testing.T) {
	for _, peer := range []struct {
		name string
		args func(dir, addr string) []string
	}{
		{"prometheus", func(dir, addr string) []string {
			config := filepath.Join(dir, "prometheus.yml")
			if err := os.WriteFile(config, []byte("scrape_configs: []\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			return []string{"--config.file=" + config, "--storage.tsdb.path=" + dir, "--web.listen-address=" + addr}
		}},
		{"prometheus-node-exporter", func(_, addr string) []string { return []string{"--web.listen-address=" + addr} }},
	} {
		t.Run(peer.name, func(t *testing.T) {
			program, err := exec.LookPath(peer.name)
			if err != nil {
				t.Skipf("%s is not installed (Debian package %s)", peer.name, peer.name)
			}
			addr := freeAddress(t)
			c := exec.Command(program, peer.args(t.TempDir(), addr)...)
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Process.Kill(); c.Wait() })
			waitFor(t, "http://"+addr+"/metrics")
			for _, f := range diagnosed(t, addr, "--for", "2s", "--interval", "500ms") {
				// The machine that runs the tests may well be busy, and the peer is young.
				if f.ID != "cpu-saturated" && f.ID != "starting-up" {
					t.Errorf("%s %s: %s", f.State, f.ID, f.Summary)
				}
			}
		})
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l := listen(t)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).String()
}

// waitFor polls until a page answers.
func waitFor(t *testing.T, url string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if r, err := http.Get(url); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return
			}
		}
	}
	t.Fatal(fmt.Errorf("%s does not answer", url))
}

// TestCorpusPages diagnoses real pages that somebody else wrote. Those that
// show a failure are named with it.
func TestCorpusPages(t *testing.T) {
	shared := sharedFolder()
	if shared == "" {
		t.Skip("the shared corpus is not here")
	}
	failing := map[string]string{"executor-saturated-dependencytrack.prom": "serial-bottleneck"}
	pages, err := filepath.Glob(filepath.Join(shared, "corpus/expo/*.prom"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages (%v)", err)
	}
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			var out bytes.Buffer
			code := run(context.Background(), []string{"diagnose", page}, streams{nil, &out, os.Stderr})
			if failing[filepath.Base(page)] == "" && code == 1 {
				t.Errorf("a finding on a page without a known fault:\n%s", &out)
			}
		})
	}
}

// TestSharedCases judges the cases of the shared corpus.
func TestSharedCases(t *testing.T) {
	shared := sharedFolder()
	if shared == "" {
		t.Skip("the shared corpus is not here")
	}
	var out bytes.Buffer
	if code := run(context.Background(), []string{"check", filepath.Join(shared, "cases")}, streams{nil, &out, os.Stderr}); code != 0 {
		t.Errorf("exit %d:\n%s", code, &out)
	}
}
