package rules

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/series"
)

// Random catalogues and random data for the properties that judging must have.

// Shapes of operands: which labels they have.
const (
	perResource = iota
	perInstance
	perService
)

// randomSignals is the vocabulary of random catalogues. cap:base proves and
// never clears.
const randomSignals = `signals:
- {name: "cap:a", title: a, unit: "1", type: gauge, labels: [instance, system, resource, kind], meaning: A.}
- {name: "cap:b", title: b, unit: "1", type: gauge, labels: [instance, system, resource, kind], meaning: B.}
- {name: "cap:rate", title: rate, unit: 1/s, type: gauge, labels: [instance, system, resource, kind], meaning: Rate.}
- {name: "cap:events", title: events, unit: "1", type: gauge, labels: [instance, system, resource, kind], meaning: Events.}
- {name: "cap:ratio", title: ratio, unit: ratio, type: gauge, labels: [instance, system, resource, kind], meaning: Ratio.}
- {name: "cap:base", title: base, unit: 1/s, type: gauge, labels: [instance, system, resource, kind], meaning: Base., baseline: true}
- {name: "cap:i", title: i, unit: "1", type: gauge, labels: [instance, system], meaning: I.}
- {name: "cap:scrapes", title: scrapes, unit: "1", type: gauge, labels: [instance, system], meaning: Scrapes.}
- {name: "cap:s", title: s, unit: "1", type: gauge, labels: [service], meaning: S.}
- {name: "cap:limit", title: limit, unit: "1", type: gauge, labels: [instance], meaning: Limit.}
`

const randomDerived = `groups:
- name: derived
  rules:
  - {record: "cap:ratio", expr: "cap:a / cap:b"}
  - {record: "cap:base", expr: "quantile_over_time(0.9, cap:rate[30m]) and count_over_time(cap:rate[30m]) >= 4"}
  - {record: "cap:s", expr: "sum by (service) (max_over_time(cap:a[1m]))"}
  - {record: "cap:limit", expr: "max by (instance, service) (cap:fact{fact=\"limit\"})"}
`

// randomSystem is the rules of one system; its raw metrics begin with its name.
func randomSystem(name, kind string) string {
	rule := func(signal, expr string) string {
		return fmt.Sprintf("  - record: %s\n    expr: %s\n    labels: {system: %s, kind: %s}\n", signal, strings.ReplaceAll(expr, "raw", name), name, kind)
	}
	return "groups:\n- name: " + name + "\n  rules:\n" +
		rule("cap:a", `label_replace(raw_a or raw_old_a, "resource", "$1", "pool", "(.*)")`) +
		rule("cap:b", `label_replace(raw_b, "resource", "$1", "pool", "(.*)")`) +
		rule("cap:rate", `label_replace(rate(raw_r_total[1m]), "resource", "$1", "pool", "(.*)")`) +
		rule("cap:events", `label_replace(increase(raw_e_total[5m]), "resource", "$1", "pool", "(.*)")`) +
		rule("cap:i", `max by (instance, service) (raw_i)`) +
		rule("cap:scrapes", `delta(capdoctor_scrapes_total[1m])`)
}

// randomCatalog has some diagnoses of the restricted form.
func randomCatalog(rng *rand.Rand, diagnoses int) map[string]string {
	files := map[string]string{
		"signals.yaml": randomSignals, "derived.yaml": randomDerived,
		"systems/x.yaml": randomSystem("x", "threads"), "systems/y.yaml": randomSystem("y", "connections"),
		"systems.yaml": "systems:\n- {id: x, title: X, markers: [x_a], facts: {limit: \"2\"}, supplies: []}\n- {id: y, title: Y, markers: [y_i], supplies: []}\n",
	}
	for n := range diagnoses {
		var b strings.Builder
		fmt.Fprintf(&b, "groups:\n- name: d%d\n  rules:\n", n)
		for k := range 1 + rng.IntN(3) {
			fmt.Fprintf(&b, "  - alert: D%dV%d\n    expr: |\n      %s\n    for: %ds\n    labels: {id: d%d, severity: %s}\n    annotations: {explains: %q, differential: %q}\n",
				n, k, randomForm(rng), rng.IntN(5)*15, n, pick(rng, Critical, Warning, Info), laterIDs(rng, n, diagnoses), laterIDs(rng, -1, diagnoses))
		}
		files[fmt.Sprintf("diagnoses/d%d.yaml", n)] = b.String()
	}
	return files
}

// laterIDs names some diagnoses after n, so that no circle comes about.
func laterIDs(rng *rand.Rand, n, all int) string {
	var ids []string
	for k := n + 1; k < all; k++ {
		if rng.IntN(3) == 0 {
			ids = append(ids, fmt.Sprintf("d%d", k))
		}
	}
	return strings.Join(ids, " ")
}

func pick(rng *rand.Rand, choices ...string) string { return choices[rng.IntN(len(choices))] }

// randomForm is C1 and on (L) C2 ... unless on (L) Cn.
func randomForm(rng *rand.Rand) string {
	shape := []int{perResource, perResource, perResource, perInstance, perService}[rng.IntN(5)]
	expr := randomCondition(rng, shape, true)
	for range rng.IntN(4) {
		other := rng.IntN(3)
		on := "service"
		switch {
		case shape == perService || other == perService || rng.IntN(5) == 0:
		case shape == perResource && other == perResource:
			on = "instance, system, resource"
		default:
			on = "instance"
		}
		// What other targets of the service show is judged with their own windows:
		// one expression for all cannot say so.
		windows := on != "service" || other == perService
		expr += "\n      " + pick(rng, "and", "and", "and", "unless") + " on (" + on + ") " + randomCondition(rng, other, windows)
	}
	return expr
}

func randomCondition(rng *rand.Rand, shape int, windows bool) string {
	kind := rng.IntN(2)
	comparison := func() string { return randomComparison(rng, shape, kind, windows) }
	if rng.IntN(4) > 0 {
		return comparison()
	}
	return "(" + comparison() + " or " + comparison() + ")"
}

func randomComparison(rng *rand.Rand, shape, kind int, windows bool) string {
	number := pick(rng, "0", "1", "2", "0.5", "3", "-1")
	threshold := number
	switch rng.IntN(4) {
	case 0:
		threshold = randomOperand(rng, shape, kind, windows)
	case 1:
		threshold = number + " * " + randomOperand(rng, shape, kind, windows)
	}
	return randomOperand(rng, shape, kind, windows) + " " + pick(rng, ">", ">=", "<", "<=", "==", "!=") + " " + threshold
}

// randomOperand has the labels of its shape: as they are, or aggregated when
// kind is 1.
func randomOperand(rng *rand.Rand, shape, kind int, windows bool) string {
	if shape == perResource {
		return randomTerm(rng, shape, windows)
	}
	if kind == 0 {
		return randomTerm(rng, shape, windows)
	}
	by := map[int]string{perInstance: "instance, service", perService: "service"}[shape]
	return pick(rng, "sum", "max", "min", "count") + " by (" + by + ") (" + randomTerm(rng, rng.IntN(2), windows) + ")"
}

func randomTerm(rng *rand.Rand, shape int, windows bool) string {
	term := "cap:s"
	switch shape {
	case perResource:
		term = pick(rng, "cap:a", "cap:b", "cap:rate", "cap:events", "cap:ratio", "cap:base") +
			pick(rng, "", "", "", `{kind="threads"}`, `{kind!="connections"}`, `{resource=~"p1|p2"}`, `{system="y"}`)
	case perInstance:
		term = pick(rng, `cap:i{system="x"}`, `cap:scrapes{system="x"}`)
	}
	if windows && rng.IntN(3) == 0 {
		term = pick(rng, "max", "min", "avg", "sum", "count", "last") + "_over_time(" + term + pick(rng, "[1m]", "[5m]") + ")"
	}
	return term
}

// randomFeeds are a few targets of two services and a log, with series that come
// and go, values that are no numbers, failed rounds and gaps.
func randomFeeds(rng *rand.Rand, rounds int, gaps bool) []feed {
	var feeds []feed
	for n := range 2 + rng.IntN(3) {
		f := feed{
			instance: fmt.Sprintf("t%d", n), service: pick(rng, "", "s"),
			interval: []time.Duration{10 * time.Second, 10 * time.Second, 20 * time.Second}[rng.IntN(3)],
			start:    time.Duration(rng.IntN(3)) * 20 * time.Second,
			rounds:   randomRounds(rng, rounds, gaps), lines: randomLines(rng, rounds),
		}
		if n == 1 {
			f.kind, f.interval, f.rounds = series.Log, 10*time.Second, strings.ReplaceAll(f.rounds, "x", ".")
		}
		feeds = append(feeds, f)
	}
	return feeds
}

func randomRounds(rng *rand.Rand, n int, gaps bool) string {
	var b strings.Builder
	for b.Len() < n {
		switch {
		case rng.IntN(40) == 0:
			b.WriteString(strings.Repeat("x", 1+rng.IntN(4)))
		case gaps && rng.IntN(60) == 0:
			b.WriteString(strings.Repeat("-", 1+rng.IntN(9)))
		default:
			b.WriteByte('.')
		}
	}
	return b.String()[:n]
}

func randomLines(rng *rand.Rand, rounds int) string {
	var b strings.Builder
	for _, system := range []string{"x", "y"} {
		if rng.IntN(4) == 0 {
			continue
		}
		for _, name := range []string{"a", "b", "r_total", "e_total", "i"} {
			for _, pool := range []string{"p1", "p2", "p3"}[:1+rng.IntN(3)] {
				metric := system + "_" + name
				if name == "a" && rng.IntN(4) == 0 {
					metric = system + "_old_a"
				}
				fmt.Fprintf(&b, "%s{pool=%q}%s\n", metric, pool, randomValues(rng, rounds, strings.HasSuffix(name, "_total")))
			}
		}
	}
	return b.String()
}

// randomValues are values that dwell and jump, and leave out some.
func randomValues(rng *rand.Rand, n int, counter bool) string {
	var b strings.Builder
	gauge, total, absent := "0", 0, false
	for range n {
		if rng.IntN(8) == 0 {
			gauge = pick(rng, "0", "1", "2", "3", "5", "0.5", "NaN", "Inf")
		}
		if rng.IntN(25) == 0 {
			absent = !absent
		}
		if total += rng.IntN(3) * rng.IntN(3); rng.IntN(40) == 0 {
			total = 0
		}
		switch {
		case absent:
			b.WriteString(" _")
		case counter:
			fmt.Fprintf(&b, " %d", total)
		default:
			b.WriteString(" " + gauge)
		}
	}
	return b.String()
}
