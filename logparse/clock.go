package logparse

import "time"

// A clock turns stamps of one file into times. It knows the zone for stamps
// that name none and fills in the parts that are not written: a year from the
// base, a date from the base and the midnights that pass.
type clock struct {
	loc  *time.Location // nil: UTC
	base int64          // seconds from 1970, 0: unknown
	skew time.Duration

	seen   bool
	hinted bool  // seen is set from a later line that has a full stamp
	prev   int64 // the time before, in seconds from 1970
	wall   int64 // the wall clock of the stamp before, as if it were UTC

	opened  bool
	opening int64 // the wall clock of the first stamp

	yearDay   int64 // the day in the year 0 for which yearDelta holds
	yearDelta int64 // seconds to add to it, 0: not known

	quarter int64 // the quarter of an hour for which offset holds
	offset  int64
	cached  bool

	used     assumption
	zoneSeen bool
	several  bool
	zoneOff  int32
	zoneName uint8
	shared   uint8 // the last abbreviation that several zones share
}

// An assumption is a set of things that had to be assumed about stamps.
type assumption uint8

const (
	assumedZone assumption = 1 << iota
	assumedYear
	assumedDate
	assumedWeekYear
	assumedRepeat
	assumedGap
	assumedShared
)

func newClock(o Options) clock {
	c := clock{loc: o.Zone, skew: o.Skew}
	if c.loc == time.UTC {
		c.loc = nil
	}
	if !o.Base.IsZero() {
		c.base = o.Base.Unix()
	}
	return c
}

// hint gives the clock a stamp of a later line, for what comes before it.
func (c *clock) hint(wall int64) {
	if !c.seen && wall != 0 {
		c.hinted, c.seen, c.wall, c.prev = true, true, wall, wall
	}
}

// begin gives the clock the wall clock of its first stamp, 0 if it is not known.
func (c *clock) begin(wall int64) {
	if wall != 0 {
		c.seen, c.wall, c.prev = true, wall, wall
	}
}

// resolve returns the time of a stamp. Stamps must come in the order of the
// file, because missing dates and repeated hours are read from it.
func (c *clock) resolve(st *stamp) (sec int64, nsec int32) {
	sec = st.naive
	switch {
	case st.has&hasDate == 0:
		sec = c.addDate(sec)
	case st.has&hasYear == 0:
		sec = c.addYear(sec)
	case st.has&hasWeekYear != 0:
		sec = c.fixWeekYear(sec)
	}
	c.wall = sec
	if st.has&hasZone != 0 {
		sec -= int64(st.off)
		c.noteZone(st)
	} else {
		c.used |= assumedZone
		if c.loc != nil {
			sec -= c.offsetAt(sec)
		}
	}
	if !c.opened {
		c.opened, c.opening = true, c.wall
	}
	c.seen, c.prev = true, sec
	nsec = st.nsec
	if c.skew != 0 {
		t := time.Unix(sec, int64(nsec)).Add(c.skew)
		sec, nsec = t.Unix(), int32(t.Nanosecond())
	}
	return sec, nsec
}

func (c *clock) noteZone(st *stamp) {
	if c.zoneSeen && c.zoneOff == st.off {
		return
	}
	c.several = c.zoneSeen
	c.zoneSeen, c.zoneOff, c.zoneName = true, st.off, st.zone
	if st.zone > 0 && zoneTable[st.zone-1].shared {
		c.used |= assumedShared
		c.shared = st.zone
	}
}

const (
	daySeconds  = 86400
	hourSeconds = 3600
)

// addDate puts a time of day on the date of the stamp before. A step back of
// more than an hour is a midnight; a step from the first hour of a day to the
// last one is a straggler from before it.
func (c *clock) addDate(tod int64) int64 {
	c.used |= assumedDate
	if !c.seen {
		return c.firstMidnight(tod) + tod
	}
	before := mod(c.wall, daySeconds)
	midnight := c.wall - before
	if tod < before-hourSeconds {
		midnight += daySeconds
	} else if before < hourSeconds && tod >= daySeconds-hourSeconds {
		midnight -= daySeconds
	}
	return midnight + tod
}

// firstMidnight returns the date of a first stamp: that of the base, or the day
// before when it would lie more than an hour after the base.
func (c *clock) firstMidnight(tod int64) int64 {
	if c.base == 0 {
		return 0
	}
	wall := c.base + c.offsetOf(c.base)
	midnight := wall - mod(wall, daySeconds)
	if midnight+tod > wall+hourSeconds {
		midnight -= daySeconds
	}
	return midnight
}

// addYear puts a date of the year 0 into a year: the one that is nearest to the
// stamp before, or for the first stamp the latest one in which it does not lie
// more than a day after the base.
func (c *clock) addYear(naive int64) int64 {
	c.used |= assumedYear
	day := (naive - mod(naive, daySeconds)) / daySeconds
	if c.yearDelta == 0 || c.yearDay != day {
		c.yearDay, c.yearDelta = day, c.yearFor(day)
	}
	return naive + c.yearDelta
}

func (c *clock) yearFor(day int64) int64 {
	t := time.Unix(day*daySeconds, 0).UTC()
	m, d := int(t.Month()), t.Day()
	limit := c.base + daySeconds
	switch {
	case c.seen:
		limit = c.wall + daySeconds*183
	case c.base == 0:
		return (days(1972, m, d) - day) * daySeconds
	}
	y := time.Unix(limit, 0).UTC().Year()
	for d > daysIn(y, m) || days(y, m, d)*daySeconds > limit {
		y--
	}
	return (days(y, m, d) - day) * daySeconds
}

// fixWeekYear corrects the year of a stamp written with the week year, which
// differs from the year around New Year: of the two years that the stamp can
// mean it takes the one nearer to the record before, or to the base.
func (c *clock) fixWeekYear(naive int64) int64 {
	t := time.Unix(naive, 0).UTC()
	shift := 0
	switch {
	case t.Month() == time.December && t.Day() >= 26:
		shift = -1
	case t.Month() == time.January && t.Day() <= 3:
		shift = 1
	default:
		return naive
	}
	other := t.AddDate(shift, 0, 0).Unix()
	ref := c.base
	if c.seen {
		ref = c.prev
	}
	if ref == 0 {
		ref = weekYearGuess(t, other)
	}
	if abs(other-ref) < abs(naive-ref) {
		c.used |= assumedWeekYear
		return other
	}
	return naive
}

// weekYearGuess returns the reading that a server in the English locale means,
// where week 1 is the week (from Sunday) that holds 1 January.
func weekYearGuess(t time.Time, other int64) int64 {
	saturday := t.AddDate(0, 0, 6-int(t.Weekday()))
	if saturday.Year() == t.Year() {
		return t.Unix()
	}
	return other
}

// offsetOf returns the offset of the zone at an instant.
func (c *clock) offsetOf(instant int64) int64 {
	if c.loc == nil {
		return 0
	}
	_, off := time.Unix(instant, 0).In(c.loc).Zone()
	return int64(off)
}

// offsetAt returns the offset to subtract from a wall clock time. Of the two
// readings in an hour that repeats it takes the earlier one unless that would
// step back behind the record before.
func (c *clock) offsetAt(wall int64) int64 {
	quarter := wall / 900
	if c.cached && c.quarter == quarter {
		return c.offset
	}
	before, after := c.offsetOf(wall-daySeconds), c.offsetOf(wall+daySeconds)
	okBefore, okAfter := c.offsetOf(wall-before) == before, c.offsetOf(wall-after) == after
	switch {
	case before == after || okBefore && !okAfter:
		c.cached, c.quarter, c.offset = true, quarter, before
	case okAfter && !okBefore:
		c.cached, c.quarter, c.offset = true, quarter, after
	case !okBefore: // an hour that is left out
		c.used |= assumedGap
		return before
	default:
		c.used |= assumedRepeat
		if c.opened && wall-before < c.prev-5 {
			return after
		}
		return before
	}
	return c.offset
}

// merge adds what another clock, for another part of the file, came across.
func (c *clock) merge(o *clock) {
	c.loc, c.base, c.used = o.loc, o.base, c.used|o.used
	c.shared = max(c.shared, o.shared)
	if !o.zoneSeen {
		return
	}
	c.several = c.several || o.several || c.zoneSeen && c.zoneOff != o.zoneOff
	c.zoneSeen, c.zoneOff, c.zoneName = true, o.zoneOff, o.zoneName
}

// mod returns a modulo b, 0 or more.
func mod(a, b int64) int64 { return ((a % b) + b) % b }

func abs(a int64) int64 {
	if a < 0 {
		return -a
	}
	return a
}
