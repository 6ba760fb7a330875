package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/capdoctor/capdoctor/"

// allowed is which of our packages each package may import. Data flows one way:
// samples in, report out.
var allowed = map[string][]string{
	"series":   {},
	"scrape":   {"series"},
	"logparse": {"series"},
	"lab":      {"series"},
	"incident": {},
	"sizing":   {},
	"rules":    {"series"},
	"report":   {"rules"},
	"tui":      {"rules", "series"},
}

// upstream is which packages may import which packages of prometheus/prometheus,
// because its API moves.
var upstream = []string{"series", "scrape", "rules"}

func TestImports(t *testing.T) {
	root := "../.."
	for name, may := range allowed {
		files, err := filepath.Glob(filepath.Join(root, name, "*.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("package %s: no Go files (%v)", name, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, path := range importsOf(t, file) {
				if own, ok := strings.CutPrefix(path, module); ok && !slices.Contains(may, own) && !strings.HasPrefix(own, name+"/") {
					t.Errorf("%s imports %s", file, own)
				}
				if strings.HasPrefix(path, "github.com/prometheus/prometheus/") && !slices.Contains(upstream, name) {
					t.Errorf("%s imports %s", file, path)
				}
				if strings.HasPrefix(path, "github.com/prometheus/prometheus/tsdb") && path != "github.com/prometheus/prometheus/tsdb/chunkenc" {
					t.Errorf("%s imports %s: no tsdb", file, path)
				}
			}
		}
	}
}

// TestClock holds that the clock is read in commands only. scrape measures how
// long its requests take, which is a reading too.
func TestClock(t *testing.T) {
	for name := range allowed {
		if name == "scrape" {
			continue
		}
		files, _ := filepath.Glob(filepath.Join("../..", name, "*.go"))
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, use := range clockUses(t, file) {
				t.Error(use)
			}
		}
	}
}

// clockUses lists where a file reads the clock, sleeps, or has an init.
func clockUses(t *testing.T, file string) []string {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var uses []string
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name == "init" {
				uses = append(uses, set.Position(n.Pos()).String()+": init")
			}
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "time" && (n.Sel.Name == "Now" || n.Sel.Name == "Sleep" || n.Sel.Name == "Since") {
				uses = append(uses, set.Position(n.Pos()).String()+": time."+n.Sel.Name)
			}
		}
		return true
	})
	return uses
}

func importsOf(t *testing.T, file string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}
