package rules

import (
	"errors"
	"testing"
)

func TestDefaultCatalog(t *testing.T) {
	c, err := Load(Folder{FS: DefaultFS()})
	var problems Problems
	if errors.As(err, &problems) {
		for _, p := range problems {
			t.Errorf("%s\n%s", p, p.Excerpt())
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Diagnoses) == 0 || len(c.Signals) == 0 || len(c.Systems) == 0 {
		t.Fatalf("got %d diagnoses, %d signals, %d systems", len(c.Diagnoses), len(c.Signals), len(c.Systems))
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := Default(); err != nil {
			b.Fatal(err)
		}
	}
}
