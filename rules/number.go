package rules

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// The house formats. Everything that shows a number to a person goes through
// one of these, so that one value reads the same in every text and table.

// unknownNumber is how a value that is not known is written: never 0, never blank.
const unknownNumber = "?"

// Number writes v with the digits that matter: whole numbers exactly ("1024",
// "160269"), others with no decimal from 100, one from 1 and up to two below
// ("118", "6.7", "0.07", "0.7"). It writes no thousands separators. NaN is "?".
func Number(v float64) string { return formatNumber(v, 0) }

// Percent writes a ratio as a percentage: Percent(0.203) is "20.3 %". NaN is "?".
func Percent(ratio float64) string { return formatPercent(ratio, 0) }

// Rate writes a number of events per second with its decimals, so that rates
// stay comparable: "16.0/s", "0.07/s", "118/s". Zero is "0/s", NaN "?".
func Rate(perSecond float64) string { return formatRate(perSecond, 0) }

// CountIn says a rate as the events it was made of: CountIn(0.0667, time.Minute)
// is "4 in 60 s". It is empty for a rate of 1/s or more and for one that is not
// known, where the count says nothing new.
func CountIn(perSecond float64, window time.Duration) string {
	if !(perSecond >= 0 && perSecond < 1) || window <= 0 {
		return ""
	}
	n := math.Round(perSecond * window.Seconds())
	return Number(n) + " in " + windowText(window)
}

// Plural writes a count with its noun: "1 target", "3 targets".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Bytes writes a number of bytes in decimal units: "260 B", "48 kB", "4.1 GB".
// NaN is "?".
func Bytes(v float64) string { return formatBytes(v, 0) }

// Value writes v in the given unit of catalog/signals.yaml: "ratio" as a
// percentage, "1/s" as a rate, "s" as a duration, "s/s" as seconds of each second,
// "bytes" in decimal units. All other units count things: the bare number is written and the name of what is
// counted is left to the column or sentence. NaN is "?".
func Value(v float64, unit string) string { return formatValue(v, unit, 0) }

// Distinct writes two values of one unit with as many further decimals as it
// takes to tell them apart, so that an observed value never seems equal to the
// threshold that it passed.
func Distinct(a, b float64, unit string) (string, string) {
	const most = 6
	for extra := 0; ; extra++ {
		x, y := formatValue(a, unit, extra), formatValue(b, unit, extra)
		if a == b || extra == most || !sameNumber(x, y) {
			return x, y
		}
	}
}

// sameNumber reports whether two texts show the same number, however many
// zeros they spend on it.
func sameNumber(x, y string) bool {
	digits := func(s string) string {
		n, rest, _ := strings.Cut(s, " ")
		n, slash, _ := strings.Cut(n, "/")
		return trimZeros(n) + " " + slash + rest
	}
	return digits(x) == digits(y)
}

// trimZeros drops the zeros that end a decimal fraction: "0.70" is "0.7".
func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

func formatValue(v float64, unit string, extra int) string {
	switch unit {
	case "ratio":
		return formatPercent(v, extra)
	case "1/s":
		return formatRate(v, extra)
	case "s":
		return formatSeconds(v, extra)
	case "s/s":
		return formatNumber(v, extra) + " s/s"
	case "bytes":
		return formatBytes(v, extra)
	}
	return formatNumber(v, extra)
}

func formatNumber(v float64, extra int) string {
	if s, ok := formatSpecial(v); ok {
		return s
	}
	if isWhole(v) {
		return strconv.FormatFloat(math.Round(v)+0, 'f', 0, 64) // +0 turns -0 into 0
	}
	return formatDecimal(v, extra)
}

func formatPercent(ratio float64, extra int) string {
	if math.IsNaN(ratio) {
		return unknownNumber
	}
	return formatNumber(ratio*100, extra) + " %"
}

func formatRate(v float64, extra int) string {
	if math.IsNaN(v) {
		return unknownNumber
	}
	if _, ok := formatSpecial(v); ok || v == 0 {
		return formatNumber(v, extra) + "/s"
	}
	return formatDecimal(v, extra) + "/s"
}

func formatBytes(v float64, extra int) string {
	if math.IsNaN(v) {
		return unknownNumber
	}
	units := []string{"B", "kB", "MB", "GB", "TB", "PB"}
	i := 0
	for ; math.Abs(v) >= 999.5 && i < len(units)-1; i++ {
		v /= 1000
	}
	return formatNumber(v, extra) + " " + units[i]
}

// formatSpecial writes what has no useful decimal form: unknown, infinite and values
// so large that their digits mean nothing.
func formatSpecial(v float64) (string, bool) {
	switch {
	case math.IsNaN(v):
		return unknownNumber, true
	case math.IsInf(v, 1):
		return "inf", true
	case math.IsInf(v, -1):
		return "-inf", true
	case math.Abs(v) >= 1e15:
		return strconv.FormatFloat(v, 'g', 3, 64), true
	}
	return "", false
}

// isWhole reports whether v is a whole number but for the noise of arithmetic
// in binary (0.07 * 100).
func isWhole(v float64) bool {
	return math.Abs(v-math.Round(v)) <= 1e-9*math.Max(math.Abs(v), 1e-3)
}

// formatDecimal writes v with the decimals of its size, after rounding: 99.96 is "100".
func formatDecimal(v float64, extra int) string {
	size := math.Abs(v)
	switch {
	case size < 1e-4:
		return strconv.FormatFloat(v, 'g', 2+extra, 64)
	case size < 0.00995:
		return trimZeros(strconv.FormatFloat(v, 'f', 3+extra+leadingZeros(size), 64))
	case size < 0.995:
		return trimZeros(strconv.FormatFloat(v, 'f', 2+extra, 64))
	case size < 99.95:
		return strconv.FormatFloat(v, 'f', 1+extra, 64)
	}
	return strconv.FormatFloat(v, 'f', extra, 64)
}

// leadingZeros is how many zeros stand between the third decimal and the first
// digit of size, which is below 0.01: none for 0.004, one for 0.0004.
func leadingZeros(size float64) int {
	return max(0, int(math.Ceil(-math.Log10(size)))-3)
}
