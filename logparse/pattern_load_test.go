package logparse

import "testing"

func TestEmbeddedCatalog(t *testing.T) {
	c, err := LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Patterns()) == 0 {
		t.Fatal("no patterns")
	}
}
