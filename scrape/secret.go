package scrape

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// A Secret is a text that is never printed or written.
type Secret string

const hidden = "<secret>"

// String hides the text.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return hidden
}

// Format hides the text from every verb.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, s.String()) }

// MarshalText hides the text from JSON and the like.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalYAML hides the text.
func (s Secret) MarshalYAML() (any, error) { return s.String(), nil }

// Bounds of what is read, in bytes.
const (
	maxCredentials  = 64 << 10 // of a password, a token, a header
	maxCertificates = 4 << 20  // of certificates or a key
	maxHTTPConfig   = 1 << 20
)

// readBounded reads a file of at most limit bytes.
func readBounded(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("more than %d KiB", limit>>10)}
	}
	return data, nil
}

// secretOf is a text that stands in a configuration, or in a file: there without
// white space around it, and read again every time.
func secretOf(text Secret, file string) (string, error) {
	if text != "" || file == "" {
		return string(text), nil
	}
	data, err := readBounded(file, maxCredentials)
	return strings.TrimSpace(string(data)), err
}

// firstLine returns the first line of a small file.
func firstLine(path string) (string, error) {
	data, err := readBounded(path, maxCredentials)
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSuffix(line, "\r"), err
}
