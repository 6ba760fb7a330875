package tui

import "github.com/capdoctor/capdoctor/rules"

// A Pace is the work completed per second at one moment, by who completes it: the
// user's own counters where there are some.
type Pace map[worker]float64

// A worker is a series of completions.
type worker struct{ instance, resource string }

// PaceOf reads the pace of a report.
func PaceOf(r *rules.Report) Pace {
	useful, all := Pace{}, Pace{}
	for _, v := range r.Vitals {
		switch v.Signal {
		case "cap:goodput_rate":
			useful[worker{v.Instance, v.Resource}] += v.Value
		case "cap:completed_rate":
			all[worker{v.Instance, v.Resource}] += v.Value
		}
	}
	if len(useful) > 0 {
		return useful
	}
	return all
}

// FellOver is how many moments before are compared with.
const FellOver = 5

// Fell tells whether less than half is completed of what was on average in moments
// before. A worker without a value, now or then, is unknown and does not count:
// behind a gap rates come back one by one.
func (p Pace) Fell(before []Pace) bool {
	var now, was float64
	for w, v := range p {
		sum, n := 0.0, 0
		for _, b := range before {
			if then, ok := b[w]; ok {
				sum += then
				n++
			}
		}
		if n > 0 {
			now, was = now+v, was+sum/float64(n)
		}
	}
	return now < was/2
}
