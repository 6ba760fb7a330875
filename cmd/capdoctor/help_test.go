package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
)

// Every help fits 80 columns, and the examples come before the usage. Rule tests
// may be longer: they are files.
func TestHelpFits(t *testing.T) {
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			visit(sub)
		}
		var out bytes.Buffer
		c.SetOut(&out)
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			line = strings.TrimSuffix(line, "\n")
			if ansi.StringWidth(line) > 80 && !strings.Contains(line, "- {series:") {
				t.Errorf("%s --help: more than 80 columns: %s", c.CommandPath(), line)
			}
		}
		examples, usage := strings.Index(out.String(), "\nExamples:\n"), strings.Index(out.String(), "\nUsage:\n")
		if c.HasExample() && (examples < 0 || usage < examples) {
			t.Errorf("%s --help: the examples do not come first", c.CommandPath())
		}
	}
	visit(newRoot(streams{}))
}
