package incident

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// folderOf makes a folder of files and returns its path.
func folderOf(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestScrapeFiles(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"case.yaml":                  goodCase,
		"scrapes/app/0000s.prom":     "a 1\n",
		"scrapes/app/0005s.delay":    " 1500\n", // the body before it, late
		"scrapes/app/0010s.status":   "503\n",   // no body
		"scrapes/app/0015s.status":   "500",
		"scrapes/app/0015s.prom":     "oops",
		"scrapes/app/0020s.prom":     "a 2\n",
		"scrapes/app/0020s.meta":     "offset_ms: 20250\nduration_ms: 0.5\ncontent_type: text/plain\n",
		"scrapes/app/0020.500s.prom": "a 3\n",
		"scrapes/app/0025s.meta":     "error: refused\n",
		"scrapes/app/0030s.meta":     "status: 204\n",
	})
	got := openContent(t, dir).Scrapes
	seconds := func(s float64) time.Duration { return time.Duration(s * 1e9) }
	want := []scraped{
		{"app", 0, Meta{Status: 200}, []byte("a 1\n")},
		{"app", seconds(5), Meta{Status: 200, Duration: 1500 * time.Millisecond}, []byte("a 1\n")},
		{"app", seconds(10), Meta{Status: 503, Error: "no body, HTTP status 503"}, nil},
		{"app", seconds(15), Meta{Status: 500}, []byte("oops")},
		{"app", seconds(20.25), Meta{Status: 200, Duration: 500 * time.Microsecond, ContentType: "text/plain"}, []byte("a 2\n")},
		{"app", seconds(20.5), Meta{Status: 200}, []byte("a 3\n")},
		{"app", seconds(25), Meta{Error: "refused"}, nil},
		{"app", seconds(30), Meta{Status: 204, Error: "no body, HTTP status 204"}, nil},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFolderFaults(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"no case.yaml", map[string]string{"scrapes/app/0000s.prom": ""}, ": no case.yaml; it must stand at the top, beside scrapes and logs"},
		{"typo", map[string]string{"case.yaml": goodCase, "scrapes/app/0000s.prm": ""}, "/scrapes/app/0000s.prm: a scrape is named by its offset in seconds, such as 0010s.prom or 0010s.meta"},
		{"too deep", map[string]string{"case.yaml": goodCase, "scrapes/app/old/0000s.prom": ""}, "/scrapes/app/old: a folder where a file belongs"},
		{"status", map[string]string{"case.yaml": goodCase, "scrapes/app/0s.status": "OK"}, `/scrapes/app/0s.status:1: "OK" is not a whole number from 100 to 599`},
		{"delay", map[string]string{"case.yaml": goodCase, "scrapes/app/0s.delay": "-1"}, `/scrapes/app/0s.delay:1: "-1" is not a whole number from 0 to 3600000`},
		{"meta status", map[string]string{"case.yaml": goodCase, "scrapes/app/0s.meta": "status: 42\n"}, `/scrapes/app/0s.meta:1: status is "42", not an HTTP status`},
		{"meta duration", map[string]string{"case.yaml": goodCase, "scrapes/app/0s.meta": "\nduration_ms: -1\n"}, `/scrapes/app/0s.meta:2: duration_ms is "-1", not a number of milliseconds`},
		{"timed and not", map[string]string{"case.yaml": goodCase, "scrapes/app/0s.prom": "", "scrapes/app.om": "# EOF\n"}, `/scrapes/app.om: target "app" has a folder of scrapes too`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := folderOf(t, tt.files)
			if _, err := Open(dir); err == nil || err.Error() != dir+tt.want {
				t.Errorf("got  %v\nwant %s", err, dir+tt.want)
			}
		})
	}
}

func TestFind(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"b/case.yaml": goodCase, "b/logs/x.capdoctor": "", "a/deep/case.yaml": "broken: [",
		"a/deep/inner/case.yaml": goodCase, "z.capdoctor": "", ".git/case.yaml": goodCase, "notes/README": "",
	})
	got, err := Find(filepath.Join(dir, "b"), dir, filepath.Join(dir, "z.capdoctor"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(dir, "a/deep"), filepath.Join(dir, "b"), filepath.Join(dir, "z.capdoctor")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := Find(dir, filepath.Join(dir, "notes")); err == nil || !strings.HasPrefix(err.Error(), "no case in ") {
		t.Errorf("a folder without a case: %v", err)
	}
	if _, err := Find(filepath.Join(dir, "gone")); !os.IsNotExist(err) {
		t.Errorf("no such folder: %v", err)
	}
	if IsCase(dir) || !IsCase(filepath.Join(dir, "b")) || !IsCase(filepath.Join(dir, "z.capdoctor")) || IsCase(filepath.Join(dir, "notes/README")) || IsCase(filepath.Join(dir, "gone.capdoctor")) {
		t.Error("IsCase takes the wrong ones")
	}
}
