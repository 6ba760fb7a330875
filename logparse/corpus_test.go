package logparse

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var updateCorpus = flag.Bool("update-corpus", false, "write the golden table of the shared corpus anew")

// TestCorpus reads every log of the shared corpus and of the shared cases, and
// compares what was found with a golden table.
func TestCorpus(t *testing.T) {
	files, _ := filepath.Glob("../../shared/corpus/logs/*")
	cases, _ := filepath.Glob("../../shared/cases/*/logs/*")
	if len(files) == 0 {
		t.Skip("the shared corpus is not there")
	}
	var b strings.Builder
	fmt.Fprintln(&b, "# log | format | lines | records | unparsed | undated | first | last | zone")
	for _, path := range append(files, cases...) {
		fmt.Fprintln(&b, corpusRow(t, path))
	}
	const golden = "testdata/corpus.golden"
	if *updateCorpus {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Error(d)
	}
}

// corpusRow reads one log. It dates stamps without a year or a date as of
// 2026-11-30.
func corpusRow(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	base := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	_, st, err := ReadFile(t.Context(), path, Options{Base: base}, Reading{})
	if err != nil {
		t.Fatal(err)
	}
	if st.Bytes != int64(len(text)) {
		t.Errorf("%s: %d bytes of %d were read", path, st.Bytes, len(text))
	}
	name := strings.Join(strings.Split(filepath.ToSlash(path), "/")[3:], "/")
	show := func(at time.Time) string {
		if at.IsZero() {
			return "-"
		}
		return at.Format(time.RFC3339Nano)
	}
	zone := st.Zone
	if st.Newest {
		zone += ", newest first"
	}
	return fmt.Sprintf("%s | %s | %d | %d | %d | %d | %s | %s | %s", name, st.Format, st.Lines, st.Records, st.Unparsed, st.Undated, show(st.First), show(st.Last), zone)
}
