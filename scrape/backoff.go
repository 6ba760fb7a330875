package scrape

import (
	"hash/fnv"
	"time"
)

// Bounds of the back-off.
const (
	maxStretch = 8           // times the interval
	maxDelay   = time.Minute // where the interval is not longer
	dutyCycle  = 4           // a target serves us at most one part in so many of its time
)

// Backoff returns the time from the start of one scrape to the start of the
// next. slow counts the scrapes in a row, up to the last one, that failed or
// took more than half the interval; took is how long the last one took.
//
//	slow      0 1 2 3 4 5 ...
//	interval  1 1 2 4 8 8 ... times, but at most a minute
//
// One slow scrape changes nothing. The result is never less than the interval,
// nor than four times took, so that a target whose threads are scarce spends at
// most a quarter of one on being looked at.
func Backoff(interval time.Duration, slow int, took time.Duration) time.Duration {
	stretch := time.Duration(1)
	for ; slow > 1 && stretch < maxStretch; slow-- {
		stretch *= 2
	}
	delay := min(interval*stretch, max(interval, maxDelay))
	return max(delay, dutyCycle*took)
}

// Slow tells whether a result counts towards Backoff's slow.
func Slow(interval time.Duration, r Result) bool {
	return r.Err != nil || r.Duration > interval/2
}

// maxJitter bounds how late the first scrape of a target may be.
const maxJitter = time.Second

// Jitter returns how much later than the others a target is scraped, so that
// many targets are not asked at one instant: less than a tenth of the interval
// and less than a second, always the same for one instance.
func Jitter(instance string, interval time.Duration) time.Duration {
	spread := min(interval/10, maxJitter)
	if spread <= 0 {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(instance))
	return time.Duration(h.Sum64() % uint64(spread))
}
