package logparse

import (
	"strings"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/series"
)

const osbTable = "\ufeffdatetime,system,service_type,path,name,metrics_type,error-count_count,message-count_count,response-time_average,throttling-time_average\n" +
	"2026-07-02T09:00:00Z,osb1,BusinessService,Pricing,QuoteBS,SERVICE,0,1000,400,0\n" +
	"2026-07-02T09:00:00Z,osb1,BusinessService,Pricing,QuoteBS,URI,0,1000,400,\n" +
	"2026-07-02T09:00:00Z,osb1,ProxyService,Pricing,QuotePS,SERVICE,0,1000,420,0\n" +
	"2026-07-02T09:10:00Z,osb1,BusinessService,Pricing,QuoteBS,SERVICE,7,4000,400,150\n"

func TestHasStatistics(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       bool
	}{
		{"CSV with a byte order mark", osbTable, true},
		{"JSON", `[{"name":"A","messageCount":{"count":5},"responseTime":{"average":4},"throttlingTime":{"average":1}}]`, true},
		{"a log line about throttling", "2026-07-02 09:00:00 INFO throttling-time of message-count, response-time\n", false},
		{"another table", "time,level,message\n2026-07-02T09:00:00Z,INFO,throttling-time response-time message-count\n", false},
		{"a metrics page", "# TYPE throttling_time gauge\nthrottling_time 4\n", false},
		{"nothing", " \n", false},
	} {
		if got := HasStatistics([]byte(c.head)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// Rows become counters at their times; the grid is as coarse as the readings are
// apart, so that rates see two of them.
func TestStatistics(t *testing.T) {
	rows, err := ReadStatistics(strings.NewReader(osbTable))
	if err != nil {
		t.Fatal(err)
	}
	c, err := LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	grid := NewGrid(c, GridOptions{})
	s := grid.Sampler("pricing", "")
	st := s.Statistics(rows, time.Time{})
	if st.Records != 4 || st.Undated != 0 || st.Last.Sub(st.First) != 10*time.Minute {
		t.Errorf("read %+v", st)
	}
	if step := grid.Step(); step < 5*time.Minute || step > 10*time.Minute {
		t.Errorf("a step of %s for readings 10 min apart", step)
	}
	last := map[string]float64{}
	for _, b := range s.Batches(series.SourceID(0)) {
		for _, sample := range b.Samples {
			if sample.Labels.Get("business_service") == "Pricing/QuoteBS" {
				last[sample.Labels.Get("__name__")] = sample.Value
			}
		}
	}
	for name, want := range map[string]float64{
		"osb_service_messages_total": 4000, "osb_service_errors_total": 7,
		"osb_service_response_seconds_total": 1600, "osb_service_throttling_seconds_total": 600,
	} {
		if last[name] != want {
			t.Errorf("%s = %v, want %v", name, last[name], want)
		}
	}
}

// FuzzStatistics holds that no table does harm.
func FuzzStatistics(f *testing.F) {
	f.Add(osbTable)
	f.Add(`[{"name": "A", "timestamp": 1e300, "message-count": {"count": -5}, "response-time": {"average": 1e308}, "throttling-time": {"average": 20}}]`)
	f.Add("name,timestamp,throttling-time_average\nA,9e99,NaN\nA,1,1e999\n")
	c, err := LoadCatalog()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := ReadStatistics(strings.NewReader(text))
		if err != nil {
			return
		}
		grid := NewGrid(c, GridOptions{})
		s := grid.Sampler("a", "")
		s.Statistics(rows, time.Unix(3600, 0))
		s.Batches(series.SourceID(0))
	})
}
