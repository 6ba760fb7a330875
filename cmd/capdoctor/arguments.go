package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/rules"
)

// flagError adds to an error of a flag the flag that was likely meant, or where
// the flags are listed.
func flagError(c *cobra.Command, err error) error {
	hint := c.CommandPath() + " --help lists the flags"
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var known []string
		c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if near := incident.Nearest(unknown.GetSpecifiedName(), known); near != "" {
			hint = "did you mean --" + near + "? " + hint
		}
	}
	return hinted{err, hint}
}

// needs refuses a command line without the argument that a command works on.
func needs(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return nil
		}
		return hinted{fmt.Errorf("%s needs %s", c.Name(), what), c.CommandPath() + " --help has examples"}
	}
}

// atMostOne refuses a second argument.
func atMostOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < 2 {
			return nil
		}
		return hinted{fmt.Errorf("%s takes one %s, got %d", c.CommandPath(), what, len(args)), c.CommandPath() + " --help has examples"}
	}
}

// noArguments refuses any argument, and names the command that was likely meant.
func noArguments(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case !c.HasSubCommands():
		return hinted{fmt.Errorf("%s takes no argument, got %q", c.CommandPath(), args[0]), c.CommandPath() + " --help lists the flags"}
	}
	hint := c.CommandPath() + " --help lists the commands"
	if c.SuggestionsMinimumDistance <= 0 {
		c.SuggestionsMinimumDistance = 2
	}
	if meant := c.SuggestionsFor(args[0]); len(meant) > 0 {
		hint = "did you mean " + c.CommandPath() + " " + strings.Join(meant, " or ") + "?"
	}
	return hinted{fmt.Errorf("unknown command %q for %q", args[0], c.CommandPath()), hint}
}

// newExitCodes is the help topic of that name.
func newExitCodes() *cobra.Command {
	return &cobra.Command{
		Use:   "exit-codes",
		Short: "what the exit status says",
		Long: `  0         judged, and nothing at or above --fail-on (default warning);
            pending and info never fail
  1         a finding at or above it; for check: a case that differs
  2         usage, configuration, rule or case error
  3         nothing could be judged; with --fail-on-unknown, anything
  130, 143  interrupted, terminated

--exit-zero turns 1 and 3 into 0 and says so in the report.`,
	}
}

// knownDiagnosis refuses the id of no diagnosis.
func knownDiagnosis(c *rules.Catalog, id string) error {
	return oneOf("diagnosis", id, c.IDs(), "capdoctor rules list has them all")
}

// knownSystem refuses the id of no system.
func knownSystem(c *rules.Catalog, id string) error {
	return oneOf("system", id, c.SystemIDs(), "rules/catalog/systems.yaml has them all")
}

// oneOf refuses a name that is not among those that there are, with the one that
// was likely meant, or where they are listed.
func oneOf(what, name string, all []string, list string) error {
	if slices.Contains(all, name) {
		return nil
	}
	if near := incident.Nearest(name, all); near != "" {
		list = "did you mean " + near + "?"
	}
	return hinted{fmt.Errorf("no %s %q", what, name), list}
}
