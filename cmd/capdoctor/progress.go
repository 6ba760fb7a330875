package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

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
	shown, pace := false, pace{at: begin}
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
			read := p.read.Load()
			text := progressText(read, p.all, pace.reckon(read, now()))
			fmt.Fprintf(w, "\r%s\x1b[K", ansi.Truncate(text, terminalWidth(w)-1, "")) // a line that wraps would not be written over
			shown = true
			wait.Reset(progressEvery)
		}
	}
}

// A pace reckons how fast it goes: parts of files are told when they are read,
// so a rate from one moment to the next would jump.
type pace struct {
	at   time.Time
	read int64
	rate float64 // bytes per second
}

// paceOver is the time over which a rate is levelled out.
const paceOver = 2 * time.Second

// reckon takes how much has been read and returns the rate.
func (p *pace) reckon(read int64, at time.Time) float64 {
	took := at.Sub(p.at).Seconds()
	if took <= 0 {
		return p.rate
	}
	rate, share := float64(read-p.read)/took, 1.0
	if p.rate > 0 {
		share = 1 - math.Exp(-took/paceOver.Seconds())
	}
	p.at, p.read, p.rate = at, read, p.rate+share*(rate-p.rate)
	return p.rate
}

// progressText is "reading  42 %  430 MB of 1.0 GB  1.2 GB/s  1 s left".
func progressText(read, all int64, rate float64) string {
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

// terminalWidth is the width of the terminal that w is, 80 where it is not known.
func terminalWidth(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(f.Fd()); err == nil && width > 0 {
			return width
		}
	}
	return 80
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
