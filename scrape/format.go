package scrape

import (
	"bytes"
	"mime"
	"strings"

	"github.com/prometheus/common/expfmt"
)

// A Format is a way to write samples.
type Format string

// The formats that are read. The zero value stands for Text.
const (
	Text        Format = "text"        // Prometheus text format 0.0.4
	OpenMetrics Format = "openmetrics" // OpenMetrics 1.0 text
	Protobuf    Format = "protobuf"    // delimited io.prometheus.client.MetricFamily
)

// formatOf returns the format that a Content-Type declares, Text where it says
// nothing that is known.
func formatOf(contentType string) Format {
	mediaType, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return Text
	}
	switch mediaType {
	case "application/openmetrics-text":
		return OpenMetrics
	case "application/vnd.google.protobuf":
		return Protobuf
	}
	return Text
}

// alternatives returns the formats to try after f has failed on body.
func alternatives(f Format, body []byte) []Format {
	switch {
	case f == OpenMetrics && body[len(body)-1] != '\n':
		return nil // it ends in the middle of a line: no other format makes it whole
	case f == OpenMetrics:
		return []Format{Text}
	case f == Protobuf:
		return []Format{Text, OpenMetrics}
	case bytes.IndexByte(body, 0) >= 0:
		return []Format{Protobuf}
	}
	return []Format{OpenMetrics}
}

// acceptText is all that a client of the text format may send. Spring Boot
// ignores q-values and prefers protobuf to OpenMetrics to text, so naming more
// than is wanted, or */*, changes the answer.
const acceptText = "text/plain;version=0.0.4"

// accept returns the Accept header for formats, the first one preferred.
func accept(formats []Format) string {
	parts := make([]string, 0, len(formats))
	quality := []string{"", ";q=0.7", ";q=0.4"}
	for i, f := range formats {
		parts = append(parts, mediaRange(f)+quality[min(i, len(quality)-1)])
	}
	if len(parts) == 0 {
		return acceptText
	}
	return strings.Join(parts, ",")
}

func mediaRange(f Format) string {
	switch f {
	case OpenMetrics:
		return expfmt.OpenMetricsType + ";version=" + expfmt.OpenMetricsVersion_1_0_0
	case Protobuf:
		return expfmt.ProtoType + ";proto=" + expfmt.ProtoProtocol + ";encoding=delimited"
	}
	return acceptText
}
