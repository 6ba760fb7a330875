//go:build unix

package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// clipboard puts a program that acts as the clipboard of the system into PATH.
func clipboard(t *testing.T, script string) (file string) {
	t.Helper()
	dir := t.TempDir()
	file = filepath.Join(dir, "copied")
	script = "#!/bin/sh\n" + strings.ReplaceAll(script, "FILE", file) + "\n"
	if err := os.WriteFile(filepath.Join(dir, "wl-copy"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	return file
}

func TestNativeCopy(t *testing.T) {
	file := clipboard(t, "cat > FILE")
	if err := NativeCopy(t.Context(), "five lines\nfor chat"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "five lines\nfor chat" {
		t.Errorf("copied %q, error %v", got, err)
	}
}

func TestNativeCopyFails(t *testing.T) {
	clipboard(t, "exit 3")
	if err := NativeCopy(t.Context(), "text"); err == nil || !strings.Contains(err.Error(), "wl-copy") {
		t.Errorf("got %v", err)
	}
}

func TestNoClipboardIsNoError(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if err := NativeCopy(t.Context(), "text"); err != nil {
		t.Errorf("got %v", err)
	}
}
