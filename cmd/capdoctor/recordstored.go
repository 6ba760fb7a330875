package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/scrape"
	"github.com/capdoctor/capdoctor/series"
)

// completeStored reads the flags about a server, which go without those about
// live targets.
func (o *recordOptions) completeStored(args []string) error {
	switch {
	case o.at != "" && o.address == "":
		return hinted{errors.New("--at goes with --prometheus"), "a live target is recorded now"}
	case o.address == "":
		return nil
	case len(args) > 0 || len(o.logFiles) > 0 || o.on != "" || o.length > 0:
		return hinted{errors.New("--prometheus goes without targets, --log, --on and --for"), "it records what the server has stored, at once"}
	case o.at == "":
		return nil
	}
	var err error
	o.moment, err = storedMoment(o.at)
	return err
}

// runStored records what a server has stored of its targets: of every scrape
// what the catalogue asks for.
func (o *recordOptions) runStored(ctx context.Context) error {
	s := newSession(o.catalog, loadedOnce(nil), false)
	scraping, err := o.targetFlags.options(o.streams)
	if err != nil {
		return err
	}
	at := o.moment
	if at.IsZero() {
		at = now().Truncate(time.Millisecond)
	}
	stored, err := o.serverFlags.open(ctx, s, scraping, o.streams, at)
	if err != nil {
		return err
	}
	if err := o.judgeFlags.state(s); err != nil {
		return err
	}
	found, err := stored.more(ctx, at)
	if err != nil {
		complain(o.streams.err, advised(err))
		return exit(report.ExitUnknown)
	}
	var all []scrape.Result
	for _, h := range found {
		all = append(all, h.Results...)
	}
	slices.SortStableFunc(all, func(a, b scrape.Result) int { return a.At.Compare(b.At) })
	rec, err := o.newRecorder(all[0].At, scraping.Secrets())
	if err != nil {
		return err
	}
	for _, r := range all {
		if err := writePage(&r); err != nil {
			return errors.Join(err, rec.close())
		}
		rec.scrape(r)
	}
	err = errors.Join(rec.err, rec.close())
	fmt.Fprintln(o.streams.err, rec.account())
	return err
}

// writePage writes the page of a scrape whose samples are known: as the target
// would have shown them, without what names it.
func writePage(r *scrape.Result) error {
	if r.Err != nil {
		return nil
	}
	var e incident.Exporter
	for _, sample := range r.Samples {
		own := sample.Labels.Map()
		delete(own, "instance")
		delete(own, "service")
		if err := e.Add(pairs(series.FromMap(own)), r.At.UnixMilli(), sample.Value); err != nil {
			return err
		}
	}
	var page bytes.Buffer
	if _, err := e.WriteTo(&page); err != nil {
		return err
	}
	r.Body, r.Status, r.ContentType = page.Bytes(), http.StatusOK, "application/openmetrics-text; version=1.0.0; charset=utf-8"
	return nil
}
