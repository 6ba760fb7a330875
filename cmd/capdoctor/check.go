package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/rules"
)

// checkOptions are the flags of check.
type checkOptions struct {
	catalogFlags
	outputs  []string
	matrix   bool
	update   bool
	ascii    bool
	paths    []string
	streams  streams
	catalog  *rules.Catalog
	cases    []string
	patterns patternSource
	answered map[string]bool // cases that state an answer, by path
}

func newCheck(s streams) *cobra.Command {
	o := checkOptions{streams: s, answered: map[string]bool{}}
	c := silence(&cobra.Command{
		Use:   "check DIR...",
		Short: "judge recorded cases and compare with their right answers",
		Long: `check judges every case below the folders and compares what it finds with the
answer that the case expects. Exit 0: all pass. 1: a case differs. 2: a case
cannot be read. 3: a case could not be judged, and none of the others.

With --update the differences are shown and written into the cases: read them
before you commit them.`,
		Example: `  capdoctor check fixtures
  capdoctor check fixtures --matrix
  capdoctor check incident.capdoctor -o text -o junit=check.xml`,
		Args: needs("a case: a folder with case.yaml, or a .capdoctor file"),
		RunE: func(c *cobra.Command, args []string) error {
			o.paths = args
			if err := o.complete(); err != nil {
				return err
			}
			return o.run(c.Context())
		},
	})
	o.catalogFlags.add(c.Flags())
	o.catalogFlags.addPatterns(c.Flags())
	c.Flags().StringArrayVarP(&o.outputs, "output", "o", []string{"text"}, checkFormNames+"; FORMAT=FILE writes to a file; repeatable")
	c.Flags().BoolVar(&o.matrix, "matrix", false, "per diagnosis: hits, misses, false alarms, unknowns, precision and recall")
	c.Flags().BoolVar(&o.update, "update", false, "show the differences and make them the right answers")
	c.Flags().BoolVar(&o.ascii, "ascii", false, "no character beyond ASCII")
	return c
}

func (o *checkOptions) complete() error {
	if err := validateForms(o.outputs); err != nil {
		return err
	}
	var err error
	if o.catalog, err = o.catalogFlags.load(); err != nil {
		return err
	}
	if o.patterns, err = o.catalogFlags.patterns(); err != nil {
		return err
	}
	o.cases, err = incident.Find(o.paths...)
	return err
}

func (o *checkOptions) run(ctx context.Context) error {
	begin := now()
	var result rules.CheckResult
	for _, path := range o.cases {
		result.Cases = append(result.Cases, o.checkCase(ctx, path))
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	if o.matrix {
		result.Matrix = rules.Matrix(o.catalog.IDs(), result.Cases)
	}
	result.Took = now().Sub(begin)
	if o.update {
		return o.updateCases(result)
	}
	if err := o.write(result); err != nil {
		return err
	}
	return exit(result.ExitCode())
}

// checkCase judges one case. One that states no answer can only be updated.
func (o *checkOptions) checkCase(ctx context.Context, path string) rules.CaseResult {
	begin := now()
	name, r, expect, err := judgeCase(ctx, o.catalog, o.patterns, path)
	if err == nil && expect == nil && !o.update {
		err = fmt.Errorf("%s: no expect block; --update writes what is found into it", path)
	}
	if err != nil {
		return rules.Unreadable(name, path, err)
	}
	o.answered[path] = expect != nil
	return rules.Judged(name, path, expected(expect), r, now().Sub(begin))
}

// judgeCase reads a case and judges it at its end.
func judgeCase(ctx context.Context, c *rules.Catalog, patterns patternSource, path string) (string, *rules.Report, *incident.Expect, error) {
	opened, err := incident.Open(path)
	if err != nil {
		return path, nil, nil, err
	}
	defer opened.Close()
	if err := opened.Validate(c.IDs(), rules.FactNames()); err != nil {
		return opened.Name, nil, nil, err
	}
	s := newSession(c, patterns, true)
	if err := s.openCase(opened); err != nil {
		return opened.Name, nil, nil, err
	}
	if err := s.feedCase(ctx, opened, time.Time{}, func(time.Time) error { return nil }); err != nil {
		return opened.Name, nil, nil, err
	}
	r, err := s.report(ctx)
	if err != nil {
		return opened.Name, nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return opened.Name, r, opened.Expect, nil
}

// expected turns the answer in a case's file into what reports are compared with.
func expected(e *incident.Expect) rules.Expect {
	if e == nil {
		return rules.Expect{}
	}
	out := rules.Expect{
		Not: e.Not, Unknown: e.Unknown, AdviceMust: e.AdviceMust, AdviceMustNot: e.AdviceMustNot,
		File: e.File, Lines: e.Lines,
	}
	for _, w := range e.Find {
		out.Find = append(out.Find, rules.Want{ID: w.ID, Where: w.Where, Says: w.Says})
	}
	return out
}
