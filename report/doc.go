// Package report writes a rules.Report for people and for machines: text for a
// terminal, JSON, Markdown, a hand-over for a chat, and the exit status that
// goes with them. It judges nothing; every form shows the same findings with
// the same words and numbers.
//
// Whatever a target or a log said is hostile input here. No form lets a control
// character, an escape sequence or a change of writing direction through.
package report
