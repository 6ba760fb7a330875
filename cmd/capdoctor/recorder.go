package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/scrape"
)

// A recorder writes scrapes and logs to a file, or keeps the last of them until
// it is told to begin.
type recorder struct {
	path      string
	source    string // what the case says it was made from
	options   incident.Options
	facts     map[string]string
	writer    *incident.Writer // nil while nothing is written
	ring      *incident.Ring   // nil when everything is written
	triggered time.Time
	scrapes   int
	failed    int
	next      int   // counts the reads of logs, which take turns
	err       error // the first failure; nothing is written after it
}

func (r *recorder) writing() bool { return r.writer != nil }

// open begins the file.
func (r *recorder) open(start time.Time) error {
	w, err := incident.Create(r.path, r.options)
	if errors.Is(err, fs.ErrExist) {
		return hinted{fmt.Errorf("%s is there already", r.path), "give another name with -o: nothing is overwritten"}
	}
	if err != nil {
		return err
	}
	r.writer = w
	return w.SetCase(incident.Case{
		Title: "recorded by capdoctor " + versionText(), Source: r.source,
		Start: start, Facts: r.facts,
	})
}

// begin writes what the ring holds and goes on writing.
func (r *recorder) begin(at time.Time) error {
	r.triggered = at
	if err := r.open(r.ring.Start()); err != nil {
		return err
	}
	return r.ring.Drain(r.writer)
}

// scrape takes one result. A scrape that never went out is none.
func (r *recorder) scrape(got scrape.Result) {
	if got.Err != nil && got.Err.Kind == scrape.Busy || r.err != nil {
		return
	}
	m := incident.Meta{Status: got.Status, Duration: got.Duration, ContentType: got.ContentType}
	r.scrapes++
	if got.Err != nil {
		r.failed++
		m.Error = sentence(got.Err)
	}
	if !r.writing() {
		r.ring.AddScrape(got.Target.Instance, got.At, m, got.Body)
		return
	}
	r.err = r.writer.AddScrape(got.Target.Instance, got.At, m, got.Body)
}

// logs takes what was appended to the logs, a piece of each in turn, until all
// is taken or the clock says until. A later call goes on where this one stopped.
func (r *recorder) logs(ctx context.Context, tails []*tail, at, until time.Time) error {
	for idle := 0; idle < len(tails); r.next++ {
		t := tails[r.next%len(tails)]
		b, err := t.read()
		if err != nil {
			return err
		}
		idle++
		if len(b) > 0 {
			idle = 0
			if err := r.log(t.name, at, b); err != nil {
				return err
			}
		}
		if ctx.Err() != nil || !now().Before(until) {
			r.next++
			return nil
		}
	}
	return nil
}

func (r *recorder) log(name string, at time.Time, b []byte) error {
	if !r.writing() {
		r.ring.AppendLog(name, at, b)
		return nil
	}
	return r.writer.AppendLog(name, at, b)
}

func (r *recorder) close() error {
	if !r.writing() {
		return r.err
	}
	return r.writer.Close()
}

// leftBehind says how much of the logs was not taken, a line for each.
func leftBehind(tails []*tail) []string {
	var all []string
	for _, t := range tails {
		if n := t.left(); n > 0 {
			all = append(all, fmt.Sprintf("log %s: the last %d bytes were not recorded", t.path, n))
		}
	}
	return all
}

// account says what was recorded.
func (r *recorder) account() string {
	if !r.writing() {
		return fmt.Sprintf("nothing fired in %d scrapes: nothing was written", r.scrapes)
	}
	return fmt.Sprintf("%d scrapes seen, %d of them failed; written to %s", r.scrapes, r.failed, r.path)
}
