package rules

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Bounds of a timeline: it may be drawn coarser, not finer.
const (
	mostColumns = 240
	mostTracks  = 8
)

// aroundIncident is how much is shown before and behind an incident: as much as
// it took, within these bounds.
const (
	leastAround = 5 * time.Minute
	mostAround  = BaselineWindow
)

// timeline draws the main signals around the main incident, or over the whole
// time where there is none.
func (q *inquiry) timeline(p *Postmortem) Timeline {
	from, to := 0, len(q.ticks)
	var in *Incident
	if p.Main >= 0 {
		in = &p.Incidents[p.Main]
		from, to = q.around(in)
	}
	var t Timeline
	columns := q.columns(from, to)
	for _, c := range columns {
		t.Columns = append(t.Columns, q.column(c))
	}
	for _, s := range q.mainStrands(in) {
		t.Tracks = append(t.Tracks, q.track(s, columns, in))
	}
	return t
}

// around is the ticks to show around an incident, as indices. Time without data
// does not count; before the incident nothing is shown beyond a gap, unless there
// is next to nothing on this side of it.
func (q *inquiry) around(in *Incident) (from, to int) {
	length := max(leastAround, min(mostAround, in.last().Sub(in.Onset)))
	n := int(length / q.step)
	onset := q.index(in.Onset)
	for from = onset; from > max(0, onset-n); from-- {
		if q.ticks[from]-q.ticks[from-1] > q.quiet() && onset-from > n/4 {
			break
		}
	}
	return from, min(len(q.ticks), q.index(in.last())+n)
}

// columns cuts ticks into columns of equally many. They do not reach over gaps,
// as long as there are not too many of those.
func (q *inquiry) columns(from, to int) []stretch {
	parts := []stretch{{from, from}}
	for i := from; i < to; i++ {
		if i > from && q.ticks[i]-q.ticks[i-1] > q.quiet() {
			parts = append(parts, stretch{i, i})
		}
		parts[len(parts)-1].to = i + 1
	}
	if 2*len(parts) > mostColumns {
		parts = []stretch{{from, to}}
	}
	room := mostColumns - len(parts)
	each := max(1, (to-from+room-1)/room)
	var all []stretch
	for _, part := range parts {
		for i := part.from; i < part.to; i += each {
			all = append(all, stretch{i, min(i+each, part.to)})
		}
	}
	return all
}

func (q *inquiry) column(c stretch) Column {
	col := Column{From: utc(q.ticks[c.from]).Add(-q.step), To: utc(q.ticks[c.to-1])}
	if c.from > 0 {
		if gap := q.ticks[c.from] - q.ticks[c.from-1]; gap > q.quiet() {
			col.Gap = time.Duration(gap) * time.Millisecond
		}
	}
	return col
}

// ofTrouble are signals that are drawn for the target in trouble even where they
// are as before: the logs may begin in the middle of it.
var ofTrouble = []string{"cap:waiting", "cap:backlog", "cap:rejected_rate", "cap:expired_count", "cap:handler_timeout_count"}

// mainStrands picks the strands to draw: those that the main finding speaks of,
// those that changed, and what a person looks for first.
func (q *inquiry) mainStrands(in *Incident) []*strand {
	rank := map[*strand]int{}
	for i := range q.strands {
		s := &q.strands[i]
		if !(s.total(0, len(s.values)) > 0) {
			continue
		}
		switch {
		case s.signal == eventCount, in != nil && isLines(s.signal):
		case s.signal == linesMetric, s.signal == "cap:clients", completions(s.signal):
			rank[s] = 2
		case in != nil && s.instance() == string(in.Finding.Subject["instance"]) && slices.Contains(ofTrouble, s.signal):
			rank[s] = 2
		case in == nil:
			rank[s] = 3
		}
	}
	var finding *Finding
	if in != nil {
		finding = in.Finding
		for _, sh := range q.shifts(in) {
			if q.tellable(finding, sh.strand) {
				rank[sh.strand] = 1
			}
		}
		for i := range q.strands {
			if s := &q.strands[i]; q.isOwn(finding, s) && s.total(0, len(s.values)) > 0 {
				rank[s] = 0
			}
		}
	}
	if c := q.completed(finding); c != nil {
		rank[c] = 0
	}
	return q.pick(rank)
}

// pick takes the strands of the best rank, one for each signal and target, and
// puts them in the order of the specifications.
func (q *inquiry) pick(rank map[*strand]int) []*strand {
	order := make([]*strand, 0, len(rank))
	for i := range q.strands {
		if _, ok := rank[&q.strands[i]]; ok {
			order = append(order, &q.strands[i])
		}
	}
	slices.SortStableFunc(order, func(a, b *strand) int { return cmp.Compare(rank[a], rank[b]) })
	var picked []*strand
	for _, s := range order {
		twice := slices.ContainsFunc(picked, func(x *strand) bool {
			same := x.instance() == s.instance()
			return same && x.signal == s.signal && (rank[s] > 0 || s.kind == Count) || same && isLines(s.signal) && s.counts(x)
		})
		if !twice && len(picked) < mostTracks {
			picked = append(picked, s)
		}
	}
	index := func(s *strand) int {
		return slices.IndexFunc(q.strands, func(x strand) bool { return &x.values[0] == &s.values[0] })
	}
	slices.SortFunc(picked, func(a, b *strand) int { return cmp.Compare(index(a), index(b)) })
	return picked
}

// track draws one strand.
func (q *inquiry) track(s *strand, columns []stretch, in *Incident) Track {
	t := Track{
		Signal: s.signal, Title: q.titleOf(s), Unit: q.unitOf(s), Instance: s.instance(), Resource: s.labels.Get("resource"),
		Kind: s.kind, Before: math.NaN(), During: math.NaN(), After: math.NaN(),
	}
	if s.kind == Count {
		t.Resource = ""
	}
	for _, c := range columns {
		t.Values = append(t.Values, s.binValue(c.from, c.to))
	}
	if in == nil {
		t.During = q.typical(s, 0, len(s.values))
		return t
	}
	t.Before, t.During, t.After = q.phases(s, in)
	return t
}
