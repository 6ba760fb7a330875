package report

import (
	"io"

	"github.com/capdoctor/capdoctor/rules"
)

// PostmortemJSON is written later.
func PostmortemJSON(w io.Writer, p *rules.Postmortem, o Options) error { return nil }

// PostmortemMarkdown is written later.
func PostmortemMarkdown(w io.Writer, p *rules.Postmortem, o Options) error { return nil }
