package scrape

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseTarget(t *testing.T) {
	for _, test := range []struct {
		in   string
		want Target
	}{
		{"localhost:3000", Target{Instance: "localhost:3000", URL: "http://localhost:3000"}},
		{"Host.Example:3000", Target{Instance: "host.example:3000", URL: "http://Host.Example:3000"}},
		{"[::1]:9090", Target{Instance: "[::1]:9090", URL: "http://[::1]:9090"}},
		{"localhost:9090/metrics", Target{Instance: "localhost:9090", URL: "http://localhost:9090/metrics"}},
		{"localhost:9090?a=b", Target{Instance: "localhost:9090", URL: "http://localhost:9090?a=b"}},
		{"http://h/metrics", Target{Instance: "h:80", URL: "http://h/metrics"}},
		{"https://h/metrics?a=b#c", Target{Instance: "h:443", URL: "https://h/metrics?a=b"}},
		{"app=localhost:1", Target{Name: "app", Instance: "app", URL: "http://localhost:1"}},
		{"shop/app-1=http://h:1/m?x=y", Target{Service: "shop", Name: "app-1", Instance: "app-1", URL: "http://h:1/m?x=y"}},
		{"http://h:1/m?x=y", Target{Instance: "h:1", URL: "http://h:1/m?x=y"}},
		{"dir/app.prom", Target{Instance: "app", File: "dir/app.prom"}},
		{"app.v2.prom.gz", Target{Instance: "app.v2", File: "app.v2.prom.gz"}},
		{"app.txt", Target{Instance: "app", File: "app.txt"}},
		{"metrics", Target{Instance: "metrics", File: "metrics"}},
		{".prom", Target{Instance: ".prom", File: ".prom"}},
		{"db=dumps/1.prom", Target{Name: "db", Instance: "db", File: "dumps/1.prom"}},
		{"./a=b.prom", Target{Instance: "a=b", File: "./a=b.prom"}},
		{"a b=c.prom", Target{Instance: "a b=c", File: "a b=c.prom"}},
		{"-", Target{Instance: "stdin", File: "-"}},
		{"app=-", Target{Name: "app", Instance: "app", File: "-"}},
	} {
		test.want.Raw = test.in
		got, err := ParseTarget(test.in)
		if err != nil {
			t.Errorf("%q: %v", test.in, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.in, diff)
		}
	}
}

func TestParseTargetErrors(t *testing.T) {
	for in, want := range map[string]string{
		"":                                "empty target",
		"app=":                            "names no place",
		"my app=localhost:1":              `bad target name "my app"`,
		"a/b/c=http://h:1":                `bad target name "a/b/c"`,
		"../x=http://h:1":                 `bad target name "../x"`,
		"=http://h:1":                     `bad target name ""`,
		"ftp://h/m":                       `scheme "ftp"`,
		"http://":                         "bad target URL",
		"http://h:0/m":                    `bad port "0"`,
		"h:99999":                         `bad port "99999"`,
		"http://evento:secret@h:3000/m":   "--basic-auth-file",
		"app=http://evento:secret@h:3000": "--basic-auth-file",
		"http://evento:sec%ret@h:3000/m":  "bad target URL",
	} {
		_, err := ParseTarget(in)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want one with %q", in, err, want)
			continue
		}
		if strings.Contains(err.Error(), "sec") && strings.Contains(err.Error(), "ret") {
			t.Errorf("%q: the error shows the password: %v", in, err)
		}
	}
}

func TestTargetStringIsReadAgain(t *testing.T) {
	for _, in := range []string{"http://h:1/m", "app=http://h:1", "shop/app=http://h:1/m?a=b", "app=-", "dir/app.prom"} {
		first, err := ParseTarget(in)
		if err != nil {
			t.Fatal(err)
		}
		if first.String() != in {
			t.Errorf("%q became %q", in, first)
		}
	}
}

func TestProbes(t *testing.T) {
	for in, want := range map[string]bool{
		"h:1": true, "http://h:1": true, "http://h:1/": true, "app=https://h": true,
		"h:1/metrics": false, "http://h:1/?a=b": false, "file.prom": false, "-": false,
	} {
		target, err := ParseTarget(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := target.Probes(); got != want {
			t.Errorf("%q: got %v, want %v", in, got, want)
		}
	}
}

func TestResolveInstances(t *testing.T) {
	for _, test := range []struct {
		in    []string
		want  []string
		error string
	}{
		{in: []string{"h:1", "h:2"}, want: []string{"h:1", "h:2"}},
		{in: []string{"h:1/a", "h:1/b?x=y", "h:2/a"}, want: []string{"h:1/a", "h:1/b?x=y", "h:2"}},
		{in: []string{"h:1", "h:1/a", "n=h:1/c"}, want: []string{"h:1", "h:1/a", "n"}},
		{in: []string{"http://H:80/a", "http://h/b"}, want: []string{"h:80/a", "h:80/b"}},
		{in: []string{"h:1/a", "h:1/a"}, error: `target "h:1/a" is given twice`},
		{in: []string{"http://h/a", "https://h:80/a"}, error: `two targets are called "h:80/a": give one another name, as in NAME=https://h:80/a`},
		{in: []string{"s/n=h:1", "t/n=h:2"}, error: `two targets are called "n": give one another name, as in NAME=http://h:2`},
		{in: []string{"a/x.prom", "b/x.prom.gz"}, error: `two targets are called "x": give one another name, as in NAME=b/x.prom.gz`},
	} {
		var targets []Target
		for _, in := range test.in {
			target, err := ParseTarget(in)
			if err != nil {
				t.Fatal(err)
			}
			targets = append(targets, target)
		}
		got, err := ResolveInstances(targets)
		if message := errorText(err); message != test.error {
			t.Errorf("%v: got error %q, want %q", test.in, message, test.error)
		}
		if err != nil {
			continue
		}
		var instances []string
		for _, target := range got {
			instances = append(instances, target.Instance)
		}
		if diff := cmp.Diff(test.want, instances); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.in, diff)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
