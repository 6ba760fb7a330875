package series

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// instant writes an answer as sorted lines.
func instant(t *testing.T, s *Store, v View, expr string, at int) string {
	t.Helper()
	samples, err := s.Instant(t.Context(), v, expr, seconds(at))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, x := range samples {
		if x.Time != seconds(at) {
			t.Errorf("%s: time %d", expr, x.Time)
		}
		lines = append(lines, fmt.Sprintf("%s %g", x.Labels, x.Value))
	}
	return strings.Join(lines, "\n")
}

func TestInstant(t *testing.T) {
	s, id := newSource(Options{}, Scrape)
	feed(t, s, id, 0, "...x..", `n{q="b"} 1 2 3 4 5 _`, `n{q="a"} 10x5`, `c_total 0 10 20 _ 5 15`)
	tests := []struct {
		expr string
		at   int
		want string
	}{
		{"n", 0, "{__name__=\"n\", q=\"a\"} 10\n{__name__=\"n\", q=\"b\"} 1"},
		{"n", 30, ""}, // the scrape failed: nothing is there
		{"n", 50, `{__name__="n", q="a"} 10`},
		{"n", 349, `{__name__="n", q="a"} 10`},
		{"n", 350, ""},
		{"sum(n)", 20, "{} 13"},
		{"1 + 1", 20, "{} 2"},
		{"resets(c_total[1m])", 50, "{} 1"},
		{"increase(c_total[1m])", 50, "{} 35"}, // 20 before the restart and 15 after
		{"max_over_time(n{q=\"b\"}[1m])", 50, `{q="b"} 5`},
		{`{__name__=~"n|c_total", q=""}`, 20, `{__name__="c_total"} 20`},
	}
	for _, tt := range tests {
		if got := instant(t, s, View{}, tt.expr, tt.at); got != tt.want {
			t.Errorf("%s at %d s: got\n%s\nwant\n%s", tt.expr, tt.at, got, tt.want)
		}
	}
}

func TestQueriesThatFail(t *testing.T) {
	s, _ := newSource(Options{}, Scrape)
	for expr, want := range map[string]string{
		"sum(":       `query "sum(": 1:5: parse error`,
		"n[1m]":      `query "n[1m]": want a vector or a scalar, got matrix`,
		`"a string"`: `query "\"a string\"": want a vector or a scalar, got string`,
	} {
		if _, err := s.Instant(t.Context(), View{}, expr, 0); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("instant: got %v, want %s", err, want)
		}
		if _, err := s.Range(t.Context(), View{}, expr, 0, 10, 10); err == nil || !strings.HasPrefix(err.Error(), "query ") {
			t.Errorf("range: got %v", err)
		}
	}
}

func TestRange(t *testing.T) {
	s, id := newSource(Options{}, Scrape)
	feed(t, s, id, 0, ".....", `n{q="b"} 1 2 _ 4 5`, `n{q="a"} 7 _ _ _ _`)
	got, err := s.Range(t.Context(), View{}, "n", seconds(0), seconds(40), seconds(20))
	if err != nil {
		t.Fatal(err)
	}
	want := []Series{
		{FromStrings("__name__", "n", "q", "a"), []Point{{seconds(0), 7}}},
		{FromStrings("__name__", "n", "q", "b"), []Point{{seconds(0), 1}, {seconds(40), 5}}},
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b Labels) bool { return a.String() == b.String() })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestViews(t *testing.T) {
	s := New(Options{})
	var ids []SourceID
	for _, name := range []string{"a", "b", "c"} {
		id := s.AddSource(Source{Instance: name, Kind: Log, Interval: interval})
		feed(t, s, id, 0, "..", fmt.Sprintf("n{instance=%q} 1 1", name))
		ids = append(ids, id)
	}
	late := s.ViewOf(ids...)
	extra := s.AddSource(Source{Instance: "d", Kind: Log, Interval: interval})
	feed(t, s, extra, 0, "..", `n{instance="d"} 1 1`)
	tests := []struct {
		view View
		want string
	}{
		{View{}, "{} 4"},
		{s.ViewOf(), ""},
		{s.ViewOf(ids[1]), "{} 1"},
		{s.ViewOf(ids[2], ids[0]), "{} 2"},
		{late, "{} 3"}, // a source that came later is not in it
	}
	for i, tt := range tests {
		if got := instant(t, s, tt.view, "count(n)", 10); got != tt.want {
			t.Errorf("view %d: got %q, want %q", i, got, tt.want)
		}
		if got := instant(t, s, tt.view, "sum(count_over_time(n[1m]))", 10); (got == "") != (tt.want == "") {
			t.Errorf("view %d: got %q over time", i, got)
		}
	}
	// A recorded result moves to the source that supplied it last.
	l := FromStrings("__name__", "cap:x")
	s.Record(&Slot{}, ids[0], l, seconds(10), 1)
	s.Record(&Slot{}, ids[1], l, seconds(20), 1)
	if instant(t, s, s.ViewOf(ids[0]), "cap:x", 20) != "" || instant(t, s, s.ViewOf(ids[1]), "cap:x", 20) == "" {
		t.Error("the series is not seen through its last source alone")
	}
}

func TestSelect(t *testing.T) {
	s, id := newSource(Options{}, Scrape)
	feed(t, s, id, 0, ".....", `n{q="b"} 1 2 _ NaN 5`, `n{q="a"} 7 _ _ _ _`)
	want := []Series{{FromStrings("__name__", "n", "q", "b"), []Point{{seconds(10), 2}, {seconds(30), math.NaN()}}}}
	got := s.Select("n", seconds(10), seconds(30))
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs(), cmp.Comparer(func(a, b Labels) bool { return a.String() == b.String() })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := s.Select("n", seconds(31), seconds(39)); got != nil {
		t.Errorf("got %v between two points", got)
	}
}

func TestLabelQueries(t *testing.T) {
	s, id := newSource(Options{}, Scrape)
	feed(t, s, id, 0, ".", `n{q="b", r="x"} 1`, `n{q="a"} 1`, `m{q="c"} 1`)
	q, err := queryable{s, View{}}.Querier(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	values, _, _ := q.LabelValues(t.Context(), "q", nil)
	names, _, _ := q.LabelNames(t.Context(), nil)
	if diff := cmp.Diff([][]string{{"a", "b", "c"}, {"__name__", "q", "r"}}, [][]string{values, names}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
