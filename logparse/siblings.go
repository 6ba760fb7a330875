package logparse

import (
	"os"
	"path/filepath"
	"slices"
)

// A sibling is a file of a rotated set, as it was found in its folder.
type sibling struct {
	path string
	info os.FileInfo
}

// siblings returns the plain files of the rotated set of a log, the oldest
// first and the one that is written to last. Files are looked up from the newest
// to the oldest, the way in which they are renamed: so a file that is renamed
// meanwhile may be seen twice, but none is missed.
func siblings(path string) []sibling {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	names := siblingNames(real)
	var set []sibling
	for i := len(names) - 1; i >= 0; i-- {
		if info, err := os.Stat(names[i]); err == nil && info.Mode().IsRegular() {
			set = append(set, sibling{names[i], info})
		}
	}
	slices.Reverse(set)
	return set
}

// siblingNames returns the paths of the set of a log, the oldest first.
func siblingNames(log string) []string {
	folder, id := filepath.Dir(log), InstanceOf(log)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if InstanceOf(e.Name()) == id && !packedName.MatchString(e.Name()) {
			names = append(names, filepath.Join(folder, e.Name()))
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if (a == log) != (b == log) {
			if a == log {
				return 1
			}
			return -1
		}
		return byName(a, b)
	})
	return names
}

// place returns the position of a file in a set and how often it is there: more
// than once when it was renamed while the set was listed.
func place(set []sibling, info os.FileInfo) (at, times int) {
	for i, s := range set {
		if os.SameFile(s.info, info) {
			at = i
			times++
		}
	}
	return at, times
}

// follows says whether b is the file after a. It is not sure when the set was
// renamed while it was listed.
func follows(set []sibling, a, b os.FileInfo) (yes, sure bool) {
	i, m := place(set, a)
	j, n := place(set, b)
	return j == i+1, m == 1 && n == 1
}
