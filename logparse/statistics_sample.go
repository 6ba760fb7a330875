package logparse

import (
	"math"
	"slices"
	"time"
)

// Metrics of the statistics of a business service: counts and sums since they
// were reset, times in seconds, with the labels business_service and server.
const (
	osbMessages   = "osb_service_messages_total"
	osbErrors     = "osb_service_errors_total"
	osbResponse   = "osb_service_response_seconds_total"
	osbThrottling = "osb_service_throttling_seconds_total"
)

// lastYear bounds the times that rows may have: beyond it they are slips.
const lastYear = 4102444800 // 2100

// Statistics takes the rows of a table of service statistics. A row without a
// time was read at base. The grid becomes coarse enough that every two readings
// of a service are neighbours on it. It returns what was read, as for a log.
func (s *Sampler) Statistics(rows []StatisticsRow, base time.Time) Stats {
	var st Stats
	s.fitReadings(rows)
	for _, r := range rows {
		st.Lines++
		st.Records++
		name, ok := r.Service()
		if !ok {
			continue
		}
		at := base
		if t := r.Time(); t > 0 && t < lastYear {
			at = time.UnixMilli(int64(t * 1000)).UTC()
		} else {
			st.Undated++
		}
		if st.First.IsZero() || at.Before(st.First) {
			st.First = at
		}
		if at.After(st.Last) {
			st.Last = at
		}
		s.Lines(at.UnixMilli(), Info, 1)
		s.statistics(r, name, at.UnixMilli())
	}
	return st
}

// statistics takes one row. Sums of times are computed from the mean where the
// row has no sum.
func (s *Sampler) statistics(r StatisticsRow, name string, at int64) {
	messages := r.Number("messagecountcount")
	for _, v := range []struct {
		metric string
		value  float64
	}{
		{osbMessages, messages},
		{osbErrors, r.Number("errorcountcount")},
		{osbResponse, r.sum("responsetime", messages)},
		{osbThrottling, r.sum("throttlingtime", messages)},
	} {
		if v.value >= 0 {
			s.put(s.track(constantSample, v.metric, "business_service", name, "server", r["system"]), at, v.value)
		}
	}
}

// sum is the sum of a time over so many messages, in seconds.
func (r StatisticsRow) sum(column string, messages float64) float64 {
	if v := r.Number(column + "sum"); v >= 0 {
		return v / 1000
	}
	return r.Number(column+"average") * messages / 1000
}

// fitReadings coarsens the grid until a step is at least half the usual time
// between two readings of a service.
func (s *Sampler) fitReadings(rows []StatisticsRow) {
	last := map[string]float64{}
	var apart []float64
	for _, r := range rows {
		name, ok := r.Service()
		t := r.Time()
		if !ok || math.IsNaN(t) {
			continue
		}
		key := name + "\xff" + r["system"]
		if before, seen := last[key]; seen && t > before {
			apart = append(apart, t-before)
		}
		last[key] = t
	}
	if len(apart) == 0 {
		return
	}
	slices.Sort(apart)
	usual := min(apart[len(apart)/2], (24 * time.Hour).Seconds())
	for float64(s.grid.width) < usual*1000/2 {
		s.grid.flushLines()
		s.grid.coarsen()
	}
}
