package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSnippets runs the commands of the README's CI snippets on the cases here,
// in an empty folder, and looks for the files that they promise.
func TestSnippets(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	fixtures := absolute(t, "../../fixtures/evento-healthy")
	for name, want := range map[string]string{".github/workflows/capacity.yml": "capdoctor.sarif", ".gitlab-ci.yml": "capdoctor.xml"} {
		t.Run(name, func(t *testing.T) {
			_, block, ok := strings.Cut(string(readme), "# "+name+"\n")
			if !ok {
				t.Fatalf("the README has no %s", name)
			}
			block, _, _ = strings.Cut(block, "```")
			dir := t.TempDir()
			t.Chdir(dir)
			if err := os.Symlink(fixtures, "fixtures"); err != nil {
				t.Fatal(err)
			}
			t.Setenv("GITHUB_STEP_SUMMARY", filepath.Join(dir, "summary.md"))
			ran := 0
			for line := range strings.Lines(block) {
				args, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimSpace(line), "- "), "capdoctor ")
				if !ok {
					continue
				}
				ran++
				var out bytes.Buffer
				if code := run(context.Background(), strings.Fields(args), streams{nil, &out, os.Stderr}); code != 0 {
					t.Errorf("capdoctor %s: exit %d\n%s", args, code, &out)
				}
			}
			if ran == 0 {
				t.Error("no command ran")
			}
			if data, err := os.ReadFile(want); err != nil || len(data) == 0 {
				t.Errorf("%s: %d bytes, %v", want, len(data), err)
			}
		})
	}
}
