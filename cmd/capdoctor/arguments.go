package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/capdoctor/capdoctor/incident"
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
