package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/pflag"

	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/scrape"
	"github.com/capdoctor/capdoctor/series"
)

// targetFlags say how targets are scraped.
type targetFlags struct {
	interval time.Duration
	timeout  time.Duration
	auth     scrape.Auth
	tls      scrape.TLSConfig
	http     string // the file of an HTTP client configuration
	gzip     bool
	honor    bool
}

func (f *targetFlags) add(flags *pflag.FlagSet, interval time.Duration) {
	flags.DurationVar(&f.interval, "interval", interval, "time between two scrapes")
	flags.DurationVar(&f.timeout, "timeout", scrape.DefaultTimeout, "time for one scrape")
	flags.StringVar(&f.auth.BasicFile, "basic-auth-file", "", "file with user:password; or set CAPDOCTOR_BASIC_AUTH")
	flags.StringVar(&f.auth.BearerFile, "bearer-token-file", "", "file with a bearer token")
	flags.StringVar(&f.tls.CAFile, "ca-file", "", "certificates to trust instead of the system's")
	flags.StringVar(&f.tls.CertFile, "cert-file", "", "client certificate")
	flags.StringVar(&f.tls.KeyFile, "key-file", "", "key of the client certificate")
	flags.StringVar(&f.tls.ServerName, "server-name", "", "name to expect in the target's certificate")
	flags.BoolVar(&f.tls.SkipVerify, "insecure-skip-verify", false, "trust any certificate")
	flags.StringVar(&f.http, "http-config", "", "file with OAuth2, proxy, headers, as in a Prometheus scrape configuration")
	flags.BoolVar(&f.gzip, "gzip", false, "ask for compressed pages: less to send, more work for the target")
	flags.BoolVar(&f.honor, "honor-timestamps", false, "take the times on the page instead of the time of the scrape")
}

// options reads the files that the flags name.
func (f *targetFlags) options(s streams) (scrape.Options, error) {
	o := scrape.Options{
		Timeout: f.timeout, Auth: f.auth, TLS: f.tls, Gzip: f.gzip, UserAgent: "capdoctor/" + versionText(), Stdin: s.in,
		Parse: scrape.ParseOptions{HonorTimestamps: f.honor},
	}
	if f.auth.BasicFile == "" && f.auth.BearerFile == "" {
		o.Auth.Basic = os.Getenv("CAPDOCTOR_BASIC_AUTH")
	}
	if f.http == "" {
		return o, nil
	}
	var err error
	var unread *fs.PathError
	o.HTTP, err = scrape.LoadHTTPConfig(f.http)
	switch {
	case errors.As(err, &unread):
		return o, fmt.Errorf("--http-config: %w", err)
	case err != nil:
		return o, hinted{fmt.Errorf("--http-config %w", err), "basic_auth, authorization, oauth2, tls_config, proxy_url, http_headers, as in a Prometheus scrape configuration"}
	}
	return o, nil
}

// open makes an input of every target, states what the user knows, and makes
// the scrapers: they read only the metrics that somebody asks for.
func (f *targetFlags) open(s *session, targets []scrape.Target, o scrape.Options, known judgeFlags) ([]*scrape.Scraper, []*input, error) {
	var inputs []*input
	for _, t := range targets {
		kind, origin := "scrape", t.URL
		if t.URL == "" {
			kind, origin = "file", t.File
		}
		inputs = append(inputs, s.add(rules.Input{Name: t.Instance, Kind: kind, Origin: origin, Interval: f.interval}, t.Service, series.Scrape))
	}
	if err := known.state(s); err != nil {
		return nil, nil, err
	}
	o.Names, o.Match = s.wanted(), s.judge.Catalog().MatchesMetric
	var scrapers []*scrape.Scraper
	for _, t := range targets {
		sc, err := scrape.NewScraper(t, o)
		if err != nil {
			return nil, nil, err
		}
		scrapers = append(scrapers, sc)
	}
	return scrapers, inputs, nil
}

// parseTargets reads the targets of a command line.
func parseTargets(args []string) ([]scrape.Target, error) {
	var targets []scrape.Target
	for _, a := range args {
		t, err := scrape.ParseTarget(a)
		if err != nil {
			return nil, err
		}
		targets = append(targets, t)
	}
	return scrape.ResolveInstances(targets)
}
