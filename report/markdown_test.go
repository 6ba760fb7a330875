package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
)

func markdownOf(t *testing.T, r *rules.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Markdown(&b, r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMarkdown(t *testing.T) {
	for _, name := range []string{"collapse", "healthy", "could-not-judge", "two-causes"} {
		t.Run(name, func(t *testing.T) {
			golden(t, name+".md", []byte(markdownOf(t, sample(t, name))))
		})
	}
}

// What a target says shows up as text: it makes no link, image, HTML or block.
func TestMarkdownIsInert(t *testing.T) {
	parser := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough)).Parser()
	for seed := range uint64(200) {
		page := markdownOf(t, randomReport(seed))
		assertPlain(t, fmt.Sprintf("markdown of seed %d", seed), page)
		root := parser.Parse(text.NewReader([]byte(page)))
		err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			switch n.Kind() {
			case ast.KindLink, ast.KindImage, ast.KindRawHTML, ast.KindHTMLBlock, ast.KindCodeSpan, ast.KindBlockquote, ast.KindCodeBlock, ast.KindThematicBreak:
				return ast.WalkStop, fmt.Errorf("a target made a %s", n.Kind())
			case ast.KindFencedCodeBlock:
				if l := string(n.(*ast.FencedCodeBlock).Language([]byte(page))); l != "text" {
					return ast.WalkStop, fmt.Errorf("a target opened a code block %q", l)
				}
			case ast.KindHeading:
				if h := n.(*ast.Heading); h.Level > 2 {
					return ast.WalkStop, fmt.Errorf("a target made a heading of level %d", h.Level)
				}
			}
			return ast.WalkContinue, nil
		})
		if err != nil {
			t.Errorf("seed %d: %v in\n%s", seed, err, page)
		}
	}
}

func handoverOf(t *testing.T, r *rules.Report, o report.Options, done report.Progress) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Handover(&b, r, o, done); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestHandover(t *testing.T) {
	done := report.Progress{Done: []string{"09:12:00 writers of catalog-import 20 to 8: 12.5/s at 09:12:45, improving"}, Steps: 1}
	for _, name := range []string{"collapse", "healthy", "could-not-judge", "two-causes", "partly-down"} {
		t.Run(name, func(t *testing.T) {
			got := handoverOf(t, sample(t, name), report.Options{}, report.Progress{}) + "---\n" +
				handoverOf(t, sample(t, name), report.Options{ASCII: true}, done)
			golden(t, name+".chat", []byte(got))
		})
	}
}

func TestHandoverIsShort(t *testing.T) {
	for seed := range uint64(200) {
		o := report.Options{Width: 60, Style: report.Dark256}
		got := handoverOf(t, randomReport(seed), o, report.Progress{Done: []string{"\x1b[2J" + strings.Repeat("did ", 90)}, Steps: int(seed) - 100})
		what := fmt.Sprintf("hand-over of seed %d", seed)
		assertPlain(t, what, got)
		if n := strings.Count(got, "\n"); n > 5 || n < 1 {
			t.Errorf("%s: %d lines", what, n)
		}
		for _, line := range strings.Split(got, "\n") {
			if w := report.Width(line); w > 120 {
				t.Errorf("%s: %d columns: %q", what, w, line)
			}
		}
	}
}
