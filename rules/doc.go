// Package rules holds what capdoctor knows about capacity failures and judges
// samples by it.
//
// The knowledge is a catalogue of ordinary Prometheus rule files (recording
// rules that turn raw metrics into cap:* signals, alerting rules that are the
// diagnoses) with two vocabularies beside them. Judge evaluates it over a
// series.Store and returns a Report: findings with the numbers that prove them,
// the look-alikes those numbers exclude, what could not be judged and why, and
// ordered steps. The package knows nothing of terminals or formats.
package rules
