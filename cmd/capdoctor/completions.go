package main

import (
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/capdoctor/capdoctor/rules"
)

// addCompletions lets the shell complete the flags that take one of some values.
func addCompletions(root *cobra.Command) {
	severities := []string{rules.Critical, rules.Warning, rules.Info}
	var facts []string
	for _, name := range rules.FactNames() {
		facts = append(facts, name+"=")
	}
	outputs := map[string][]string{
		"check": slices.Sorted(maps.Keys(checkForms)), "size": sizeFormats, "whatif": sizeFormats, "version": {"text", "json"}, "record": nil, "export": nil,
	}
	scenarios := scenarioNames()
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		formats, known := outputs[c.Name()]
		if !known {
			formats = reportFormats
		}
		for flag, values := range map[string][]string{
			"fail-on": severities, "min-severity": severities, "scenario": scenarios, "output": formats,
		} {
			offer(c, flag, values, cobra.ShellCompDirectiveNoFileComp)
		}
		offer(c, "fact", facts, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// offer completes a flag of a command, where it has it, with fixed values.
func offer(c *cobra.Command, flag string, values []string, directive cobra.ShellCompDirective) {
	if c.Flags().Lookup(flag) == nil || len(values) == 0 {
		return
	}
	err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(slices.Clone(values), directive))
	if err != nil {
		panic(err) // the flag is there, and is offered once
	}
}

// completes offers ids of the catalogue, which is read when the shell asks.
func (f *catalogFlags) completes(ids func(*rules.Catalog) []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		catalog, err := f.load()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return ids(catalog), cobra.ShellCompDirectiveNoFileComp
	}
}
