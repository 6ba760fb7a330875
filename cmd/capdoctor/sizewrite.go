package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/sizing"
)

// asciiMaths are the ASCII forms of the characters that formulas use.
func asciiMaths(text string) string {
	return strings.NewReplacer("÷", "/", "×", "x", "−", "-", "–", "-", "—", "-", "≤", "<=", "≥", ">=").Replace(text)
}

// writeSizeText writes results for a terminal. Formulas stand below their
// values, where they come from at the end.
func writeSizeText(w io.Writer, results []sizing.Result, ascii bool) error {
	var b strings.Builder
	for i, r := range results {
		if i > 0 {
			b.WriteByte('\n')
		}
		sizeText(&b, r)
	}
	text := b.String()
	if ascii {
		text = asciiMaths(text)
	}
	_, err := io.WriteString(w, text)
	return err
}

func sizeText(b *strings.Builder, r sizing.Result) {
	b.WriteString(report.Escape(r.Title) + "\n\nGIVEN\n")
	name, value := 0, 0
	for _, in := range r.Inputs {
		name = max(name, report.Width(report.Escape(in.Name)))
		value = max(value, report.Width(sizing.Format(in.Value, in.Unit)))
	}
	for _, in := range r.Inputs {
		fmt.Fprintf(b, "  %s  %s  %s\n", padded(report.Escape(in.Name), name), padded(sizing.Format(in.Value, in.Unit), value), report.Escape(in.Origin))
	}
	b.WriteString("\nCOMPUTED\n")
	name = 0
	for _, l := range r.Lines {
		name = max(name, report.Width(report.Escape(l.Name)))
	}
	var sources []string
	for _, l := range r.Lines {
		number := 1 + slices.Index(sources, l.Source)
		if number == 0 {
			sources = append(sources, l.Source)
			number = len(sources)
		}
		fmt.Fprintf(b, "  %s  %s\n      %s  [%d]\n", padded(report.Escape(l.Name), name), sizing.Format(l.Value, l.Unit), report.Escape(l.Formula), number)
	}
	if len(r.Advice) > 0 {
		b.WriteString("\nWHAT FOLLOWS\n")
	}
	for _, a := range r.Advice {
		b.WriteString(wrapped("  - ", "    ", report.Escape(a), 80))
	}
	b.WriteString("\nFORMULAS\n")
	for i, s := range sources {
		b.WriteString(wrapped(fmt.Sprintf("  [%d] ", i+1), "      ", s, 80))
	}
}

func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-report.Width(text)))
}

// wrapped breaks a sentence at its spaces.
func wrapped(first, further, text string, width int) string {
	var b strings.Builder
	line := first
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case report.Width(line)+1+report.Width(word) > width:
			b.WriteString(line + "\n")
			line = further + word
		default:
			line += " " + word
		}
	}
	return b.String() + line + "\n"
}

// sizeDocument is the JSON of a calculation.
type sizeDocument struct {
	Calculation string       `json:"calculation"`
	Results     []sizeResult `json:"results"`
}

type sizeResult struct {
	Title    string      `json:"title"`
	Given    []sizeInput `json:"given"`
	Computed []sizeLine  `json:"computed"`
	Follows  []string    `json:"follows"`
}

type sizeInput struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Unit   string  `json:"unit"`
	Origin string  `json:"origin"`
}

type sizeLine struct {
	Name    string  `json:"name"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
	Formula string  `json:"formula"`
	Source  string  `json:"source"`
}

// writeSizeJSON writes results for programs: times in seconds, shares as 0 to 1.
func writeSizeJSON(w io.Writer, name string, results []sizing.Result) error {
	d := sizeDocument{Calculation: name}
	for _, r := range results {
		s := sizeResult{Title: r.Title, Given: []sizeInput{}, Computed: []sizeLine{}, Follows: append([]string{}, r.Advice...)}
		for _, in := range r.Inputs {
			s.Given = append(s.Given, sizeInput(in))
		}
		for _, l := range r.Lines {
			s.Computed = append(s.Computed, sizeLine{l.Name, l.Value, l.Unit, l.Formula, l.Source})
		}
		d.Results = append(d.Results, s)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(d)
}

// writeSizeMarkdown writes results as tables.
func writeSizeMarkdown(w io.Writer, results []sizing.Result) error {
	var b strings.Builder
	for i, r := range results {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "## %s\n\n| given | value | from |\n|---|---|---|\n", cell(r.Title))
		for _, in := range r.Inputs {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(in.Name), cell(sizing.Format(in.Value, in.Unit)), cell(in.Origin))
		}
		b.WriteString("\n| computed | value | formula | source |\n|---|---|---|---|\n")
		for _, l := range r.Lines {
			fmt.Fprintf(&b, "| %s | **%s** | %s | %s |\n", cell(l.Name), cell(sizing.Format(l.Value, l.Unit)), cell(l.Formula), cell(l.Source))
		}
		b.WriteByte('\n')
		for _, a := range r.Advice {
			b.WriteString("- " + cell(a) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// cell makes a text inert in Markdown: it may come from a target or a file.
func cell(text string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;",
		"#", `\#`, "@", "&#64;", "!", `\!`, "~", `\~`).Replace(report.Escape(text))
}
