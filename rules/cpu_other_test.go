//go:build !unix

package rules

import (
	"testing"
	"time"
)

// cpuTime is not known.
func cpuTime(*testing.B) time.Duration { return 0 }
