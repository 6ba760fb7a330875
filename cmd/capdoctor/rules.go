package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

func newRules(s streams) *cobra.Command {
	c := silence(&cobra.Command{
		Use:   "rules",
		Short: "list, lint, test and export the rules",
		Example: `  capdoctor rules list                    what is known
  capdoctor rules lint --rules my-rules   your own beside the built-in rules
  capdoctor rules test my-rules/tests
  capdoctor rules export --system tomcat,jvm -o rules.yaml   for your Prometheus`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	})
	c.AddCommand(newRulesList(s), newRulesLint(s), newRulesTest(s), newRulesExport(s))
	return c
}

func newRulesList(s streams) *cobra.Command {
	var f catalogFlags
	c := silence(&cobra.Command{
		Use:   "list",
		Short: "list the diagnoses: id, severity, signals needed",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			catalog, err := f.load()
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
			for _, d := range catalog.Diagnoses {
				fmt.Fprintf(w, "%s\t%s\t%s\n", d.ID, d.Severity, strings.Join(d.Signals(), " "))
			}
			return w.Flush()
		},
	})
	f.add(c.Flags())
	return c
}

func newRulesLint(s streams) *cobra.Command {
	var f catalogFlags
	c := silence(&cobra.Command{
		Use:   "lint [--rules DIR]",
		Short: "check rule files: form, names, texts",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			catalog, err := f.load()
			if err != nil {
				return err
			}
			fmt.Fprintf(s.out, "%d diagnoses, %d signals, %d systems: no problem\n", len(catalog.Diagnoses), len(catalog.Signals), len(catalog.Systems))
			return nil
		},
	})
	f.add(c.Flags())
	return c
}
