package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/series"
)

// An observation is a session that has judged its inputs, at its last tick, for
// commands that calculate with what was seen.
type observation struct {
	*session
	report *rules.Report
}

// observation judges sources (one recorded case; targets and logs) as diagnose
// does.
func (o *observing) observation(ctx context.Context, c *cobra.Command, sources []string) (*observation, error) {
	targets := sources
	if len(sources) != 1 || !incident.IsCase(sources[0]) {
		targets = nil
		for _, source := range sources {
			if isLog(source) {
				o.logFlags.files = append(o.logFlags.files, source)
			} else {
				targets = append(targets, source)
			}
		}
	}
	if err := o.complete(c, targets); err != nil {
		return nil, err
	}
	s, err := o.observe(ctx)
	if err != nil {
		return nil, err
	}
	r, err := s.report(ctx)
	if errors.Is(err, rules.ErrNoTick) {
		return nil, hinted{fmt.Errorf("%s: nothing could be judged", strings.Join(sources, " ")), "no target answered, and no log had a line with a time"}
	}
	if err != nil {
		return nil, err
	}
	return &observation{session: s, report: r}, nil
}

// isLog tells whether a source is a log file: by its name, where it exists.
func isLog(source string) bool {
	file := source
	if _, after, named := strings.Cut(source, "="); named {
		file = after
	}
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular() && logparse.InstanceOf(file) != filepath.Base(file)
}

// query evaluates an expression at the last tick.
func (o *observation) query(ctx context.Context, expr string) ([]series.Sample, error) {
	return o.store.Instant(ctx, series.View{}, expr, o.ticked)
}
