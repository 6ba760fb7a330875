// Package series is capdoctor's store: samples go in, PromQL answers come out.
//
// Everything that comes in (a scrape, a log line, a fact, a model's page) is a
// sample of a labelled series that belongs to one source. Everything that is
// known about it is asked in PromQL, answered by the Prometheus engine over
// ring buffers in memory. There is no write-ahead log, no block and no file.
//
// A Store may be read by several goroutines while one goroutine appends.
package series
