package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
)

func newRulesTest(s streams) *cobra.Command {
	var f catalogFlags
	c := silence(&cobra.Command{
		Use:   "test FILE|DIR...",
		Short: "test rules with series in Prometheus' own notation",
		Long: `test reads files of rule tests. A test names series as Prometheus' rule tests do
and says, as a case does, what must be found:

  tests:
  - name: all connections in use, callers waiting
    interval: 15s
    input_series:
    - {series: 'hikaricp_connections_active{instance="app",pool="main"}', values: '10x8'}
    - {series: 'hikaricp_connections_max{instance="app",pool="main"}', values: '10x8'}
    - {series: 'hikaricp_connections_pending{instance="app",pool="main"}', values: '3x8'}
    expect:
      find: [{id: pool-exhausted}]
      not: [pool-filling]`,
		Args: needs("a file of rule tests"),
		RunE: func(c *cobra.Command, args []string) error {
			catalog, err := f.load()
			if err != nil {
				return err
			}
			result, err := runRuleTests(c.Context(), catalog, args)
			if err != nil {
				return err
			}
			o := checkOptions{streams: s}
			if err := report.CheckText(s.out, result, o.options(s.out)); err != nil {
				return err
			}
			return exit(result.ExitCode())
		},
	})
	f.add(c.Flags())
	return c
}

// runRuleTests runs every test of the files, in order.
func runRuleTests(ctx context.Context, c *rules.Catalog, paths []string) (rules.CheckResult, error) {
	begin := now()
	var result rules.CheckResult
	files, err := testFiles(paths)
	if err != nil {
		return result, err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return result, err
		}
		tests, err := rules.ParseRuleTests(file, data)
		if err != nil {
			return result, err
		}
		for _, t := range tests {
			begin := now()
			r, err := t.Run(ctx, c)
			if err != nil {
				result.Cases = append(result.Cases, rules.Unreadable(t.Name, t.File, fmt.Errorf("%s:%d: %w", t.File, t.Line, err)))
				continue
			}
			result.Cases = append(result.Cases, rules.Judged(t.Name, t.File, t.Expect, r, now().Sub(begin)))
		}
	}
	if len(result.Cases) == 0 {
		return result, errors.New("no test in " + strings.Join(paths, ", "))
	}
	result.Took = now().Sub(begin)
	return result, nil
}

// testFiles lists the files of tests that the paths are or hold, in order.
func testFiles(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (name == path || filepath.Ext(name) == ".yaml") {
				files = append(files, name)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}
