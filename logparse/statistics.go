package logparse

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Statistics of Oracle Service Bus as scripts write them: a table with one row
// for each service and reading, as CSV with a head line or as JSON objects.
// Column names are compared without case and signs: throttling-time_average,
// throttlingTimeAverage and {"throttling-time": {"average": ...}} are one.

// A StatisticsRow is one row, by column name in small letters and digits.
type StatisticsRow map[string]string

// HasStatistics tells whether a file that begins with head is a table of service
// statistics, going by its columns.
func HasStatistics(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(head) == 0 {
		return false
	}
	if head[0] == '[' || head[0] == '{' {
		names := columnName(string(head))
		return strings.Contains(names, "throttlingtime") && strings.Contains(names, "responsetime") && strings.Contains(names, "messagecount")
	}
	line, _, _ := bytes.Cut(head, []byte("\n"))
	columns := strings.Split(string(line), ",")
	return hasColumn(columns, "throttlingtime") && hasColumn(columns, "responsetime") && hasColumn(columns, "messagecount")
}

func hasColumn(columns []string, begins string) bool {
	return slices.ContainsFunc(columns, func(c string) bool { return strings.HasPrefix(columnName(c), begins) })
}

// ReadStatistics reads CSV or JSON, told apart by the first character.
func ReadStatistics(in io.Reader) ([]StatisticsRow, error) {
	b := bufio.NewReader(in)
	first, err := firstByte(b)
	if err != nil {
		return nil, errors.New("the file is empty")
	}
	if first == '[' || first == '{' {
		return readStatisticsJSON(b)
	}
	return readStatisticsCSV(b)
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

func readStatisticsCSV(in io.Reader) ([]StatisticsRow, error) {
	r := csv.NewReader(in)
	r.FieldsPerRecord = -1
	head, err := r.Read()
	if err != nil {
		return nil, err
	}
	for i := range head {
		head[i] = columnName(head[i])
	}
	var rows []StatisticsRow
	for {
		fields, err := r.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		row := StatisticsRow{}
		for i, f := range fields[:min(len(fields), len(head))] {
			row[head[i]] = f
		}
		rows = append(rows, row)
	}
}

// readStatisticsJSON reads an array of objects, or objects one after the other.
func readStatisticsJSON(in io.Reader) ([]StatisticsRow, error) {
	var rows []StatisticsRow
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
			row := StatisticsRow{}
			flatten(row, "", item)
			rows = append(rows, row)
		}
	}
}

// flatten joins the names of nested objects.
func flatten(row StatisticsRow, name string, v any) {
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

// Service is the path and name of the business service that a row sums up; false
// for rows of proxy services, operations and addresses.
func (r StatisticsRow) Service() (string, bool) {
	name := strings.Trim(r["path"]+"/"+r["name"], "/")
	kind, of := columnName(r["metricstype"]), columnName(r["servicetype"])
	return name, name != "" && (kind == "" || kind == "service") && (of == "" || strings.Contains(of, "business")) && r["throttlingtimeaverage"] != ""
}

// Number is a value of a row; NaN where it has none.
func (r StatisticsRow) Number(column string) float64 {
	v, err := strconv.ParseFloat(strings.ReplaceAll(r[column], ",", "."), 64)
	if err != nil || math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// Time is when a row was read, in seconds since the epoch; NaN where it does not
// say.
func (r StatisticsRow) Time() float64 {
	if t, err := time.Parse(time.RFC3339, r["datetime"]); err == nil {
		return float64(t.UnixMilli()) / 1000
	}
	v := r.Number("timestamp")
	if v > 1e11 {
		v /= 1000
	}
	return v
}
