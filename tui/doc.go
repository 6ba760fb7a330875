// Package tui is the live dashboard: a stream of judged moments and the store
// in, a screen out.
//
// The first rows of every screen answer three questions without a key being
// pressed: is something wrong, what proves it, what to do first. All else is
// quieter. Then the screen watches whether what was done helps.
//
// The package fetches nothing and reads no clock: frames come through a channel,
// history is read from the store, and the time arrives with ticks. A screen is
// drawn by hand-built rows, because laying a full screen out cell by cell costs
// tens of times more than the rest of the program. A row passes through one
// door, the pen, which strips control characters, cuts to the width and paints,
// so that no text of a target or a log reaches the terminal unescaped.
package tui
