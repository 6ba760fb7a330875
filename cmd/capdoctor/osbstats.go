package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/sizing"
)

// mostStatistics bounds what is read of a file, in bytes.
const mostStatistics = 64 << 20

// osbStats reads a file and judges every business service in it.
func osbStats(in io.Reader, file string) ([]sizing.Result, error) {
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	rows, err := logparse.ReadStatistics(io.LimitReader(in, mostStatistics))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	services := map[string][]logparse.StatisticsRow{}
	var names []string
	for _, r := range rows {
		name, ok := r.Service()
		if !ok {
			continue
		}
		if services[name] == nil {
			names = append(names, name)
		}
		services[name] = append(services[name], r)
	}
	if len(names) == 0 {
		return nil, hinted{fmt.Errorf("%s: no statistics of a business service", file), "want columns name, message-count_count, response-time_average and throttling-time_average"}
	}
	slices.Sort(names)
	var results []sizing.Result
	for _, name := range names {
		r, err := sizing.JudgeOSB(summarize(name, services[name]))
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}

// summarize compares the first reading of a service with the last one. Counts
// and sums grow since the last reset; times are milliseconds.
func summarize(name string, rows []logparse.StatisticsRow) sizing.OSBStatistics {
	first, last := rows[0], rows[len(rows)-1]
	s := sizing.OSBStatistics{
		Service: name, Messages: last.Number("messagecountcount"), Errors: zeroIfNone(last.Number("errorcountcount")),
		Response: last.Number("responsetimeaverage") / 1000, Throttling: last.Number("throttlingtimeaverage") / 1000,
		BeforeResponse: math.NaN(),
	}
	messages := last.Number("messagecountcount") - first.Number("messagecountcount")
	span := last.Time() - first.Time()
	if len(rows) < 2 || !(messages > 0) || !(span > 0) {
		return s
	}
	s.Span, s.Messages = span, messages
	s.Errors = zeroIfNone(last.Number("errorcountcount") - first.Number("errorcountcount"))
	s.BeforeResponse = first.Number("responsetimeaverage") / 1000
	if d := last.Number("responsetimesum") - first.Number("responsetimesum"); d >= 0 {
		s.Response = d / messages / 1000
	}
	if d := last.Number("throttlingtimesum") - first.Number("throttlingtimesum"); d >= 0 {
		s.Throttling = d / messages / 1000
	}
	return s
}

func zeroIfNone(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}
