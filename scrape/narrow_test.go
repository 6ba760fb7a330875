package scrape

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bootPage is a page of families, by the names that a client of Spring Boot 3.3
// and later knows them by.
func bootPage() map[string]string {
	return map[string]string{
		"forwarded":    "# TYPE forwarded_total counter\nforwarded_total 5\n",
		"usage":        "# TYPE usage summary\nusage_count 3\nusage_sum 4\n",
		"usage_max":    "# TYPE usage_max gauge\nusage_max 1\n",
		"executor_max": "# TYPE executor_max gauge\nexecutor_max 64\n",
		"noise":        "# TYPE noise gauge\nnoise 1\n",
	}
}

// actuator serves pages of families that includes wants, given the names of a
// narrowed request. It notes the requests.
func actuator(requests *[]string, wants func(family string, names []string) bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != springPath {
			http.NotFound(w, r)
			return
		}
		list := r.URL.Query().Get("includedNames")
		if list == "" {
			*requests = append(*requests, "all")
		} else {
			*requests = append(*requests, "some")
		}
		families := bootPage()
		for _, family := range []string{"executor_max", "forwarded", "noise", "usage", "usage_max"} {
			if list == "" || wants(family, strings.Split(list, ",")) {
				io.WriteString(w, families[family])
			}
		}
	}
}

func TestNarrowing(t *testing.T) {
	byFamily := func(family string, names []string) bool { return slices.Contains(names, family) }
	bySample := func(family string, names []string) bool {
		for _, line := range strings.Split(bootPage()[family], "\n") {
			if name, _, _ := strings.Cut(line, " "); slices.Contains(names, name) {
				return true
			}
		}
		return false
	}
	for _, test := range []struct {
		name  string
		wants func(string, []string) bool
		want  string
	}{
		{"Spring Boot 3.3", byFamily, "all some some"},
		{"Spring Boot 3.2", bySample, "all some some"},
		{"does not know the parameter", func(string, []string) bool { return true }, "all some some"},
		{"answers with an empty page", func(string, []string) bool { return false }, "all some all all"},
		{"loses a family", func(f string, names []string) bool { return f != "forwarded" && byFamily(f, names) }, "all some all all"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var requests []string
			target := serve(t, actuator(&requests, test.wants))
			names := []string{"forwarded_total", "usage_count", "usage_sum", "usage_max", "executor_max", "absent"}
			s := newScraper(t, target, Options{Names: names, FilterAtServer: true})
			for range 3 {
				r := s.Scrape(context.Background(), at)
				if r.Err != nil {
					t.Fatal(r.Err)
				}
				var got []string
				for _, sample := range r.Samples {
					got = append(got, sample.Labels.Get("__name__"))
				}
				want := []string{"executor_max", "forwarded_total", "usage_count", "usage_sum", "usage_max"}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("samples (-want +got):\n%s", diff)
				}
			}
			if got := strings.Join(requests, " "); got != test.want {
				t.Errorf("asked for %q, want %q", got, test.want)
			}
		})
	}
}

// A server that is not known to understand it, and a user who did not ask for
// it, are left alone.
func TestNoNarrowing(t *testing.T) {
	long := make([]string, 200)
	page := ""
	for i := range long {
		long[i] = fmt.Sprintf("a_rather_long_name_of_a_metric_%d", i)
		page += long[i] + " 1\n"
	}
	for _, test := range []struct {
		name string
		path string
		page string
		opts Options
		want string
	}{
		{"not asked for", springPath, "a 1\n", Options{Names: []string{"a"}}, ""},
		{"no names", springPath, "a 1\n", Options{FilterAtServer: true}, ""},
		{"nothing of it there", springPath, "b 1\n", Options{Names: []string{"a"}, FilterAtServer: true}, ""},
		{"unknown client", "/metrics", "a 1\n", Options{Names: []string{"a"}, FilterAtServer: true}, ""},
		{"too many names", springPath, page, Options{Names: long, FilterAtServer: true}, ""},
		{"Go client", "/metrics", "a_total 1\ngo_info{version=\"go1.26\"} 1\n", Options{Names: []string{"a_total"}, FilterAtServer: true}, "name%5B%5D=a&name%5B%5D=a_total"},
	} {
		t.Run(test.name, func(t *testing.T) {
			query := ""
			target := serve(t, func(w http.ResponseWriter, r *http.Request) {
				query = r.URL.RawQuery
				textAt(test.path, test.page)(w, r)
			})
			s := newScraper(t, target+test.path, test.opts)
			for range 2 {
				if r := s.Scrape(context.Background(), at); r.Err != nil {
					t.Fatal(r.Err)
				}
			}
			if query != test.want {
				t.Errorf("got query %q, want %q", query, test.want)
			}
		})
	}
}

// Every tenth scrape asks for everything: what appears later is not missed.
func TestNarrowingSeesWhatIsNew(t *testing.T) {
	page, full := "a 1\n", 0
	target := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery == "" {
			full++
			io.WriteString(w, page)
			return
		}
		for _, line := range strings.SplitAfter(page, "\n") {
			if name, _, _ := strings.Cut(line, " "); slices.Contains(strings.Split(r.URL.Query().Get("includedNames"), ","), name) {
				io.WriteString(w, line)
			}
		}
	})
	s := newScraper(t, target+springPath, Options{Names: []string{"a", "b"}, FilterAtServer: true})
	last := 0
	for range 2*fullEvery + 3 {
		r := s.Scrape(context.Background(), at)
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		last = len(r.Samples)
		page = "a 1\nb 2\n"
	}
	if last != 2 || full != 3 {
		t.Errorf("%d samples after %d full pages, want 2 after 3", last, full)
	}
}

// A narrowed request that times out is a timeout, not a reason to ask again.
func TestNarrowingSparesAStarvedTarget(t *testing.T) {
	var requests atomic.Int32
	target := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.URL.RawQuery != "" {
			<-r.Context().Done()
			return
		}
		io.WriteString(w, "a 1\n")
	})
	s := newScraper(t, target+springPath, Options{Names: []string{"a"}, FilterAtServer: true, Timeout: short})
	s.Scrape(context.Background(), at)
	r := s.Scrape(context.Background(), at)
	if r.Err == nil || r.Err.Kind != Timeout || requests.Load() != 2 {
		t.Errorf("%d requests, %v", requests.Load(), r.Err)
	}
}

// A page without anything that is asked for is a good scrape all the same.
func TestNothingAskedForIsNotEmpty(t *testing.T) {
	target := serve(t, textAt("/m", "a 1\n"))
	r := scrapeOnce(t, target+"/m", Options{Names: []string{"b"}})
	if r.Err != nil || r.Info.Unasked != 1 || len(r.Samples) != 0 {
		t.Errorf("%v, %+v", r.Err, r.Info)
	}
}
