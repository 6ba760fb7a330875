package scrape

import (
	"bytes"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/series"
)

// Bounds of asking a server for less.
const (
	maxQuery  = 4000 // bytes: a Tomcat refuses request heads of more than 8 KiB
	fullEvery = 10   // every so many scrapes ask for everything, to see what is new
)

// A narrowing asks a server to send only what is asked for, where it can do
// that: Spring Boot takes includedNames, the newer clients for Go, Java and
// Python take name[]. It saves bytes and parsing on both sides; the server
// still collects everything.
//
// The names to ask for are those of the last full page. The first page of a new
// set of names must have them all: Spring Boot up to 3.2 filters by the names of
// samples, later ones by those of families, so every name is sent in both
// spellings, and what is missing then was lost in the asking. From there on a
// target is asked for everything.
type narrowing struct {
	off   bool
	query string          // what to add to the URL; empty asks for everything
	names map[string]bool // what must be there
	first bool            // query has not been answered yet
	turn  int             // scrapes since the last full page
}

// next returns the query of the next scrape, empty for everything.
func (n *narrowing) next() string {
	if n.off || n.turn >= fullEvery {
		return ""
	}
	n.turn++
	return n.query
}

// complete tells whether a narrowed answer can be trusted.
func (n *narrowing) complete(samples []series.Sample) bool {
	if !n.first {
		return len(samples) > 0
	}
	n.first = false
	there := namesOf(samples)
	for name := range n.names {
		if !there[name] {
			return false
		}
	}
	return true
}

// learn takes what a full page shows.
func (n *narrowing) learn(path string, page []byte, samples []series.Sample) {
	n.turn, n.query = 0, ""
	if n.off || len(samples) == 0 {
		return
	}
	n.names = namesOf(samples)
	n.query = narrowQuery(path, page, slices.Sorted(maps.Keys(n.names)))
	n.first = true
}

func namesOf(samples []series.Sample) map[string]bool {
	names := make(map[string]bool)
	for _, s := range samples {
		names[s.Labels.Get("__name__")] = true
	}
	return names
}

// narrowQuery returns the query that asks the server of a page for names, empty
// when it is not known to understand one, or when there are too many.
func narrowQuery(path string, page []byte, names []string) string {
	names = spellings(names)
	var query string
	switch {
	case strings.HasSuffix(path, springPath):
		query = "includedNames=" + strings.Join(names, ",")
	case takesNames(page):
		query = "name%5B%5D=" + strings.Join(names, "&name%5B%5D=")
	}
	if len(query) > maxQuery {
		return ""
	}
	return query
}

// takesNames tells from the page of a client library whether it may take name[].
// Older ones ignore it.
func takesNames(page []byte) bool {
	for _, line := range []string{"\ngo_info{", "\npython_info{", "\njvm_info{"} {
		if bytes.Contains(page, []byte(line)) {
			return true
		}
	}
	return false
}

// spellings returns names, escaped for a query, each with the name of the family
// that it may belong to.
func spellings(names []string) []string {
	all := make(map[string]bool)
	for _, name := range names {
		all[url.QueryEscape(name)] = true
		for _, suffix := range []string{"_total", "_count", "_sum", "_max", "_bucket", "_info", "_created"} {
			if family, found := strings.CutSuffix(name, suffix); found && family != "" {
				all[url.QueryEscape(family)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// withQuery adds a query to a URL.
func withQuery(address, query string) string {
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	return address + separator + query
}
