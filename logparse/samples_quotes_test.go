package logparse

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func numbersOf(quotes []Quote) []int64 {
	var numbers []int64
	for _, q := range quotes {
		numbers = append(numbers, q.Line)
	}
	return numbers
}

func TestQuotesFind(t *testing.T) {
	s := newTestSampler(t, GridOptions{})
	take(t, s,
		line{0, "P - Connection is not available, request timed out after 5001ms (total=10, active=10, idle=0, waiting=3)"},
		line{1, "Q - Connection is not available, request timed out after 5001ms"},
		line{2, "event=correlations_expired count=1 pending=0"},
		line{3, "P - Connection is not available, request timed out after 5002ms"})
	tests := []struct {
		name   string
		key    string
		labels map[string]string
		from   time.Time
		to     time.Time
		max    int
		want   []int64
	}{
		{"event", "hikari_acquire_timeout", nil, time.Time{}, time.Time{}, 9, []int64{1, 2, 4}},
		{"event metric", EventsMetric, map[string]string{"event": "hikari_acquire_timeout", "type": "P"}, time.Time{}, time.Time{}, 9, []int64{1, 4}},
		{"metric", "hikaricp_connections_timeout_total", map[string]string{"pool": "Q", "system": "hikaricp"}, time.Time{}, time.Time{}, 9, []int64{2}},
		{"gauge", "hikaricp_connections_active", nil, time.Time{}, time.Time{}, 9, []int64{1}},
		{"time", "hikari_acquire_timeout", nil, after(0.5), after(2), 9, []int64{2}},
		{"few", "hikari_acquire_timeout", nil, time.Time{}, time.Time{}, 2, []int64{1, 4}},
		{"unknown", "nothing", nil, time.Time{}, time.Time{}, 9, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := s.Quotes().Find(tt.key, tt.labels, tt.from, tt.to, tt.max)
			if diff := cmp.Diff(tt.want, numbersOf(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestQuotesKeepFirstAndLast(t *testing.T) {
	s := newTestSampler(t, GridOptions{})
	var lines []line
	for i := range 5000 {
		lines = append(lines, line{float64(i), fmt.Sprintf("event=correlations_expired count=1 pending=%d", i)})
	}
	take(t, s, lines...)
	all := s.quotes.Find("correlations_expired", nil, time.Time{}, time.Time{}, 9999)
	if n := len(all); n > headQuotes+middleQuotes+tailQuotes || all[0].Line != 1 || all[n-1].Line != 5000 {
		t.Fatalf("%d quotes from line %d to %d", n, all[0].Line, all[n-1].Line)
	}
	middle := s.quotes.Find("correlations_expired", nil, after(1000), after(4000), 9)
	if len(middle) == 0 {
		t.Error("no quote from the middle")
	}
}
