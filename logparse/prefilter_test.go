package logparse

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestPrefilterFindsLiteralsAnywhere(t *testing.T) {
	literals := []string{"nine byte", "abcdefghij", "a longer literal with many words in it"}
	p, err := NewPrefilter(literals)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range literals {
		for before := range 50 {
			for _, after := range []int{0, 1, 7, 8, 40} {
				text := strings.Repeat(".", before) + l + strings.Repeat("-", after)
				if got := p.Find([]byte(text)); got != before {
					t.Fatalf("Find(%q) = %d, want %d", text, got, before)
				}
			}
		}
	}
}

func TestPrefilterIgnoresCutLiterals(t *testing.T) {
	p, err := NewPrefilter([]string{"nine byte"})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "nine byt", "ine byte.......", "nine  byte", "NINE BYTE", "........nine byt"} {
		if got := p.Find([]byte(text)); got != -1 {
			t.Errorf("Find(%q) = %d, want none", text, got)
		}
	}
}

func TestPrefilterRefusesShortLiterals(t *testing.T) {
	if _, err := NewPrefilter([]string{"12345678"}); err == nil || !strings.Contains(err.Error(), `"12345678" is shorter than 9`) {
		t.Errorf("got %v", err)
	}
}

func TestZeroPrefilterFindsNothing(t *testing.T) {
	var p Prefilter
	if got := p.Find([]byte("anything at all, however long it may be, and longer")); got != -1 {
		t.Errorf("got %d", got)
	}
}

// TestPrefilterFindsManyLiterals holds Collect to bytes.Contains, with more
// literals than a catalogue has, in one text.
func TestPrefilterFindsManyLiterals(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var literals []string
	for i := range 3000 {
		literals = append(literals, fmt.Sprintf("%x-%d-%s", r.Uint64(), i, strings.Repeat("z", r.IntN(20))))
	}
	p, err := NewPrefilter(literals)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	want := map[string]bool{}
	for range 500 {
		l := literals[r.IntN(len(literals))]
		want[l] = true
		text.WriteString(l + strings.Repeat("x", r.IntN(9)))
	}
	var set LiteralSet
	p.Collect([]byte(text.String()), &set)
	for _, id := range set.ids {
		delete(want, literals[id])
	}
	if len(want) > 0 {
		t.Errorf("%d literals were not found", len(want))
	}
	set.Reset()
	p.Collect([]byte("nothing of them"), &set)
	if len(set.ids) > 0 {
		t.Errorf("found %v after Reset", set.ids)
	}
}

func TestPrefilterDoesNotAllocate(t *testing.T) {
	p := testCatalog(t).Prefilter()
	line := []byte("2026-03-02 10:15:31.004  INFO 1 --- [exec-1] c.acme.Orders : order 17 stored, no connection was refused in 12 ms")
	if n := testing.AllocsPerRun(100, func() { p.Find(line) }); n != 0 {
		t.Errorf("%v allocations per line", n)
	}
}

func FuzzPrefilter(f *testing.F) {
	f.Add([]byte("some text with event=correlations_expired in it"), "event=correlations_expired", "onnection refused")
	f.Add([]byte("123456789"), "123456789", "234567890")
	f.Fuzz(func(t *testing.T, text []byte, a, b string) {
		if len(a) < MinLiteral || len(b) < MinLiteral || a == b {
			return
		}
		p, err := NewPrefilter([]string{a, b})
		if err != nil {
			t.Fatal(err)
		}
		var set LiteralSet
		p.Collect(text, &set)
		for i, l := range []string{a, b} {
			if got, want := slices.Contains(set.ids, int32(i)), bytes.Contains(text, []byte(l)); got != want {
				t.Errorf("literal %q in %q: %v, want %v", l, text, got, want)
			}
		}
		if got := p.Find(text); (got >= 0) != (len(set.ids) > 0) {
			t.Errorf("Find = %d, Collect = %v", got, set.ids)
		}
	})
}
