//go:build unix

package rules

import (
	"syscall"
	"testing"
	"time"
)

// cpuTime is the time that the process has been at work. On a busy machine it
// says more than the time of the clock.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
