package sizing

import "math"

// OSBStatistics is what a business service showed in its statistics, up to a
// first reading and between that and the last one. Times are seconds.
type OSBStatistics struct {
	Service          string
	Span             float64 // between the readings; 0: there is one reading
	Messages, Errors float64 // between the readings, or up to the only one
	Response         float64 // mean between them, or up to the only one
	Throttling       float64 // mean time in the throttling queue, likewise
	BeforeResponse   float64 // mean up to the first reading; NaN where there is one reading
}

const (
	statistics = "OSB service statistics"
	// notable is the part of a response that waiting must have to matter, and
	// slower the factor from which a response counts as slower than before.
	notable = 0.1
	slower  = 1.25
)

// JudgeOSB tells waiting for the throttling value from waiting for the backend.
func JudgeOSB(in OSBStatistics) (Result, error) {
	s := newSheet("OSB statistics of " + in.Service)
	if in.Messages < 1 || math.IsNaN(in.Response) || math.IsNaN(in.Throttling) {
		s.contradict([]string{"message-count"}, "%s had no message between its readings: its times are no data, not 0 s", in.Service)
		return s.done()
	}
	s.Inputs = append(s.Inputs,
		Input{"messages", in.Messages, "", "message-count"}, Input{"errors", in.Errors, "", "error-count"},
		Input{"response time", in.Response, "s", "response-time"}, Input{"throttling time", in.Throttling, "s", "throttling-time"})
	s.line("share of errors", "ratio", in.Errors/in.Messages, statistics, "errors ÷ messages = %s ÷ %s", digits(in.Errors), digits(in.Messages))
	if in.Span > 0 {
		rate := s.line("messages a second", "1/s", in.Messages/in.Span, statistics, "messages ÷ time = %s ÷ %s", digits(in.Messages), seconds(in.Span))
		s.line("calls at once at the backend", "calls", rate*in.Response, littlesLaw, "messages a second × response time = %s × %s", perSecond(rate), seconds(in.Response))
	}
	if in.Response > 0 {
		s.line("throttling against response", "x", in.Throttling/in.Response, statistics, "throttling time ÷ response time = %s ÷ %s", seconds(in.Throttling), seconds(in.Response))
	}
	s.osbVerdict(in)
	return s.done()
}

func (s *sheet) osbVerdict(in OSBStatistics) {
	throttled := in.Throttling > notable*in.Response
	grew := false
	if !math.IsNaN(in.BeforeResponse) && in.BeforeResponse > 0 {
		change := s.line("response time against before", "x", in.Response/in.BeforeResponse, statistics,
			"response time ÷ before = %s ÷ %s", seconds(in.Response), seconds(in.BeforeResponse))
		grew = change > slower
	}
	switch {
	case throttled && grew:
		s.advise("The backend got slower, and messages queue at the throttling value because of it: look at the backend; a higher value would send it more.")
	case throttled && math.IsNaN(in.BeforeResponse):
		s.advise("Messages wait %s for the throttling value. Whether the backend got slower is told by a second reading.", seconds(in.Throttling))
	case throttled:
		s.advise("Messages wait %s for the throttling value while the backend answers as fast as before: the value is the limit, not the backend.", seconds(in.Throttling))
	case grew:
		s.advise("The backend got slower; the throttling value holds nothing back.")
	default:
		s.advise("Nothing waits for the throttling value. Where messages wait all the same, threads are what they wait for.")
	}
}
