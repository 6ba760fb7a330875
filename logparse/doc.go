// Package logparse turns logs into samples: bytes become lines, lines become
// records with a time and a level, records that a pattern of the catalogue
// knows become events, and events become samples on a grid of log time.
//
// Nothing is skipped in silence: bytes, lines, records, unparsed and undated
// lines are counted for every file. The clock is never read; a log's time is
// the time written in it.
//
// # Reading
//
// Inputs resolves arguments to logs, ReadFile reads one file to its end, a
// Follower reads one while it is written, and a Scanner reads records from any
// io.Reader. They find the format by themselves; what they had to assume about
// time stamps is part of Stats. With a Filter, records that hold nothing of
// interest are only counted, which is many times faster.
//
// # Formats
//
// A format is known by the form of its first lines. The built-in ones stand in
// formats/*.yaml; a file of patterns may hold further ones, which come first and
// take the place of a built-in one of the same name:
//
//	formats:
//	- name: acme
//	  title: our own form
//	  layouts: ['#{level}# at {time} by {thread}; {message}']
//	  samples:
//	  - line: '#WARN# at 2026-03-02 10:15:31.004 by main; slow'
//	    time: 2026-03-02T10:15:31.004Z
//	    level: warn
//	    thread: main
//	    message: slow
//
// In a layout spaces stand for one or more spaces or tabs, {{ for a brace, and
// the other texts for themselves. The fields are
//
//	{time}                 a stamp in any form
//	{date} {clock}         one with a year, one without a date
//	{day} {slash} {month}  02-Mar-2026 10:15:31, 2026/03/02 10:15:31, Mar  2 10:15:31
//	{long} {compact} {tai} Mar 2, 2026 10:15:31 AM, 20260302101531004, TAI64N
//	{epoch}                a number of seconds, or smaller units, from 1970
//	{level} {..level}      a level here, a level somewhere in the next 160 bytes
//	{logger} {source}      words without spaces, up to what follows
//	{thread} {subsystem}   texts up to what follows; {subsystem} is a logger with spaces
//	{word} {skip} {int}    a word, a text, digits that are not kept
//	{status}               an HTTP status
//	{message}              the rest of the line; what follows must stand in it
//	{end}                  the end of the line
//
// and, for the formats that need them, {pri}, {data}, {klog}, {pglevel}, {tail},
// {stream}, {flag} and {mark}. Every layout must match a sample.
package logparse
