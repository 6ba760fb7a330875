package scrape

import (
	"testing"

	dto "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/proto"
)

// pages are small bodies that show each odd thing of the text formats once.
var pages = []string{
	"",
	"\n",
	"a 1\n",
	"a 1",
	"# HELP a h\n# TYPE a counter\na{b=\"c\"} 1 1500000000000\n",
	"# TYPE h histogram\nh_bucket{le=\"1\"} 1\nh_bucket{le=\"+Inf\"} 2\nh_sum 3\nh_count 2\n",
	"# TYPE s summary\ns{quantile=\"0.50\"} NaN\ns_sum 1e3\ns_count 7\n",
	"# TYPE s summary\nh_bucket{le=\"1\"} 1\n# TYPE h histogram\ns{quantile=\"0.50\"} 1\n",
	"\ta{b=\"c\",} +Inf \n\n \n b -1\n",
	"#a\n#\n# a\n#TYPE a counter\n# TYPE\ta\tcounter\na{le=\"1\"} 1\n",
	"{\"a\",b=\"c\"} 1\n{\"a b\"} 2\n{b=\"c\",\"a\"} 3\na {b=\"d\"} 4\n",
	"a{b=\"x\ny\"} 1\na{b=\"\n\na 5\"} 2\na 3\n",
	"a{b=\"\\\\\"} 1\na{b=\"\\\"\"} 1\na{b=\"\\\na 2\"} 1\n",
	"a{instance=\"x\",job=\"y\",service=\"z\",e=\"\"} 1\n",
	"a 0x1p3\na 1_000\nb 1 2 3\n",
	"a 1\nb\nc 2\n",
	"a 1\n\x00a 2\n",
	"a\x00 1\na{b=\"\x00\"} 1\n",
	"a 1\r\nb 2\r\n",
	"# HELP a \\n\n# TYPE a counter\na_total 1 1.5 # {x=\"y\"} 2 3\n# EOF\n",
	"# TYPE a info\n# UNIT b_seconds seconds\na_info{c=\"d\"} 1\n# EOF",
	"<html>a 1</html>\n",
	"a 1\na 1\nb{c=\"d\",c=\"e\"} 1\n",
}

// A page under any Content-Type is read or refused, whole.
func FuzzParse(f *testing.F) {
	for _, page := range pages {
		for _, contentType := range []string{"", mediaRange(OpenMetrics), mediaRange(Protobuf)} {
			f.Add([]byte(page), contentType)
		}
	}
	f.Add(protobufPage(f, &dto.MetricFamily{
		Name: proto.String("a"), Type: dto.MetricType_SUMMARY.Enum(),
		Metric: []*dto.Metric{{Summary: &dto.Summary{SampleCount: proto.Uint64(1), Quantile: []*dto.Quantile{{Quantile: proto.Float64(0.5)}}}}},
	}), mediaRange(Protobuf))
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		kept := string(body)
		samples, info, err := Parse(body, contentType, ParseOptions{Instance: "i"})
		if string(body) != kept {
			t.Fatal("Parse changed the page")
		}
		if err != nil && samples != nil || err == nil && info.Samples != len(samples) {
			t.Fatalf("%d samples, Info counts %d, error %v", len(samples), info.Samples, err)
		}
		for _, s := range samples {
			if s.Labels.Get("instance") != "i" || s.Labels.Get("__name__") == "" || s.Time != 0 {
				t.Fatalf("sample %v", s)
			}
		}
	})
}

// A target is read back from its own String, and errors show no password.
func FuzzParseTarget(f *testing.F) {
	for _, s := range []string{"h:1", "a=h:1", "s/a=http://h:1/m?x=y#z", "-", "a=-", "x.prom.gz", "./a=b", "[::1]:1", "http://u:p@h", "a b=h:1", "=", "//=-", "a=b=c", "http://[::1%25eth0]:1/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		target, err := ParseTarget(s)
		if err != nil {
			return
		}
		if target.Instance == "" || (target.URL == "") == (target.File == "") {
			t.Fatalf("%q: %+v", s, target)
		}
		again, err := ParseTarget(target.String())
		target.Raw, again.Raw = "", ""
		if err != nil || again != target {
			t.Fatalf("%q: read again as %+v, %v, want %+v", s, again, err, target)
		}
	})
}
