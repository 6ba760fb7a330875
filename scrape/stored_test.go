package scrape

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/capdoctor/capdoctor/series"
)

// api serves one answer of a Prometheus API to every question.
func api(t *testing.T, answer func(w http.ResponseWriter, r *http.Request)) *Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(answer))
	t.Cleanup(server.Close)
	s, err := NewServer(server.URL+"/prefix/", `{job="shop"}`, Options{MaxBytes: 4 << 10, Auth: Auth{Basic: "me:secret"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

var begin, end = time.UnixMilli(1000_000), time.UnixMilli(1060_000)

// TestServerRead holds what is asked of a server and what its answer becomes.
func TestServerRead(t *testing.T) {
	s := api(t, func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if got := strings.Join([]string{r.Method, r.URL.Path, r.FormValue("query"), r.FormValue("time"), user, password}, " "); got != `GET /prefix/api/v1/query {__name__=~"a|b:c",job="shop"}[60000ms] 1060.000 me secret` {
			t.Errorf("asked %s", got)
		}
		fmt.Fprint(w, `{"status":"success","warnings":["store x is gone","store x is gone"],"data":{"resultType":"matrix","result":[
			{"metric":{"__name__":"a","instance":"i"},"values":[[1000,"1"],[1000.001,"NaN"],[1015.5,"+Inf"],[1030,"-2.5e3"]]},
			{"metric":{"__name__":"b:c","instance":"i"},"values":[[1000,"7"]]}]}}`)
	})
	got, err := s.Read(t.Context(), []string{"a", "b:c"}, begin, end)
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(got); text != "[{map[__name__:a instance:i] [{1000001 NaN} {1015500 +Inf} {1030000 -2500}]}]" {
		t.Errorf("got %s", text)
	}
	if diff := cmp.Diff([]string{"store x is gone"}, s.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// TestServerReadsInParts holds that what is too much at once is asked for in halves.
func TestServerReadsInParts(t *testing.T) {
	for name, refuse := range map[string]func(http.ResponseWriter){
		"samples": func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusUnprocessableEntity)
			fmt.Fprint(w, `{"status":"error","errorType":"execution","error":"query processing would load too many samples into memory"}`)
		},
		"bytes": func(w http.ResponseWriter) { fmt.Fprint(w, strings.Repeat(" ", 5<<10)) },
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			s := api(t, func(w http.ResponseWriter, r *http.Request) {
				names := strings.Split(r.FormValue("query"), `"`)[1]
				asked = append(asked, names)
				if strings.Contains(names, "|") {
					refuse(w)
					return
				}
				fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":%q},"values":[[1001,"1"]]}]}}`, names)
			})
			got, err := s.Read(t.Context(), []string{"a", "b", "c"}, begin, end)
			if err != nil || len(got) != 3 {
				t.Errorf("%v, %v", got, err)
			}
			if diff := cmp.Diff([]string{"a|b|c", "a", "b|c", "b", "c"}, asked); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
		})
	}
}

// TestServerErrors holds what is said when a server does not answer as it should.
func TestServerErrors(t *testing.T) {
	for name, test := range map[string]struct {
		status    int
		body      string
		kind      Kind
		msg, hint string
	}{
		"bad match":   {400, `{"status":"error","errorType":"bad_data","error":"1:9: parse error"}`, Status, "400 bad_data: 1:9: parse error", "check --match"},
		"too much":    {422, `{"status":"error","errorType":"execution","error":"too many samples"}`, Status, "422 execution: too many samples", "narrow it with --match"},
		"overloaded":  {503, `{"status":"error","errorType":"timeout","error":"query timed out"}`, Status, "503 timeout: query timed out", "overloaded"},
		"starting":    {503, "Service Unavailable", Status, "status 503", "starts or stops"},
		"not there":   {404, "404 page not found", NotFound, "404: nothing at /prefix/api/v1/query", "the prefix that stands before /api/v1"},
		"a web page":  {200, "<html>Grafana</html>", Garbage, "no Prometheus API at /prefix/api/v1/query", "the prefix that stands before /api/v1"},
		"credentials": {401, "", Unauthorized, "401: wrong user, password or token", "--basic-auth-file"},
		"odd samples": {200, `{"status":"success","data":{"result":[{"values":[["x",1]]}]}}`, Garbage, "an answer that is not understood", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := api(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(test.status)
				fmt.Fprint(w, test.body)
			})
			_, err := s.Read(t.Context(), []string{"a"}, begin, end)
			var e *Error
			if !errors.As(err, &e) || e.Kind != test.kind || !strings.Contains(e.Msg, test.msg) || !strings.Contains(e.Hint, test.hint) {
				t.Errorf("%+v", err)
			}
		})
	}
	for _, bad := range [][2]string{{"ftp://x", ""}, {"http://u:p@x", ""}, {"http://x:9090", "job"}} {
		if _, err := NewServer(bad[0], bad[1], Options{}); err == nil || strings.Contains(err.Error(), "u:p") {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

// pointsAt makes points: a time in seconds and a value in turn.
func pointsAt(pairs ...float64) []series.Point {
	var points []series.Point
	for pair := range slices.Chunk(pairs, 2) {
		points = append(points, series.Point{Time: int64(pair[0] * 1000), Value: pair[1]})
	}
	return points
}

func labeled(pairs ...string) map[string]string {
	m := map[string]string{}
	for pair := range slices.Chunk(pairs, 2) {
		m[pair[0]] = pair[1]
	}
	return m
}

// TestHistories holds how stored series become scrapes again.
func TestHistories(t *testing.T) {
	stored := []Stored{
		{labeled("__name__", "up", "instance", "b", "job", "app", "env", "prod", "team", "x"), pointsAt(10, 1, 20, 1, 30, 0)},
		{labeled("__name__", "scrape_duration_seconds", "instance", "b", "job", "app", "env", "prod", "team", "x"), pointsAt(10, 0.25, 20, 0.5, 30, 5)},
		// Its env is its own: another value than the target's.
		{labeled("__name__", "m", "instance", "b", "job", "app", "env", "own", "team", "x", "service", "s", "exported_instance", "e"), pointsAt(10, 1, 20, 2)},
		// The page dates this one itself, twice between two scrapes.
		{labeled("__name__", "dated", "instance", "b", "job", "app", "env", "prod", "team", "x"), pointsAt(9, 3, 14, 4, 19.5, 5, 31, 6)},
		// Another target of the same instance, and one without up.
		{labeled("__name__", "up", "instance", "a", "job", "one"), pointsAt(10, 1)},
		{labeled("__name__", "up", "instance", "a", "job", "two"), pointsAt(11, 1)},
		{labeled("__name__", "pushed", "instance", "p", "job", "gate"), pointsAt(12, 8)},
	}
	var got []string
	for _, h := range Histories(stored, "env") {
		for _, r := range h.Results {
			line := fmt.Sprintf("%s %s %d err=%t", h.Target.Service, h.Target.Instance, r.At.Unix(), r.Err != nil)
			for _, s := range append(r.Samples, r.Meta...) {
				line += fmt.Sprintf(" %s=%g", s.Labels, s.Value)
			}
			got = append(got, line)
		}
	}
	want := []string{
		` a/one 10 err=false {__name__="up", instance="a/one"}=1 {__name__="scrape_duration_seconds", instance="a/one"}=0`,
		` a/two 11 err=false {__name__="up", instance="a/two"}=1 {__name__="scrape_duration_seconds", instance="a/two"}=0`,
		`prod b 10 err=false {__name__="m", env="own", exported_instance="e", exported_service="s", instance="b", service="prod"}=1 {__name__="dated", instance="b", service="prod"}=3 {__name__="up", instance="b", service="prod"}=1 {__name__="scrape_duration_seconds", instance="b", service="prod"}=0.25`,
		`prod b 20 err=false {__name__="m", env="own", exported_instance="e", exported_service="s", instance="b", service="prod"}=2 {__name__="dated", instance="b", service="prod"}=5 {__name__="up", instance="b", service="prod"}=1 {__name__="scrape_duration_seconds", instance="b", service="prod"}=0.5`,
		`prod b 30 err=true {__name__="up", instance="b", service="prod"}=0 {__name__="scrape_duration_seconds", instance="b", service="prod"}=5`,
		` p 12 err=false {__name__="pushed", instance="p"}=8 {__name__="up", instance="p"}=1 {__name__="scrape_duration_seconds", instance="p"}=0`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
