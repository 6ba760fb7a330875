package report

import "strings"

// Bounds on one text, one word of it and a name inside it, in columns: hostile names inside it
// cannot push the rest of a report out of sight.
const (
	mostProse = 800
	mostWord  = 120
	mostName  = 40
)

// A lettering is the characters that texts are written in.
type lettering struct {
	ascii bool
}

// clean escapes s and, where asked to, writes it in ASCII.
func (l lettering) clean(s string) string {
	s = Escape(s)
	if l.ascii {
		return toASCII(s)
	}
	return s
}

// prose makes one paragraph of s, of bounded length. Words that no text of ours
// could hold lose their middle.
func (l lettering) prose(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if w = l.clean(w); Width(w) > mostWord {
			w = CutMiddle(w, mostName, l.ellipsis())
		}
		words[i] = w
	}
	return CutEnd(strings.Join(words, " "), mostProse, l.ellipsis())
}

// name cleans and shortens a name.
func (l lettering) name(s string, width int) string {
	return CutMiddle(l.clean(s), width, l.ellipsis())
}

func (l lettering) ellipsis() string {
	if l.ascii {
		return ".."
	}
	return "…"
}
