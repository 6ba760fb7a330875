package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/rules"
)

// spoiledRuns is how many spoiled inputs are tried: few in a test, more with
// SPOILED_RUNS=5000.
func spoiledRuns(t *testing.T, few int) int {
	t.Helper()
	text := os.Getenv("SPOILED_RUNS")
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("SPOILED_RUNS: %v", err)
	}
	return n
}

// TestSpoiledCases diagnoses cases whose pages and logs were damaged: whatever
// stands in them, the answer is a report that keeps its schema, prints nothing
// that moves a cursor, and is the same each time.
func TestSpoiledCases(t *testing.T) {
	folders := caseFolders(t)
	schemas := map[string]*jsonschema.Schema{"diagnose": compiled(t, "report.schema.json"), "postmortem": compiled(t, "postmortem.schema.json")}
	sideBySide(spoiledRuns(t, 20), func(seed int) {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		from := folders[r.IntN(len(folders))]
		spoiled := filepath.Join(t.TempDir(), "case")
		if err := spoilCase(r, from, spoiled); err != nil {
			t.Error(err)
			return
		}
		var err error
		command := []string{"diagnose", "postmortem", "replay"}[r.IntN(3)]
		if command == "replay" {
			err = showSpoiled(t.Context(), spoiled)
		} else {
			err = judgeSpoiled(t, command, spoiled, schemas[command])
		}
		if err != nil {
			t.Errorf("seed %d, %s %s: %v", seed, command, filepath.Base(from), err)
		}
	})
}

// judgeSpoiled runs a command on a case twice and says what is wrong with the
// answer.
func judgeSpoiled(t *testing.T, command, folder string, schema *jsonschema.Schema) error {
	doc := filepath.Join(t.TempDir(), "report.json")
	var text [2]string
	var code [2]int
	for i := range text {
		var out, complaint bytes.Buffer
		code[i] = run(t.Context(), []string{command, folder, "-o", "text", "-o", "json=" + doc, "-o", "markdown=" + doc + ".md"}, streams{strings.NewReader(""), &out, &complaint})
		text[i] = out.String() + complaint.String()
	}
	switch {
	case text[0] != text[1] || code[0] != code[1]:
		return fmt.Errorf("two runs differ: exit %d and %d\n%s\n%s", code[0], code[1], text[0], text[1])
	case code[0] < 0 || code[0] > 3:
		return fmt.Errorf("exit %d", code[0])
	case unclean(text[0]) != nil:
		return fmt.Errorf("%w in\n%s", unclean(text[0]), text[0])
	case code[0] == exitUsage:
		return nil // an error, with its text
	case code[0] == 0 && strings.Contains(text[0], "COULD NOT JUDGE"):
		return fmt.Errorf("exit 0 though nothing was judged\n%s", text[0])
	}
	data, err := os.ReadFile(doc)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// showSpoiled draws all screens of a replay in several sizes.
func showSpoiled(ctx context.Context, folder string) error {
	still, err := stillOf(ctx, folder)
	if err != nil {
		return nil // an error, with its text
	}
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 36}, {200, 60}} {
		still.Resize(size[0], size[1])
		for _, key := range []string{"1", "2", "3", "4", "5", "6", "7", "?"} {
			still.Press(key)
			lines := strings.Split(ansi.Strip(still.Screen()), "\n")
			if len(lines) > size[1] {
				return fmt.Errorf("screen %s of %v has %d lines", key, size, len(lines))
			}
			for _, line := range lines {
				if err := unclean(line); err != nil {
					return fmt.Errorf("screen %s of %v: %w in %q", key, size, err, line)
				}
				if ansi.StringWidth(line) > size[0] {
					return fmt.Errorf("screen %s of %v is too wide: %q", key, size, line)
				}
			}
		}
	}
	return nil
}

// unclean says what in a text may do more than show.
func unclean(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("bad UTF-8")
	}
	for i, c := range text {
		if c != '\n' && (unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c)) {
			return fmt.Errorf("%q at byte %d", c, i)
		}
	}
	return nil
}

func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	const base = "https://github.com/capdoctor/capdoctor/blob/main/docs/"
	c := jsonschema.NewCompiler()
	for _, name := range []string{"report.schema.json", "postmortem.schema.json"} {
		data, err := os.ReadFile(filepath.Join("../../docs", name))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource(base+name, doc); err != nil {
			t.Fatal(err)
		}
	}
	s, err := c.Compile(base + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// caseFolders lists the cases that are folders.
func caseFolders(t *testing.T) []string {
	t.Helper()
	var folders []string
	err := filepath.WalkDir("../../fixtures", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "case.yaml" {
			folders = append(folders, filepath.Dir(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return folders
}

// spoilCase copies a case and damages its pages and logs.
func spoilCase(r *rand.Rand, from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		within, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, within), 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		switch filepath.Ext(path) {
		case ".prom", ".log":
			if r.IntN(20) == 0 {
				return nil // the file is missing
			}
			data = spoil(r, data, filepath.Ext(path) == ".log")
		}
		return os.WriteFile(filepath.Join(to, within), data, 0o644)
	})
}

// numbers that programs print when something is wrong with them, and such as no
// program prints.
var oddNumbers = []string{"NaN", "+Inf", "-Inf", "-1", "0", "1e308", "1.7976931348623157e308", "5e-324", "99999999999999999999", "-0", "0x1p10", "1e999", "", "٣"}

// oddTexts stand where names and words are expected.
var oddTexts = []string{"\x1b[2J", "\x1b]0;title\a", "\r", "\u202e", "\xff\xfe", "\x00", "\"", "\\", "{{ . }}", "{\"a\":", "- do: rm", "\u2028", strings.Repeat("x", 5000), "%s%n", "\u0301\u0301\u0301"}

var numberForm = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)

// spoil damages a text in one to eight places.
func spoil(r *rand.Rand, data []byte, log bool) []byte {
	lines := bytes.SplitAfter(slices.Clone(data), []byte("\n"))
	for range 1 + r.IntN(8) {
		if len(lines) == 0 {
			break
		}
		i := r.IntN(len(lines))
		switch kind := r.IntN(9); {
		case kind == 0:
			lines = slices.Delete(lines, i, min(len(lines), i+1+r.IntN(20)))
		case kind == 1:
			lines = slices.Insert(lines, i, slices.Clone(lines[i]))
		case kind == 2:
			j := r.IntN(len(lines))
			lines[i], lines[j] = lines[j], lines[i]
		case kind == 3 && len(lines[i]) > 0:
			lines[i] = lines[i][:r.IntN(len(lines[i]))] // the next line stands behind it
		case kind == 4:
			at := r.IntN(len(lines[i]) + 1)
			lines[i] = slices.Concat(lines[i][:at], []byte(oddTexts[r.IntN(len(oddTexts))]), lines[i][at:])
		case kind == 5 && log:
			slices.Reverse(lines)
		default:
			lines[i] = respell(r, lines[i])
		}
	}
	return bytes.Join(lines, nil)
}

// respell writes another number in place of one in a line.
func respell(r *rand.Rand, line []byte) []byte {
	places := numberForm.FindAllIndex(line, -1)
	if len(places) == 0 {
		return line
	}
	p := places[r.IntN(len(places))]
	number := oddNumbers[r.IntN(len(oddNumbers))]
	if r.IntN(2) == 0 {
		number = strconv.Itoa(r.IntN(10000))
	}
	return slices.Concat(line[:p[0]], []byte(number), line[p[1]:])
}

// TestSpoiledLogsLive follows logs whose lines are damaged, whose clocks leap,
// and that grow in pieces.
func TestSpoiledLogsLive(t *testing.T) {
	catalog, err := rules.Default()
	if err != nil {
		t.Fatal(err)
	}
	var logs [][]byte
	for _, folder := range caseFolders(t) {
		found, err := filepath.Glob(filepath.Join(folder, "logs", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			logs = append(logs, data)
		}
	}
	sideBySide(spoiledRuns(t, 20), func(seed int) {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		if err := followSpoiled(t, r, catalog, logs); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	})
}

// followSpoiled reads some logs in pieces of random length, a second or a leap
// apart, and asks for a report now and then.
func followSpoiled(t *testing.T, r *rand.Rand, catalog *rules.Catalog, logs [][]byte) error {
	s := newSession(catalog, func() (*logparse.Catalog, error) { return logparse.LoadCatalog() }, false)
	l, err := s.newLogs(logparse.GridOptions{Step: time.Second, History: signalRetention})
	if err != nil {
		return err
	}
	rest := map[string][]byte{}
	for i := range 1 + r.IntN(2) {
		rest[fmt.Sprintf("log%d", i)] = spoil(r, logs[r.IntN(len(logs))], true)
	}
	now := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC).Add(time.Duration(r.IntN(1000)-500) * time.Minute)
	for range 40 {
		now = now.Add(time.Second)
		if r.IntN(10) == 0 {
			now = now.Add(time.Duration(r.IntN(4000)) * time.Second)
		}
		for _, name := range []string{"log0", "log1"} {
			text := rest[name]
			n := min(len(text), r.IntN(4000))
			if end := bytes.LastIndexByte(text[:n], '\n'); end >= 0 {
				n = end + 1
			}
			rest[name] = text[n:]
			if err := l.follow(bytes.NewReader(text[:n]), name+".log", name, now); err != nil {
				return err
			}
		}
		if err := s.tick(t.Context(), now); err != nil {
			return err
		}
		if r.IntN(10) == 0 {
			if _, err := s.report(t.Context()); err != nil {
				return err
			}
		}
	}
	return nil
}
