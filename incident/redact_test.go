package incident

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestRedactText(t *testing.T) {
	s := newScrubber(Options{Redact: []string{"customer"}, Secrets: []string{"hunter2", "hunter2-long", ""}})
	tests := []struct{ in, want string }{
		{"nothing to hide: 10 of 10 connections, status=200", "nothing to hide: 10 of 10 connections, status=200"},
		{"GET http://bob:p@ss@db:5432/x?y=http://eve@z", "GET http://redacted@db:5432/x?y=http://redacted@z"},
		{"jdbc:postgresql://u:p@h/db?user=u&password=geheim&ssl=1", "jdbc:postgresql://redacted@h/db?user=u&password=redacted&ssl=1"},
		{"mail bob@example.com, see http://example.com/@bob", "mail bob@example.com, see http://example.com/@bob"},
		{"Authorization: Bearer abc.def-123", "Authorization: redacted"},
		{"authorization=Basic dXNlcjpwYXNz", "authorization=redacted"},
		{"sent Bearer AbCdEf123456== to it", "sent Bearer redacted to it"},
		{"basic authentication failed", "basic authentication failed"},
		{`{"password":"a \" b","n":1}`, `{"password":"redacted","n":1}`},
		{"spring.datasource.password = 'x y', next", "spring.datasource.password = 'redacted', next"},
		{"API_KEY=12345678 api-key: zz", "API_KEY=redacted api-key: redacted"},
		{"tokens=5 tokenized: yes", "tokens=5 tokenized: yes"},
		{"Cookie: JSESSIONID=ABCDEF", "Cookie: redacted"},
		{"t eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln x", "t redacted x"},
		{"key AKIAABCDEFGHIJKLMNOP end", "key redacted end"},
		{"login hunter2-long and hunter2.", "login redacted and redacted."},
		{`customer=acme customer: "bolt" customers=3 customer=acme`, `customer=redacted-1 customer: "redacted-2" customers=3 customer=redacted-1`},
	}
	for _, tt := range tests {
		if got := s.text(tt.in); got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.in, got, tt.want)
		}
	}
}

func TestRedactBody(t *testing.T) {
	in := "# HELP a Calls to http://u:p@x/.\n# TYPE a counter\n" +
		"a{customer=\"acme\",url=\"http://u:p@x/\",} 1\n" +
		"a{customer=\"bolt\", password=\"p\\\"q\" } 2 1772460000000\n" +
		"a{customer=\"acme\",path=\"C:\\\\x\\n\"} 3 # {trace_id=\"t\",customer=\"bolt\"} 0.5 1772460000.1\n" +
		"{\"b.c\",customer=\"acme\",\"token\"=\"zzz\"} 4\n" +
		"b_total 5\r\n" +
		"\n" +
		"<html>password=oops</html>\n" +
		"{\"status\":\"UP\",\"secret\":\"s\"}\n" +
		"broken{x=\"y 1\n# EOF"
	want := "# HELP a Calls to http://redacted@x/.\n# TYPE a counter\n" +
		"a{customer=\"redacted-1\",url=\"http://redacted@x/\",} 1\n" +
		"a{customer=\"redacted-2\", password=\"redacted\" } 2 1772460000000\n" +
		"a{customer=\"redacted-1\",path=\"C:\\\\x\\n\"} 3 # {trace_id=\"t\",customer=\"redacted-2\"} 0.5 1772460000.1\n" +
		"{\"b.c\",customer=\"redacted-1\",\"token\"=\"redacted\"} 4\n" +
		"b_total 5\r\n" +
		"\n" +
		"<html>password=redacted</html>\n" +
		"{\"status\":\"UP\",\"secret\":\"redacted\"}\n" +
		"broken{x=\"y 1\n# EOF"
	got, err := newScrubber(Options{Redact: []string{"customer"}}).body("text/plain", []byte(in))
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestRedactPrivateKey(t *testing.T) {
	s := newScrubber(Options{})
	in := "before\n" + "x -----BEGIN RSA PRIVATE KEY-----\nMIIE+/=\nQUJD\n-----END RSA PRIVATE KEY-----\nafter\n" +
		"-----BEGIN PRIVATE KEY-----\nQUJD\n2026-03-02 cut off: this is no key\n"
	want := "before\nx redacted\nredacted\nredacted\nredacted\nafter\nredacted\nredacted\n2026-03-02 cut off: this is no key\n"
	if got := string(s.log("a.log", []byte(in))); got != want {
		t.Errorf("got %q", got)
	}
}

// A secret that comes in two pieces is found all the same.
func TestRedactAcrossAppends(t *testing.T) {
	s := newScrubber(Options{Secrets: []string{"hunter2"}})
	got := string(s.log("a.log", []byte("a\nlogin hun"))) + "|" + string(s.log("a.log", []byte("ter2 ok\nrest"))) + "|" + string(s.logRest("a.log"))
	if got != "a\n|login redacted ok\n|rest" {
		t.Errorf("got %q", got)
	}
}

// Nothing that must not be written is in any file of a recording.
func TestSecretsNeverReachTheFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "incident")
	w, err := Create(dir, Options{Redact: []string{"customer"}, Secrets: []string{"hunter2"}, Anonymize: true, Hosts: []string{"db-prod-7:5432"}})
	if err != nil {
		t.Fatal(err)
	}
	steps := []error{
		w.SetCase(Case{
			Title: "at http://u:pw1@db-prod-7:5432/", Source: "host 10.1.2.3", Why: "hunter2", Start: start,
			Facts: map[string]string{"db-prod-7:5432:limit": "3"},
		}),
		w.AddScrape("db-prod-7:5432", start, Meta{Status: 200}, []byte("a{customer=\"acme\",host=\"db-prod-7\"} 1\n# HELP a password=pw2 on db-prod-7\n")),
		w.AddScrape("db-prod-7:5432", start.Add(time.Second), Meta{Error: `Get "http://u:pw3@db-prod-7:5432/metrics": dial tcp 10.1.2.3:5432: refused`}, nil),
		w.AppendLog("db-prod-7.log", start, []byte("customer=acme token: pw4 from db-prod-7 (10.1.2.3)\nhunter2")),
		w.Close(),
	}
	for i, err := range steps {
		if err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	seen := 0
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		for _, secret := range []string{"pw1", "pw2", "pw3", "pw4", "hunter2", "acme", "db-prod-7", "10.1.2.3"} {
			if strings.Contains(strings.TrimPrefix(path, dir)+string(b), secret) {
				t.Errorf("%q is in %s:\n%s", secret, path, b)
			}
		}
		seen++
		return err
	})
	if err != nil || seen != 5 {
		t.Errorf("%d files, %v", seen, err)
	}
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Targets[0].Name != "host-1:5432" || c.Facts["host-1:5432:limit"] != "3" || c.Logs[0].Name != "host-1.log" {
		t.Errorf("target %q, facts %v, log %q", c.Targets[0].Name, c.Facts, c.Logs[0].Name)
	}
}

// Whatever a target sends, a scrubbed body still has its samples: as many
// lines, and values that were not touched.
func FuzzScrubBody(f *testing.F) {
	f.Add("a{b=\"c\"} 1\n")
	f.Add("a{b=\"http://u:p@h/\",customer=\"x\\\"y\"} 1 # {c=\"d\"} 2\n{\"x\"} 3")
	f.Fuzz(func(t *testing.T, body string) {
		s := newScrubber(Options{Redact: []string{"customer"}, Anonymize: true})
		got, err := s.body("", []byte(body))
		if err != nil {
			return
		}
		if strings.Count(string(got), "\n") != strings.Count(body, "\n") {
			t.Errorf("%q became %q", body, got)
		}
		lines := strings.Split(string(got), "\n")
		for i, line := range strings.Split(body, "\n") {
			if endsSample([]byte(line)) && startsSample([]byte(line)) && !(endsSample([]byte(lines[i])) && startsSample([]byte(lines[i]))) {
				t.Errorf("the sample %q became %q", line, lines[i])
			}
		}
	})
}
