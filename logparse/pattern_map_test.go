package logparse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func entriesOf(s string) []Typed {
	var got []Typed
	eachEntry([]byte(s), func(key []byte, v float64) { got = append(got, Typed{string(key), v}) })
	return got
}

func TestEachEntry(t *testing.T) {
	tests := []struct {
		text string
		want []Typed
	}{
		{"{CatalogProductAddCommand=12, EventFetchRequest=3}", []Typed{{"CatalogProductAddCommand", 12}, {"EventFetchRequest", 3}}},
		{"<A=1,B=2>", []Typed{{"A", 1}, {"B", 2}}},
		{"{a.b.Outer$Inner=1}", []Typed{{"a.b.Outer$Inner", 1}}},
		{"{A=x, B=2, =3, C}", []Typed{{"B", 2}}},
		{"{}", nil},
		{"{", nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, entriesOf(tt.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestEachEntryIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 10 * maxMapEntries {
		fmt.Fprintf(&b, "k%d=1,", i)
	}
	if got := len(entriesOf("{" + b.String() + "}")); got != maxMapEntries {
		t.Errorf("%d entries, want %d", got, maxMapEntries)
	}
}

// FuzzMap holds that a map which is taken ends with the bracket that closes it
// and that its entries have keys.
func FuzzMap(f *testing.F) {
	for _, s := range []string{"{A=12, B=3} rest", "<A=12>", "{A={B=1}}", "{{{{", "{A=1e400}", "{=,=,=}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		n := takeMap(b)
		if n < 0 {
			return
		}
		if n < 2 || n > len(b) || b[n-1] != closingBracket(b[0]) {
			t.Fatalf("takes %d of %q", n, b)
		}
		eachEntry(b[:n], func(key []byte, _ float64) {
			if len(key) == 0 {
				t.Errorf("an entry of %q has no key", b[:n])
			}
		})
	})
}
