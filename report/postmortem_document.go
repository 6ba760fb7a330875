package report

import "github.com/capdoctor/capdoctor/rules"

// The JSON form of a look back: names and order of its fields.
type postmortemDoc struct {
	SchemaVersion int           `json:"schemaVersion"`
	Tool          toolDoc       `json:"tool"`
	First         *string       `json:"first"`
	Last          *string       `json:"last"`
	Zone          string        `json:"tz"`
	Step          float64       `json:"step"`
	Incidents     []incidentDoc `json:"incidents"`
	Main          *int          `json:"main"`
	Movers        []moverDoc    `json:"movers"`
	Fall          *fallDoc      `json:"fall"`
	Timeline      timelineDoc   `json:"timeline"`
	Paces         []paceDoc     `json:"paces"`
	Outcomes      ledgerDoc     `json:"outcomes"`
	Events        []eventDoc    `json:"events"`
	Restarts      []restartDoc  `json:"restarts"`
	Report        document      `json:"report"`
	Exit          exitDoc       `json:"exit"`
}

type incidentDoc struct {
	Onset       *string    `json:"onset"`
	OnsetWithin float64    `json:"onsetWithin"`
	FromStart   bool       `json:"fromStart"`
	After       *string    `json:"after"`
	Worst       peakDoc    `json:"worst"`
	Judged      *string    `json:"judged"`
	End         *string    `json:"end"`
	LastSeen    *string    `json:"lastSeen"`
	Next        *string    `json:"next"`
	Finding     findingDoc `json:"finding"`
}

type peakDoc struct {
	At     *string  `json:"at"`
	Signal string   `json:"signal"`
	Title  string   `json:"title"`
	Value  *float64 `json:"value"`
	Unit   string   `json:"unit"`
}

type moverDoc struct {
	Time     *string  `json:"time"`
	Within   float64  `json:"within"`
	Text     string   `json:"text"`
	Signal   string   `json:"signal"`
	Kind     string   `json:"kind"`
	Unit     string   `json:"unit"`
	Before   *float64 `json:"before"`
	During   *float64 `json:"during"`
	Until    *string  `json:"until"`
	Instance string   `json:"instance"`
	Where    *lineDoc `json:"where"`
}

type fallDoc struct {
	Title  string   `json:"title"`
	Before *float64 `json:"before"`
	During *float64 `json:"during"`
	After  *float64 `json:"after"`
	Missed *float64 `json:"missed"`
}

type timelineDoc struct {
	Columns []columnDoc `json:"columns"`
	Tracks  []trackDoc  `json:"tracks"`
}

type columnDoc struct {
	From *string `json:"from"`
	To   *string `json:"to"`
	Gap  float64 `json:"gap"`
}

type trackDoc struct {
	Signal   string     `json:"signal"`
	Title    string     `json:"title"`
	Unit     string     `json:"unit"`
	Instance string     `json:"instance"`
	Resource string     `json:"resource"`
	Kind     string     `json:"kind"`
	Values   []*float64 `json:"values"`
	Before   *float64   `json:"before"`
	During   *float64   `json:"during"`
	After    *float64   `json:"after"`
}

type paceDoc struct {
	Clients  float64 `json:"clients"`
	Rate     float64 `json:"rate"`
	Incident bool    `json:"incident"`
	For      float64 `json:"for"`
}

type eventDoc struct {
	Instance string    `json:"instance"`
	Event    string    `json:"event"`
	Title    string    `json:"title"`
	Count    float64   `json:"count"`
	Types    []typeDoc `json:"types"`
	First    *lineDoc  `json:"first"`
	Last     *lineDoc  `json:"last"`
	PointsTo []string  `json:"points_to,omitempty"`
}

type typeDoc struct {
	Type  string  `json:"type"`
	Count float64 `json:"count"`
}

type restartDoc struct {
	Time     *string  `json:"time"`
	Instance string   `json:"instance"`
	Text     string   `json:"text"`
	Where    *lineDoc `json:"where"`
}

func newPostmortemDoc(p *rules.Postmortem, o Options) postmortemDoc {
	h := newHindsight(p, o)
	d := documenter{o: o, clock: h.clock}
	doc := postmortemDoc{
		SchemaVersion: PostmortemSchemaVersion,
		Tool:          toolDoc{Name: "capdoctor", Version: o.Version},
		First:         d.moment(p.First), Last: d.moment(p.Last), Zone: d.clock.zone.String(), Step: p.Step.Seconds(),
		Incidents: each(p.Incidents, d.incident),
		Movers: each(p.Movers, func(m rules.Mover) moverDoc {
			doc := d.mover(m)
			doc.Text = h.moverText(m)
			return doc
		}),
		Timeline: d.timeline(p.Timeline),
		Paces: each(p.Paces, func(x rules.Pace) paceDoc {
			return paceDoc{x.Clients, x.Rate, x.Incident, x.For.Seconds()}
		}),
		Outcomes: d.ledger(p.Outcomes),
		Events:   each(p.Events, d.event),
		Restarts: each(p.Restarts, func(r rules.Restart) restartDoc {
			return restartDoc{d.moment(r.Time), r.Instance, r.Text, d.line(r.Where)}
		}),
		Report: newDocument(p.Report, o),
	}
	if p.Main >= 0 {
		doc.Main = &p.Main
	}
	if f := p.Fall; f != nil {
		doc.Fall = &fallDoc{f.Title, number(f.Before), number(f.During), number(f.After), number(f.Missed)}
	}
	doc.Exit = doc.Report.Exit
	return doc
}

func (d documenter) incident(in rules.Incident) incidentDoc {
	return incidentDoc{
		Onset: d.moment(in.Onset), OnsetWithin: in.Within.Seconds(), FromStart: in.AtStart, After: d.moment(in.After),
		Worst:  peakDoc{d.moment(in.Worst.At), in.Worst.Signal, in.Worst.Title, number(in.Worst.Value), in.Worst.Unit},
		Judged: d.moment(in.Judged), End: d.moment(in.End), LastSeen: d.moment(in.LastSeen), Next: d.moment(in.Next),
		Finding: d.finding(in.Finding),
	}
}

func (d documenter) mover(m rules.Mover) moverDoc {
	return moverDoc{
		Time: d.moment(m.Time), Within: m.Within.Seconds(), Signal: m.Signal, Kind: kindName(m.Kind), Unit: m.Unit,
		Before: number(m.Before), During: number(m.During), Until: d.moment(m.Until), Instance: m.Instance, Where: d.line(m.Where),
	}
}

func kindName(k rules.StrandKind) string {
	switch k {
	case rules.PerSecond:
		return "rate"
	case rules.Count:
		return "count"
	}
	return "level"
}

// line is null where there is none.
func (d documenter) line(l *rules.Line) *lineDoc {
	if l == nil {
		return nil
	}
	return &lineDoc{l.File, l.Number, d.moment(l.Time), l.Text}
}

func (d documenter) timeline(l rules.Timeline) timelineDoc {
	return timelineDoc{
		Columns: each(l.Columns, func(c rules.Column) columnDoc {
			return columnDoc{d.moment(c.From), d.moment(c.To), c.Gap.Seconds()}
		}),
		Tracks: each(l.Tracks, func(t rules.Track) trackDoc {
			return trackDoc{
				Signal: t.Signal, Title: t.Title, Unit: t.Unit, Instance: t.Instance, Resource: t.Resource, Kind: kindName(t.Kind),
				Values: each(t.Values, number), Before: number(t.Before), During: number(t.During), After: number(t.After),
			}
		}),
	}
}

func (d documenter) event(e rules.EventCount) eventDoc {
	return eventDoc{
		Instance: e.Instance, Event: e.Event, Title: e.Title, Count: e.Count,
		Types: each(e.Types, func(t rules.TypeCount) typeDoc { return typeDoc{t.Type, t.Count} }),
		First: d.line(e.First), Last: d.line(e.Last), PointsTo: e.PointsTo,
	}
}
