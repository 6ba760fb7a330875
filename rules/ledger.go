package rules

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
)

// RankCounts lists names with their counts, "CatalogProductAddCommand 100", most
// first, then by name. What counts 0 is left out.
func RankCounts(counts map[string]float64) []string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	var list []string
	for _, name := range names {
		if counts[name] > 0 {
			list = append(list, name+" "+Number(counts[name]))
		}
	}
	return list
}

// ledger counts, over the events window, requests that timed out and may have
// been applied against those that were surely refused. What the senders saw
// counts; the server's own time-outs of the same requests are not added.
func (a assembly) ledger() Ledger {
	l := Ledger{
		Indeterminate: a.total(`sum(cap:expired_count{kind="requests"})`),
		Refused:       a.total("sum(cap:rejected_count)"),
		Since:         utc(a.t).Add(-min(EventsWindow, a.ages.oldest.watched)),
		Types:         map[string]float64{},
	}
	if l.Indeterminate > 0 {
		found, err := a.instant(a.ctx, `sum by (resource) (cap:expired_type_count{kind="requests"}) > 0`)
		for _, s := range found {
			if err == nil {
				l.Types[s.Labels.Get("resource")] = math.Round(s.Value)
			}
		}
	}
	return l
}

func (a assembly) total(expr string) float64 {
	found, err := a.instant(a.ctx, expr)
	if err != nil || len(found) == 0 {
		return math.NaN()
	}
	return math.Round(found[0].Value)
}

// unaccounted says how much time of the callers neither completions nor
// expiries explain. By Little's law, clients = attempts per second × seconds
// per attempt; an attempt ends at its deadline at the latest.
func (a assembly) unaccounted() []string {
	found, err := a.instant(a.ctx, "cap:attempt_seconds - on (service) cap:attempt_bound_seconds > 1")
	if err != nil {
		return nil
	}
	var notes []string
	for _, s := range found {
		attempt, err := a.instant(a.ctx, fmt.Sprintf("cap:attempt_seconds{service=%q}", s.Labels.Get("service")))
		if err != nil || len(attempt) == 0 {
			continue
		}
		notes = append(notes, fmt.Sprintf("unaccounted client time: %s per attempt, of which the deadline explains %s; the clients spend %s elsewhere (pauses, several calls each)",
			Duration(seconds(attempt[0].Value)), Duration(seconds(attempt[0].Value-s.Value)), Duration(seconds(s.Value))))
	}
	return notes
}
