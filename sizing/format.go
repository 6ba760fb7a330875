package sizing

import (
	"math"
	"strconv"
	"strings"
)

// Format writes a number with its unit: "1/s" as a rate ("23.6/s"), "s" as a
// time ("4.46 ms", "30 s"), "ratio" as a percentage ("20 %"), "x" as a factor
// ("5.41x"); any other unit is a noun that follows the number ("12 slots"), and
// the empty unit is a bare number. NaN is "no data".
func Format(v float64, unit string) string {
	switch {
	case math.IsNaN(v):
		return "no data"
	case unit == "1/s":
		return digits(v) + "/s"
	case unit == "s" && v != 0 && math.Abs(v) < 0.99995:
		return digits(v*1000) + " ms"
	case unit == "ratio":
		return digits(v*100) + " %"
	case unit == "x":
		return digits(v) + "x"
	case unit == "":
		return digits(v)
	}
	return digits(v) + " " + noun(v, unit)
}

// noun is what is counted, in the singular for one.
func noun(v float64, unit string) string {
	switch {
	case digits(v) != "1", len(unit) <= 2:
		return unit
	case strings.HasSuffix(unit, "ches"):
		return strings.TrimSuffix(unit, "es")
	}
	return strings.TrimSuffix(unit, "s")
}

// digits writes whole numbers in full and others with three or four digits.
func digits(v float64) string {
	size := math.Abs(v)
	if math.IsInf(v, 0) || size >= 1e15 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	decimals := 4
	switch {
	case math.Abs(v-math.Round(v)) <= noise*max(1, size), size >= 999.95:
		decimals = 0
	case size >= 99.995:
		decimals = 1
	case size >= 0.99995:
		decimals = 2
	case size < 0.001:
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	s := strconv.FormatFloat(v+0, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func seconds(v float64) string   { return Format(v, "s") }
func perSecond(v float64) string { return Format(v, "1/s") }
func percent(v float64) string   { return Format(v, "ratio") }
