package scrape

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Stdin is the target that reads one page from standard input.
const Stdin = "-"

// A Target is one place that metrics come from: an endpoint or a file. Exactly
// one of URL and File is set.
type Target struct {
	Service  string // groups the inputs that belong together; may be empty
	Name     string // given by the user; may be empty
	Instance string // the label instance: Name, else host:port, else the file's base name
	URL      string // http or https, without user info; a path of "" or "/" means that the usual paths are tried
	File     string // a path, or Stdin
	Raw      string // as given
}

// namePattern is what SERVICE and NAME are made of.
var namePattern = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// hostPortPattern tells host:port, with or without a path, from a file name.
var hostPortPattern = regexp.MustCompile(`^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):[0-9]+([/?].*)?$`)

// ParseTarget reads the form [[SERVICE/]NAME=]URL|host:port[/path]|FILE|- .
// It looks at the text only: whether a file exists is seen when it is read. A
// URL with user info is refused, because a command line is visible to every
// process on the machine; the error does not repeat it.
func ParseTarget(s string) (Target, error) {
	prefix, place, err := splitPrefix(s)
	if err != nil {
		return Target{}, err
	}
	t := Target{Raw: s}
	t.Service, t.Name = parsePrefix(prefix)
	if isURL(place) || hostPortPattern.MatchString(place) {
		err = t.setURL(place)
	} else {
		err = t.setFile(place)
	}
	if err != nil {
		return Target{}, err
	}
	if t.Name != "" {
		t.Instance = t.Name
	}
	return t, nil
}

// splitPrefix cuts s at the equals sign of NAME=. An equals sign further right
// belongs to a query or a file name.
func splitPrefix(s string) (prefix, place string, err error) {
	before, after, found := strings.Cut(s, "=")
	switch {
	case s == "":
		return "", "", fmt.Errorf("empty target: give host:port, a URL, a file or -")
	case !found || isURL(before) || hostPortPattern.MatchString(before):
		return "", s, nil
	case validPrefix(before):
		return before, after, nil
	case isURL(after) || hostPortPattern.MatchString(after):
		return "", "", fmt.Errorf("bad target name %q: use letters, digits, '.', '_' and '-', as in NAME=host:port or SERVICE/NAME=host:port", before)
	default:
		return "", s, nil
	}
}

// validPrefix tells whether s is NAME or SERVICE/NAME.
func validPrefix(s string) bool {
	service, name, found := strings.Cut(s, "/")
	if !found {
		return validName(s)
	}
	return validName(service) && validName(name)
}

// validName excludes the directories "." and "..", so that ./a=b.prom is a file.
func validName(s string) bool {
	return namePattern.MatchString(s) && s != "." && s != ".."
}

func parsePrefix(prefix string) (service, name string) {
	service, name, found := strings.Cut(prefix, "/")
	if !found {
		return "", prefix
	}
	return service, name
}

func isURL(s string) bool { return strings.Contains(s, "://") }

// setURL takes a URL or host:port. Its errors never quote the URL, which may
// hold a password.
func (t *Target) setURL(place string) error {
	if !isURL(place) {
		place = "http://" + place
	}
	u, err := url.Parse(place)
	switch {
	case err != nil || u.Hostname() == "":
		return fmt.Errorf("bad target URL: want http://host:port/path")
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("bad target URL: scheme %q, want http or https", u.Scheme)
	case u.User != nil:
		return fmt.Errorf("user and password in the URL of target %q: give them with --basic-auth-file FILE or CAPDOCTOR_BASIC_AUTH", u.Host)
	}
	port, err := portOf(u)
	if err != nil {
		return err
	}
	u.Fragment = ""
	t.URL = u.String()
	t.Instance = net.JoinHostPort(strings.ToLower(u.Hostname()), port)
	return nil
}

// portOf returns the port of u, or the default of its scheme.
func portOf(u *url.URL) (string, error) {
	port := u.Port()
	if port == "" {
		if u.Scheme == "https" {
			return "443", nil
		}
		return "80", nil
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return "", fmt.Errorf("bad port %q of target %q: want 1 to 65535", port, u.Hostname())
	}
	return port, nil
}

func (t *Target) setFile(place string) error {
	switch place {
	case "":
		return fmt.Errorf("target %q names no place: give host:port, a URL, a file or - after the equals sign", t.Raw)
	case Stdin:
		t.Instance = "stdin"
	default:
		t.Instance = fileInstance(place)
	}
	t.File = place
	return nil
}

// fileExtensions end the part of a file's base name that names its instance.
var fileExtensions = regexp.MustCompile(`(?i)\.(prom|txt|metrics|om|openmetrics|pb|log|gz|zst|bz2|xz|[0-9]+)(\.|$)`)

// fileInstance is the base name up to the first known extension:
// dir/app.prom.gz is app.
func fileInstance(path string) string {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	if at := fileExtensions.FindStringIndex(base); at != nil && at[0] > 0 {
		return base[:at[0]]
	}
	if base == "" {
		return path
	}
	return base
}

// Probes tells whether the target names no path, so that the usual paths are
// tried one after the other.
func (t Target) Probes() bool {
	if t.URL == "" {
		return false
	}
	u, err := url.Parse(t.URL)
	return err == nil && (u.Path == "" || u.Path == "/") && u.RawQuery == ""
}

// String returns the target in the form that ParseTarget reads.
func (t Target) String() string {
	place := t.File
	if t.URL != "" {
		place = t.URL
	}
	switch {
	case t.Service != "" && t.Name != "":
		return t.Service + "/" + t.Name + "=" + place
	case t.Name != "":
		return t.Name + "=" + place
	}
	return place
}
