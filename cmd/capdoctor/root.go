package main

import (
	"github.com/spf13/cobra"
)

func newRoot(io streams) *cobra.Command {
	root := silence(&cobra.Command{
		Use:     "capdoctor",
		Version: versionText(),
		Short:   "find out why nothing completes while nothing looks busy",
		Long: `capdoctor reads metrics pages and logs, recognises the signature of a capacity
failure, proves it with the observed numbers, rules look-alikes out, and gives
ordered recovery steps. It only reads what it looks at.`,
		Example: `  capdoctor demo                                  see it on a built-in incident
  capdoctor app.example:8080                      the dashboard
  capdoctor diagnose app.example:8080             one shot, 10 s
  capdoctor diagnose page.prom                    one saved page
  capdoctor diagnose server=10.0.0.7:3000 db=10.0.0.9:9187 --log app.log
  capdoctor postmortem server.log bundle.log.gz   what failed, from logs alone
  capdoctor check fixtures                        cases with known answers`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	})
	root.SetIn(io.in)
	root.SetOut(io.out)
	root.SetErr(io.err)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		newWatch(io),
		newDiagnose(io),
		newExplain(io),
		newDemo(io),
		newDrill(io),
		newRecord(io),
		newReplay(io),
		newPostmortem(io),
		newCheck(io),
		newRules(io),
		newSize(io),
		newWhatif(io),
		newVersion(io),
		newExitCodes(),
	)
	addCompletions(root)
	root.SetUsageFunc(writeUsage)
	root.SetFlagErrorFunc(flagError)
	return root
}
