// Package rules holds what capdoctor knows about capacity failures and judges
// samples by it.
//
// The knowledge is a catalogue of ordinary Prometheus rule files (recording
// rules that turn raw metrics into cap:* signals, alerting rules that are the
// diagnoses) with two vocabularies beside them. Judge evaluates it over a
// series.Store and returns a Report: findings with the numbers that prove them,
// the look-alikes those numbers exclude, what could not be judged and why, and
// ordered steps. The package knows nothing of terminals or formats.
//
// # The texts of a diagnosis
//
// An alert has the annotations title, summary, meaning and first, which are
// templates as Prometheus' alerts have them, without define, block and template;
// explains and differential, ids separated by spaces; and three lists in YAML:
//
//   - recovery: what to do, in order: do, why, turns, verify, within, risk (low,
//     medium, high), reversible. verify is {signal: cap:x, reaches: a number or a
//     signal} or {signal: cap:x, direction: up or down, by: a number}.
//   - avoid: what not to do: do, why, turns.
//   - sources: where it comes from: title, link.
//
// turns says which knobs an entry turns, {clients: down, queue: up}, so that the
// steps of several causes can be merged and none turns back what another one
// turned. The knobs are clients (work that callers bring at once), consumers,
// queue (its places), retries, deadline (how long callers wait), threads (what
// works at once), connections (of a pool), database_connections (that a server
// accepts), limit (a quota, a rate, a bound), cpu, memory and servers. {} is an
// entry that turns none; one that reads as if it did must say so.
package rules
