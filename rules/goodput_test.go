package rules

import (
	"strings"
	"testing"

	"github.com/capdoctor/capdoctor/series"
)

func TestParseGoodput(t *testing.T) {
	instances := []string{"bus", "10.0.0.7:3000"}
	tests := []struct {
		text string
		want Goodput
		err  string
	}{
		{"orders_done_total", Goodput{Selector: "orders_done_total"}, ""},
		{`bus:orders_done_total{outcome="ok"}`, Goodput{Instance: "bus", Selector: `orders_done_total{outcome="ok"}`}, ""},
		{"10.0.0.7:3000:done_total", Goodput{Instance: "10.0.0.7:3000", Selector: "done_total"}, ""},
		{"job:done:total", Goodput{Selector: "job:done:total"}, ""}, // a name may hold colons
		{"rate(x[1m])", Goodput{}, "want the selector of a counter"},
		{`{__name__=~".+"}`, Goodput{}, "want the selector of a counter"},
		{"x offset 5m", Goodput{}, "want the selector of a counter"},
		{"x{", Goodput{}, "parse error"},
	}
	for _, tt := range tests {
		got, err := ParseGoodput(tt.text, instances)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: got error %v, want %q", tt.text, err, tt.err)
		}
		if err == nil && got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.text, got, tt.want)
		}
	}
	if m := (Goodput{Selector: `a_total {x="y"}`}).Metric(); m != "a_total" {
		t.Errorf("the metric is %q", m)
	}
}

func TestGoodput(t *testing.T) {
	c := oneDiagnosis(t, "cap:goodput_rate < 5")
	feeds := []feed{
		{instance: "a", lines: `done_total{kind="x\n\"y"} 7+10x5` + "\n" + `done_total{kind="z"} 7+10x5`},
		{instance: "b", service: "s", lines: "done_total 7+10x5"},
	}
	tests := []struct {
		goodput Goodput
		want    string
	}{
		{Goodput{Selector: "done_total"}, `{__name__="cap:goodput_rate", instance="a"} 2` + "\n" + `{__name__="cap:goodput_rate", instance="b", service="s"} 1`},
		{Goodput{Instance: "a", Selector: "done_total"}, `{__name__="cap:goodput_rate", instance="a"} 2`},
		{Goodput{Selector: `done_total{kind="x\n\"y"}`}, `{__name__="cap:goodput_rate", instance="a"} 1`},
		{Goodput{Selector: "other_total"}, ""},
	}
	for _, tt := range tests {
		s := newScenario(t, c, feeds...)
		if err := s.judge.AddGoodput(tt.goodput); err != nil {
			t.Fatal(err)
		}
		s.run()
		if got := s.now("cap:goodput_rate"); got != tt.want {
			t.Errorf("%+v: got\n%s\nwant\n%s", tt.goodput, got, tt.want)
		}
	}
}

// now writes the present answer to an expression.
func (s *scenario) now(expr string) string {
	s.Helper()
	found, err := s.store.Instant(s.Context(), series.View{}, expr, s.judge.at())
	if err != nil {
		s.Fatal(err)
	}
	var lines []string
	for _, x := range found {
		lines = append(lines, x.Labels.String()+" "+Number(x.Value))
	}
	return strings.Join(lines, "\n")
}
