package scrape

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// maxEmptyFamilies bounds the metric families in a row that hold no metric.
// Prometheus' parser recurses over them; a page of nothing else would exhaust
// the stack.
const maxEmptyFamilies = 1000

// metricField is the number of MetricFamily.metric in the exposition format.
const metricField = 4

// checkFamilies walks over the delimited messages of a protobuf page without
// decoding them. Faults that the parser finds itself are left to it.
func checkFamilies(body []byte) error {
	empty := 0
	for len(body) > 0 {
		message, n := protowire.ConsumeBytes(body)
		if n < 0 {
			return nil
		}
		body = body[n:]
		if hasMetric(message) {
			empty = 0
			continue
		}
		if empty++; empty > maxEmptyFamilies {
			return &ParseError{Kind: Garbage, Format: Protobuf, Msg: fmt.Sprintf("more than %d metric families without a metric", maxEmptyFamilies)}
		}
	}
	return nil
}

// hasMetric tells whether a MetricFamily holds a metric.
func hasMetric(message []byte) bool {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return false
		}
		if number == metricField && kind == protowire.BytesType {
			return true
		}
		message = message[n:]
		if n = protowire.ConsumeFieldValue(number, kind, message); n < 0 {
			return false
		}
		message = message[n:]
	}
	return false
}
