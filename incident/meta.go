package incident

import (
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// parseMeta reads a .meta file: how the scrape went and, when stated, its offset.
func parseMeta(path string, data []byte) (m Meta, offset time.Duration, stated bool, err error) {
	f := yamlFile{path}
	m.Status = -1
	root, err := f.root(data)
	if err != nil {
		return m, 0, false, err
	}
	err = f.mapping(root, "a scrape", map[string]field{
		"offset_ms": func(n *yaml.Node) (err error) {
			offset, err = f.millis(n, "offset_ms")
			stated = true
			return err
		},
		"status": func(n *yaml.Node) (err error) {
			m.Status, err = f.status(n)
			return err
		},
		"duration_ms": func(n *yaml.Node) (err error) {
			m.Duration, err = f.millis(n, "duration_ms")
			return err
		},
		"content_type": func(n *yaml.Node) (err error) {
			m.ContentType, err = f.text(n, "content_type")
			return err
		},
		"error": func(n *yaml.Node) (err error) {
			m.Error, err = f.text(n, "error")
			return err
		},
	})
	return m, offset, stated, err
}

const mostMillis = 99_999_999_999 // the longest offset that a file name can state

func (f yamlFile) millis(n *yaml.Node, what string) (time.Duration, error) {
	s, err := f.text(n, what)
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0 && v <= mostMillis) {
		return 0, f.errorf(n, "%s is %q, not a number of milliseconds", what, s)
	}
	whole := time.Duration(v)
	return whole*time.Millisecond + time.Duration((v-float64(whole))*1e6+0.5), nil
}

// status reads an HTTP status; 0 means that no answer came.
func (f yamlFile) status(n *yaml.Node) (int, error) {
	s, err := f.text(n, "status")
	if err != nil {
		return 0, err
	}
	v, err := strconv.Atoi(s)
	if err != nil || v != 0 && (v < 100 || v > 599) {
		return 0, f.errorf(n, "status is %q, not an HTTP status", s)
	}
	return v, nil
}

// parseNumberFile reads a .status or .delay file: one whole number.
func parseNumberFile(path string, data []byte, least, most int) (int, error) {
	s := strings.TrimSpace(string(data))
	v, err := strconv.Atoi(s)
	if err != nil || v < least || v > most {
		return 0, fault(path, 1, "%q is not a whole number from %d to %d", s, least, most)
	}
	return v, nil
}

// formatMeta writes a .meta file. Durations keep their nanoseconds.
func formatMeta(offset time.Duration, m Meta) []byte {
	var b strings.Builder
	b.WriteString("offset_ms: " + strconv.FormatInt(offset.Milliseconds(), 10) + "\n")
	b.WriteString("status: " + strconv.Itoa(m.Status) + "\n")
	if m.Duration > 0 {
		ms := strconv.FormatFloat(float64(m.Duration)/1e6, 'f', -1, 64)
		b.WriteString("duration_ms: " + ms + "\n")
	}
	for _, kv := range [][2]string{{"content_type", m.ContentType}, {"error", m.Error}} {
		if kv[1] != "" {
			b.WriteString(kv[0] + ": " + quoteYAML(kv[1]) + "\n")
		}
	}
	return []byte(b.String())
}

// quoteYAML writes s as a double-quoted YAML scalar on one line.
func quoteYAML(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	out, err := yaml.Marshal(&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: s})
	if err != nil {
		return strconv.Quote(s) // Go's escapes are YAML's for valid text
	}
	return strings.ReplaceAll(strings.TrimSuffix(string(out), "\n"), "\n ", " ")
}
