package incident

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTimedSamples(t *testing.T) {
	at := "17724600" // 2026-03-02T14:00:00Z is 1772460000
	dir := folderOf(t, map[string]string{"case.yaml": goodCase, "scrapes/web-1%3A80.om": "# HELP a_total Text that would repeat.\n# TYPE a counter\n" +
		"a_total{x=\"1 # }\"} 1 " + at + "00 # {trace_id=\"t\"} 1 " + at + "00\n" +
		"a_total{x=\"1 # }\"} 5 " + at + "10.25\n" +
		"a_total{x=\"2\"} 7 " + at + "10.25\r\n" +
		"# TYPE b gauge\n" +
		"b NaN " + at + "10.250\n" +
		"# EOF\nwhat stands behind it is not read\n"})
	got := openContent(t, dir)
	meta := Meta{Status: 200, ContentType: openMetricsType}
	want := []scraped{
		{"web-1:80", 0, meta, []byte("# TYPE a counter\na_total{x=\"1 # }\"} 1\n# EOF\n")},
		{"web-1:80", 10250 * time.Millisecond, meta, []byte("# TYPE a counter\na_total{x=\"1 # }\"} 5\na_total{x=\"2\"} 7\n# TYPE b gauge\nb NaN\n# EOF\n")},
	}
	if diff := cmp.Diff(want, got.Scrapes); diff != "" {
		t.Error(diff)
	}
}

func TestTimedFaults(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"no end", "a 1 1772460000\n", "does not end with # EOF: the file is cut off"},
		{"no timestamp", "# TYPE a gauge\na 1\n# EOF\n", "app.om:2: a sample without timestamp; every sample needs one here"},
		{"no timestamp behind labels", "a{b=\"c d\"} 1\n# EOF\n", "app.om:1: a sample without timestamp; every sample needs one here"},
		{"no value", "a\n# EOF\n", "app.om:1: a sample without value and timestamp"},
		{"no number", "a 1 now\n# EOF\n", `app.om:1: "now" is not a timestamp in seconds`},
		{"in milliseconds", "a 1 1772460000000\n# EOF\n", `app.om:1: "1772460000000" is not a timestamp in seconds`},
		{"too old", "a 1 1772459999\n# EOF\n", "a sample of 2026-03-02T13:59:59Z is older than the start of the case"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := folderOf(t, map[string]string{"case.yaml": goodCase, "scrapes/app.om": tt.text})
			if _, err := Open(dir); err == nil || !strings.HasSuffix(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func FuzzTimed(f *testing.F) {
	f.Add("# TYPE a counter\na_total{x=\"1\"} 1 1772460000\n# EOF\n")
	f.Add("a 1 1772460000 # {b=\"c\"} 1\nb 2 1.77246e9\n# EOF")
	f.Fuzz(func(t *testing.T, text string) {
		scrapes, err := timedScrapes("x.om", []byte(text), start)
		if err != nil {
			return
		}
		for i, s := range scrapes {
			if i > 0 && s.Offset <= scrapes[i-1].Offset || s.Offset < 0 || !strings.HasSuffix(string(s.inline), "# EOF\n") {
				t.Errorf("scrape %d at %s: %q", i, s.Offset, s.inline)
			}
		}
	})
}
