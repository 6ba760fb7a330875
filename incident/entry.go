package incident

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A class says what a file of an incident holds.
type class uint8

const (
	otherFile  class = iota
	caseFile         // case.yaml
	scrapeFile       // scrapes/<target>/<offset>s.prom and what stands beside it
	timedFile        // scrapes/<target>.om
	logFile          // logs/<name>
	logPart          // logs/<name>/<number>
)

const caseYAML = "case.yaml"

// An entry is what the path of a file inside an incident says.
type entry struct {
	class  class
	target string        // of scrapeFile and timedFile
	offset time.Duration // of scrapeFile
	stem   string        // of scrapeFile: its path without the extension
	ext    string        // of scrapeFile: prom, meta, status or delay
	log    string        // of logFile and logPart
}

// small reports whether the file is read while the incident is opened.
func (e entry) small() bool {
	return e.class == caseFile || e.class == scrapeFile && e.ext != "prom"
}

// limit is the most bytes that the file may have.
func (e entry) limit() int64 {
	switch {
	case e.class == caseFile:
		return maxSmall
	case e.small():
		return maxMeta
	case e.class == scrapeFile:
		return maxBody
	case e.class == timedFile:
		return maxTimed
	}
	return maxTotal
}

var scrapeName = pattern(`^(\d{1,8})(?:\.(\d{3}))?s\.(prom|meta|status|delay)$`)

// parseEntry tells what the file at a clean slash-separated path is. A file in
// a place where every name has a meaning must have one of those names.
func parseEntry(name string) (entry, error) {
	dir, base, _ := strings.Cut(name, "/")
	switch {
	case name == caseYAML:
		return entry{class: caseFile}, nil
	case strings.HasPrefix(path.Base(name), "."):
		return entry{}, nil // .gitkeep, .DS_Store
	case dir == "scrapes" && base != "":
		return parseScrapeEntry(base)
	case dir == "logs" && base != "":
		return parseLogEntry(base)
	}
	return entry{}, nil
}

func parseScrapeEntry(rest string) (entry, error) {
	dir, base, inFolder := strings.Cut(rest, "/")
	if !inFolder {
		escaped, ok := strings.CutSuffix(rest, ".om")
		if !ok {
			return entry{}, errors.New("a scrape belongs into scrapes/TARGET/, samples with timestamps into scrapes/TARGET.om")
		}
		target, err := unescapeName(escaped)
		return entry{class: timedFile, target: target}, err
	}
	m := scrapeName().FindStringSubmatch(base)
	if m == nil {
		return entry{}, errors.New("a scrape is named by its offset in seconds, such as 0010s.prom or 0010s.meta")
	}
	target, err := unescapeName(dir)
	if err != nil {
		return entry{}, err
	}
	seconds, _ := strconv.Atoi(m[1]) // eight digits
	millis, _ := strconv.Atoi("0" + m[2])
	return entry{
		class: scrapeFile, target: target, ext: m[3],
		stem:   "scrapes/" + rest[:len(rest)-len(m[3])-1],
		offset: time.Duration(seconds)*time.Second + time.Duration(millis)*time.Millisecond,
	}, nil
}

var partName = pattern(`^\d{1,20}$`)

func parseLogEntry(rest string) (entry, error) {
	dir, base, inFolder := strings.Cut(rest, "/")
	if !inFolder {
		log, err := unescapeName(rest)
		return entry{class: logFile, log: log}, err
	}
	if !partName().MatchString(base) {
		return entry{}, errors.New("a log belongs into logs/ itself; a folder there holds the numbered parts of one log")
	}
	log, err := unescapeName(dir)
	return entry{class: logPart, log: log}, err
}

// escapeName makes any name of a target or log a name of one file: what is not
// a letter, a digit, a dot, a hyphen or an underscore becomes %XX.
func escapeName(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' && i > 0
		if plain {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// unescapeName is the inverse of escapeName; it leaves names alone that people
// wrote by hand.
func unescapeName(file string) (string, error) {
	name, err := url.PathUnescape(file)
	if err != nil {
		name = file
	}
	switch {
	case name == "" || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return "", fmt.Errorf("%q is not a usable name", file)
	}
	return name, nil
}
