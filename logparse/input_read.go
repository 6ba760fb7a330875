package logparse

import (
	"container/heap"
	"context"
	"io"
	"iter"
	"os"
)

// Read reads the files of an input one after the other, as ReadFile does. A
// file of which the next one shows that it lies before Options.Since is passed
// over. stdin is what "-" stands for. It returns the account of every file.
func (in Input) Read(ctx context.Context, stdin io.Reader, o Options, r Reading) (*Tally, []Stats, error) {
	sum := NewTally()
	var all []Stats
	for i, file := range in.Files {
		if i+1 < len(in.Files) && passedOver(in.Files[i+1], o) {
			all = append(all, Stats{File: file, Format: unknown, Skipped: fileSize(file)})
			continue
		}
		var t *Tally
		var st Stats
		var err error
		if file == "-" {
			t, st, err = ReadStream(ctx, stdin, "-", o, r)
		} else {
			t, st, err = ReadFile(ctx, file, o, r)
		}
		if t != nil {
			sum.merge(t)
		}
		all = append(all, st)
		if err != nil {
			return sum, all, err
		}
	}
	return sum, all, nil
}

// passedOver says whether everything before a file lies before Since, by the
// first time in that file.
func passedOver(next string, o Options) bool {
	if o.Since.IsZero() || next == "-" {
		return false
	}
	o.Base = modTime(next)
	first := FirstTime(next, o)
	return !first.IsZero() && first.Before(o.Since.Add(-disorder))
}

func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// Merge puts the records of several logs on one time line. A record without a
// time comes at once; records of one time come in the order of the logs. Each
// record is valid until the next one of the same log.
func Merge(logs ...iter.Seq[*Record]) iter.Seq[*Record] {
	return func(yield func(*Record) bool) {
		var h merged
		for i, log := range logs {
			next, stop := iter.Pull(log)
			defer stop()
			if rec, ok := next(); ok {
				h = append(h, head{rec, i, next})
			}
		}
		heap.Init(&h)
		for len(h) > 0 {
			if !yield(h[0].rec) {
				return
			}
			if rec, ok := h[0].next(); ok {
				h[0].rec = rec
				heap.Fix(&h, 0)
			} else {
				heap.Pop(&h)
			}
		}
	}
}

// A head is the next record of one log.
type head struct {
	rec  *Record
	log  int
	next func() (*Record, bool)
}

// merged is a heap of the next records of several logs.
type merged []head

func (m merged) Len() int      { return len(m) }
func (m merged) Swap(i, j int) { m[i], m[j] = m[j], m[i] }
func (m merged) Less(i, j int) bool {
	if c := m[i].rec.Time.Compare(m[j].rec.Time); c != 0 {
		return c < 0
	}
	return m[i].log < m[j].log
}

// Push implements heap.Interface.
func (m *merged) Push(x any) { *m = append(*m, x.(head)) }

// Pop implements heap.Interface.
func (m *merged) Pop() any {
	last := len(*m) - 1
	x := (*m)[last]
	*m = (*m)[:last]
	return x
}
