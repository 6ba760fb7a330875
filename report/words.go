package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules"
)

// firstOf joins the first most words of a list and says how many more there are.
func firstOf(list []string, most int) string {
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s, +%d more", strings.Join(list[:most], ", "), len(list)-most)
}

// subject says what a finding is about: "orders-1 (HikariPool-1)".
func (l lettering) subject(m model.Metric) string {
	who := l.target(m)
	if resource := string(m["resource"]); resource != "" && resource != who {
		who += " (" + l.name(resource, mostName) + ")"
	}
	return who
}

// target is the instance of a subject, or what stands for it.
func (l lettering) target(m model.Metric) string {
	who := string(m["instance"])
	if who == "" {
		who = string(m["service"])
	}
	if who == "" {
		who = "all targets"
	}
	return l.name(who, mostName)
}

// A clock writes times in one zone, with the date only where it is not the day
// of the report.
type clock struct {
	zone *time.Location
	day  time.Time
}

func newClock(o Options, r *rules.Report) clock {
	zone := o.Zone
	if zone == nil {
		zone = time.UTC
	}
	return clock{zone: zone, day: r.At.In(zone)}
}

// time is "09:00:50", or with its date "2026-07-01 23:59:58". On the other side of
// a change of summer time it names its zone: "02:45:00 CEST".
func (c clock) time(t time.Time) string {
	if c.sameZone(t, c.day) {
		return c.plain(t)
	}
	return c.zoned(t)
}

// zoned is "09:00:50 UTC", or with its date.
func (c clock) zoned(t time.Time) string { return c.plain(t) + " " + t.In(c.zone).Format("MST") }

func (c clock) plain(t time.Time) string {
	t = t.In(c.zone)
	if t.Year() == c.day.Year() && t.YearDay() == c.day.YearDay() {
		return t.Format("15:04:05")
	}
	return t.Format("2006-01-02 15:04:05")
}

// span is two times, "09:00:50 to 09:11:00 UTC"; the zone of the first one is
// said where it is another.
func (c clock) span(from, to string, first, last time.Time) string {
	if !c.sameZone(first, last) {
		from += " " + first.In(c.zone).Format("MST")
	}
	return from + " to " + to + " " + last.In(c.zone).Format("MST")
}

func (c clock) sameZone(a, b time.Time) bool {
	return a.In(c.zone).Format("MST-0700") == b.In(c.zone).Format("MST-0700")
}

// full is "2026-07-02 09:11:00 UTC".
func (c clock) full(t time.Time) string { return t.In(c.zone).Format("2006-01-02 15:04:05 MST") }

// noPeriod is s for a cell of a table.
func noPeriod(s string) string { return strings.TrimSuffix(strings.TrimSpace(s), ".") }
