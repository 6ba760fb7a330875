package rules

import (
	"slices"
	"testing"
)

func TestEnables(t *testing.T) {
	list := []Missing{{Enable: "update it"}, {}, {Enable: "scrape cAdvisor."}, {Enable: "update it; or give --goodput"}, {Enable: "scrape cAdvisor"}, {Enable: "update"}}
	want := []string{"scrape cAdvisor", "update it; or give --goodput", "update"}
	if got := Enables(list); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Enables(nil); len(got) != 0 {
		t.Errorf("of nothing: %q", got)
	}
}
