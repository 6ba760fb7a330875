package series

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

// One goroutine feeds the store while others ask. Run with -race.
func TestReadWhileIngesting(t *testing.T) {
	const rounds = 300
	s := New(Options{Raw: time.Minute, Signals: time.Minute})
	id := s.AddSource(Source{Instance: "app", Interval: interval})
	done := make(chan struct{})
	var readers sync.WaitGroup
	for _, ask := range []func(int) error{
		func(int) error {
			_, err := s.Instant(t.Context(), View{}, "sum(rate(c_total[1m]))", seconds(100))
			return err
		},
		func(int) error {
			_, err := s.Range(t.Context(), s.ViewOf(id), "max(a) + min_over_time(a[1m])", 0, seconds(1000), 10_000)
			return err
		},
		func(int) error { s.Select("a", 0, seconds(3000)); s.Names(); s.Len(); return nil },
		func(n int) error { s.Status(id, seconds(n)); s.Gaps(id); s.Present("a", seconds(n)); return nil },
		func(n int) error {
			l := FromStrings("__name__", "a", "pod", fmt.Sprint(n%rounds))
			s.SourceOf(l)
			s.Refused()
			return nil
		},
	} {
		readers.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-done:
					return
				default:
				}
				if err := ask(n); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	slots := make([]Slot, rounds/5+1)
	for i := range rounds {
		at := seconds(10 * i)
		s.Ingest(Batch{Source: id, Time: at, Failed: i%50 == 49, Samples: []Sample{
			{Labels: FromStrings("__name__", "a", "pod", fmt.Sprint(i/5)), Value: 1},
			{Labels: FromStrings("__name__", "c_total"), Value: float64(i)},
		}, Meta: []Sample{{Labels: FromStrings("__name__", "up")}}})
		s.Record(&slots[i/5], id, FromStrings("__name__", "cap:x", "n", fmt.Sprint(i/5)), at, 1)
		s.End(&slots[max(0, i/5-1)], at)
	}
	close(done)
	readers.Wait()
}
