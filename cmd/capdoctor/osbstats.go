package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/sizing"
)

// Statistics of Oracle Service Bus as scripts write them: a table with one row
// for each service and reading, as CSV with a head line or as JSON objects.
// Column names are compared without case and signs: throttling-time_average,
// throttlingTimeAverage and {"throttling-time": {"average": ...}} are one.

// mostStatistics bounds what is read of a file, in bytes.
const mostStatistics = 64 << 20

// A statsRow is one row, by column.
type statsRow map[string]string

// osbStats reads a file and judges every business service in it.
func osbStats(in io.Reader, file string) ([]sizing.Result, error) {
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	rows, err := readStats(io.LimitReader(in, mostStatistics))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	services := map[string][]statsRow{}
	var names []string
	for _, r := range rows {
		name := strings.Trim(r["path"]+"/"+r["name"], "/")
		if name == "" || !r.aboutService() {
			continue
		}
		if services[name] == nil {
			names = append(names, name)
		}
		services[name] = append(services[name], r)
	}
	if len(names) == 0 {
		return nil, hinted{fmt.Errorf("%s: no statistics of a business service", file), "want columns name, message-count_count, response-time_average and throttling-time_average"}
	}
	slices.Sort(names)
	var results []sizing.Result
	for _, name := range names {
		r, err := sizing.JudgeOSB(summarize(name, services[name]))
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}

// readStats reads CSV or JSON, told apart by the first character.
func readStats(in io.Reader) ([]statsRow, error) {
	b := bufio.NewReader(in)
	first, err := firstByte(b)
	if err != nil {
		return nil, errors.New("the file is empty")
	}
	if first == '[' || first == '{' {
		return readStatsJSON(b)
	}
	return readStatsCSV(b)
}

// firstByte skips spaces and a byte order mark.
func firstByte(b *bufio.Reader) (byte, error) {
	for {
		c, err := b.ReadByte()
		if err != nil {
			return 0, err
		}
		if !strings.ContainsRune(" \t\r\n\ufeff", rune(c)) && c < 0x80 {
			return c, b.UnreadByte()
		}
	}
}

func readStatsCSV(in io.Reader) ([]statsRow, error) {
	r := csv.NewReader(in)
	r.FieldsPerRecord = -1
	head, err := r.Read()
	if err != nil {
		return nil, err
	}
	for i := range head {
		head[i] = columnName(head[i])
	}
	var rows []statsRow
	for {
		fields, err := r.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		row := statsRow{}
		for i, f := range fields[:min(len(fields), len(head))] {
			row[head[i]] = f
		}
		rows = append(rows, row)
	}
}

// readStatsJSON reads an array of objects, or objects one after the other.
func readStatsJSON(in io.Reader) ([]statsRow, error) {
	var rows []statsRow
	d := json.NewDecoder(in)
	d.UseNumber()
	for {
		var v any
		err := d.Decode(&v)
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		for _, item := range list {
			row := statsRow{}
			flatten(row, "", item)
			rows = append(rows, row)
		}
	}
}

// flatten joins the names of nested objects.
func flatten(row statsRow, name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			flatten(row, name+columnName(key), inner)
		}
	case json.Number:
		row[name] = v.String()
	case string:
		row[name] = v
	}
}

// columnName leaves letters and digits, in lower case.
func columnName(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, text)
}

// aboutService tells whether a row is the sum of a business service: not of one
// of its operations or addresses.
func (r statsRow) aboutService() bool {
	kind, of := columnName(r["metricstype"]), columnName(r["servicetype"])
	return (kind == "" || kind == "service") && (of == "" || strings.Contains(of, "business")) && r["throttlingtimeaverage"] != ""
}

// number is a value of a row; NaN where it has none.
func (r statsRow) number(column string) float64 {
	v, err := strconv.ParseFloat(strings.ReplaceAll(r[column], ",", "."), 64)
	if err != nil || math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// time is when a row was read, in seconds; NaN where it does not say.
func (r statsRow) time() float64 {
	if t, err := time.Parse(time.RFC3339, r["datetime"]); err == nil {
		return float64(t.UnixMilli()) / 1000
	}
	v := r.number("timestamp")
	if v > 1e11 {
		v /= 1000
	}
	return v
}

// summarize compares the first reading of a service with the last one. Counts
// and sums grow since the last reset; times are milliseconds.
func summarize(name string, rows []statsRow) sizing.OSBStatistics {
	first, last := rows[0], rows[len(rows)-1]
	s := sizing.OSBStatistics{
		Service: name, Messages: last.number("messagecountcount"), Errors: zeroIfNone(last.number("errorcountcount")),
		Response: last.number("responsetimeaverage") / 1000, Throttling: last.number("throttlingtimeaverage") / 1000,
		BeforeResponse: math.NaN(),
	}
	messages := last.number("messagecountcount") - first.number("messagecountcount")
	span := last.time() - first.time()
	if len(rows) < 2 || !(messages > 0) || !(span > 0) {
		return s
	}
	s.Span, s.Messages = span, messages
	s.Errors = zeroIfNone(last.number("errorcountcount") - first.number("errorcountcount"))
	s.BeforeResponse = first.number("responsetimeaverage") / 1000
	if d := last.number("responsetimesum") - first.number("responsetimesum"); d >= 0 {
		s.Response = d / messages / 1000
	}
	if d := last.number("throttlingtimesum") - first.number("throttlingtimesum"); d >= 0 {
		s.Throttling = d / messages / 1000
	}
	return s
}

func zeroIfNone(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}
