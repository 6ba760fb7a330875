package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capdoctor/capdoctor/sizing"
)

var sizeFormats = []string{"text", "json", "markdown"}

// sizeOptions are the flags of one calculation.
type sizeOptions struct {
	observing
	tool     *sizeTool
	from     []string
	resource string
	benches  []string
	stats    string
	outputs  []string
	ascii    bool
	caution  string // about what --from saw; empty: none
}

func newSize(s streams) *cobra.Command {
	c := silence(&cobra.Command{
		Use:   "size",
		Short: "compute what a limited system can do, with every formula shown",
		Long: `size computes from numbers that you give, or that it observes with --from, what
a system with limits can do: the sustainable rate, the queue that is of use,
what a divided limit comes to. Every formula is shown with its numbers. Flags
win over observed values. What is impossible or contradictory is explained, not
computed.

Numbers are plain (64, 0.2) or durations (200ms, 30s, 1m30s).`,
		Example: `  capdoctor size queue --deadline 30s --service 200ms --workers 64
  capdoctor size osb --throttle 20 --servers 8 --batch 10
  capdoctor size pulsar --limit 1000 --usage 750 --nodes 5 --node-usage 150
  capdoctor size evento --from incident.capdoctor --service 300ms \
    --nested 2 --nested-time 100ms`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	})
	for _, t := range sizeTools() {
		c.AddCommand(newSizeTool(s, t))
	}
	return c
}

func newSizeTool(s streams, t *sizeTool) *cobra.Command {
	o := sizeOptions{observing: observing{streams: s}, tool: t}
	c := silence(&cobra.Command{
		Use:     t.name,
		Short:   t.short,
		Example: "  " + strings.Join(t.examples, "\n  "),
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.validate(); err != nil {
				return err
			}
			return o.run(c)
		},
	})
	flags := c.Flags()
	flags.SortFlags = false
	for _, f := range t.fields {
		flags.Var(&numberFlag{f.into, "--" + f.flag}, f.flag, f.usage)
	}
	for _, f := range t.switches {
		flags.BoolVar(f.into, f.flag, false, f.usage)
	}
	if t.bench != nil {
		flags.StringArrayVar(&o.benches, "bench", nil, "file with the report of a benchmark run, or -; a second one is compared with the first")
	}
	if t.stats {
		flags.StringVar(&o.stats, "stats", "", "CSV or JSON file with statistics of business services, or -: tells waiting for the throttle from a slow backend")
	}
	flags.StringArrayVar(&o.from, "from", nil, "TARGET, recorded case or log to take values from; repeatable")
	flags.StringVar(&o.resource, "resource", "", "[NAME/]RESOURCE of --from where several have the values")
	flags.StringArrayVarP(&o.outputs, "output", "o", []string{"text"}, strings.Join(sizeFormats, ", ")+"; FORMAT=FILE writes to a file; repeatable")
	flags.BoolVar(&o.ascii, "ascii", false, "no character beyond ASCII")
	o.observing.add(c)
	return c
}

func (o *sizeOptions) validate() error {
	for _, output := range o.outputs {
		if format, _, _ := strings.Cut(output, "="); !slices.Contains(sizeFormats, format) {
			return fmt.Errorf("output %q: want %s", format, strings.Join(sizeFormats, ", "))
		}
	}
	if o.resource != "" && len(o.from) == 0 {
		return hinted{errors.New("--resource goes with --from"), "without it all values come from flags"}
	}
	return nil
}

func (o *sizeOptions) run(c *cobra.Command) error {
	if len(o.from) > 0 {
		if err := o.fill(c); err != nil {
			return err
		}
	}
	results, err := o.results()
	if err != nil {
		return o.explain(err)
	}
	if o.caution != "" {
		for i := range results {
			results[i].Advice = append([]string{o.caution}, results[i].Advice...)
		}
	}
	return writeEach(o.streams, o.outputs, func(w io.Writer, format string) error {
		switch format {
		case "json":
			return writeSizeJSON(w, o.tool.name, results)
		case "markdown":
			return writeSizeMarkdown(w, results)
		}
		return writeSizeText(w, results, o.ascii)
	})
}

// results computes from the flags, from reports of benchmarks, or from
// statistics.
func (o *sizeOptions) results() ([]sizing.Result, error) {
	if o.stats != "" {
		return osbStats(o.streams.in, o.stats)
	}
	if len(o.benches) > 0 {
		return benchResults(o.streams.in, o.benches, o.tool.bench)
	}
	r, err := o.tool.result()
	return []sizing.Result{r}, err
}

// explain adds to an error of a calculation which flags it is about.
func (o *sizeOptions) explain(err error) error {
	var missing *sizing.MissingError
	if errors.As(err, &missing) {
		var flags []string
		for _, f := range o.tool.fields {
			if slices.ContainsFunc(missing.Inputs, func(text string) bool { return strings.Contains(text, f.name) }) {
				flags = append(flags, "--"+f.flag)
			}
		}
		if len(flags) > 0 {
			return hinted{err, "give " + strings.Join(flags, ", ") + ", or --from with a target, case or log that shows them"}
		}
	}
	return err
}
