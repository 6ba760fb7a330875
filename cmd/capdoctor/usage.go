package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
)

// usageColumns is how wide the usage of a command is.
const usageColumns = 80

// writeUsage writes what cobra's own usage has, with the examples first and no
// line beyond usageColumns. A template of cobra's would do it too, but
// text/template keeps every method in the program: see package
// rules/internal/template.
func writeUsage(c *cobra.Command) error {
	_, err := fmt.Fprint(c.OutOrStderr(), usageOf(c))
	return err
}

func usageOf(c *cobra.Command) string {
	flags := strings.TrimRightFunc(c.LocalFlags().FlagUsagesWrapped(usageColumns), unicode.IsSpace)
	var b strings.Builder
	if c.HasExample() {
		fmt.Fprintf(&b, "Examples:\n%s\n\n", c.Example)
	}
	b.WriteString("Usage:")
	if c.Runnable() {
		b.WriteString("\n  " + c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n  %s [command]\n\nCommands:", c.CommandPath())
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(&b, "\n  %-*s %s", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	if flags != "" {
		b.WriteString("\n\nFlags:\n" + flags)
	}
	if c.HasHelpSubCommands() {
		b.WriteString("\n\nAdditional help topics:")
		for _, sub := range c.Commands() {
			if sub.IsAdditionalHelpTopicCommand() {
				fmt.Fprintf(&b, "\n  %-*s %s", sub.CommandPathPadding(), sub.CommandPath(), sub.Short)
			}
		}
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\nUse %q for more about a command.", c.CommandPath()+" [command] --help")
	}
	b.WriteString("\n")
	return b.String()
}
