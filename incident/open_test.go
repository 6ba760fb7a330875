package incident

import (
	"os"
	"path/filepath"
	"testing"
)

// sharedCases returns the shared corpus of cases, or skips the test.
func sharedCases(t *testing.T) []string {
	t.Helper()
	dir := filepath.Join("..", "..", "shared", "cases")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the shared corpus of cases is not here")
	}
	found, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestOpenSharedCases(t *testing.T) {
	for _, path := range sharedCases(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			c, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if c.Expect == nil || len(c.Targets)+len(c.Logs) == 0 {
				t.Errorf("expect %v, %d targets, %d logs", c.Expect, len(c.Targets), len(c.Logs))
			}
			for target, s := range c.InOrder() {
				body, err := s.Body()
				if err != nil || len(body) == 0 || int64(len(body)) != s.Size || s.Meta.Status != 200 {
					t.Errorf("%s at %s: %d bytes of %d, status %d, %v", target.Name, s.Offset, len(body), s.Size, s.Meta.Status, err)
				}
			}
		})
	}
}
