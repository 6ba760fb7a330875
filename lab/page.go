package lab

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A page is an exposition in the text format 0.0.4, written as Micrometer's
// Prometheus client writes it: families and labels in order of their names,
// HELP before TYPE, numbers as Java prints them, no time stamps.
type page struct{ families []family }

type family struct {
	name string // without _total
	kind string
	help string
	rows []string
}

// A row is one series of a family: its labels as name="value",..., in order of
// their names, and its value.
type row struct {
	labels string
	value  float64
}

// one is the only series of a family without labels.
func one(v float64) []row { return []row{{"", v}} }

func (p *page) gauge(name, help string, rows []row) { p.add(name, "gauge", help, "", rows) }

// counter adds a counter; name is without _total.
func (p *page) counter(name, help string, rows []row) {
	p.add(name, "counter", help, "_total", rows)
}

func (p *page) add(name, kind, help, suffix string, rows []row) {
	f := family{name: name, kind: kind, help: help}
	for _, r := range rows {
		f.rows = append(f.rows, name+suffix+braced(r.labels)+" "+javaDouble(r.value))
	}
	slices.Sort(f.rows)
	p.families = append(p.families, f)
}

// A span is one series of a timer.
type span struct {
	labels  string
	count   int64
	sum     float64 // seconds
	longest float64 // seconds
}

// summary adds a timer's count and sum, and as a family of its own its maximum
// of the last minutes.
func (p *page) summary(name, help string, spans []span) {
	f := family{name: name, kind: "summary", help: help}
	var longest []row
	for _, s := range spans {
		f.rows = append(f.rows,
			name+"_count"+braced(s.labels)+" "+strconv.FormatInt(s.count, 10),
			name+"_sum"+braced(s.labels)+" "+javaDouble(s.sum))
		longest = append(longest, row{s.labels, s.longest})
	}
	p.families = append(p.families, f)
	p.gauge(name+"_max", help, longest)
}

// bytes writes the page.
func (p *page) bytes() []byte {
	slices.SortFunc(p.families, func(a, b family) int { return cmp.Compare(a.name, b.name) })
	var out strings.Builder
	for _, f := range p.families {
		name := f.name
		if f.kind == "counter" {
			name += "_total"
		}
		help := f.help
		if help == "" {
			help = " " // what the client writes for a meter without description
		}
		out.WriteString("# HELP " + name + " " + help + "\n# TYPE " + name + " " + f.kind + "\n")
		for _, r := range f.rows {
			out.WriteString(r + "\n")
		}
	}
	return []byte(out.String())
}

func braced(labels string) string {
	if labels == "" {
		return ""
	}
	return "{" + labels + "}"
}

// javaDouble formats v as Java's Double.toString does: at least one decimal,
// and an exponent below 0.001 and from 10 million on.
func javaDouble(v float64) string {
	switch abs := math.Abs(v); {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return "+Inf"
	case math.IsInf(v, -1):
		return "-Inf"
	case abs == 0 || abs >= 1e-3 && abs < 1e7:
		s := strconv.FormatFloat(v, 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	n, _ := strconv.Atoi(exponent)
	return mantissa + "E" + strconv.Itoa(n)
}
