package main

import (
	"encoding/json"
	"io"
	"math"

	"github.com/capdoctor/capdoctor/lab"
)

// whatifDocument is the JSON of a prediction. A range of null was not seen in any
// run.
type whatifDocument struct {
	Server  string              `json:"server"`
	Change  string              `json:"change"`
	Seen    []sizeInput         `json:"seen"`
	Models  []whatifModel       `json:"models"`
	Checks  []whatifCheckJSON   `json:"checks"`
	Now     whatifPrediction    `json:"now"`
	After   *whatifPrediction   `json:"after,omitempty"`
	Afresh  *whatifPrediction   `json:"afterAndRestart,omitempty"`
	Clients []whatifClientsJSON `json:"clients"`
	Knee    int                 `json:"knee"`
	Assumed []string            `json:"assumed"`
}

type whatifModel struct {
	ServiceSeconds float64 `json:"serviceSeconds"`
	NestedShare    float64 `json:"nestedShare"`
	Before         float64 `json:"beforePerSecond"`
	Now            float64 `json:"nowPerSecond"`
}

// whatifCheckJSON is a quantity that was seen. Off is how far the worst model is
// off it, 0 to 0.2: as a part of what was seen, or of what is usual where that
// was next to nothing.
type whatifCheckJSON struct {
	What   string      `json:"what"`
	Unit   string      `json:"unit"`
	Seen   float64     `json:"seen"`
	Models *[2]float64 `json:"models"`
	Off    float64     `json:"off"`
	Fitted bool        `json:"fitted"` // a parameter of the models was chosen by it
}

type whatifPrediction struct {
	PerSecond        *[2]float64 `json:"perSecond"`
	ExpiredPerMinute *[2]float64 `json:"expiredPerMinute"`
	RefusedPerMinute *[2]float64 `json:"refusedPerMinute"`
	LatencySeconds   *[2]float64 `json:"latencySeconds"`
	Busy             *[2]float64 `json:"busy"`
	Waiting          *[2]float64 `json:"waiting"`
	CPU              *[2]float64 `json:"cpu"`
	Runs             int         `json:"runs"`
	Stuck            int         `json:"stuck"`
}

type whatifClientsJSON struct {
	Clients          int         `json:"clients"`
	PerSecond        *[2]float64 `json:"perSecond"`
	ExpiredPerMinute *[2]float64 `json:"expiredPerMinute"`
	AfterRestart     *[2]float64 `json:"perSecondAfterRestart"`
}

func pair(s lab.Span) *[2]float64 {
	if math.IsNaN(s.Least) || math.IsNaN(s.Most) {
		return nil
	}
	return &[2]float64{s.Least, s.Most}
}

func predictionJSON(p lab.Prediction) whatifPrediction {
	return whatifPrediction{
		PerSecond: pair(p.PerSecond), ExpiredPerMinute: pair(perMinute(p.ExpiredPerHour)), RefusedPerMinute: pair(perMinute(p.RefusedPerHour)),
		LatencySeconds: pair(p.Latency), Busy: pair(p.Busy), Waiting: pair(p.Waiting), CPU: pair(p.CPU), Runs: p.Runs, Stuck: p.Stuck,
	}
}

func writeWhatifJSON(out io.Writer, w *whatif) error {
	d := whatifDocument{Server: w.source, Change: w.change, Now: predictionJSON(w.now), Knee: w.knee, Assumed: w.assumed}
	for _, r := range w.rows {
		d.Seen = append(d.Seen, sizeInput{r.name, r.value, r.unit, r.origin})
	}
	for _, m := range w.fit.Models {
		d.Models = append(d.Models, whatifModel{m.Service.Seconds(), m.NestedShare, m.Before.PerSecond, m.Now.PerSecond})
	}
	for _, c := range w.checks() {
		d.Checks = append(d.Checks, whatifCheckJSON{c.what, c.unit, c.seen, pair(c.models), c.off, c.fitted})
	}
	if w.after.Runs > 0 {
		after := predictionJSON(w.after)
		afresh := predictionJSON(w.afresh)
		d.After, d.Afresh = &after, &afresh
	}
	for _, c := range w.clients {
		d.Clients = append(d.Clients, whatifClientsJSON{c.clients, pair(c.perSecond), pair(perMinute(c.expired)), pair(c.restarted)})
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(d)
}
