package main

import (
	"strings"
	"testing"
)

// FuzzOSBStats holds that no file of statistics does harm.
func FuzzOSBStats(f *testing.F) {
	f.Add("datetime,name,message-count_count,response-time_average,throttling-time_average\n2026-07-02T09:00:00Z,A,5,400,20\n")
	f.Add(`[{"name": "A", "message-count": {"count": 5}, "response-time": {"average": 400}, "throttling-time": {"average": 20}}]`)
	f.Add("\ufeffname,throttling-time_average\nA,NaN\nA,1e999\n")
	f.Add(`{"name": "A", "throttling-time_average": -1, "message-count_count": 1e308}`)
	f.Fuzz(func(t *testing.T, text string) {
		results, err := osbStats(strings.NewReader(text), "-")
		if err == nil && len(results) == 0 {
			t.Error("neither a result nor an error")
		}
	})
}
