package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/lab"
	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/series"
	"github.com/capdoctor/capdoctor/sizing"
)

// What is read of a server, as PromQL.
const (
	busSize     = `cap:pool_size{system="evento"}`
	busMax      = `cap:pool_max{system="evento"}`
	busWaiting  = `cap:waiting{system="evento"}`
	busBusy     = `cap:pool_busy{system="evento"}`
	busRate     = `cap:completed_rate{system="evento"}`
	busCore     = `cap:pool_core{system="evento"}`
	busQueue    = `cap:queue_capacity{system="evento"}`
	busDeadline = `cap:deadline_seconds{system="evento"}`
	busCPU      = `cap:cpu_busy_ratio{system="jvm"}`

	written = "sum(capdoctor_log_completed_total)"
	goodput = "sum(cap:goodput_total)"
	workers = `sum(capdoctor_log_workers unless on (instance) cap:fact{fact="clients"})`
	clients = "max(cap:clients)"
)

// incident reads what a fit needs from what was seen. The error names everything
// that is missing, with the flag that supplies it.
func (o *observation) incident(ctx context.Context, known whatifKnown) (*whatif, error) {
	w := &whatif{}
	w.incident.Server = lab.Evento()
	w.incident.Service = known.service
	at, err := o.server(ctx)
	if err != nil {
		return nil, err
	}
	w.source = at.instance
	if err := o.seePool(ctx, w, at, known.queueFirst); err != nil {
		return nil, err
	}
	work, err := o.seeWork(ctx)
	if err != nil {
		return nil, err
	}
	if missing := w.take(work, known.before); len(missing) > 0 {
		return nil, hinted{fmt.Errorf("not seen: %s", strings.Join(missing, "; ")), "a recorded case with the logs of the callers has all of it"}
	}
	if err := o.seeCallers(ctx, w, at, work); err != nil {
		return nil, err
	}
	return w, nil
}

// server finds the Evento server that is meant.
func (o *observation) server(ctx context.Context) (place, error) {
	samples, err := o.query(ctx, busSize)
	if err != nil {
		return place{}, err
	}
	switch len(samples) {
	case 0:
		return place{}, hinted{fmt.Errorf("no Evento server with meters of its pool was seen"),
			"whatif knows Evento servers from 2.4.0 on (evento_server_bus_executor_*); for other pools see capdoctor size pool"}
	case 1:
		return placeOf(samples[0].Labels), nil
	}
	for _, f := range o.report.Findings {
		for _, s := range samples {
			if string(f.Subject["instance"]) == s.Labels.Get("instance") && f.State == rules.Firing {
				return placeOf(s.Labels), nil
			}
		}
	}
	return place{}, hinted{fmt.Errorf("several Evento servers were seen: %s", strings.Join(placeNames(samples), ", ")), "give the one that is meant, and its callers"}
}

// seePool reads the pool, its queue and the deadline.
func (o *observation) seePool(ctx context.Context, w *whatif, at place, queueFirst bool) error {
	c := &w.incident.Server
	size, max, waiting := 0.0, float64(c.Max), 0.0
	for _, part := range []struct {
		name, unit string
		expr       []string
		set        func(float64)
	}{
		{"threads", "", []string{busSize}, func(v float64) { size = v }},
		{"max threads", "", []string{busMax}, func(v float64) { max = v }},
		{"core threads", "", []string{busCore}, func(v float64) { c.Core = int(v) }},
		{"queue", "places", []string{busQueue}, func(v float64) { c.Queue = int(v) }},
		{"requests waiting", "", []string{busWaiting}, func(v float64) { waiting = v }},
		{"deadline", "s", []string{busDeadline, fact("deadline_seconds")}, func(v float64) { c.Deadline = time.Duration(v * 1e9) }},
	} {
		n, err := o.number(ctx, at, part.expr)
		if err != nil {
			return err
		}
		if n.Known() {
			part.set(n.Value)
			w.rows = append(w.rows, whatifSeen{part.name, n.Value, part.unit, n.Origin})
		}
	}
	c.Max = int(max)
	c.Core = min(c.Core, c.Max)
	c.Cores = (c.Core + 1) / 2
	c.GrowFirst = !(queueFirst || waiting > 0 && size < max || c.Queue >= oldQueue)
	how := "grows before it queues"
	if !c.GrowFirst {
		how = fmt.Sprintf("stays at %d threads until its queue of %d is full", c.Core, c.Queue)
	}
	w.assume("The pool %s, and the server has %d processors, as Evento sizes it.", how, c.Cores)
	return nil
}

// oldQueue is the queue of a server before 2.4.0, whose pool queues first.
const oldQueue = 1024

// take puts the work into the incident and lists what is missing.
func (w *whatif) take(k work, before float64) (missing []string) {
	in := &w.incident
	if k.clients < 1 {
		missing = append(missing, "how many clients there are (--fact clients=N)")
	}
	if k.rateOrigin == "" {
		missing = append(missing, "how many writes are completed (--goodput NAME:COUNTER, or the callers' log with progress lines)")
	}
	in.Now = lab.SightingOf(k.clients, k.now)
	in.Before = k.best()
	if before > 0 {
		in.Before = lab.SightingOf(k.clients, before)
	}
	if in.Before.Clients == 0 && in.Service == 0 && len(missing) == 0 {
		missing = append(missing, "a time at which work was completed (--before RATE), or how long a write takes that waits for nothing (--service)")
	}
	if len(missing) > 0 {
		return missing
	}
	w.rows = append(w.rows,
		whatifSeen{"clients", float64(k.clients), "", k.clientsOrigin},
		whatifSeen{"writes completed now", k.now, "1/s", k.rateOrigin})
	if in.Before.Clients > 0 {
		origin := k.rateOrigin
		if before > 0 {
			origin = "--before"
		}
		w.rows = append(w.rows, whatifSeen{fmt.Sprintf("writes completed before, by %d clients", in.Before.Clients), in.Before.PerSecond, "1/s", origin})
	}
	if in.Service > 0 {
		w.rows = append(w.rows, whatifSeen{"time of a write that waits for nothing", in.Service.Seconds(), "s", "--service"})
	}
	return nil
}

// seeCallers reads what the callers' expiries tell: how long they pause, and how
// many requests a write makes of its own.
func (o *observation) seeCallers(ctx context.Context, w *whatif, at place, k work) error {
	in := &w.incident
	if err := o.seeNested(ctx, w, at); err != nil {
		return err
	}
	begin, step := o.span()
	expired, what, err := o.expiries(ctx, begin, step)
	if err != nil {
		return err
	}
	deadline := in.Server.Deadline.Seconds()
	switch {
	case !math.IsNaN(expired):
		in.Now.ExpiredPerHour = expired * 3600
		w.rows = append(w.rows, whatifSeen{"writes expired (" + what + ")", expired * 60, "a minute", "log lines bundle_correlation_expired"})
		if pause := float64(in.Now.Clients)/expired - deadline; expired > 0 && pause > leastPause {
			in.Server.PauseAfterExpiry = time.Duration(pause * float64(time.Second)).Round(time.Second)
			w.assume("A caller whose write expired pauses %s: clients ÷ expiries − deadline.", in.Server.PauseAfterExpiry)
		} else {
			w.assume("A caller whose write expired goes on at once.")
		}
	default:
		w.assume("No expiry was seen in a log: a caller whose write expired goes on at once.")
	}
	if err := o.seeServer(ctx, w, at, k); err != nil {
		return err
	}
	w.assume("Writes are alike; their own work and their nested requests vary by a tenth. Which part is nested is not observable: %s.", w.shares())
	return o.seeCPU(ctx, w, at, k)
}

// leastPause is a pause that is told from none, in seconds.
const leastPause = 5

func (w *whatif) shares() string {
	if w.incident.Server.Nested == 0 {
		return "none is"
	}
	return "several are tried, and the range covers those that show what was seen"
}

// seeNested estimates how many requests of its own a write makes: each request
// uses the database once, and so does storing the write.
func (o *observation) seeNested(ctx context.Context, w *whatif, at place) error {
	c := &w.incident.Server
	uses, err := o.number(ctx, at, []string{busRate})
	if err != nil {
		return err
	}
	rate := w.incident.Now.PerSecond
	if uses.Known() && rate > 1 {
		each := uses.Value / rate
		if n := int(math.Round(each)) - 1; n >= 0 && n <= 8 {
			c.Nested = n
			w.assume("A write makes %d requests of its own: the database is used %.1f times a write, once for each and once to store it.", n, each)
			return nil
		}
	}
	w.assume("A write makes %d requests of its own, as in the published incident: how many is not observable while nothing completes.", c.Nested)
	return nil
}

// seeCPU takes what a write costs from the time at which work was completed.
func (o *observation) seeCPU(ctx context.Context, w *whatif, at place, k work) error {
	in := &w.incident
	begin, step := o.span()
	all, err := o.store.Range(ctx, series.View{}, busCPU, begin, o.ticked, step)
	if err != nil {
		return err
	}
	var costs []float64
	for _, s := range all {
		if s.Labels.Get("instance") != at.instance {
			continue
		}
		for _, p := range s.Points {
			if rate := k.rateAt(p.Time); rate > 1 && rate >= wellAbove*in.Before.PerSecond {
				costs = append(costs, max(0, p.Value*float64(in.Server.Cores)-in.Server.IdleCPU)/rate)
			}
		}
	}
	slices.Sort(costs)
	if usual, ok := sizing.NearestRank(costs, 50); ok {
		in.WriteCPU = time.Duration(usual * float64(time.Second))
	}
	if in.WriteCPU > 0 {
		w.assume("A write costs %s of processor time, as it did while work was completed.", in.WriteCPU.Round(time.Millisecond))
	}
	return nil
}

// expiries is the rate of expired writes between the first and the last expiry
// that was seen, and the type that expires most: a group that expires together
// counts once. NaN where no log tells.
func (o *observation) expiries(ctx context.Context, begin, step int64) (perSecond float64, what string, err error) {
	const expr = `sum by (type) (capdoctor_log_events_total{event="bundle_correlation_expired",type!=""})`
	all, err := o.store.Range(ctx, series.View{}, expr, begin, o.ticked, step)
	if err != nil {
		return math.NaN(), "", err
	}
	perSecond, most := math.NaN(), 0.0
	for _, s := range all {
		last := s.Points[len(s.Points)-1].Value
		if last <= most {
			continue
		}
		most, what = last, report.Escape(s.Labels.Get("type"))
		perSecond = growth(s.Points)
	}
	return perSecond, what, nil
}

// seeServer reads what the server showed in the last minutes, for the models to
// show it too.
func (o *observation) seeServer(ctx context.Context, w *whatif, at place, k work) error {
	now := &w.incident.Now
	watched, err := o.watchedSince(ctx, at)
	if err != nil {
		return err
	}
	in, worked := &w.incident, k.worked(w.incident.Before)
	if in.Before.Clients > 0 && in.Now.PerSecond < wellAbove*in.Before.PerSecond && worked+longestPart.Milliseconds() >= watched {
		in.Lasted = time.Duration(o.ticked-worked) * time.Millisecond
		w.rows = append(w.rows, whatifSeen{"time since the rate before", in.Lasted.Seconds(), "s", k.rateOrigin})
	}
	for _, part := range []struct {
		name, unit, expr string
		to               *float64
	}{
		{"threads busy, mean", "", busBusy, &now.Busy},
		{"requests waiting, mean", "", busWaiting, &now.Waiting},
		{"processors busy, mean", "ratio", busCPU, &now.CPU},
	} {
		v, err := o.lately(ctx, at, part.expr)
		if err != nil {
			return err
		}
		*part.to = v
		if !math.IsNaN(v) {
			w.rows = append(w.rows, whatifSeen{part.name, v, part.unit, signalName.FindString(part.expr) + ", last 2 min"})
		}
	}
	return o.seeTimeouts(ctx, w)
}

// watchedSince is when the server was first read.
func (o *observation) watchedSince(ctx context.Context, at place) (int64, error) {
	begin, step := o.span()
	all, err := o.store.Range(ctx, series.View{}, busBusy, begin, o.ticked, step)
	for _, s := range all {
		if s.Labels.Get("instance") == at.instance && len(s.Points) > 0 {
			return s.Points[0].Time, err
		}
	}
	return o.ticked, err
}

// lately is the mean of a signal of a place over the last two minutes; NaN where
// it was not seen.
func (o *observation) lately(ctx context.Context, at place, expr string) (float64, error) {
	begin, step := o.span()
	begin = max(begin, o.ticked-latelySpan.Milliseconds()/step*step)
	all, err := o.store.Range(ctx, series.View{}, expr, begin, o.ticked, step)
	if err != nil {
		return math.NaN(), err
	}
	sum, n := 0.0, 0
	for _, s := range all {
		if s.Labels.Get("instance") != at.instance {
			continue
		}
		for _, p := range s.Points {
			if !math.IsNaN(p.Value) {
				sum, n = sum+p.Value, n+1
			}
		}
	}
	return sum / float64(n), nil
}

const latelySpan = 2 * time.Minute

// seeTimeouts reads how many handlers timed out, and how long the threads waited
// for each: threads at work, over handlers that end, is the time of one (Little).
func (o *observation) seeTimeouts(ctx context.Context, w *whatif) error {
	in := &w.incident
	begin, step := o.span()
	all, err := o.store.Range(ctx, series.View{}, `sum(capdoctor_log_events_total{event="local_handler_timeout"})`, begin, o.ticked, step)
	if err != nil || len(all) == 0 {
		return err
	}
	rate := growth(all[0].Points)
	if math.IsNaN(rate) {
		return nil
	}
	in.Now.TimedOutPerHour = rate * 3600
	w.rows = append(w.rows, whatifSeen{"handlers timed out", rate * 60, "a minute", "log lines local_handler_threw"})
	if hold := in.Now.Busy / rate; hold > handlerSlack*in.Server.Deadline.Seconds() {
		in.Server.HandlerWait = time.Duration(hold * float64(time.Second)).Round(time.Second)
		w.assume("A thread waits %s for a handler, longer than the callers do: threads busy ÷ handlers timed out.", in.Server.HandlerWait)
	}
	return nil
}

// handlerSlack is how much longer than the deadline a thread must be seen to
// wait for a handler before that is taken for another time-out.
const handlerSlack = 1.5

func (w *whatif) assume(format string, args ...any) {
	w.assumed = append(w.assumed, fmt.Sprintf(format, args...))
}

// advice says what to try when no model shows what was seen.
func (w *whatif) advice(m *lab.MisfitError) string {
	missed := func(what string) bool {
		return slices.ContainsFunc(m.Misses, func(c lab.Check) bool { return c.What == what })
	}
	switch {
	case missed(lab.RateBefore) && w.incident.Service > 0:
		return "leave --service out, or measure it again on an idle server"
	case missed(lab.ExpiredNow):
		return "other callers, or retries, may send too: give --fact clients=N for all of them"
	case (missed(lab.BusyNow) || missed(lab.WaitingNow)) && math.IsNaN(w.incident.Now.TimedOutPerHour):
		return "something else holds threads or fills the queue: the server's log would tell (--log NAME=FILE: local_handler_threw), or callers that were not seen"
	case missed(lab.BusyNow), missed(lab.WaitingNow):
		return "something else holds threads or fills the queue: callers that were not seen, or another kind of request; a thread dump shows what they wait for"
	}
	return "the server may do other work than these writes, or the trouble is another one: see capdoctor diagnose"
}
