package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/capdoctor/capdoctor/report"
)

// diagnoseOptions are the flags of diagnose.
type diagnoseOptions struct {
	observing
	reportFlags
}

func newDiagnose(s streams) *cobra.Command {
	o := diagnoseOptions{observing: observing{streams: s}}
	o.during = o.provisional
	c := silence(&cobra.Command{
		Use:   "diagnose TARGET... [--log FILE]",
		Short: "watch targets for a few seconds and say what is wrong",
		Long: `diagnose scrapes its targets once a second for 10 s and reports what it found.

A TARGET is [[SERVICE/]NAME=]URL, host:port, a saved page, - for standard input,
or a recorded case (a folder or a .capdoctor file). host:port alone tries
/actuator/prometheus, then /metrics. A file with service statistics of Oracle
Service Bus (CSV, JSON) or the report of a coordinator's benchmark is known by
how it begins; several reports are compared with the first.

--prometheus URL judges the targets of a Prometheus server by what it has
stored, at once; --at judges them as they were.

Exit 0: judged, nothing at or above --fail-on. 1: a finding. 2: usage.
3: nothing could be judged.`,
		Example: `  capdoctor diagnose app.example:8080
  capdoctor diagnose server=10.0.0.7:3000 bundle=10.0.0.8:8080 \
    --fact deadline_seconds=30s
  curl -s http://10.0.0.7:3000/actuator/prometheus | capdoctor diagnose -
  capdoctor diagnose server=10.0.0.7:3000 --log bundle=bundle.log
  capdoctor diagnose --log server.log                no endpoint at all
  capdoctor diagnose broker:8080 --burst --fact limit=1000 \
    --fact window_seconds=1s
  capdoctor diagnose incident.capdoctor --at 10m -o json
  capdoctor diagnose --prometheus http://prometheus:9090 \
    --match '{namespace="shop"}' --at 2026-07-02T02:40:00Z`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && len(o.files) == 0 && o.address == "" {
				return hinted{errors.New("nothing to diagnose: give a target or --log FILE"), "capdoctor diagnose --help"}
			}
			if err := o.reportFlags.validate(); err != nil {
				return err
			}
			if err := o.complete(c, args); err != nil {
				return err
			}
			return o.run(c.Context())
		},
	})
	o.observing.add(c)
	o.reportFlags.add(c.Flags())
	return c
}

func (o *diagnoseOptions) run(ctx context.Context) error {
	seen, err := o.observe(ctx)
	if err != nil {
		return err
	}
	r, err := seen.report(ctx)
	if err != nil {
		return err
	}
	r.Notes = append(r.Notes, unseenPeaks(r)...)
	r.Notes = append(r.Notes, benchNotes(o.logs)...)
	code, err := o.reportFlags.write(o.streams, r)
	if err != nil {
		return err
	}
	return exit(code)
}

// provisional says on standard error what it looks like after two scrapes.
func (o *diagnoseOptions) provisional(ctx context.Context, s *session, round int, left time.Duration) error {
	if round != 1 || left <= 0 {
		return nil
	}
	r, err := s.report(ctx)
	if err != nil {
		return err
	}
	opts := o.reportFlags.options(o.streams.err)
	fmt.Fprintln(o.streams.err, report.Provisional(r, opts, round+1, left.Round(time.Second)))
	return nil
}

// momentOf reads --at: empty is the end.
func momentOf(text string, start time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(text); err == nil {
		return start.Add(d), nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("--at %q: want an offset such as 10m or a time such as 2026-07-02T09:11:00Z", text)
	}
	return t, nil
}
