package springpage_test

import (
	"bytes"
	"testing"

	"github.com/capdoctor/capdoctor/scrape"
	"github.com/capdoctor/capdoctor/scrape/internal/springpage"
)

// A page is read, is about as large as asked, and differs from turn to turn in
// its values only.
func TestPage(t *testing.T) {
	for _, size := range []int{0, 260_000} {
		page := springpage.Page(size, 1)
		if len(page) < size || len(page) > size+20_000 {
			t.Errorf("%d bytes, want about %d", len(page), size)
		}
		if !bytes.Equal(page, springpage.Page(size, 1)) {
			t.Error("the same arguments gave another page")
		}
		first, _, err := scrape.Parse(page, "", scrape.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		second, _, err := scrape.Parse(springpage.Page(size, 2), "", scrape.ParseOptions{})
		if err != nil || len(first) != len(second) {
			t.Fatalf("%d series, then %d, %v", len(first), len(second), err)
		}
		changed := 0
		for i := range first {
			if first[i].Labels.String() != second[i].Labels.String() {
				t.Fatalf("series %v became %v", first[i].Labels, second[i].Labels)
			}
			if first[i].Value != second[i].Value {
				changed++
			}
		}
		if changed < len(first)/2 {
			t.Errorf("%d of %d values changed", changed, len(first))
		}
	}
}
