package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/capdoctor/capdoctor/lab"
)

// whatifOptions are the flags of whatif. A number of -1 and an empty text are
// not given.
type whatifOptions struct {
	observing
	change  whatifChange
	known   whatifKnown
	outputs []string
	ascii   bool
	seeds   int
}

// whatifKnown is what the user knows and no input shows.
type whatifKnown struct {
	service    time.Duration
	before     float64
	queueFirst bool
}

func newWhatif(s streams) *cobra.Command {
	o := whatifOptions{observing: observing{streams: s}}
	c := silence(&cobra.Command{
		Use:   "whatif INCIDENT|TARGET...",
		Short: "predict what a change to an Evento server would do, by a model",
		Long: `whatif fits a model of an Evento server and its callers to an incident: a
recorded case or live targets. Then it predicts what a change would do: writes
completed, expired and their time, as ranges over models that all show what was
seen. It also shows how many clients the server bears.

It needs the bus meters of the server, the number of clients, a count of
completed writes (progress lines in a log, or --goodput), and a time at which
work was completed, or --service. Where the model misses what was seen by more
than 20 % in any of these and of the threads, the queue, the processors and the
handlers that time out, it says so and predicts nothing: exit 3.

What is predicted begins in the present state, with what is queued and held, and
beside it after a restart: where every thread is held, fewer clients alone may
not be enough.`,
		Example: `  capdoctor whatif incident.capdoctor --clients 8
  capdoctor whatif incident.capdoctor --grow-first --queue 256 --service 300ms
  capdoctor whatif server=10.0.0.7:3000 bundle=10.0.0.8:8080 \
    --fact clients=20 --goodput bundle:catalog_products_written_total \
    --service 300ms --clients 8`,
		Args: needs("a target, or a recorded case"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.validate(); err != nil {
				return err
			}
			return o.run(c, args)
		},
	})
	flags := c.Flags()
	flags.SortFlags = false
	flags.IntVar(&o.change.clients, "clients", -1, "clients at once")
	flags.IntVar(&o.change.queue, "queue", -1, "queue capacity")
	flags.IntVar(&o.change.core, "pool-core", -1, "core threads")
	flags.IntVar(&o.change.max, "pool-max", -1, "max threads")
	flags.BoolVar(&o.change.growFirst, "grow-first", false, "a pool that grows to max before it queues, as from 2.4.0")
	flags.IntVar(&o.change.inFlight, "max-in-flight", -1, "writes that the callers let out at once; more are refused; 0 is no bound")
	flags.DurationVar(&o.change.deadline, "deadline", 0, "how long callers wait")
	flags.StringVar(&o.change.retries, "retries", "", "on, off, or how often an expired write is sent again at once")
	flags.DurationVar(&o.known.service, "service", 0, "how long a write takes that waits for nothing, such as one sent by hand")
	flags.Float64Var(&o.known.before, "before", 0, "writes per second that --fact clients=N made before, where no input shows it")
	flags.BoolVar(&o.known.queueFirst, "queue-first", false, "the pool is an old one: no thread beyond core before the queue is full")
	flags.StringArrayVarP(&o.outputs, "output", "o", []string{"text"}, strings.Join(sizeFormats, ", ")+"; FORMAT=FILE writes to a file; repeatable")
	flags.BoolVar(&o.ascii, "ascii", false, "no character beyond ASCII")
	flags.IntVar(&o.seeds, "seeds", 3, "runs of each model")
	o.observing.add(c)
	return c
}

func (o *whatifOptions) validate() error {
	for _, output := range o.outputs {
		if format, _, _ := strings.Cut(output, "="); !slices.Contains(sizeFormats, format) {
			return fmt.Errorf("output %q: want %s", format, strings.Join(sizeFormats, ", "))
		}
	}
	switch {
	case o.seeds < 1 || o.seeds > 20:
		return fmt.Errorf("--seeds %d: want 1 to 20", o.seeds)
	case o.known.service < 0 || o.change.deadline < 0 || o.known.before < 0:
		return errors.New("--service, --deadline and --before must be 0 or more")
	case o.change.clients > mostClients || o.change.max > mostClients || o.change.core > mostClients || o.change.queue > mostQueue:
		return fmt.Errorf("the model takes %d clients or threads and %d places in the queue at most", mostClients, mostQueue)
	}
	_, err := o.change.retry()
	return err
}

// Bounds of what the model is run with.
const (
	mostClients = 2000
	mostQueue   = 100_000
)

func (o *whatifOptions) run(c *cobra.Command, sources []string) error {
	ctx := c.Context()
	seen, err := o.observation(ctx, c, sources)
	if err != nil {
		return err
	}
	w, err := seen.incident(ctx, o.known)
	if err != nil {
		return err
	}
	fit, err := lab.FitEvento(w.incident)
	var misfit *lab.MisfitError
	if errors.As(err, &misfit) {
		complain(o.streams.err, hinted{err, w.advice(misfit)})
		return exit(exitUnknown)
	}
	if err != nil {
		return err
	}
	w.predict(fit, o.change, o.seeds)
	return writeEach(o.streams, o.outputs, func(out io.Writer, format string) error {
		switch format {
		case "json":
			return writeWhatifJSON(out, w)
		case "markdown":
			return writeWhatifMarkdown(out, w)
		}
		return writeWhatifText(out, w, o.ascii)
	})
}

// exitUnknown is the exit status of what could not be predicted.
const exitUnknown = 3

// A whatif is an answer: what was seen, what the fitted models show, and what
// they predict.
type whatif struct {
	source   string
	change   string
	incident lab.Incident
	rows     []whatifSeen
	assumed  []string

	fit        *lab.Fit
	now, after lab.Prediction // after has no runs where nothing is changed
	afresh     lab.Prediction // the same change and a restart; no runs where nothing is changed
	clients    []whatifClients
	knee       int // the number of clients with the most writes after a restart
}

// A whatifSeen is one number that was seen, with its origin.
type whatifSeen struct {
	name   string
	value  float64
	unit   string
	origin string
}

// A whatifClients is what a number of clients would complete, from the present
// state and after a restart.
type whatifClients struct {
	clients        int
	perSecond      lab.Span
	expired        lab.Span
	restarted      lab.Span // writes a second
	expiredAfterIt lab.Span
}

// predict runs the models.
func (w *whatif) predict(f *lab.Fit, change whatifChange, seeds int) {
	w.fit, w.change = f, change.words()
	w.now = f.Predict(seeds, nil)
	if w.change != "" {
		w.after = f.Predict(seeds, change.do)
		w.afresh = f.Afresh(seeds, change.do)
	}
	most := math.Inf(-1)
	for _, n := range clientSteps(w.incident, change.clients) {
		only := func(c *lab.Config) { c.Writers = n }
		p, r := f.Predict(1, only), f.Afresh(1, only)
		w.clients = append(w.clients, whatifClients{n, p.PerSecond, p.ExpiredPerHour, r.PerSecond, r.ExpiredPerHour})
		if mid := r.PerSecond.Least + r.PerSecond.Most; mid > most {
			most, w.knee = mid, n
		}
	}
}

// clientSteps are the numbers of clients to be shown: eighths of the threads,
// what there is now, and what is asked for.
func clientSteps(in lab.Incident, asked int) []int {
	threads := in.Server.Core
	if in.Server.GrowFirst {
		threads = in.Server.Max
	}
	steps := []int{in.Now.Clients}
	if asked > 0 {
		steps = append(steps, asked)
	}
	for i := 2; i <= 8; i++ {
		steps = append(steps, max(1, threads*i/8))
	}
	slices.Sort(steps)
	return slices.Compact(steps)
}
