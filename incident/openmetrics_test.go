package incident

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const t0 = 1772460000000 // start in milliseconds

func TestExport(t *testing.T) {
	var e Exporter
	add := func(ms int64, v float64, labels ...Label) {
		t.Helper()
		if err := e.Add(labels, ms, v); err != nil {
			t.Fatal(err)
		}
	}
	name := func(n string) Label { return Label{"__name__", n} }
	add(t0+10250, 2, name("b_total"), Label{"z", "1"}, Label{"a", "x\"y\\\n"})
	add(t0, 1, name("b_total"), Label{"a", "x\"y\\\n"}, Label{"z", "1"})
	add(t0, 99, name("b_total"), Label{"a", "x\"y\\\n"}, Label{"z", "1"})
	add(t0, math.Inf(1), name("a:rate"), Label{"empty", ""})
	add(t0+1, math.Inf(-1), name("a:rate"))
	add(t0+2, math.NaN(), name("a:rate"))
	add(t0+3, math.Float64frombits(staleMarker), name("a:rate"))
	add(t0, 1e21, name("c.d"), Label{"e.f", "g"})
	add(t0, 0.1, name("c.d"))
	var b strings.Builder
	n, err := e.WriteTo(&b)
	want := `# TYPE a:rate unknown
a:rate +Inf 1772460000.000
a:rate -Inf 1772460000.001
a:rate NaN 1772460000.002
# TYPE b_total unknown
b_total{a="x\"y\\\n",z="1"} 1 1772460000.000
b_total{a="x\"y\\\n",z="1"} 2 1772460010.250
# TYPE "c.d" unknown
{"c.d"} 0.1 1772460000.000
{"c.d","e.f"="g"} 1e+21 1772460000.000
# EOF
`
	if err != nil || n != int64(len(want)) || b.String() != want {
		t.Errorf("%d bytes, %v\n%s", n, err, b.String())
	}
	if err := e.Add([]Label{{"a", "b"}}, 0, 1); err == nil {
		t.Error("a series without a name was taken")
	}
	if err := e.Add([]Label{{"__name__", "a"}, {"b", "\xff"}}, 0, 1); err == nil {
		t.Error("a value that is not UTF-8 was taken")
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestExportSaysWhenItFails(t *testing.T) {
	var e Exporter
	if err := e.Add([]Label{{"__name__", "a"}}, t0, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := e.WriteTo(brokenWriter{}); err == nil || err.Error() != "disk full" {
		t.Errorf("got %v", err)
	}
}

// promtool itself makes blocks of an export, and finds its samples in them.
func TestExportLoadsIntoPrometheus(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not installed")
	}
	var e Exporter
	for i := range 300 {
		for _, pool := range []string{"a", "b \"quoted\""} {
			ms := int64(t0 + i*1000)
			for n, v := range map[string]float64{"cap:waiting": float64(i), "hikaricp_connections_timeout_total": float64(i * 2), "ratio": math.NaN()} {
				if err := e.Add([]Label{{"__name__", n}, {"pool", pool}}, ms, v); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "incident.om")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.WriteTo(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "data")
	if out, err := exec.Command(promtool, "tsdb", "create-blocks-from", "openmetrics", file, data).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.MkdirAll(filepath.Join(data, "wal"), 0o755); err != nil { // older versions of dump ask for it
		t.Fatal(err)
	}
	out, err := exec.Command(promtool, "tsdb", "dump", data).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		`{__name__="cap:waiting", pool="a"} 299 1772460299000`,
		`{__name__="hikaricp_connections_timeout_total", pool="b \"quoted\""} 4 1772460002000`,
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s is not in the blocks", want)
		}
	}
	if n := strings.Count(string(out), "__name__"); n != 1800 {
		t.Errorf("%d samples in the blocks", n)
	}
}

// An export is a recording: what was written is read as scrapes again.
func TestExportIsReadAsScrapes(t *testing.T) {
	var e Exporter
	for i := range 3 {
		if err := e.Add([]Label{{"__name__", "a"}, {"b", "c # d"}}, t0+int64(i)*1000, float64(i)); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	if _, err := e.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	got := openContent(t, folderOf(t, map[string]string{"case.yaml": goodCase, "scrapes/app.om": b.String()}))
	if len(got.Scrapes) != 3 || string(got.Scrapes[2].Body) != "# TYPE a unknown\na{b=\"c # d\"} 2\n# EOF\n" {
		t.Errorf("got %v", got.Scrapes)
	}
}
