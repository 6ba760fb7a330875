// Package template fills in the annotations of rules, which are written in
// Prometheus' template language.
//
// The language is that of text/template, and the parser is that of the
// standard library. Only the evaluation is our own, over the few types that an
// annotation sees: text/template reaches methods by name, so that a program
// with it keeps every method of every type it knows (4 MB of ours). What is
// computed, and where an evaluation fails, is as there. Three things differ:
//
//   - define, block and template, complex numbers and the functions call, html,
//     js, slice and urlquery are refused when the text is parsed;
//   - a field is never a method;
//   - an evaluation that writes or does too much ends with an error, because a
//     rule file may be anybody's.
//
// Values are nil, bool, int, uint8 (one byte of a text), float64, string,
// *Sample, []*Sample, map[string]string and map[string]any.
package template
