package incident

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const redacted = "redacted"

// A redactor takes out of texts what must not reach a file: credentials, what
// stands before the @ of a URL, and the values of named labels. A label value
// becomes redacted-1, redacted-2 ... in order of first sight, so that series
// stay apart and the value cannot be guessed from its replacement.
type redactor struct {
	secrets *strings.Replacer // nil without any
	labels  map[string]bool
	named   *regexp.Regexp // name=value in text, of the labels; nil without any
	values  map[string]string
}

func newRedactor(labels, secrets []string) *redactor {
	r := &redactor{labels: map[string]bool{}, values: map[string]string{}}
	var quoted []string
	for _, l := range labels {
		r.labels[l] = true
		quoted = append(quoted, regexp.QuoteMeta(l))
	}
	if len(quoted) > 0 {
		r.named = regexp.MustCompile(`\b(` + strings.Join(quoted, "|") + `)(` + separator + `)(` + bareOrQuoted + `)`)
	}
	var pairs []string
	secrets = slices.Clone(secrets)
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) }) // a secret may contain another
	for _, s := range secrets {
		if s != "" {
			pairs = append(pairs, s, redacted)
		}
	}
	if len(pairs) > 0 {
		r.secrets = strings.NewReplacer(pairs...)
	}
	return r
}

const (
	separator    = `["']?\s*[=:]\s*`
	bareOrQuoted = `"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,;&"'<>})\]]+`
	secretWord   = `(?:password|passwd|pwd|passphrase|secret|token|api[_.-]?key|access[_.-]?key|secret[_.-]?key|private[_.-]?key|credentials?|authorization|set-cookie|cookie|jsessionid|session[_.-]?id)`
)

var (
	secretName = pattern(`(?i)^[\w.-]*` + secretWord + `$`)
	secretPair = pattern(`(?i)([\w.-]*` + secretWord + `)(` + separator + `)(?:(bearer|basic|digest|negotiate)\s+)?(` + bareOrQuoted + `)`)
	schemePair = pattern(`(?i)\b(bearer|basic)(\s+)([\w+/.~=-]{8,})`)
	userInfo   = pattern(`([A-Za-z][A-Za-z0-9+.-]*://)[^\s/?#"'<>]*@`)
	knownToken = pattern(`eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bgh[opsru]_[A-Za-z0-9]{20,}|\bxox[abpr]-[\w-]{10,}`)
)

// label returns the value that a label may be written with.
func (r *redactor) label(name, value string) string {
	switch {
	case value == "":
		return ""
	case r.labels[name]:
		return r.stand(value)
	case secretName().MatchString(name):
		return redacted
	}
	return r.text(value)
}

// stand returns what stands for a value of a named label.
func (r *redactor) stand(value string) string {
	if s, ok := r.values[value]; ok {
		return s
	}
	s := redacted + "-" + strconv.Itoa(len(r.values)+1)
	r.values[value] = s
	return s
}

// text returns a line of text without its credentials.
func (r *redactor) text(s string) string {
	if r.secrets != nil {
		s = r.secrets.Replace(s)
	}
	if strings.Contains(s, "://") && strings.Contains(s, "@") {
		s = userInfo().ReplaceAllString(s, "${1}"+redacted+"@")
	}
	if containsAny(s, tokenHints) {
		s = knownToken().ReplaceAllString(s, redacted)
	}
	lower, plain := folded(s)
	if !plain || containsAny(lower, schemeHints) {
		s = schemePair().ReplaceAllStringFunc(s, redactScheme)
	}
	if strings.ContainsAny(s, "=:") && (!plain || containsAny(lower, secretHints)) {
		s = secretPair().ReplaceAllStringFunc(s, redactPair)
	}
	if r.named != nil {
		s = r.named.ReplaceAllStringFunc(s, func(m string) string {
			p := r.named.FindStringSubmatch(m)
			return p[1] + p[2] + sameQuotes(p[3], r.stand(strings.Trim(p[3], `"'`)))
		})
	}
	return s
}

func redactPair(m string) string {
	p := secretPair().FindStringSubmatch(m)
	return p[1] + p[2] + sameQuotes(p[4], redacted)
}

// redactScheme takes the credential behind Bearer or Basic out and leaves plain
// words alone ("basic authentication").
func redactScheme(m string) string {
	p := schemePair().FindStringSubmatch(m)
	if !strings.ContainsAny(p[3], "0123456789=") && strings.ToLower(p[3]) == p[3] {
		return m
	}
	return p[1] + p[2] + redacted
}

// sameQuotes puts the quotes of old around s.
func sameQuotes(old, s string) string {
	if q := old[:1]; q == `"` || q == `'` {
		return q + s + q
	}
	return s
}

// A keyBlock follows a text line by line and takes private keys in PEM out.
type keyBlock struct{ inside bool }

var (
	keyBegin = pattern(`-----BEGIN [A-Z ]*PRIVATE KEY-----`)
	keyEnd   = pattern(`-----END [A-Z ]*PRIVATE KEY-----`)
	keyLine  = pattern(`^[A-Za-z0-9+/=\s]*$|^(?:Proc-Type|DEK-Info): `)
)

// line returns the line, or a line that stands for a part of a key. A line that
// cannot be a part ends a key that was cut off.
func (k *keyBlock) line(b []byte) []byte {
	before := []byte(nil)
	if at := keyBegin().FindIndex(b); at != nil {
		k.inside = true
		before, b = b[:at[0]], b[at[1]:]
	} else if k.inside && !keyLine().Match(b) && !keyEnd().Match(b) {
		k.inside = false
	}
	if !k.inside {
		return b
	}
	k.inside = !keyEnd().Match(b)
	return append(bytes.Clone(before), redacted...)
}
