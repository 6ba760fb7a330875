package incident

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"time"
)

// A fakeTarget is a program that is busy: of its series four in ten are
// counters that move at random, one in ten is a gauge that does, and the others
// stand still.
type fakeTarget struct {
	rnd    *rand.Rand
	values []float64
}

func newFakeTarget(series int) *fakeTarget {
	return &fakeTarget{rand.New(rand.NewPCG(1, 2)), make([]float64, series)}
}

// page is its next exposition.
func (f *fakeTarget) page() []byte {
	var b bytes.Buffer
	for i := range f.values {
		switch i % 10 {
		case 0, 1, 2:
			f.values[i] += float64(f.rnd.IntN(50))
		case 3:
			f.values[i] += f.rnd.Float64()
		case 4:
			f.values[i] = float64(f.rnd.IntN(1000))
		}
		if i%5 == 0 {
			fmt.Fprintf(&b, "# HELP app_family_%d_total Requests of kind %d since the start.\n# TYPE app_family_%d_total counter\n", i/5, i/5, i/5)
		}
		fmt.Fprintf(&b, "app_family_%d_total{method=\"GET\",outcome=\"SUCCESS\",status=\"200\",uri=\"/api/v1/resource/%d\",} %v\n", i/5, i, f.values[i])
	}
	return b.Bytes()
}

// start is the time of offset 0 of the incidents in tests.
var start = time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
