package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// A progress shows on a terminal how much of the logs has been read.
type progress struct {
	read atomic.Int64
	all  int64 // bytes; 0 when not known
	stop chan struct{}
	done chan struct{}
}

const (
	progressAfter = 500 * time.Millisecond // quick reads show nothing
	progressEvery = 100 * time.Millisecond
)

// startProgress shows progress on w if that is a terminal. files give the bytes
// to be read.
func startProgress(w io.Writer, files []string) *progress {
	p := &progress{all: sizeOf(files), stop: make(chan struct{}), done: make(chan struct{})}
	if !isTerminal(w) {
		close(p.done)
		return p
	}
	go p.show(w, now())
	return p
}

// end wipes what is shown.
func (p *progress) end() {
	close(p.stop)
	<-p.done
}

func (p *progress) show(w io.Writer, begin time.Time) {
	defer close(p.done)
	shown := false
	wait := time.NewTimer(progressAfter)
	defer wait.Stop()
	for {
		select {
		case <-p.stop:
			if shown {
				fmt.Fprint(w, "\r\x1b[K")
			}
			return
		case <-wait.C:
			fmt.Fprintf(w, "\r%s\x1b[K", progressText(p.read.Load(), p.all, now().Sub(begin)))
			shown = true
			wait.Reset(progressEvery)
		}
	}
}

// progressText is "reading  42 %  430 MB of 1.0 GB  1.2 GB/s  1 s left".
func progressText(read, all int64, took time.Duration) string {
	rate := float64(read) / max(took.Seconds(), 1e-9)
	if all <= 0 || read > all {
		return fmt.Sprintf("reading  %s  %s/s", rules.Bytes(float64(read)), rules.Bytes(rate))
	}
	s := fmt.Sprintf("reading %3d %%  %s of %s  %s/s", 100*read/all, rules.Bytes(float64(read)), rules.Bytes(float64(all)), rules.Bytes(rate))
	if rate > 0 {
		left := time.Duration(float64(all-read) / rate * float64(time.Second))
		s += "  " + rules.Duration(left.Round(time.Second)) + " left"
	}
	return s
}

// sizeOf adds the sizes of files; 0 when one has no size.
func sizeOf(files []string) int64 {
	var sum int64
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		sum += info.Size()
	}
	return sum
}

// isTerminal tells whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
