package scrape

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/prometheus/model/labels"

	"github.com/capdoctor/capdoctor/series"
)

// filtersFor returns filters that want all, none, one, and every second of the
// names on a page.
func filtersFor(page []byte, contentType string) map[string]*Filter {
	samples, _, err := Parse(page, contentType, ParseOptions{})
	names := make(map[string]bool)
	for _, s := range samples {
		names[s.Labels.Get("__name__")] = true
	}
	if err != nil {
		names = map[string]bool{"a": true, "b": true}
	}
	sorted := slices.Sorted(maps.Keys(names))
	var half []string
	for i := 0; i < len(sorted); i += 2 {
		half = append(half, sorted[i])
	}
	return map[string]*Filter{
		"no filter": nil,
		"all":       NewFilter(sorted),
		"none":      NewFilter([]string{"absent_metric"}),
		"first":     NewFilter(half[:min(1, len(half))]),
		"half":      NewFilter(half),
	}
}

// checkCache holds a cache, cold and warm, against Parse.
func checkCache(t *testing.T, page []byte, contentType string, o ParseOptions) {
	t.Helper()
	want, wantInfo, err := Parse(page, contentType, o)
	if err != nil || wantInfo.Fallback {
		checkRefused(t, page, contentType, o)
		return
	}
	c := NewCache(o)
	for _, turn := range []string{"cold", "warm", "warm again"} {
		got, info, err := c.Parse(page, contentType, nil)
		if err != nil {
			t.Fatalf("%s: %v", turn, err)
		}
		if diff := diffSamples(want, got); diff != "" {
			t.Fatalf("%s: samples (-want +got):\n%s", turn, diff)
		}
		if info != wantInfo {
			t.Fatalf("%s: info %+v, want %+v", turn, info, wantInfo)
		}
	}
}

// diffSamples is cmp.Diff of samples, made for many that are equal.
func diffSamples(want, got []series.Sample) string {
	equal := func(a, b series.Sample) bool {
		return a.Time == b.Time && math.Float64bits(a.Value) == math.Float64bits(b.Value) && labels.Equal(a.Labels, b.Labels)
	}
	if slices.EqualFunc(want, got, equal) {
		return ""
	}
	return cmp.Diff(written(want), written(got))
}

// checkRefused sees to it that a page that Parse refuses, or does not read as it
// was declared, yields either an error and nothing, or samples of a filter's
// names only.
func checkRefused(t *testing.T, page []byte, contentType string, o ParseOptions) {
	t.Helper()
	c := NewCache(o)
	for range 2 {
		got, _, err := c.Parse(page, contentType, nil)
		if err != nil && got != nil {
			t.Fatalf("samples with an error: %v", written(got))
		}
		for _, s := range got {
			if !o.Filter.Wants(s.Labels.Get("__name__")) {
				t.Fatalf("a sample that was not asked for: %v", s)
			}
		}
	}
}

func TestCacheAgreesWithParse(t *testing.T) {
	for i, page := range pages {
		for name, f := range filtersFor([]byte(page), "") {
			t.Run(fmt.Sprintf("page %d %s", i, name), func(t *testing.T) {
				checkCache(t, []byte(page), "", ParseOptions{Instance: "i", Filter: f})
			})
		}
	}
}

func TestCacheAgreesWithParseOnCorpus(t *testing.T) {
	for _, path := range corpusFiles(t, "expo", "openmetrics") {
		page := readFile(t, path)
		for _, format := range []Format{Text, OpenMetrics, Protobuf} {
			contentType := mediaRange(format)
			for name, f := range filtersFor(page, contentType) {
				t.Run(fmt.Sprintf("%s as %s, %s", path, format, name), func(t *testing.T) {
					checkCache(t, page, contentType, ParseOptions{Instance: "i", Service: "s", Filter: f, HonorTimestamps: true})
				})
			}
		}
	}
}

// A target's pages change: values, order, types, series that come and go. Each
// is read as if it were the first.
func TestCacheOnChangingPages(t *testing.T) {
	turns := []string{
		"a 1\nb{c=\"d\"} 2\nx 3\n",
		"a 2\nb{c=\"d\"} 2.5e3\nx 3\n",
		"b{c=\"d\"} 3\na 1\nx 3\n",
		"a 1\nb{c=\"e\"} 2\nb{c=\"d\"} 2\nx 3\n",
		"a 1 100\nb {c=\"d\"} 4\na{c=\"d\"}5\n",
		"# TYPE a histogram\na{le=\"1\"} 1\n# TYPE a summary\na{quantile=\"0.50\"} 1\n",
		"# TYPE a summary\na{le=\"1\"} 1\n# TYPE a histogram\na{quantile=\"0.50\"} 1\n",
		"# TYPE a untyped\na{le=\"1\"} 1\na{quantile=\"0.50\"} 1\n",
		"#  TYPE a histogram\na{le=\"1\"} 1\n",
		"a NaN\nb +Inf\na 0x1p3\n",
		"a NaN\nb +Inf\na 7",
		"a 1\nx{y=\"\n\"} 1\nb 2\n",
		"x 1\n",
		"a 1\nb{c=\"\\\"} 9\",d=\"\\\\\"} 2\n",
		"{\"a\",c=\"d\"} 1\n{\"x\"} 2\nb 1\n",
		"<html>\n",
		"",
		"a 1\n",
	}
	for name, o := range map[string]ParseOptions{
		"all":   {HonorTimestamps: true},
		"some":  {Filter: NewFilter([]string{"a", "b"}), HonorTimestamps: true},
		"limit": {Filter: NewFilter([]string{"a", "b"}), MaxLabelLength: 8, MaxLabels: 2},
	} {
		t.Run(name, func(t *testing.T) {
			c := NewCache(o)
			for range 2 {
				for _, page := range turns {
					want, wantInfo, err := Parse([]byte(page), "", o)
					if err != nil {
						wantInfo = Info{}
						c.Parse([]byte(page), "", nil)
						continue
					}
					got, info, err := c.Parse([]byte(page), "", nil)
					if err != nil {
						t.Fatalf("%q: %v", page, err)
					}
					if diff := cmp.Diff(written(want), written(got)); diff != "" {
						t.Fatalf("%q: samples (-want +got):\n%s", page, diff)
					}
					if diff := cmp.Diff(wantInfo, info); diff != "" {
						t.Fatalf("%q: info (-want +got):\n%s", page, diff)
					}
				}
			}
		})
	}
}

// What is not asked for is not looked at: a fault there does not cost the rest.
func TestCacheToleratesFaultsInWhatIsNotAskedFor(t *testing.T) {
	c := NewCache(ParseOptions{Filter: NewFilter([]string{"a", "long_metric_name"})})
	page := "# TYPE b banana\nb one\na 1\nc{d=\"\xff\"} 2\nlong_metric_name 3\nlong_metric_names 4\nab 5\n"
	for range 2 {
		samples, info, err := c.Parse([]byte(page), "", nil)
		want := []string{`{__name__="a"} 1`, `{__name__="long_metric_name"} 3`}
		if diff := cmp.Diff(want, written(samples)); diff != "" || err != nil || info.Unasked != 4 {
			t.Errorf("%d unasked, %v (-want +got):\n%s", info.Unasked, err, diff)
		}
	}
	_, _, err := c.Parse([]byte("b 1\na one\n"), "", nil)
	if err == nil || !strings.Contains(err.Error(), "line 2: ") {
		t.Errorf("a fault in what is asked for: got %v", err)
	}
	_, _, err = c.Parse([]byte("shutting down\n"), "", nil)
	if err == nil {
		t.Error("garbage without anything asked for was accepted")
	}
}

func TestCacheAppends(t *testing.T) {
	c := NewCache(ParseOptions{})
	first := series.Sample{Labels: series.FromStrings("__name__", "z"), Value: 9}
	for range 2 {
		for _, contentType := range []string{"", mediaRange(OpenMetrics)} {
			got, _, err := c.Parse([]byte("a 1\n# EOF\n"), contentType, []series.Sample{first})
			if diff := cmp.Diff([]string{`{__name__="z"} 9`, `{__name__="a"} 1`}, written(got)); diff != "" || err != nil {
				t.Errorf("%q: %v (-want +got):\n%s", contentType, err, diff)
			}
		}
		got, _, err := c.Parse([]byte("a one\n"), "", []series.Sample{first})
		if len(got) != 1 || err == nil {
			t.Errorf("a refused page gave %v, %v", written(got), err)
		}
	}
}

// A target whose labels churn does not fill the memory.
func TestCacheForgets(t *testing.T) {
	c := NewCache(ParseOptions{})
	for i := range 100 {
		var page strings.Builder
		for j := range 100 {
			fmt.Fprintf(&page, "a{id=\"%d\"} 1\n", i*100+j)
		}
		if _, _, err := c.Parse([]byte(page.String()), "", nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(c.known); n > 1500 {
		t.Errorf("%d series kept of a page with 100", n)
	}
}

func TestCacheDoesNotAllocate(t *testing.T) {
	page := []byte("# HELP a h\n# TYPE a histogram\na_bucket{le=\"1\"} 12\na_sum 1.2345678E7\nb{c=\"d\\n\"} NaN\nskip{x=\"y\"} 1\nc 4 1500000000000")
	for name, o := range map[string]ParseOptions{
		"all":  {Instance: "i"},
		"some": {Instance: "i", Filter: NewFilter([]string{"a_bucket", "a_sum", "b"})},
	} {
		c := NewCache(o)
		buf, _, err := c.Parse(page, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		n := testing.AllocsPerRun(100, func() {
			if buf, _, err = c.Parse(page, "", buf[:0]); err != nil {
				t.Fatal(err)
			}
		})
		if n != 0 {
			t.Errorf("%s: %v allocations for a page that is known", name, n)
		}
	}
}

func FuzzCache(f *testing.F) {
	for i, page := range pages {
		f.Add([]byte(page), []byte(pages[(i+1)%len(pages)]), "a,b,h_bucket,long_metric_name")
	}
	f.Add([]byte("long_metric_name 1\nlong_metric_name2 1\n"), []byte("long_metric_name{a=\"b\"} 1\n"), "long_metric_name")
	f.Fuzz(func(t *testing.T, page, next []byte, names string) {
		o := ParseOptions{Instance: "i", Filter: NewFilter(strings.Split(names, ",")), HonorTimestamps: true}
		c := NewCache(o)
		for i, body := range [][]byte{page, next, page, page} {
			got, info, err := c.Parse(body, "", nil)
			want, wantInfo, wantErr := Parse(body, "", o)
			if wantErr != nil || wantInfo.Fallback {
				if err != nil && got != nil {
					t.Fatal("samples with an error")
				}
				continue
			}
			if err != nil {
				t.Fatalf("turn %d of %q: %v", i, body, err)
			}
			if diff := diffSamples(want, got); diff != "" || info != wantInfo {
				t.Fatalf("turn %d of %q: info %+v, want %+v (-want +got):\n%s", i, body, info, wantInfo, diff)
			}
		}
	})
}
