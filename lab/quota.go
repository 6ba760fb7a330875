package lab

import (
	"math"
	"time"
)

// A quota is the processors of a container as the kernel's CFS bandwidth control
// gives them: in each period of 100 ms all its threads together may use Quota
// periods of processor time. When that is used up every one of them stands
// still until the next period, however idle the machine is.
type quota struct {
	s         *Service
	cores     float64
	budget    float64 // seconds of a period
	left      float64 // of the present period
	running   []*share
	stands    bool // the budget is used up
	stoodAt   time.Duration
	moved     time.Duration // up to when work has been counted
	turn      int           // of the plan that holds
	used      float64       // processor seconds
	active    bool          // something ran in this period
	periods   int64
	throttled int64
	stood     time.Duration
}

// A share is the processor time that one piece of work still needs.
type share struct {
	left float64
	done func()
}

const quotaPeriod = 100 * time.Millisecond

func newQuota(s *Service, processors float64) *quota {
	q := &quota{s: s, cores: float64(s.cfg.Cores), budget: processors * quotaPeriod.Seconds()}
	q.left = q.budget
	s.agenda.every(quotaPeriod, nil, q.refill)
	return q
}

// run does work that needs cost of processor time.
func (q *quota) run(cost time.Duration, done func()) {
	q.move()
	q.running = append(q.running, &share{cost.Seconds(), done})
	q.plan()
}

// pace is the processors that one of the running has.
func (q *quota) pace() float64 {
	if q.stands || len(q.running) == 0 {
		return 0
	}
	return min(1, q.cores/float64(len(q.running)))
}

// move counts the work done since the last call.
func (q *quota) move() {
	now := q.s.agenda.now
	each := q.pace() * (now - q.moved).Seconds()
	q.moved = now
	if each == 0 {
		return
	}
	q.active = true
	for _, r := range q.running {
		r.left -= each
	}
	all := each * float64(len(q.running))
	q.used += all
	q.left -= all
}

// A tick of the clock is a nanosecond; what is below that is done.
const least = 1e-9

// plan looks ahead to when the next work is done or the budget used up.
func (q *quota) plan() {
	q.turn++
	pace := q.pace()
	if pace == 0 {
		return
	}
	next := q.left / (pace * float64(len(q.running)))
	for _, r := range q.running {
		next = min(next, r.left/pace)
	}
	turn := q.turn
	q.s.agenda.after(time.Duration(math.Ceil(max(next, least)*1e9)), nil, func() {
		if turn == q.turn {
			q.next()
		}
	})
}

func (q *quota) next() {
	q.move()
	var done []func()
	kept := q.running[:0]
	for _, r := range q.running {
		if r.left <= least {
			done = append(done, r.done)
		} else {
			kept = append(kept, r)
		}
	}
	clear(q.running[len(kept):])
	q.running = kept
	if q.left <= least && len(q.running) > 0 {
		q.stands, q.stoodAt = true, q.s.agenda.now
	}
	for _, do := range done {
		do()
	}
	q.plan()
}

// refill begins a period. The kernel counts only periods in which something ran.
func (q *quota) refill() {
	q.move()
	if q.active || q.stands {
		q.periods++
	}
	if q.stands {
		q.throttled++
		q.stood += q.s.agenda.now - q.stoodAt
		q.stands = false
	}
	q.active = false
	q.left = q.budget
	q.plan()
}

// spent is the processor time used up to now, without changing anything.
func (q *quota) spent(now time.Duration) time.Duration {
	running := q.pace() * float64(len(q.running)) * (now - q.moved).Seconds()
	return time.Duration((q.used + running) * 1e9)
}
