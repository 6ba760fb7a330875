package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/scrape"
	"github.com/capdoctor/capdoctor/series"
)

// A followed log is read as it grows: a file across rotation, a stream as its
// writer writes it.
type followed struct {
	service, instance, path string
	follower                follower
}

// A follower is a logparse.Follower or a logparse.Piped.
type follower interface {
	Poll(hand func(*logparse.Record)) (news bool, err error)
	Flush(hand func(*logparse.Record))
	Stats() logparse.Stats
	Close() error
}

// logFlags name logs to follow.
type logFlags struct {
	files  []string
	since  time.Duration
	zone   string
	format string
}

func (f *logFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.files, "log", nil, "[[SERVICE/]NAME=]FILE to follow across rotation, a pipe such as <(kubectl logs -f pod), or - for standard input; repeatable")
	flags.DurationVar(&f.since, "log-since", signalRetention, "how far back a followed log is read")
	flags.StringVar(&f.zone, "log-tz", "UTC", "time zone of log lines that name none")
	flags.StringVar(&f.format, "log-format", "", "format of log lines, such as spring-boot; without it the format is found by itself")
}

// follow makes a watching read its logs before every round is judged. It returns
// nil where there are none.
func (f *logFlags) follow(w *watching, in io.Reader, all []*followed) (*logs, error) {
	if len(all) == 0 {
		return nil, nil
	}
	l, err := w.session.newLogs(logparse.GridOptions{Step: w.interval, History: max(f.since, signalRetention)})
	if err != nil {
		return nil, err
	}
	w.before = func(at time.Time) error {
		if all[0].follower == nil {
			if err := l.begin(in, all, at.Add(-f.since), f.options(at)); err != nil {
				return err
			}
		}
		return l.poll(all, at)
	}
	return l, nil
}

// complete reads the flags.
func (f *logFlags) complete(patterns patternSource) ([]*followed, error) {
	if err := checkFormat("--log-format", f.format, patterns); err != nil {
		return nil, err
	}
	if _, err := time.LoadLocation(f.zone); err != nil {
		return nil, fmt.Errorf("--log-tz %q: no such time zone", f.zone)
	}
	return f.parse()
}

// options say how a log is read whose lines are not newer than base.
func (f *logFlags) options(base time.Time) logparse.Options {
	zone, _ := time.LoadLocation(f.zone) // complete has seen it
	return logparse.Options{Base: base, Zone: zone, Format: f.format}
}

// parse reads [[SERVICE/]NAME=]FILE of every --log.
func (f *logFlags) parse() ([]*followed, error) {
	var all []*followed
	seen := map[string]bool{}
	for _, text := range f.files {
		l, err := parseFollowed(text)
		if err != nil {
			return nil, err
		}
		if seen[l.path] {
			return nil, fmt.Errorf("log %q is named twice", l.path)
		}
		seen[l.path] = true
		all = append(all, l)
	}
	return all, nil
}

// oneStdin refuses to read two things from the standard input.
func oneStdin(targets []scrape.Target, logs []*followed) error {
	page := slices.ContainsFunc(targets, func(t scrape.Target) bool { return t.File == scrape.Stdin })
	if page && slices.ContainsFunc(logs, func(l *followed) bool { return l.path == "-" }) {
		return hinted{errors.New("a page and a log are both to come from the standard input"), "name one of them: --log <(command)"}
	}
	return nil
}

func parseFollowed(text string) (*followed, error) {
	l := &followed{path: text}
	if name, path, ok := strings.Cut(text, "="); ok {
		l.path = path
		service, instance, ok := strings.Cut(name, "/")
		if !ok {
			service, instance = "", name
		}
		l.service, l.instance = service, instance
	}
	if l.path == "" {
		return nil, fmt.Errorf("log %q: want [[SERVICE/]NAME=]FILE", text)
	}
	l.instance = cmp.Or(l.instance, logparse.InstanceOf(l.path))
	return l, nil
}

// begin opens the followers: from since on, which covers the windows of rules.
// The standard input is in.
func (l *logs) begin(in io.Reader, all []*followed, since time.Time, o logparse.Options) error {
	o.Formats, o.Since = l.catalog.Formats(), since
	for _, f := range all {
		stream, err := streamOf(in, f.path)
		switch {
		case err != nil:
			return fmt.Errorf("log %q: %w", f.path, err)
		case stream != nil:
			f.follower = logparse.NewPiped(stream, f.path, o)
		default:
			f.follower = logparse.NewFollower(f.path, o, logparse.Start{Since: since})
		}
	}
	return nil
}

// poll takes what was written to the followed logs since the last call, and
// stores what it yields up to at.
func (l *logs) poll(all []*followed, at time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range all {
		sampler := l.grid.Sampler(f.instance, f.service)
		take := func(r *logparse.Record) {
			sampler.Record(r)
			l.take(sampler, r)
		}
		news, err := f.follower.Poll(take)
		if err != nil {
			return fmt.Errorf("log %q: %w", f.path, err)
		}
		if !news {
			f.follower.Flush(take)
		}
		l.store(f, sampler, at)
	}
	return nil
}

// store gives the store what a followed log yielded, and keeps its account.
func (l *logs) store(f *followed, sampler *logparse.Sampler, at time.Time) {
	in := l.byName[f.instance]
	if in == nil {
		in = &logInput{sampler: sampler, input: &input{Input: rules.Input{Name: f.instance, Kind: "log", Origin: f.path, Interval: l.grid.Step()}}}
		in.source = l.session.store.AddSource(series.Source{Instance: f.instance, Service: f.service, Kind: series.Log, Interval: in.Interval})
		l.byName[f.instance] = in
		l.files = append(l.files, f.path)
		l.session.inputs = append(l.session.inputs, in.input)
		l.session.judge.SetQuotes(l.quote)
	}
	st := f.follower.Stats()
	in.Bytes, in.Lines, in.Records, in.Unparsed, in.Undated = st.Bytes, st.Lines, st.Records, st.Unparsed, st.Undated
	in.First, in.Last = st.First, st.Last
	in.Note = strings.Join(append(st.Assumed, f.endedNote()...), "; ")
	for _, b := range sampler.Advance(in.source, at) {
		l.session.past.tell(b.Time, l.grid.Step())
		l.session.store.Ingest(b)
	}
	l.stateFacts(in)
}

// endedNote says that a stream has ended: that nothing comes is not that
// nothing happens.
func (f *followed) endedNote() []string {
	if p, ok := f.follower.(*logparse.Piped); ok && p.Ended() {
		return []string{"its writer has ended"}
	}
	return nil
}

// end closes the followers.
func endFollowed(all []*followed) error {
	var errs []error
	for _, f := range all {
		if f.follower != nil {
			errs = append(errs, f.follower.Close())
		}
	}
	return errors.Join(errs...)
}
