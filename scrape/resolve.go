package scrape

import (
	"fmt"
	"net/url"
)

// ResolveInstances makes the instances of targets distinct: unnamed targets
// with the same host:port become host:port/path. Targets that are still called
// the same, or read the same place twice, are refused, because one would hide
// the other. The order is kept; targets itself is not changed.
func ResolveInstances(targets []Target) ([]Target, error) {
	count := make(map[string]int, len(targets))
	for _, t := range targets {
		count[t.Instance]++
	}
	out := make([]Target, len(targets))
	for i, t := range targets {
		if t.Name == "" && t.URL != "" && count[t.Instance] > 1 {
			t.Instance += pathOf(t.URL)
		}
		out[i] = t
	}
	return out, refuseDuplicates(out)
}

func refuseDuplicates(targets []Target) error {
	instances := make(map[string]Target, len(targets))
	for _, t := range targets {
		other, taken := instances[t.Instance]
		switch {
		case !taken:
			instances[t.Instance] = t
		case other.URL == t.URL && other.File == t.File:
			return fmt.Errorf("target %q is given twice", t.Instance)
		default:
			return fmt.Errorf("two targets are called %q: give one another name, as in NAME=%s", t.Instance, t.place())
		}
	}
	return nil
}

// place is where the target is read, without its name.
func (t Target) place() string {
	t.Service, t.Name = "", ""
	return t.String()
}

// pathOf returns the path and query of a URL, empty for the root.
func pathOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || (u.Path == "" || u.Path == "/") && u.RawQuery == "" {
		return ""
	}
	return u.RequestURI()
}
