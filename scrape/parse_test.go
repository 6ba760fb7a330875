package scrape

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	dto "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/proto"

	"github.com/capdoctor/capdoctor/series"
)

// written returns samples as lines, in their order.
func written(samples []series.Sample) []string {
	lines := []string{}
	for _, s := range samples {
		line := fmt.Sprintf("%s %v", s.Labels, s.Value)
		if s.Time != 0 {
			line += fmt.Sprintf(" @%d", s.Time)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		name        string
		body        string
		contentType string
		opts        ParseOptions
		want        []string
		info        Info
	}{
		{
			name: "text",
			body: "# HELP a h\n# TYPE a counter\na 1\n\na{b=\"c\\n\\\"\"} -Inf\n",
			want: []string{`{__name__="a"} 1`, `{__name__="a", b="c\n\""} -Inf`},
			info: Info{Format: Text, FinalNewline: true},
		},
		{
			name: "no final newline",
			body: "a 1\nb 2",
			want: []string{`{__name__="a"} 1`, `{__name__="b"} 2`},
			info: Info{Format: Text},
		},
		{
			name: "labels that name the target",
			body: `a{instance="x",job="y",service="z",exported_job="w",c=""} 1` + "\n",
			opts: ParseOptions{Instance: "h:1", Service: "shop"},
			want: []string{`{__name__="a", exported_exported_job="y", exported_instance="x", exported_job="w", exported_service="z", instance="h:1", service="shop"} 1`},
			info: Info{Format: Text, FinalNewline: true},
		},
		{
			name: "times are ignored",
			body: "a 1 1583774714170\n",
			want: []string{`{__name__="a"} 1`},
			info: Info{Format: Text, FinalNewline: true, Timestamps: 1},
		},
		{
			name: "times are honoured",
			body: "a 1 1583774714170\nb 2 0\n",
			opts: ParseOptions{HonorTimestamps: true},
			want: []string{`{__name__="a"} 1 @1583774714170`, `{__name__="b"} 2`},
			info: Info{Format: Text, FinalNewline: true, Timestamps: 2},
		},
		{
			name: "histogram and summary labels",
			body: "# TYPE h histogram\nh_bucket{le=\"1\"} 2\n# TYPE s summary\ns{quantile=\"0.50\"} 3\n",
			want: []string{`{__name__="h_bucket", le="1.0"} 2`, `{__name__="s", quantile="0.5"} 3`},
			info: Info{Format: Text, FinalNewline: true},
		},
		{
			name: "quoted names",
			body: `{"a.b","c d"="e"} 1` + "\n",
			want: []string{`{__name__="a.b", "c d"="e"} 1`},
			info: Info{Format: Text, FinalNewline: true},
		},
		{
			name:        "openmetrics",
			body:        "# TYPE a counter\na_total 1 12.5 # {trace=\"x\"} 1\na_created 5\n# EOF\n",
			contentType: "application/openmetrics-text; version=1.0.0",
			opts:        ParseOptions{HonorTimestamps: true},
			want:        []string{`{__name__="a_total"} 1 @12500`, `{__name__="a_created"} 5`},
			info:        Info{Format: OpenMetrics, FinalNewline: true, Timestamps: 1},
		},
		{
			name:        "openmetrics declared as text",
			body:        "# TYPE a counter\na_total 1 # {trace=\"x\"} 1\n# EOF\n",
			contentType: "text/plain",
			want:        []string{`{__name__="a_total"} 1`},
			info:        Info{Format: OpenMetrics, Fallback: true, FinalNewline: true},
		},
		{
			name:        "text declared as openmetrics",
			body:        "# TYPE a untyped\na 1\n\n",
			contentType: "application/openmetrics-text",
			want:        []string{`{__name__="a"} 1`},
			info:        Info{Format: Text, Fallback: true, FinalNewline: true},
		},
		{
			name:        "text declared as protobuf",
			body:        "a 1\n",
			contentType: "application/vnd.google.protobuf",
			want:        []string{`{__name__="a"} 1`},
			info:        Info{Format: Text, Fallback: true, FinalNewline: true},
		},
		{
			name: "limits leave series out",
			body: "a{b=\"123456789\"} 1\nb{c=\"1\",d=\"1\"} 2\nc 3\n",
			opts: ParseOptions{MaxLabels: 2, MaxLabelLength: 8},
			want: []string{`{__name__="c"} 3`},
			info: Info{Format: Text, FinalNewline: true, Skipped: 2},
		},
		{name: "empty", want: []string{}, info: Info{Format: Text}},
		{name: "only comments", body: "# a\n\n#b\n", want: []string{}, info: Info{Format: Text, FinalNewline: true}},
		{
			name: "NUL in a label value and a help text",
			body: "# HELP a x\x00y\na{b=\"\x00\"} 1\n",
			want: []string{`{__name__="a", b="\x00"} 1`},
			info: Info{Format: Text, FinalNewline: true},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			samples, info, err := Parse([]byte(test.body), test.contentType, test.opts)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, written(samples)); diff != "" {
				t.Errorf("samples (-want +got):\n%s", diff)
			}
			test.info.Samples = len(test.want)
			if diff := cmp.Diff(test.info, info); diff != "" {
				t.Errorf("info (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct {
		name        string
		body        string
		contentType string
		opts        ParseOptions
		kind        Kind
		want        string
	}{
		{name: "middle", body: "a 1\n\n \nb one\nc 3\n", kind: Garbage, want: `line 4: strconv.ParseFloat: parsing "one": invalid syntax`},
		{name: "first line", body: "{}\n", kind: Garbage, want: "line 1: metric name not set"},
		{name: "after comments", body: "# HELP a b\n# TYPE a counter\n# x\na{ 1\n", kind: Garbage, want: "line 4: expected label name"},
		{name: "after a line in quotes", body: "a{b=\"x\ny\"} 1\nb\n", kind: Garbage, want: "line 3: expected value after metric"},
		{name: "cut without newline", body: "a 1\nb{c=\"d", kind: Garbage, want: "line 2: expected label value"},
		{name: "label twice", body: "a 1\na{b=\"1\",b=\"2\"} 1\n", kind: Garbage, want: `line 2: label "b" stands twice`},
		{name: "name as label", body: "a{__name__=\"b\"} 1\n", kind: Garbage, want: `line 1: label "__name__" stands twice`},
		{name: "bad UTF-8", body: "a{b=\"\xff\"} 1\n", kind: Garbage, want: "line 1: invalid UTF-8 label value"},
		{name: "empty name", body: "{\"\"} 1\n", kind: Garbage, want: "line 1: no metric name"},
		{name: "NUL", body: "a 1\n\x00b 2\n", kind: Garbage, want: "line 2: a NUL byte: this is not text"},
		{name: "NUL in comment", body: "a 1\n#x\x00\nb 2\n", kind: Garbage, want: "line 2: a NUL byte"},
		{name: "bad type", body: "# TYPE a banana\na 1\n", kind: Garbage, want: `line 1: invalid metric type "banana"`},
		{name: "openmetrics cut in a line", body: "# TYPE a counter\na_total 1\na_to", contentType: mediaRange(OpenMetrics), kind: Garbage, want: "line 3: "},
		{name: "openmetrics cut after a line", body: "a_total{b=\"x\"} 1\nc 2", contentType: mediaRange(OpenMetrics), kind: Truncated, want: "line 2: data does not end with # EOF"},
		{name: "protobuf cut", body: "\x7f", contentType: mediaRange(Protobuf), kind: Truncated, want: "insufficient length"},
		{name: "long line", body: "a" + strings.Repeat("b", 1000) + "\n", kind: Garbage, want: "line 1: "},
		{name: "too many samples", body: "a 1\nb 1\nc 1\n", opts: ParseOptions{MaxSamples: 2}, kind: TooLarge, want: "more than 2 samples on one page"},
		{name: "empty families", body: strings.Repeat("\x00", maxEmptyFamilies+1), contentType: mediaRange(Protobuf), kind: Garbage, want: "more than 1000 metric families without a metric"},
	} {
		t.Run(test.name, func(t *testing.T) {
			samples, _, err := Parse([]byte(test.body), test.contentType, test.opts)
			var e *ParseError
			if !errors.As(err, &e) {
				t.Fatalf("got error %v, want a *ParseError", err)
			}
			if e.Kind != test.kind || !strings.Contains(e.Error(), test.want) {
				t.Errorf("got %v %q, want %v with %q", e.Kind, e, test.kind, test.want)
			}
			if len(e.Error()) > maxMessage+40 {
				t.Errorf("an error of %d bytes", len(e.Error()))
			}
			if samples != nil {
				t.Errorf("samples of a page that was refused: %v", written(samples))
			}
		})
	}
}

func TestParseMakesStaleMarkersOrdinaryNaN(t *testing.T) {
	stale := math.Float64frombits(0x7ff0000000000002)
	body := protobufPage(t, &dto.MetricFamily{
		Name: proto.String("a"), Type: dto.MetricType_GAUGE.Enum(),
		Metric: []*dto.Metric{{Gauge: &dto.Gauge{Value: proto.Float64(stale)}}},
	})
	samples, _, err := Parse(body, mediaRange(Protobuf), ParseOptions{})
	if err != nil || len(samples) != 1 {
		t.Fatalf("got %v, %v", written(samples), err)
	}
	if v := samples[0].Value; !math.IsNaN(v) || series.IsStale(v) {
		t.Errorf("got %x, want an ordinary NaN", math.Float64bits(v))
	}
}

func protobufPage(t testing.TB, families ...*dto.MetricFamily) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, f := range families {
		if _, err := protodelim.MarshalTo(&out, f); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func TestParseHistograms(t *testing.T) {
	classic := &dto.Histogram{
		SampleCount: proto.Uint64(3), SampleSum: proto.Float64(4),
		Bucket: []*dto.Bucket{{UpperBound: proto.Float64(1), CumulativeCount: proto.Uint64(2)}},
	}
	native := &dto.Histogram{
		SampleCount: proto.Uint64(3), SampleSum: proto.Float64(4), Schema: proto.Int32(3),
		ZeroThreshold: proto.Float64(0.1), ZeroCount: proto.Uint64(0),
		PositiveSpan: []*dto.BucketSpan{{Offset: proto.Int32(0), Length: proto.Uint32(1)}}, PositiveDelta: []int64{3},
	}
	both := proto.Clone(native).(*dto.Histogram)
	both.Bucket = classic.Bucket
	family := func(name string, h *dto.Histogram) *dto.MetricFamily {
		return &dto.MetricFamily{Name: proto.String(name), Type: dto.MetricType_HISTOGRAM.Enum(), Metric: []*dto.Metric{{Histogram: h}}}
	}
	body := protobufPage(t, family("classic", classic), family("native", native), family("both", both))

	samples, info, err := Parse(body, mediaRange(Protobuf), ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{__name__="both_bucket", le="+Inf"} 3`, `{__name__="both_bucket", le="1.0"} 2`,
		`{__name__="both_count"} 3`, `{__name__="both_sum"} 4`,
		`{__name__="classic_bucket", le="+Inf"} 3`, `{__name__="classic_bucket", le="1.0"} 2`,
		`{__name__="classic_count"} 3`, `{__name__="classic_sum"} 4`,
	}
	got := written(samples)
	sort.Strings(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
	if info.Native != 2 {
		t.Errorf("%d native histograms, want 2", info.Native)
	}
}
