package logparse

import (
	"os"
	"runtime/debug"
	"sync"
)

// readParts reads a file in parts side by side and hands the records out in
// order. Workers are at most a few parts ahead, which bounds the memory.
func (b *bulk) readParts(f *os.File, size int64) error {
	parts := int((size - b.plan.from + chunkSize - 1) / chunkSize)
	workers := min(b.workers(), parts)
	jobs := make(chan job)
	order := make(chan chan *part, workers)
	spare := make(chan *part, 3*workers)
	tallies := make([]*Tally, workers)
	var wg sync.WaitGroup
	for w := range workers {
		tallies[w] = NewTally()
		wg.Go(func() { b.work(f, size, jobs, spare, tallies[w]) })
	}
	go func() {
		defer close(order)
		defer close(jobs)
		for n := range parts {
			done := make(chan *part, 1)
			order <- done
			jobs <- job{n, done}
		}
	}()
	err := b.collect(order, spare)
	wg.Wait()
	for _, t := range tallies {
		b.tally.merge(t)
	}
	return err
}

type job struct {
	part int
	done chan<- *part
}

// work reads parts until there are no more. The buffer is used for all of them.
func (b *bulk) work(f *os.File, size int64, jobs <-chan job, spare <-chan *part, t *Tally) {
	debug.SetPanicOnFault(true) // see recoverCut
	var buf []byte
	for j := range jobs {
		if err := b.ctx.Err(); err != nil {
			j.done <- &part{err: err}
			continue
		}
		s := b.scanner(nil, t)
		s.src.buf = buf
		p := &part{}
		select {
		case p = <-spare:
		default:
		}
		scanPart(f, b.plan.from, size, j.part, s, p)
		j.done <- p
		buf = s.src.own()
		if b.reading.Progress != nil {
			b.reading.Progress.Add(min(chunkSize, size-b.plan.from-int64(j.part)*chunkSize))
		}
	}
}

// collect takes the parts in the order of the file, and gives their memory back.
// After an error it only waits for the rest.
func (b *bulk) collect(order <-chan chan *part, spare chan<- *part) error {
	var sum account
	var err error
	for done := range order {
		p := <-done
		if err == nil {
			err = p.err
		}
		if err != nil {
			continue
		}
		for i := range p.records {
			p.records[i].Line += sum.stats.Lines
			b.hand(&p.records[i])
		}
		sum.add(p)
		p.reset()
		select {
		case spare <- p:
		default:
		}
	}
	b.stats = sum.result(b.path, b.plan.guess)
	if err == nil {
		err = b.ctx.Err()
	}
	return err
}

// An account is the sum of the stats of the parts of a file.
type account struct {
	stats  Stats
	clock  clock
	noted  bool
	first  moment
	latest moment
}

func (a *account) add(p *part) {
	a.stats.Bytes += p.stats.Bytes
	a.stats.Lines += p.stats.Lines
	a.stats.Records += p.stats.Records
	a.stats.Outside += p.stats.Outside
	a.stats.Unparsed += p.stats.Unparsed
	a.stats.Undated += p.stats.Undated
	a.stats.Cut += p.stats.Cut
	a.clock.merge(&p.clock)
	switch {
	case !p.noted:
	case !a.noted:
		a.noted, a.first, a.latest = true, p.first, p.latest
	default:
		if p.first.before(a.first) {
			a.first = p.first
		}
		if a.latest.before(p.latest) {
			a.latest = p.latest
		}
	}
}

func (a *account) result(path string, g *guess) Stats {
	s := a.stats
	s.File, s.Format = path, g.name()
	if a.noted {
		s.First, s.Last = a.first.time(), a.latest.time()
	}
	s.Zone, s.Assumed = a.clock.zone(), a.clock.assumptions()
	return s
}
