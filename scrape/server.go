package scrape

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/series"
)

// A Server is asked for what it has stored: Prometheus, Thanos Query, Mimir or
// VictoriaMetrics, which have the same HTTP API. There is never more than one
// request in flight. A Server is used by one goroutine.
type Server struct {
	*Scraper
	match    string   // matchers of series, without braces; may be empty
	Warnings []string // what the server said beside its answers, each once
}

// A Stored is one series as a server has it, with all its labels.
type Stored struct {
	Labels map[string]string
	Points []series.Point
}

// NewServer returns a client of the API under an address, http://host:9090 or
// with the prefix that stands before /api/v1. match is a selector of series
// without a name, {job="shop"}; empty are all. Options.Timeout and MaxBytes
// bound each request.
func NewServer(address, match string, o Options) (*Server, error) {
	t := Target{Raw: address}
	if err := t.setURL(address); err != nil {
		return nil, err
	}
	match = strings.TrimSpace(match)
	if match != "" && !(strings.HasPrefix(match, "{") && strings.HasSuffix(match, "}")) {
		return nil, fmt.Errorf("match %q: want a selector in braces, such as {job=\"shop\"}", match)
	}
	sc, err := NewScraper(t, o)
	if err != nil {
		return nil, err
	}
	match = strings.TrimRight(strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(match, "{"), "}")), ", ")
	return &Server{Scraper: sc, match: match}, nil
}

// Names lists the metric names that the server has between two times, sorted.
func (s *Server) Names(ctx context.Context, from, to time.Time) ([]string, error) {
	query := url.Values{"start": {unixSeconds(from)}, "end": {unixSeconds(to)}}
	if s.match != "" {
		query.Set("match[]", `{__name__=~".+",`+s.match+"}") // one matcher must not match the empty text
	}
	var names []string
	if err := s.ask(ctx, "label/__name__/values", query, &names); err != nil {
		return nil, err
	}
	slices.Sort(names)
	return names, nil
}

// namesPerQuery and bytesPerQuery bound how many metrics one request asks for.
const (
	namesPerQuery = 20
	bytesPerQuery = 2000
)

// Read returns the samples of some metrics later than from, up to to, as they
// were stored. What is too much for the server, or for MaxBytes, is asked for in
// parts.
func (s *Server) Read(ctx context.Context, names []string, from, to time.Time) ([]Stored, error) {
	var all []Stored
	for len(names) > 0 {
		n, size := 0, 0
		for n < len(names) && n < namesPerQuery && size < bytesPerQuery {
			size += len(names[n])
			n++
		}
		found, err := s.readSome(ctx, names[:n], from, to)
		if err != nil {
			return nil, err
		}
		all, names = append(all, found...), names[n:]
	}
	return all, nil
}

func (s *Server) readSome(ctx context.Context, names []string, from, to time.Time) ([]Stored, error) {
	var found struct {
		Result []struct {
			Metric map[string]string `json:"metric"`
			Values []storedPoint     `json:"values"`
		} `json:"result"`
	}
	query := url.Values{"time": {unixSeconds(to)}, "query": {s.selector(names) + "[" + strconv.FormatInt(to.Sub(from).Milliseconds(), 10) + "ms]"}}
	err := s.ask(ctx, "query", query, &found)
	var e *Error
	if len(names) > 1 && errors.As(err, &e) && (e.Kind == TooLarge || e.Status == http.StatusUnprocessableEntity) {
		half := len(names) / 2
		first, err := s.readSome(ctx, names[:half], from, to)
		if err != nil {
			return nil, err
		}
		rest, err := s.readSome(ctx, names[half:], from, to)
		return append(first, rest...), err
	}
	if err != nil {
		return nil, err
	}
	var all []Stored
	for _, r := range found.Result {
		stored := Stored{Labels: r.Metric, Points: make([]series.Point, 0, len(r.Values))}
		for _, p := range r.Values {
			if p.Time > from.UnixMilli() { // servers differ about the left end of a range
				stored.Points = append(stored.Points, series.Point(p))
			}
		}
		if len(stored.Points) > 0 {
			all = append(all, stored)
		}
	}
	return all, nil
}

// selector selects the series of some metrics that match.
func (s *Server) selector(names []string) string {
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, regexp.QuoteMeta(name))
	}
	matchers := "__name__=~" + strconv.Quote(strings.Join(quoted, "|"))
	if s.match != "" {
		matchers += "," + s.match
	}
	return "{" + matchers + "}"
}

// unixSeconds writes a time as the API reads it.
func unixSeconds(t time.Time) string {
	return strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', 3, 64)
}

// A storedPoint is a pair of the API: [1435781430.781, "1"].
type storedPoint series.Point

// UnmarshalJSON reads a pair.
func (p *storedPoint) UnmarshalJSON(data []byte) error {
	at, value, ok := strings.Cut(strings.Trim(string(data), "[] \n\t"), ",")
	seconds, err := strconv.ParseFloat(strings.TrimSpace(at), 64)
	if !ok || err != nil {
		return fmt.Errorf("a sample %s: want [seconds, \"value\"]", shorten(string(data), 60))
	}
	text, err := strconv.Unquote(strings.TrimSpace(value))
	if err != nil {
		return fmt.Errorf("a sample %s: want [seconds, \"value\"]", shorten(string(data), 60))
	}
	p.Time = int64(seconds*1000 + 0.5)
	p.Value, err = strconv.ParseFloat(text, 64)
	return err
}

// ask makes one request and reads its data. The error is an *Error.
func (s *Server) ask(ctx context.Context, path string, query url.Values, into any) error {
	ctx, cancel := context.WithTimeout(ctx, s.opts.Timeout)
	defer cancel()
	ctx, conn := traced(ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, apiURL(s.target.URL, path, query), nil)
	if err != nil {
		return s.fail(Network, "cannot ask for this URL")
	}
	req.Header.Set("Accept", "application/json")
	resp, err := s.client.Do(req)
	if err != nil {
		return s.serverTimeout(s.transportError(ctx, err, conn.reach(), 0))
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, s.opts.MaxBytes+1))
	switch {
	case err != nil:
		return s.serverTimeout(s.transportError(ctx, err, conn.reach(), int64(len(body))))
	case int64(len(body)) > s.opts.MaxBytes:
		e := s.fail(TooLarge, "an answer of more than %d MiB", s.opts.MaxBytes>>20)
		e.Hint = "narrow it with --match, or a shorter --since"
		return e
	}
	return s.readAnswer(resp, body, into)
}

// apiURL is the address of a part of the API.
func apiURL(base, path string, query url.Values) string {
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	u.Path = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/api/v1"), "/") + "/api/v1/" + path
	given := u.Query()
	for name, values := range query {
		given[name] = values
	}
	u.RawQuery = given.Encode()
	return u.String()
}

// readAnswer takes an answer of the API apart.
func (s *Server) readAnswer(resp *http.Response, body []byte, into any) error {
	var answer struct {
		Status    string          `json:"status"`
		ErrorType string          `json:"errorType"`
		Error     string          `json:"error"`
		Warnings  []string        `json:"warnings"`
		Data      json.RawMessage `json:"data"`
	}
	err := json.Unmarshal(body, &answer)
	if err != nil || answer.Status == "" {
		return s.noAPI(resp, body)
	}
	if answer.Status != "success" || resp.StatusCode/100 != 2 {
		return s.refusal(resp.StatusCode, answer.ErrorType, answer.Error)
	}
	for _, w := range answer.Warnings {
		if w = shorten(w, maxMessage); !slices.Contains(s.Warnings, w) {
			s.Warnings = append(s.Warnings, w)
		}
	}
	if err := json.Unmarshal(answer.Data, into); err != nil {
		return s.fail(Garbage, "an answer that is not understood: %s", shorten(err.Error(), maxMessage))
	}
	return nil
}

// noAPI is the error for an answer that is not one of the API.
func (s *Server) noAPI(resp *http.Response, body []byte) *Error {
	e := s.fail(Garbage, "no Prometheus API at %s", shownPath(resp.Request.URL))
	if resp.StatusCode != http.StatusOK {
		e = s.statusError(resp, body)
	}
	if e.Kind == Garbage || e.Kind == NotFound {
		e.Hint = "give the address of the server with the prefix that stands before /api/v1, such as http://mimir:8080/prometheus"
	}
	return e
}

// refusal is the error that the API itself gives.
func (s *Server) refusal(status int, kind, text string) *Error {
	e := s.fail(Status, "%d %s: %s", status, shorten(kind, 40), shorten(text, maxMessage))
	e.Status, e.Connected = status, true
	switch {
	case status == http.StatusBadRequest:
		e.Hint = "check --match: a selector such as {job=\"shop\"}"
	case status == http.StatusUnprocessableEntity:
		e.Hint = "it is too much for the server: narrow it with --match, or a shorter --since"
	case status == http.StatusServiceUnavailable, kind == "timeout":
		e.Hint = "the server starts, stops or is overloaded: ask again later, or for less with --match"
	case status == http.StatusTooManyRequests:
		e.Hint = "the server limits its queries: ask again later"
	}
	return e
}

// serverTimeout gives a time-out the hint that fits a server of stored samples.
func (s *Server) serverTimeout(e *Error) *Error {
	if e.Kind == Timeout && e.Connected {
		e.Hint = "a longer --timeout, or less to read: --match, a shorter --since"
	}
	return e
}
