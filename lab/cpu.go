package lab

import "time"

// A cpu counts the processor time that work uses. Work that runs for a while
// uses a share of a processor evenly over that while; when the shares add up to
// more than there is, work that starts then takes longer.
type cpu struct {
	cores  int64 // in millionths of a processor, like every share
	demand level
	past   time.Duration // processor time that was taken out of the integral of demand
	recent history
}

const oneProcessor = 1_000_000

func newCPU(c Config) *cpu {
	u := &cpu{cores: int64(c.Cores) * oneProcessor}
	u.demand.add(0, int64(c.IdleCPU*oneProcessor))
	return u
}

// start begins work that would take d alone and needs cost of processor time.
// It returns how long the work takes, and its share to give to stop.
func (u *cpu) start(now, d, cost time.Duration) (takes time.Duration, share int64) {
	if d <= 0 {
		return 0, 0
	}
	share = int64(cost) * oneProcessor / int64(d)
	if over := u.demand.value + share - u.cores; over > 0 {
		d += time.Duration(int64(d) / 1000 * (over * 1000 / u.cores))
		share = int64(cost) * oneProcessor / int64(d)
	}
	u.demand.add(now, share)
	u.fold()
	return d, share
}

func (u *cpu) stop(now time.Duration, share int64) { u.demand.add(now, -share) }

// fold keeps the integral of long runs in its range: 8 processors fill it in 19
// minutes.
func (u *cpu) fold() {
	if u.demand.sum < 1<<61 {
		return
	}
	whole := u.demand.sum / oneProcessor
	u.past += time.Duration(whole)
	u.demand.sum -= whole * oneProcessor
}

// used returns the processor time so far.
func (u *cpu) used(now time.Duration) time.Duration {
	return u.past + time.Duration(u.demand.integral(now)/oneProcessor)
}

// busy returns the share of all processors used in the last seconds, 0 to 1.
func (u *cpu) busy(now time.Duration) float64 {
	return min(1, u.recent.rate(now, int64(u.used(now)))*oneProcessor/float64(u.cores))
}
