package report

import (
	"io"

	"github.com/capdoctor/capdoctor/rules"
)

// Explanation writes what the catalogue says of a diagnosis, laid out as a
// finding is. The only error is one of w.
func Explanation(w io.Writer, e *rules.Explanation, o Options) error {
	t := newReportText(&rules.Report{}, o)
	t.line(span{heading, e.ID}, text("  "+e.Severity+": "+e.Title))
	t.paragraph("WHAT HAPPENS", e.Meaning)
	t.signs(e.Signs)
	t.steps(&rules.Finding{Steps: e.Steps})
	t.avoid(e.Avoid)
	t.items("TOLD FROM", e.Looks)
	t.items("EXPLAINS", e.Explains)
	t.items("SEEN ON", e.Systems)
	t.sources(e.Sources)
	_, err := io.WriteString(w, t.b.String())
	return err
}

// paragraph writes prose under a heading.
func (t *reportText) paragraph(title, prose string) {
	if prose != "" {
		t.line(span{heading, title})
		t.hang(text("  "), prose)
	}
}

// sources writes where it comes from, each link whole on a line of its own,
// however long, so that it can be opened.
func (t *reportText) sources(sources []rules.Source) {
	if len(sources) == 0 {
		return
	}
	t.line(span{heading, "SOURCES"})
	for _, s := range sources {
		t.hangAt(4, text("  "), s.Title)
		if s.Link != "" {
			t.b.WriteString("    " + t.letters.clean(s.Link) + "\n")
		}
	}
}

// signs writes the conditions of each way in which a diagnosis shows.
func (t *reportText) signs(signs []rules.Sign) {
	for i, s := range signs {
		title := "FOUND WHEN"
		if i > 0 {
			title = "OR WHEN"
		}
		if s.Hold > 0 {
			title += ", for " + rules.Duration(s.Hold)
		}
		if s.System != "" {
			title += ", on " + s.System
		}
		t.line(span{heading, title})
		for n, c := range s.Conditions {
			lead := "  "
			if n > 0 {
				lead = "  and "
			}
			t.hangAt(6, text(lead), c)
		}
		for _, c := range s.Unless {
			t.hangAt(6, text("  and not "), c)
		}
	}
}
