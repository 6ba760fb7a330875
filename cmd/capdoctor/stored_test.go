package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/rules"
)

// TestStoredCases judges cases by what Debian's Prometheus has stored of them:
// what fires is what a Judge finds on their scrapes. What record makes of it is a
// case with the same answer.
func TestStoredCases(t *testing.T) {
	prometheus, promtool := installed(t, "prometheus"), installed(t, "promtool")
	catalog, err := rules.Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"evento-collapse", "evento-healthy", "kafka-stalled", "pulsar-overshoot"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := pagesOf(t, name)
			api := storedCase(t, prometheus, promtool, c)
			args := []string{"--prometheus", api, "--at", lastScrape(c).UTC().Format(time.RFC3339Nano)}
			args = append(args, factArgs(c)...)
			want := judgedIDs(t, catalog, c)
			if got := foundIDs(t, append([]string{"diagnose", "-o", "json"}, args...)); !maps.Equal(got, want) {
				t.Errorf("diagnose: want %v, got %v", slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)))
			}
			path := filepath.Join(t.TempDir(), "stored.capdoctor")
			var failure bytes.Buffer
			if code := run(t.Context(), append([]string{"record", "-o", path}, args...), streams{nil, &failure, &failure}); code != 0 {
				t.Fatalf("record: exit %d: %s", code, &failure)
			}
			recorded, err := incident.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer recorded.Close()
			if got := judgedIDs(t, catalog, recorded); !maps.Equal(got, want) {
				t.Errorf("record: want %v, got %v", slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)))
			}
		})
	}
}

// foundIDs are the ids that fire in the report of a command.
func foundIDs(t *testing.T, args []string) map[string]bool {
	t.Helper()
	var out, failure bytes.Buffer
	run(t.Context(), args, streams{nil, &out, &failure})
	var r struct {
		Findings []struct{ ID, State string }
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("%v: %s", err, &failure)
	}
	ids := map[string]bool{}
	for _, f := range r.Findings {
		if f.State == "firing" {
			ids[f.ID] = true
		}
	}
	return ids
}

// storedCase starts a Prometheus that has stored the scrapes of a case, and
// returns its address.
func storedCase(t *testing.T, prometheus, promtool string, c *incident.Case) string {
	t.Helper()
	dir := t.TempDir()
	exported, data := filepath.Join(dir, "case.om"), filepath.Join(dir, "data")
	if err := exportCase(c, exported); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(promtool, "tsdb", "create-blocks-from", "-q", "openmetrics", exported, data).CombinedOutput(); err != nil {
		t.Fatalf("promtool: %v\n%s", err, out)
	}
	writeText(t, filepath.Join(dir, "prometheus.yml"), "scrape_configs: []\n")
	address := freeAddress(t)
	server := exec.Command(prometheus, "--config.file="+filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path="+data, "--storage.tsdb.retention.time=50y", "--web.listen-address="+address)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Kill(); server.Wait() })
	waitFor(t, "http://"+address+"/-/ready")
	return "http://" + address
}

// TestStoredLive watches a model through a Prometheus that scrapes it.
func TestStoredLive(t *testing.T) {
	t.Parallel()
	api := strings.TrimSuffix(servedScenario(t, installed(t, "prometheus"), "collapse", ", shop: north"), "/api/v1/")
	for up := struct{ Data struct{ Result []any } }{}; len(up.Data.Result) < 2; time.Sleep(100 * time.Millisecond) {
		getJSON(t, api+"/api/v1/query?query=up", &up)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	out := awaited{text: "Pool never grows on evento-server (bus): 16 of 64 threads of bus run, all busy", seen: cancel}
	run(ctx, []string{"watch", "--plain", "--prometheus", api, "--match", `{shop="north"}`}, streams{nil, &out, &out})
	if got := out.String(); !strings.Contains(got, out.text) {
		t.Errorf("got:\n%s", got)
	}
}

// An awaited says when a text was written to it.
type awaited struct {
	bytes.Buffer
	text string
	seen func()
}

func (a *awaited) Write(p []byte) (int, error) {
	defer func() {
		if strings.Contains(a.String(), a.text) {
			a.seen()
		}
	}()
	return a.Buffer.Write(p)
}

// TestStoredRefused holds what is said of a server that does not answer, that has
// no such target, that has too many, and whose samples were pushed.
func TestStoredRefused(t *testing.T) {
	many := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("query") == "" {
			fmt.Fprint(w, `{"status":"success","data":[]}`)
			return
		}
		var targets []string
		if strings.Contains(r.FormValue("query"), "shop") {
			for i := range 201 {
				targets = append(targets, fmt.Sprintf(`{"metric":{"__name__":"up","instance":"i%d"},"values":[[%d,"1"]]}`, i, time.Now().Unix()))
			}
		}
		fmt.Fprintf(w, `{"status":"success","data":{"result":[%s]}}`, strings.Join(targets, ","))
	}))
	defer many.Close()
	pushed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch query := r.FormValue("query"); {
		case query == "":
			fmt.Fprint(w, `{"status":"success","data":["hikaricp_connections","hikaricp_connections_max"]}`)
		case strings.Contains(query, `"up"`):
			fmt.Fprint(w, `{"status":"success","data":{"result":[]}}`)
		default:
			at := time.Now().Unix()
			fmt.Fprintf(w, `{"status":"success","data":{"result":[{"metric":{"__name__":"hikaricp_connections","pool":"p","instance":"i","job":"j"},"values":[[%d,"1"],[%d,"1"]]}]}}`, at-20, at-5)
		}
	}))
	defer pushed.Close()
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--prometheus", "http://" + freeAddress(t)}, 3, "connection refused"},
		{[]string{"--prometheus", many.URL, "--match", `{a="b"}`}, 3, `has no target that matches {a="b"}`},
		{[]string{"--prometheus", many.URL, "--match", `{a="shop"}`}, 2, "201 targets match: 200 are the most that are judged here\n  hint: narrow it with --match, or let the server judge them: capdoctor rules export"},
		{[]string{"--match", "{}", "app:8080"}, 2, "go with --prometheus URL"},
		{[]string{"--prometheus", many.URL, "--at", "10m"}, 2, "want a time such as"},
		{[]string{"--prometheus", pushed.URL, "-o", "text"}, 0, "2 of 2 scrapes"},
		{[]string{"--prometheus", many.URL, "--at", "2026-07-02T09:11:00Z", "app:8080"}, 2, "go without targets and logs"},
	} {
		var failure bytes.Buffer
		code := run(t.Context(), append([]string{"diagnose"}, test.args...), streams{nil, &failure, &failure})
		if code != test.code || !strings.Contains(failure.String(), test.says) {
			t.Errorf("%v: exit %d, want %d:\n%s", test.args, code, test.code, &failure)
		}
	}
}
