package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// maxBinary bounds the stripped program, in bytes.
const maxBinary = 25_000_000

// TestLinked holds that the linker leaves out the methods that nobody calls. It
// keeps every method of every type as soon as one function reaches methods by
// name that it cannot know, as text/template does: 4 MB more.
func TestLinked(t *testing.T) {
	if testing.Short() {
		t.Skip("links the whole program")
	}
	program := filepath.Join(t.TempDir(), "capdoctor")
	var edges bytes.Buffer
	link := exec.Command("go", "build", "-ldflags=-s -w -dumpdep", "-o", program, ".")
	link.Stdout, link.Stderr = &edges, &edges
	if err := link.Run(); err != nil {
		t.Fatalf("%v:\n%.2000s", err, edges.String())
	}
	seen := 0
	for edge := range strings.Lines(edges.String()) {
		seen++
		if from, to, _ := strings.Cut(strings.TrimSpace(edge), " -> "); strings.HasSuffix(to, "<ReflectMethod>") {
			t.Errorf("%s keeps every method in the program; it is called by %s", to, from)
		}
	}
	if seen < 10_000 {
		t.Errorf("the linker names %d edges: -dumpdep has changed", seen)
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxBinary {
		t.Errorf("the stripped program has %d bytes, more than %d", info.Size(), maxBinary)
	}
	t.Logf("%d bytes", info.Size())
}

// TestTemplateImports holds that text/template comes in with cobra alone, which
// does without it as long as nobody sets a template of its own, and html/template
// not at all.
func TestTemplateImports(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", ".")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Split(strings.TrimSpace(string(out)), "\n")
	for _, text := range packages {
		words := strings.Fields(text)
		for _, imported := range words[1:] {
			switch {
			case imported == "text/template" && words[0] != "github.com/spf13/cobra":
				t.Errorf("%s imports %s", words[0], imported)
			case imported == "html/template", imported == "golang.org/x/net/trace":
				t.Errorf("%s imports %s", words[0], imported)
			}
		}
	}
	if len(packages) < 100 {
		t.Errorf("only %d packages were listed", len(packages))
	}
}
