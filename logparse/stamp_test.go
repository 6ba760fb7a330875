package logparse

import (
	"testing"
	"time"
)

func TestStamps(t *testing.T) {
	base := time.Date(2026, 3, 2, 23, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		text string
		rest string // what follows the stamp
		want string // RFC 3339
	}{
		{"2026-03-02T10:15:31Z", "", "2026-03-02T10:15:31Z"},
		{"2026-03-02 10:15:31.004 INFO", " INFO", "2026-03-02T10:15:31.004Z"},
		{"2026-03-02 10:15:31,004567 x", " x", "2026-03-02T10:15:31.004567Z"},
		{"2026-03-02T10:15:31.004567891+05:30]", "]", "2026-03-02T04:45:31.004567891Z"},
		{"2026-03-02T10:15:31-0500 x", " x", "2026-03-02T15:15:31Z"},
		{"2026-03-02T10:15:31+01 x", " x", "2026-03-02T09:15:31Z"},
		{"2026-03-02 10:15:31 +0000 x", " x", "2026-03-02T10:15:31Z"},
		{"2026-03-02 10:15:31.5 CET [x]", " [x]", "2026-03-02T09:15:31.5Z"},
		{"2026-03-02 10:15:31 PDT", "", "2026-03-02T17:15:31Z"},
		{"2026-03-02 10:15:31 WARN x", " WARN x", "2026-03-02T10:15:31Z"},
		{"2026-03-02 10:15:31 -12 x", " -12 x", "2026-03-02T10:15:31Z"},
		{"2026-03-02 10:15:31-worker", "-worker", "2026-03-02T10:15:31Z"},
		{"2026/03/02 10:15:31 x", " x", "2026-03-02T10:15:31Z"},
		{"2024-02-29 23:59:60 x", " x", "2024-03-01T00:00:00Z"},
		{"20260302101531004 INFO", " INFO", "2026-03-02T10:15:31.004Z"},
		{"02/Mar/2026:10:15:31 +0100]", "]", "2026-03-02T09:15:31Z"},
		{"02/Mar/2026:10:15:31.123]", "]", "2026-03-02T10:15:31.123Z"},
		{"02/Mar/2026 10:15:31]", "]", "2026-03-02T10:15:31Z"},
		{"02-Mar-2026 10:15:31.004 x", " x", "2026-03-02T10:15:31.004Z"},
		{"2-Mar-2026::10:15:31 ===", " ===", "2026-03-02T10:15:31Z"},
		{"02 Mar 2026 10:15:31.004 *", " *", "2026-03-02T10:15:31.004Z"},
		{"2026.03.02 10:15:31.004 [", " [", "2026-03-02T10:15:31.004Z"},
		{"Mar  2 10:15:31 host", " host", "2026-03-02T10:15:31Z"},
		{"Mar 2, 2026 10:15:31 AM CET>", ">", "2026-03-02T09:15:31Z"},
		{"Mar 2, 2026 1:15:31 PM x", " x", "2026-03-02T13:15:31Z"},
		{"Mar 2, 2026, 12:15:31,123 AM UTC>", ">", "2026-03-02T00:15:31.123Z"},
		{"Mar 2, 2026 12:15:31\u202fPM x", " x", "2026-03-02T12:15:31Z"},
		{"Mon Mar  2 10:15:31.004567 2026]", "]", "2026-03-02T10:15:31.004567Z"},
		{"Mon, 02 Mar 2026 10:15:31 GMT", "", "2026-03-02T10:15:31Z"},
		{"10:15:31.004 [x]", " [x]", "2026-03-02T10:15:31.004Z"},
		{"@400000004332258538eae27c x", " x", "2005-09-22T03:31:07.9549175Z"},
	} {
		var r stampReader
		var st stamp
		n := r.read([]byte(c.text), &st)
		if n == 0 || c.text[n:] != c.rest {
			t.Errorf("%q: read %q", c.text, c.text[:n])
			continue
		}
		clk := newClock(Options{Base: base})
		sec, nsec := clk.resolve(&st)
		if got := time.Unix(sec, int64(nsec)).UTC().Format(time.RFC3339Nano); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

func TestNoStamps(t *testing.T) {
	for _, text := range []string{
		"", "x", "2026", "2026-03-02", "2026-13-02 10:15:31", "2026-02-29 10:15:31", "2026-03-02 24:15:31",
		"2026-03-02 10:15:311", "2026-03-02x10:15:31", "99:15:31.004", "10:15", "March 2 10:15:31", "Mar 32 10:15:31",
		"31/Apr/2026:10:15:31", "1234567890123", "20261302101531004", "@4000000043322585zzzzzzzz", "10.0.0.1 - -",
	} {
		var r stampReader
		var st stamp
		if n := r.read([]byte(text), &st); n != 0 {
			t.Errorf("%q: read %q as a stamp", text, text[:n])
		}
	}
}

func TestEpochs(t *testing.T) {
	for text, want := range map[string]string{
		"1772446531":          "2026-03-02T10:15:31Z",
		"1772446531.004":      "2026-03-02T10:15:31.004Z",
		"1772446531004":       "2026-03-02T10:15:31.004Z",
		"1772446531004567":    "2026-03-02T10:15:31.004567Z",
		"1772446531004567891": "2026-03-02T10:15:31.004567891Z",
		"12345678":            "",
		"1772446531x":         "",
		"1772446531.":         "",
		"-1772446531":         "",
	} {
		var st stamp
		got := ""
		if readEpoch([]byte(text), &st) {
			got = time.Unix(st.naive, int64(st.nsec)).UTC().Format(time.RFC3339Nano)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// FuzzStampReader checks that what a reader remembers of the stamp before does
// not change what it reads.
func FuzzStampReader(f *testing.F) {
	for _, s := range []string{
		"2026-03-02T10:15:31.004Z x", "2026-03-02 10:15:31,004 [x]", "Mar 2, 2026 10:15:49 AM CET> x",
		"2026-03-02T10:15:31.004+01:00 y", "02/Mar/2026:10:15:48 +0000] ", "2026-03-02 10:15:31.004 UTC [3",
		"2026-03-02 10:15:31.0045 UTCX", "Mon Mar  2 10:15:31.004567 2026]",
	} {
		f.Add(s, s)
		f.Add(s, "2026-03-02T10:15:31.004-01:00")
	}
	f.Fuzz(func(t *testing.T, before, text string) {
		var r, fresh stampReader
		var st, want stamp
		r.read([]byte(before), &st)
		n, m := r.read([]byte(text), &st), fresh.read([]byte(text), &want)
		if n != m || n > 0 && st != want {
			t.Fatalf("%q after %q: %d bytes %+v, alone %d bytes %+v", text, before, n, st, m, want)
		}
	})
}
