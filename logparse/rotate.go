package logparse

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
)

// inOrder sorts the files of a set by the first time stamp in them, and by
// their names where that is the same. A file without a stamp follows the one
// that comes before it by its name.
func inOrder(files []string, formats *Formats) []string {
	if len(files) < 2 || slices.ContainsFunc(files, IsStream) {
		return files
	}
	slices.SortFunc(files, byName)
	first := map[string]time.Time{}
	var last time.Time
	for _, f := range files {
		if t := FirstTime(f, Options{Base: modTime(f), Formats: formats}); !t.IsZero() {
			last = t
		}
		first[f] = last
	}
	slices.SortStableFunc(files, func(a, b string) int { return first[a].Compare(first[b]) })
	return files
}

// modTime returns when a file was last written to, zero if that is not known.
func modTime(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return time.Time{}
	}
	return info.ModTime()
}

var numberSuffix = regexp.MustCompile(`\.([0-9]+)(\.(gz|zst|bz2|xz))?$`)

// byName orders the names of a rotated set, the oldest first: by their number,
// the highest first, and those without one by their text, with the bare name,
// which is written to, last.
func byName(a, b string) int {
	na, nb := rotation(a), rotation(b)
	if na != nb {
		return nb - na
	}
	if len(a) != len(b) && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a)) {
		return len(b) - len(a)
	}
	return strings.Compare(a, b)
}

var packedName = regexp.MustCompile(`\.(gz|zst|bz2|xz)$`)

// rotation returns the number at the end of the name of a rotated file, 0 for
// none.
func rotation(path string) int {
	m := numberSuffix.FindStringSubmatch(path)
	if m == nil || len(m[1]) > 6 {
		return 0
	}
	n, _ := digits([]byte(m[1]), 6)
	return n
}

// FirstTime returns the earliest time among the first records of a file, zero
// if none has a stamp, or the file can be read only once.
func FirstTime(path string, o Options) time.Time {
	if IsStream(path) {
		return time.Time{} // to look at it would take it away
	}
	head, err := headOf(path, detectSize)
	if err != nil {
		return time.Time{}
	}
	o.Since, o.Until = time.Time{}, time.Time{}
	s := NewScanner(bytes.NewReader(head), path, o)
	var rec Record
	for n := 0; n < 100 && s.Next(&rec); n++ {
	}
	return s.Stats().First
}
