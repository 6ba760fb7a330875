package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the blocks of the README that are made by the program")

const (
	readmeBegin = "<!-- report: fixtures/evento-collapse, the first lines -->\n"
	readmeEnd   = "<!-- end of report -->\n"
	readmeLines = 34
)

// TestReadme holds that the report in the README is what the program prints.
func TestReadme(t *testing.T) {
	const file = "../../README.md"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("COLUMNS", "80")
	t.Setenv("LC_ALL", "C.UTF-8")
	t.Setenv("TERM", "xterm")
	var out bytes.Buffer
	code := run(context.Background(), []string{"diagnose", "../../fixtures/evento-collapse"}, streams{nil, &out, os.Stderr})
	if code != 1 {
		t.Fatalf("exit %d, want 1", code)
	}
	lines := strings.Split(out.String(), "\n")
	block := "```text\n$ capdoctor diagnose fixtures/evento-collapse\n" + strings.Join(lines[:readmeLines], "\n") + "\n...\n```\n"
	before, rest, ok := strings.Cut(string(data), readmeBegin)
	_, after, ok2 := strings.Cut(rest, readmeEnd)
	if !ok || !ok2 {
		t.Fatalf("%s has no report block", file)
	}
	want := before + readmeBegin + block + readmeEnd + after
	if want == string(data) {
		return
	}
	if !*update {
		t.Fatalf("the report in %s is not what the program prints; run go test ./cmd/capdoctor -run TestReadme -update", file)
	}
	if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestReadmeCounts holds that the numbers in the README are those of the
// catalogue.
func TestReadmeCounts(t *testing.T) {
	const file = "../../README.md"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := (&catalogFlags{}).load()
	if err != nil {
		t.Fatal(err)
	}
	counts := regexp.MustCompile(`\d+ diagnoses and the meters of \d+ systems`)
	want := fmt.Sprintf("%d diagnoses and the meters of %d systems", len(catalog.Diagnoses), len(catalog.Systems))
	switch got := counts.FindString(string(data)); {
	case got == want:
	case got != "" && *update:
		if err := os.WriteFile(file, counts.ReplaceAll(data, []byte(want)), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s says %q, want %q; run go test ./cmd/capdoctor -run TestReadme -update", file, got, want)
	}
}
