package incident

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// pack makes a .capdoctor file of tar entries and returns its path. An entry of
// type 0 is a regular file.
func pack(t testing.TB, entries ...tarEntry) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.capdoctor")
	if err := os.WriteFile(path, packBytes(t, entries...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

type tarEntry struct {
	name string
	body string
	kind byte
	link string
}

func packBytes(t testing.TB, entries ...tarEntry) []byte {
	t.Helper()
	var b bytes.Buffer
	enc, err := zstd.NewWriter(&b, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(enc)
	for _, e := range entries {
		if err := w.WriteHeader(&tar.Header{Name: e.name, Size: int64(len(e.body)), Typeflag: e.kind, Linkname: e.link, Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.body); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := enc.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var goodEntry = tarEntry{name: "case.yaml", body: goodCase}

func TestHostileArchives(t *testing.T) {
	tests := []struct {
		name    string
		entries []tarEntry
		want    string
	}{
		{"no case", []tarEntry{{name: "scrapes/app/0000s.prom"}}, "no case.yaml; it must stand at the top, beside scrapes and logs"},
		{"packed with its folder", []tarEntry{{name: "a/case.yaml", body: goodCase}}, "no case.yaml; it must stand at the top, beside scrapes and logs"},
		{"parent", []tarEntry{goodEntry, {name: "../evil"}}, `the entry "../evil" leads out of the archive or is not a clean path`},
		{"parent inside", []tarEntry{goodEntry, {name: "logs/../../evil"}}, `the entry "logs/../../evil" leads out of the archive or is not a clean path`},
		{"absolute", []tarEntry{goodEntry, {name: "/etc/passwd"}}, `the entry "/etc/passwd" leads out of the archive or is not a clean path`},
		{"backslash", []tarEntry{goodEntry, {name: `logs\..\evil`}}, `the entry "logs\\..\\evil" leads out of the archive or is not a clean path`},
		{"symbolic link", []tarEntry{goodEntry, {name: "logs/app.log", kind: tar.TypeSymlink, link: "/etc/passwd"}}, `the entry "logs/app.log" is a link or a device, not a file`},
		{"hard link", []tarEntry{goodEntry, {name: "logs/app.log", kind: tar.TypeLink, link: "case.yaml"}}, `the entry "logs/app.log" is a link or a device, not a file`},
		{"device", []tarEntry{goodEntry, {name: "logs/app.log", kind: tar.TypeChar}}, `the entry "logs/app.log" is a link or a device, not a file`},
		{"pipe", []tarEntry{goodEntry, {name: "logs/app.log", kind: tar.TypeFifo}}, `the entry "logs/app.log" is a link or a device, not a file`},
		{"twice", []tarEntry{goodEntry, {name: "logs/a.log"}, {name: "./logs/a.log"}}, "/logs/a.log: stands twice in the file"},
		{"two logs of a name", []tarEntry{goodEntry, {name: "logs/a.log"}, {name: "logs/a.log/0"}}, `/logs/a.log/0: a second log of the name "a.log"`},
		{"long name", []tarEntry{goodEntry, {name: "logs/" + strings.Repeat("a", 600)}}, "a file name of 605 bytes, more than 512"},
		{"control character", []tarEntry{goodEntry, {name: "logs/%1b[2J"}}, `"%1b[2J" is not a usable name`},
		{"wrong scrape name", []tarEntry{goodEntry, {name: "scrapes/app/10.prom"}}, "/scrapes/app/10.prom: a scrape is named by its offset in seconds, such as 0010s.prom or 0010s.meta"},
		{"scrape without target", []tarEntry{goodEntry, {name: "scrapes/0010s.prom"}}, "a scrape belongs into scrapes/TARGET/, samples with timestamps into scrapes/TARGET.om"},
		{"huge case", []tarEntry{{name: "case.yaml", body: strings.Repeat("#", maxSmall+1)}}, "/case.yaml: has 1048577 bytes, more than 1048576"},
		{"huge meta", []tarEntry{goodEntry, {name: "scrapes/a/0s.meta", body: strings.Repeat("#", maxMeta+1)}}, "/scrapes/a/0s.meta: has 16385 bytes, more than 16384"},
		{"bad meta", []tarEntry{goodEntry, {name: "scrapes/a/0s.meta", body: "status: 200\nstate: ok\n"}}, `/scrapes/a/0s.meta:2: unknown field "state" in a scrape; known are content_type, duration_ms, error, offset_ms, status`},
		{"meta of another time", []tarEntry{goodEntry, {name: "scrapes/a/5s.meta", body: "offset_ms: 900000\n"}}, "/scrapes/a/5s.meta: offset_ms says 15m0s, the name 5s"},
		{"two at a time", []tarEntry{goodEntry, {name: "scrapes/a/5s.prom"}, {name: "scrapes/a/0005s.prom"}}, "/scrapes/a/5s: a second scrape at 5s, beside scrapes/a/0005s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := pack(t, tt.entries...)
			_, err := Open(path)
			if err == nil || !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
			entries, err := os.ReadDir(filepath.Dir(path))
			if err != nil || len(entries) != 1 {
				t.Errorf("beside the file stand %v, %v", entries, err)
			}
		})
	}
}

func TestNotAnArchive(t *testing.T) {
	var zipped, gzipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	if _, err := z.Create("case.yaml"); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	g := gzip.NewWriter(&gzipped)
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	good := packBytes(t, goodEntry, tarEntry{name: "logs/a.log", body: strings.Repeat("x y z\n", 5000)})
	flipped := bytes.Clone(good)
	flipped[len(flipped)-1] ^= 0xFF // of the checksum
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "is empty"},
		{"zip", zipped.Bytes(), "is a zip file; a .capdoctor file is a tar compressed with zstd (tar --zstd -cf)"},
		{"gzip", gzipped.Bytes(), "is not a .capdoctor file: it does not begin with the bytes of zstd"},
		{"text", []byte("hello, world"), "is not a .capdoctor file: it does not begin with the bytes of zstd"},
		{"head alone", zstdMagic, "ends before its case.yaml: the file is cut off"},
		{"garbage behind the head", append(bytes.Clone(zstdMagic), "garbage that is no frame"...), "corrupt: "},
		{"wrong checksum", flipped, "corrupt: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.capdoctor")
			if err := os.WriteFile(path, tt.data, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(path); err == nil || !strings.HasPrefix(err.Error(), path+": "+tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

// A small file that unpacks to gigabytes is refused before it is unpacked, and
// memory stays bounded.
func TestBomb(t *testing.T) {
	var b bytes.Buffer
	enc, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(enc)
	const size = 2 << 30
	if err := w.WriteHeader(&tar.Header{Name: "logs/zeros.log", Typeflag: tar.TypeReg, Size: size}); err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<20)
	for range 1 << 9 { // half a GB is enough to be seen
		if _, err := w.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := enc.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bomb.capdoctor")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = Open(path)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.HasSuffix(err.Error(), "corrupt: unpacks to more than 5000 times its size") {
		t.Errorf("got %v of a file of %d bytes", err, b.Len())
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 200<<20 {
		t.Errorf("%d MB were allocated", used>>20)
	}
}

func TestDeclaredSizeBomb(t *testing.T) {
	var b bytes.Buffer
	enc, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(enc)
	if err := w.WriteHeader(&tar.Header{Name: "scrapes/a/0s.prom", Typeflag: tar.TypeReg, Size: 1 << 40}); err != nil {
		t.Fatal(err)
	}
	if err := enc.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bomb.capdoctor")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "has 1099511627776 bytes, more than 67108864") {
		t.Errorf("got %v", err)
	}
}

func TestTooManyEntries(t *testing.T) {
	entries := []tarEntry{goodEntry}
	for range maxEntries {
		entries = append(entries, tarEntry{name: "d/", kind: tar.TypeDir})
	}
	path := pack(t, append(entries, tarEntry{name: "README"})...)
	if _, err := Open(path); err != nil {
		t.Errorf("folders count as files: %v", err)
	}
	for i := range entries[1:] {
		entries[i+1] = tarEntry{name: "notes/" + strconv.Itoa(i)}
	}
	path = pack(t, append(entries, tarEntry{name: "README"})...)
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "holds more than 200000") {
		t.Errorf("got %v", err)
	}
}

// What people pack with tar is read too: any order, folders, ./ before names.
func TestHandPackedArchive(t *testing.T) {
	path := pack(t,
		tarEntry{name: "./", kind: tar.TypeDir}, tarEntry{name: "./README.md", body: "notes"},
		tarEntry{name: "./scrapes/app/0010s.prom", body: "b 1\n"}, tarEntry{name: "./scrapes/", kind: tar.TypeDir},
		tarEntry{name: "./scrapes/app/0000s.prom", body: "a 1\n"}, tarEntry{name: "./scrapes/app/.gitkeep"},
		tarEntry{name: "./logs/app.log", body: "x"}, tarEntry{name: "./case.yaml", body: goodCase},
	)
	got := openContent(t, path)
	want := content{
		Case: Case{Title: "t", Start: start, Facts: map[string]string{}},
		Scrapes: []scraped{
			{"app", 0, Meta{Status: 200}, []byte("a 1\n")},
			{"app", 10e9, Meta{Status: 200}, []byte("b 1\n")},
		},
		Logs: map[string]string{"app.log": "x"},
	}
	if diff := cmp.Diff(want, got, caseOptions); diff != "" {
		t.Error(diff)
	}
}

// In a large archive time must not go backwards, or reading it would take a
// pass per scrape.
func TestLargeArchiveOutOfOrder(t *testing.T) {
	big := strings.Repeat("# filler of a body\n", 40<<20/19)
	first, second := tarEntry{name: "scrapes/a/0000s.prom", body: big}, tarEntry{name: "scrapes/b/0010s.prom", body: big}
	if _, err := Open(pack(t, goodEntry, first, second)); err != nil {
		t.Error(err)
	}
	_, err := Open(pack(t, goodEntry, second, first))
	if err == nil || !strings.HasSuffix(err.Error(), "/scrapes/b/0010s.prom: stands out of order of time in an archive of more than 64 MB; unpack it and use the folder") {
		t.Errorf("got %v", err)
	}
}

// Bodies and logs of a large archive can be read in any order.
func TestLargeArchiveAnyOrder(t *testing.T) {
	filler := strings.Repeat("# filler\n", maxInMemory/9/2)
	c, err := Open(pack(t, goodEntry,
		tarEntry{name: "scrapes/a/0000s.prom", body: "a0\n"}, tarEntry{name: "logs/x.log/00", body: "one "},
		tarEntry{name: "scrapes/b/0000s.prom", body: filler}, tarEntry{name: "scrapes/a/0010s.prom", body: "a1\n"},
		tarEntry{name: "scrapes/b/0010s.prom", body: filler}, tarEntry{name: "logs/x.log/01", body: "two"},
		tarEntry{name: "scrapes/a/0020s.prom", body: "a2\n"}))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.store.(*archive).mem != nil {
		t.Fatal("the archive is not large")
	}
	for _, i := range []int{2, 0, 1, 1, 2} {
		b, err := c.Targets[0].Scrapes[i].Body()
		if want := []string{"a0\n", "a1\n", "a2\n"}[i]; err != nil || string(b) != want {
			t.Errorf("scrape %d is %q, %v", i, b, err)
		}
	}
	r, err := c.Logs[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if b, err := io.ReadAll(r); err != nil || string(b) != "one two" {
		t.Errorf("the log is %q, %v", b, err)
	}
}

func FuzzOpenArchive(f *testing.F) {
	f.Add(packBytes(f, goodEntry, tarEntry{name: "scrapes/app/0000s.prom", body: "a 1\n"}, tarEntry{name: "scrapes/app/0000s.meta", body: "status: 200\n"}))
	f.Add(packBytes(f, goodEntry, tarEntry{name: "logs/a.log/0", body: "x"}, tarEntry{name: "../x"}))
	f.Add(packBytes(f, goodEntry, tarEntry{name: "scrapes/app.om", body: "a 1 1772460000\n# EOF\n"}))
	path := filepath.Join(f.TempDir(), "x.capdoctor")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Open(path)
		if err != nil {
			return
		}
		contentOf(t, c)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzTar looks behind the compression, which random bytes seldom get through.
func FuzzTar(f *testing.F) {
	dec, err := zstd.NewReader(nil)
	if err != nil {
		f.Fatal(err)
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		f.Fatal(err)
	}
	plain, err := dec.DecodeAll(packBytes(f, goodEntry, tarEntry{name: "scrapes/app/0000s.prom", body: "a 1\n"}, tarEntry{name: "logs/a.log", body: "x"}), nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plain)
	path := filepath.Join(f.TempDir(), "x.capdoctor")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, enc.EncodeAll(data, nil), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Open(path)
		if err != nil {
			return
		}
		contentOf(t, c)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
