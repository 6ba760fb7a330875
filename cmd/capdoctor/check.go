package main

import (
	"context"
	"fmt"
	"io"
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
	explain  bool
	paths    []string
	streams  streams
	catalog  *rules.Catalog
	contents []string
}

func newCheck(s streams) *cobra.Command {
	o := checkOptions{streams: s}
	c := silence(&cobra.Command{
		Use:   "check DIR...",
		Short: "judge recorded cases and compare with their right answers",
		Long: `check judges every case below the folders and compares what it finds with the
answer that the case expects. Exit 0: all pass. 1: a case differs. 2: a case
cannot be read. 3: a case could not be judged, and none of the others.`,
		Example: `  capdoctor check fixtures
  capdoctor check fixtures --matrix
  capdoctor check fixtures/collapse.capdoctor -o text -o junit=check.xml`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.paths = args
			if err := o.complete(); err != nil {
				return err
			}
			return o.run(c.Context())
		},
	})
	o.catalogFlags.add(c.Flags())
	c.Flags().StringArrayVarP(&o.outputs, "output", "o", []string{"text"}, "text, json, junit, sarif, tap or github; FORMAT=FILE writes to a file; repeatable")
	c.Flags().BoolVar(&o.matrix, "matrix", false, "per diagnosis: hits, misses, false alarms, unknowns, precision and recall")
	return c
}

func (o *checkOptions) complete() error {
	var err error
	if o.catalog, err = o.catalogFlags.load(); err != nil {
		return err
	}
	o.contents, err = incident.Find(o.paths...)
	return err
}

func (o *checkOptions) run(ctx context.Context) error {
	begin := now()
	var result rules.CheckResult
	for _, path := range o.contents {
		result.Cases = append(result.Cases, checkCase(ctx, o.catalog, path))
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if o.matrix {
		result.Matrix = rules.Matrix(o.catalog.IDs(), result.Cases)
	}
	result.Took = now().Sub(begin)
	err := writeEach(o.streams, o.outputs, func(w io.Writer, format string) error { return writeCheck(w, format, result) })
	if err != nil {
		return err
	}
	return exit(checkCode(result))
}

// checkCase judges one case.
func checkCase(ctx context.Context, c *rules.Catalog, path string) rules.CaseResult {
	begin := now()
	name, r, expect, err := judgeCase(ctx, c, path, time.Time{})
	if err != nil {
		return rules.Unreadable(name, path, err)
	}
	return rules.Judged(name, path, expect, r, now().Sub(begin))
}

// judgeCase reads a case and judges it at its end, or at a time in it.
func judgeCase(ctx context.Context, c *rules.Catalog, path string, until time.Time) (string, *rules.Report, rules.Expect, error) {
	opened, err := incident.Open(path)
	if err != nil {
		return path, nil, rules.Expect{}, err
	}
	defer opened.Close()
	if err := opened.Validate(c.IDs(), rules.FactNames()); err != nil {
		return opened.Name, nil, rules.Expect{}, err
	}
	s := newSession(c, true)
	if err := s.openCase(opened); err != nil {
		return opened.Name, nil, rules.Expect{}, err
	}
	if err := s.feedCase(ctx, opened, until, func(time.Time) error { return nil }); err != nil {
		return opened.Name, nil, rules.Expect{}, err
	}
	r, err := s.report(ctx)
	if err != nil {
		return opened.Name, nil, rules.Expect{}, fmt.Errorf("%s: %w", path, err)
	}
	return opened.Name, r, expected(opened.Expect), nil
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

// checkCode is the exit code: unreadable before mismatch before not judged.
func checkCode(r rules.CheckResult) int {
	pass, fail, unreadable, notJudged := r.Counts()
	switch {
	case unreadable > 0:
		return exitUsage
	case fail > 0:
		return 1
	case notJudged > 0 || pass == 0:
		return 3
	}
	return 0
}
