package lab

import (
	"math/rand/v2"
	"testing"
	"time"
)

func TestAgendaOrder(t *testing.T) {
	var a agenda
	r := rand.New(rand.NewPCG(1, 1))
	type when struct {
		at   time.Duration
		turn int
	}
	var done []when
	for i := range 2000 {
		at := time.Duration(r.IntN(300))
		a.after(at, nil, func() { done = append(done, when{at, i}) })
	}
	a.runTo(299)
	if len(done) != 2000 {
		t.Fatalf("%d events done, want 2000", len(done))
	}
	for i := 1; i < len(done); i++ {
		if p, q := done[i-1], done[i]; p.at > q.at || p.at == q.at && p.turn > q.turn {
			t.Fatalf("event %v before %v", p, q)
		}
	}
}

func TestAgendaRunsUpToAndIncluding(t *testing.T) {
	var a agenda
	n := 0
	a.every(10, nil, func() { n++ })
	a.runTo(29)
	if n != 2 {
		t.Errorf("%d times by 29, want 2", n)
	}
	a.runTo(30)
	a.runTo(5)
	if n != 3 || a.now != 30 {
		t.Errorf("%d times, clock %d; want 3 at 30", n, a.now)
	}
}

func TestAgendaForgetsTheDead(t *testing.T) {
	var a agenda
	l := &life{}
	n := 0
	a.every(10, l, func() { n++ })
	a.runTo(25)
	l.over = true
	a.runTo(100)
	if n != 2 || len(a.heap) != 0 {
		t.Errorf("%d times, %d still planned; want 2 and none", n, len(a.heap))
	}
}

func TestFifo(t *testing.T) {
	var f fifo[int]
	next := 0
	for i := range 1000 {
		f.push(i)
		if i%3 != 0 {
			if got := f.pop(); got != next {
				t.Fatalf("got %d, want %d", got, next)
			}
			next++
		}
	}
	if f.len() != 1000-next || f.oldest() != next {
		t.Errorf("%d left from %d on, want %d from %d", f.len(), f.oldest(), 1000-next, next)
	}
}

func TestSemaphoreIsFair(t *testing.T) {
	s := semaphore{permits: 2}
	var got []int
	for i := range 5 {
		s.acquire(func() { got = append(got, i) })
	}
	s.release()
	s.permits = 3
	s.admit()
	if len(got) != 4 || got[2] != 2 || got[3] != 3 || s.waiters.len() != 1 {
		t.Errorf("served %v, %d wait; want 0 1 2 3 and one waiting", got, s.waiters.len())
	}
}

func TestLevel(t *testing.T) {
	var l level
	l.add(10, 2)
	l.add(20, 1)
	l.add(30, -3)
	if got := l.integral(100); got != 2*10+3*10 {
		t.Errorf("integral %d, want 50", got)
	}
}

func TestPeakDecays(t *testing.T) {
	var p peak
	p.see(30*time.Second, 7)
	p.see(90*time.Second, 3)
	for _, c := range []struct {
		at   time.Duration
		want int64
	}{{2 * time.Minute, 7}, {3 * time.Minute, 3}, {4 * time.Minute, 0}} {
		if got := p.value(c.at); got != c.want {
			t.Errorf("at %v %d, want %d", c.at, got, c.want)
		}
	}
}
