package main

import (
	"errors"
	"os"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/scrape"
	"github.com/capdoctor/capdoctor/series"
)

// exportCase writes every scrape of a case as OpenMetrics with timestamps.
func exportCase(c *incident.Case, name string) error {
	var e incident.Exporter
	replays := map[string]*scrape.Replay{}
	for _, t := range c.Targets {
		replays[t.Name] = scrape.NewReplay(scrape.Target{Name: t.Name, Instance: t.Name, Raw: t.Name}, scrape.ParseOptions{})
	}
	for t, shot := range c.InOrder() {
		r, err := recorded(c, t, shot, replays[t.Name])
		if err != nil {
			return err
		}
		for _, s := range append(r.Samples, r.Meta...) {
			if err := e.Add(pairs(s.Labels), r.At.UnixMilli(), s.Value); err != nil {
				return err
			}
		}
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = e.WriteTo(f)
	return errors.Join(err, f.Close())
}

// pairs lists labels as names and values.
func pairs(l series.Labels) []incident.Label {
	var all []incident.Label
	l.Range(func(label series.Label) { all = append(all, incident.Label{Name: label.Name, Value: label.Value}) })
	return all
}
