package scrape

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpus is real bodies that no one here wrote, where a checkout has them.
const corpus = "../../shared/corpus"

// corpusFiles returns the files under a folder of the shared corpus, or skips.
func corpusFiles(t testing.TB, folders ...string) []string {
	t.Helper()
	var files []string
	for _, folder := range folders {
		root := filepath.Join(corpus, folder)
		if _, err := os.Stat(root); err != nil {
			t.Skipf("shared corpus not present: %v", err)
		}
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !strings.HasSuffix(path, ".json") && !strings.HasSuffix(path, ".tsv") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// oracle reads a table of verdicts of other parsers: "ok(12)" or "ERR" per
// format, by file or case.
func oracle(t *testing.T, name string, text, openMetrics int) map[string]map[Format]string {
	t.Helper()
	rows := make(map[string]map[Format]string)
	for _, line := range strings.Split(string(readFile(t, filepath.Join(corpus, name))), "\n")[1:] {
		if f := strings.Split(line, "\t"); len(f) > max(text, openMetrics) {
			rows[f[0]] = map[Format]string{Text: f[text], OpenMetrics: f[openMetrics]}
		}
	}
	return rows
}

// verdict reads body in one format and says what the oracle would.
func verdict(f Format, body []byte) string {
	if len(body) == 0 {
		body = []byte("\n")
	}
	samples, info, err := parseAs(f, body, ParseOptions{Instance: "i"})
	if err != nil {
		return "ERR"
	}
	return fmt.Sprintf("ok(%d)", len(samples)+info.Skipped)
}

func TestCorpusAgreesWithOracle(t *testing.T) {
	files := corpusFiles(t, "expo")
	want := oracle(t, "expo/oracle.tsv", 2, 3)
	for _, path := range files {
		name := filepath.Base(path)
		body := readFile(t, path)
		for _, f := range []Format{Text, OpenMetrics} {
			if got := verdict(f, body); got != want[name][f] {
				t.Errorf("%s as %s: got %s, want %s", name, f, got, want[name][f])
			}
		}
	}
}

// strict returns the cases of the OpenMetrics suite that are refused here and
// not by Prometheus' parsers: a label stands twice, for which a Prometheus
// server refuses the page only when it stores the samples.
func strict(name string) bool {
	return name == "bad_invalid_labels_2" || name == "bad_invalid_labels_5"
}

func TestOpenMetricsSuiteAgreesWithOracle(t *testing.T) {
	files := corpusFiles(t, "openmetrics/openmetrics-testdata")
	want := oracle(t, "openmetrics/oracle.tsv", 3, 4)
	for _, path := range files {
		name := filepath.Base(filepath.Dir(path))
		if _, known := want[name]; !known || strict(name) {
			continue
		}
		body := readFile(t, path)
		for _, f := range []Format{Text, OpenMetrics} {
			if got := verdict(f, body); got != want[name][f] {
				t.Errorf("%s as %s: got %s, want %s: %q", name, f, got, want[name][f], body)
			}
		}
	}
}

// A page that is offered under any Content-Type is read whole or refused with a
// line, and never more is made of it than the best parser makes.
func TestCorpusUnderEveryContentType(t *testing.T) {
	for _, path := range corpusFiles(t, "expo", "openmetrics") {
		body := readFile(t, path)
		for _, contentType := range []string{"", "text/plain", mediaRange(OpenMetrics), mediaRange(Protobuf), "text/html", "nonsense;;"} {
			samples, info, err := Parse(body, contentType, ParseOptions{Instance: "i", Service: "s"})
			switch {
			case err != nil && samples != nil:
				t.Errorf("%s as %q: samples of a page that was refused", path, contentType)
			case err == nil && info.Samples != len(samples):
				t.Errorf("%s as %q: Info counts %d samples of %d", path, contentType, info.Samples, len(samples))
			}
			for _, s := range samples {
				if s.Labels.Get("instance") != "i" || s.Labels.Get("service") != "s" || s.Labels.Has("job") {
					t.Fatalf("%s: labels %v do not name the target", path, s.Labels)
				}
			}
		}
	}
}

// Real dumps are read whatever their header says; a third lack the final newline.
func TestCorpusDumpsNeedNoHeader(t *testing.T) {
	ending := 0
	for _, path := range corpusFiles(t, "expo") {
		samples, info, err := Parse(readFile(t, path), mediaRange(OpenMetrics), ParseOptions{})
		if !info.FinalNewline {
			ending++
			continue
		}
		if err != nil || len(samples) == 0 || !info.Fallback {
			t.Errorf("%s as OpenMetrics: %d samples, fallback %v, %v", path, len(samples), info.Fallback, err)
		}
	}
	if ending == 0 {
		t.Error("no dump without a final newline in the corpus")
	}
}

func TestCorpusProtobuf(t *testing.T) {
	for _, path := range corpusFiles(t, "openmetrics/telegraf-openmetrics", "openmetrics/expfmt-testdata") {
		name := filepath.Base(path)
		if name != "protobuf" && !(filepath.Ext(name) == ".bin" && strings.HasPrefix(name, "prometheus-")) {
			continue // text, or the protobuf of OpenMetrics, which no one serves
		}
		samples, info, err := Parse(readFile(t, path), mediaRange(Protobuf), ParseOptions{})
		if err != nil || len(samples) == 0 || info.Format != Protobuf {
			t.Errorf("%s: %d samples as %s, %v", path, len(samples), info.Format, err)
		}
	}
}
