// Package logparse turns logs into samples: bytes become lines, lines become
// records with a time and a level, records that a pattern of the catalogue
// knows become events, and events become samples on a grid of log time.
//
// Nothing is skipped in silence: bytes, lines, records, unparsed and undated
// lines are counted for every file. The clock is never read; a log's time is
// the time written in it.
package logparse
