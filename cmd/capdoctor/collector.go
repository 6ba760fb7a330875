package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// firstCollection is the heap that a command may fill before the garbage
// collector first runs, as a multiple of the collector's own 4 MB: a catalogue
// and a page fit, so that an answer to one page waits for no collection.
const firstCollection = 4

// delayCollector lets the heap grow to firstCollection before it is collected
// for the first time. From then on the collector runs as it does by default. A
// GOGC of the user's stands.
func delayCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	before := debug.SetGCPercent(100 * firstCollection)
	witness := new([16]byte) // unreachable at once: its cleanup follows the first collection
	runtime.AddCleanup(witness, func(percent int) { debug.SetGCPercent(percent) }, before)
}
