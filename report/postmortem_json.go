package report

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/capdoctor/capdoctor/rules"
)

// PostmortemSchemaVersion is the version of the JSON form of a look back, as
// docs/postmortem.schema.json has it. It grows when a field goes away or changes
// its meaning; new fields may come at any time.
const PostmortemSchemaVersion = 1

// PostmortemJSON writes a look back as one JSON document that
// docs/postmortem.schema.json describes, in the manner of JSON. The only error
// is one of w.
func PostmortemJSON(w io.Writer, p *rules.Postmortem, o Options) error {
	return writeJSON(w, newPostmortemDoc(p, o))
}

// writeJSON writes a document with all that is not printable escaped.
func writeJSON(w io.Writer, doc any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return err
	}
	_, err := w.Write(escapeJSON(b.Bytes()))
	return err
}
