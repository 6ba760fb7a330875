package logparse

import (
	"fmt"
	"slices"
	"time"
)

// zone returns how the zone of the stamps is shown.
func (c *clock) zone() string {
	switch {
	case c.several || c.zoneSeen && c.used&assumedZone != 0:
		return "several"
	case c.zoneSeen && c.zoneName > 0:
		return zoneTable[c.zoneName-1].name
	case c.zoneSeen:
		return offsetName(c.zoneOff)
	case c.used&assumedZone != 0:
		return "assumed " + c.locName()
	}
	return ""
}

func (c *clock) locName() string {
	if c.loc == nil {
		return "UTC"
	}
	return c.loc.String()
}

func offsetName(off int32) string {
	if off == 0 {
		return "UTC"
	}
	sign := '+'
	if off < 0 {
		sign, off = '-', -off
	}
	return fmt.Sprintf("%c%02d:%02d", sign, off/3600, off/60%60)
}

// assumptions returns what was assumed, as sentences in alphabetical order.
func (c *clock) assumptions() []string {
	var out []string
	add := func(a assumption, format string, args ...any) {
		if c.used&a != 0 {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	base := time.Unix(c.base, 0).UTC().Format(time.DateOnly)
	add(assumedZone, "stamps without a zone are read as %s", c.locName())
	add(assumedWeekYear, "years around New Year are week years and were corrected")
	add(assumedRepeat, "in the repeated hour of %s the order of the lines decides", c.locName())
	add(assumedGap, "stamps within the hour that %s leaves out are read as before it", c.locName())
	if c.used&assumedShared != 0 {
		z := zoneTable[c.shared-1]
		add(assumedShared, "the zone %s is read as %s", z.name, offsetName(z.off))
	}
	switch {
	case c.hinted:
		add(assumedYear, "stamps without a year take it from the lines around them")
		add(assumedDate, "stamps without a date take it from the lines around them")
	case c.base == 0:
		add(assumedYear, "stamps without a year are read as 1972, because no date was given")
		add(assumedDate, "stamps without a date begin on 1970-01-01, because no date was given")
	default:
		add(assumedYear, "stamps without a year are read as the last year before %s", base)
		add(assumedDate, "stamps without a date are counted from the file's end on %s", base)
	}
	slices.Sort(out)
	return out
}
