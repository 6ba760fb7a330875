package rules

import (
	"strings"

	"github.com/capdoctor/capdoctor/series"
)

// identity is the labels of a series without its name, as a key.
func identity(l series.Labels) string {
	var b strings.Builder
	l.Range(func(label series.Label) {
		if label.Name != "__name__" {
			b.WriteString(label.Name)
			b.WriteByte(0xff)
			b.WriteString(label.Value)
			b.WriteByte(0xff)
		}
	})
	return b.String()
}

// identities keeps the identities of label sets, so that a series has one string
// for all operands and ticks. The zero value is empty.
type identities struct{ known map[series.LabelSet]string }

func (s *identities) of(set series.LabelSet) string {
	key, ok := s.known[set]
	if !ok {
		if s.known == nil {
			s.known = map[series.LabelSet]string{}
		}
		key = identity(set.Value())
		s.known[set] = key
	}
	return key
}

// forget begins anew when most of what is kept is not used any more.
func (s *identities) forget(used int) {
	if len(s.known) > 2*used+1000 {
		clear(s.known)
	}
}
