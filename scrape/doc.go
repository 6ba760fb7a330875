// Package scrape turns one metrics endpoint, or one file of metrics, into
// samples.
//
// A [Target] says where to look, a [Scraper] looks once per call of
// [Scraper.Scrape] and hands back a [Result]: the samples, two samples about
// the scrape itself (up and scrape_duration_seconds), and, when it failed, an
// [Error] that says what happened and what to try. [Jitter] and [Backoff] say
// when to look again.
//
// The package is polite: it reads only, has one request in flight and one
// connection open per target, asks for the plain text format, and bounds time
// and size. It is careful with what it
// reads: a page counts as a whole or not at all, timestamps on the page are
// ignored unless asked for, and labels that name the target cannot be
// overridden by the page.
package scrape
