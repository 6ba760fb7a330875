//go:build unix

package incident

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestFolderLinks(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.log")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := func(target string) func(string) error {
		return func(path string) error { return os.Symlink(target, path) }
	}
	tests := []struct {
		name string
		make func(path string) error
		ok   bool
	}{
		{"out of the case, absolute", link(outside), false},
		{"out of the case, relative", link("../../x"), false},
		{"inside the case", link("b.log"), true},
		{"pipe", func(path string) error { return syscall.Mkfifo(path, 0o600) }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := folderOf(t, map[string]string{"case.yaml": goodCase, "logs/b.log": "b"})
			if err := tt.make(filepath.Join(dir, "logs", "a.log")); err != nil {
				t.Fatal(err)
			}
			c, err := Open(dir)
			if (err == nil) != tt.ok {
				t.Fatalf("got %v", err)
			}
			if tt.ok && contentOf(t, c).Logs["a.log"] != "b" {
				t.Error("a link inside the case is not followed")
			}
		})
	}
}
