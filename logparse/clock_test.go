package logparse

import (
	"strings"
	"testing"
	"time"
)

// timesOf returns the times of the records of a text.
func timesOf(t *testing.T, o Options, lines ...string) (times []string, st Stats) {
	t.Helper()
	recs, st := scanText(t, strings.Join(lines, "\n")+"\n", o)
	for _, r := range recs {
		times = append(times, r.Time.Format("01-02T15:04:05"))
	}
	return times, st
}

func wantTimes(t *testing.T, got []string, want string) {
	t.Helper()
	if g := strings.Join(got, " "); g != want {
		t.Errorf("times %s\nwant  %s", g, want)
	}
}

func TestMidnightRollover(t *testing.T) {
	o := Options{Base: time.Date(2026, 3, 2, 0, 30, 0, 0, time.UTC)}
	got, st := timesOf(t, o, "23:59:58.000 INFO a - x", "00:00:01.000 INFO a - x", "23:59:59.000 INFO a - late", "00:10:00.000 INFO a - x")
	wantTimes(t, got, "03-01T23:59:58 03-02T00:00:01 03-01T23:59:59 03-02T00:10:00")
	if a := strings.Join(st.Assumed, "; "); !strings.Contains(a, "stamps without a date are counted from the file's end on 2026-03-02") {
		t.Errorf("assumed %s", a)
	}
}

func TestDateFromOtherLines(t *testing.T) {
	got, _ := timesOf(t, Options{}, "2026-03-02 23:59:59.000 INFO  [main] a.B - x", "00:00:01.000 [main] INFO  a.B - x")
	wantTimes(t, got, "03-02T23:59:59 03-03T00:00:01")
}

func TestMissingYear(t *testing.T) {
	o := Options{Base: time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)}
	recs, _ := scanText(t, "Dec 31 23:59:59 h a: x\nJan  1 00:00:01 h a: x\nFeb 29 00:00:00 h a: x\n", o)
	for i, want := range []string{"2025-12-31", "2026-01-01", "2024-02-29"} {
		if got := recs[i].Time.Format(time.DateOnly); got != want {
			t.Errorf("record %d is of %s, want %s", i, got, want)
		}
	}
}

func TestWeekYear(t *testing.T) {
	line := func(stamp string) string { return stamp + " INFO  1 --- [main] A : x" }
	lines := []string{line("20261226235959000"), line("20271227000001000"), line("20271231235959000"), line("20270101000001000")}
	for _, base := range []time.Time{{}, time.Date(2027, 1, 2, 0, 0, 0, 0, time.UTC)} {
		recs, st := scanText(t, strings.Join(lines, "\n"), Options{Base: base})
		for i, want := range []string{"2026-12-26", "2026-12-27", "2026-12-31", "2027-01-01"} {
			if got := recs[i].Time.Format(time.DateOnly); got != want {
				t.Errorf("base %v: record %d is of %s, want %s", base, i, got, want)
			}
		}
		if !strings.Contains(strings.Join(st.Assumed, "; "), "week years") {
			t.Errorf("assumed %v", st.Assumed)
		}
	}
	// Alone, a stamp is read by the rule of the English locale.
	recs, _ := scanText(t, line("20271230101530123")+"\n", Options{})
	if got := recs[0].Time.Format(time.DateOnly); got != "2026-12-30" {
		t.Errorf("20271230 alone is %s, want 2026-12-30", got)
	}
}

func TestZoneOption(t *testing.T) {
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Skip(err)
	}
	o := Options{Zone: rome}
	got, st := timesOf(t, o, "2026-07-02 10:00:00,000 INFO  [a] b - x", "2026-01-02 10:00:00,000 INFO  [a] b - x")
	wantTimes(t, got, "07-02T08:00:00 01-02T09:00:00")
	if st.Zone != "assumed Europe/Rome" {
		t.Errorf("zone %q", st.Zone)
	}
	// The hour from 02:00 to 03:00 comes twice on 2026-10-25.
	got, st = timesOf(t, o, "2026-10-25 02:30:00,000 INFO  [a] b - x", "2026-10-25 02:59:59,000 INFO  [a] b - x",
		"2026-10-25 02:00:00,000 INFO  [a] b - x", "2026-10-25 03:00:00,000 INFO  [a] b - x")
	wantTimes(t, got, "10-25T00:30:00 10-25T00:59:59 10-25T01:00:00 10-25T02:00:00")
	if !strings.Contains(strings.Join(st.Assumed, "; "), "repeated hour of Europe/Rome") {
		t.Errorf("assumed %v", st.Assumed)
	}
	// It is left out on 2026-03-29.
	got, _ = timesOf(t, o, "2026-03-29 01:59:59,000 INFO  [a] b - x", "2026-03-29 02:30:00,000 INFO  [a] b - x")
	wantTimes(t, got, "03-29T00:59:59 03-29T01:30:00")
}

func TestZonesShown(t *testing.T) {
	for text, want := range map[string]string{
		"2026-07-02T10:00:00Z INFO x":                                      "UTC",
		"2026-07-02T10:00:00+02:00 INFO x":                                 "+02:00",
		"2026-07-02T10:00:00-03:30 INFO x":                                 "-03:30",
		"2026-07-02 10:00:00 CEST INFO x":                                  "CEST",
		"2026-07-02 10:00:00 INFO x":                                       "assumed UTC",
		"2026-07-02T10:00:00Z INFO x\n2026-07-02T10:00:00+02:00 INFO x":    "several",
		"2026-07-02T10:00:00Z INFO x\n2026-07-02T10:00:00 INFO x":          "several",
		"no time at all":                                                   "",
		"2026-07-02 10:00:00 IST INFO x\n2026-07-02 10:00:01 IST INFO x\n": "IST",
	} {
		if _, st := scanText(t, text, Options{}); st.Zone != want {
			t.Errorf("%q: zone %q, want %q", text, st.Zone, want)
		}
	}
}

func TestSkewAndBounds(t *testing.T) {
	o := Options{
		Skew:  1200 * time.Millisecond,
		Since: time.Date(2026, 3, 2, 10, 0, 2, 0, time.UTC),
		Until: time.Date(2026, 3, 2, 10, 0, 4, 0, time.UTC),
	}
	got, st := timesOf(t, o, "2026-03-02T10:00:00.799Z INFO x", "2026-03-02T10:00:00.800Z INFO x",
		"2026-03-02T10:00:02.799Z INFO x", "2026-03-02T10:00:02.800Z INFO x")
	wantTimes(t, got, "03-02T10:00:02 03-02T10:00:03")
	if st.Records != 2 || st.Outside != 2 || st.Lines != 4 {
		t.Errorf("%d records, %d outside, %d lines", st.Records, st.Outside, st.Lines)
	}
}
