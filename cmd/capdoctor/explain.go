package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
)

// explainOptions are those of explain.
type explainOptions struct {
	streams      streams
	catalogFlags catalogFlags
	reportFlags  reportFlags // only what shapes a text
	system       string
}

func newExplain(s streams) *cobra.Command {
	o := explainOptions{streams: s}
	c := silence(&cobra.Command{
		Use:   "explain DIAGNOSIS",
		Short: "what a diagnosis means, how it is found, what to do",
		Long: `explain says what the rules know of a diagnosis, without any input: what
happens, by which numbers it is found, what it is told from, what to do and what
not, and where that comes from. Numbers that only an input can give are "?".`,
		Example: `  capdoctor explain congestion-collapse
  capdoctor explain pool-exhausted --system hikaricp`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return hinted{errors.New("explain needs one diagnosis"), "capdoctor rules list has them all"}
			}
			return o.run(args[0])
		},
		ValidArgsFunction: o.catalogFlags.completes((*rules.Catalog).IDs),
	})
	o.catalogFlags.add(c.Flags())
	c.Flags().StringVar(&o.system, "system", "", "tell it in the words of a system, such as tomcat")
	c.Flags().BoolVar(&o.reportFlags.ascii, "ascii", false, "no character beyond ASCII")
	return c
}

func (o *explainOptions) run(id string) error {
	catalog, err := o.catalogFlags.load()
	if err != nil {
		return err
	}
	if err := knownDiagnosis(catalog, id); err != nil {
		return err
	}
	if o.system != "" {
		if err := knownSystem(catalog, o.system); err != nil {
			return err
		}
	}
	e, err := catalog.Explain(id, o.system)
	if err != nil {
		return err
	}
	return report.Explanation(o.streams.out, e, o.reportFlags.options(o.streams.out))
}
