package template

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// A generator writes random templates. Most of what it writes makes sense, so
// that an evaluation gets far.
type generator struct {
	*rand.Rand
	vars   []string
	ranges int // that stand around
	out    strings.Builder
}

func (g *generator) pick(choices ...string) string { return choices[g.Intn(len(choices))] }

// list writes some statements.
func (g *generator) list(depth int) {
	declared := len(g.vars)
	for range 1 + g.Intn(3) {
		g.statement(depth)
	}
	g.vars = g.vars[:declared]
}

func (g *generator) write(format string, args ...any) { fmt.Fprintf(&g.out, format, args...) }

func (g *generator) statement(depth int) {
	kind := g.Intn(10)
	if depth == 0 {
		kind = g.Intn(5)
	}
	switch kind {
	case 0:
		g.write("%s", g.pick("text ", " \n", "x{y}", "50 %"))
	case 1:
		v := fmt.Sprint("$v", len(g.vars))
		g.write("{{%s := %s}}", v, g.pipe(2))
		g.vars = append(g.vars, v)
	case 2:
		if len(g.vars) > 0 {
			g.write("{{%s = %s}}", g.pick(g.vars...), g.pipe(2))
		}
	case 3, 4:
		g.write("{{%s%s%s}}", g.pick("", "- "), g.pipe(3), g.pick("", " -"))
	case 5, 6:
		g.write("{{if %s}}", g.pipe(2))
		g.branches(depth, "else if")
	case 7:
		declared, pipe := len(g.vars), g.pipe(2)
		g.write("{{with %s%s}}", g.declare(1), pipe)
		g.branches(depth, "else with")
		g.vars = g.vars[:declared]
	default:
		g.ranged(depth)
	}
}

// declare writes the beginning of a pipeline that sets up to n variables.
func (g *generator) declare(n int) string {
	n = g.Intn(n + 1)
	var names []string
	for i := range n {
		names = append(names, fmt.Sprint("$v", len(g.vars)+i))
	}
	g.vars = append(g.vars, names...)
	if n == 0 {
		return ""
	}
	return strings.Join(names, ", ") + " := "
}

func (g *generator) branches(depth int, chain string) {
	g.list(depth - 1)
	if g.Intn(4) == 0 {
		g.write("{{%s %s}}", chain, g.pipe(2))
		g.list(depth - 1)
	}
	if g.Intn(2) == 0 {
		g.write("{{else}}")
		g.list(depth - 1)
	}
	g.write("{{end}}")
}

func (g *generator) ranged(depth int) {
	over := g.pick(`query "some"`, `query "none"`, "$.Labels", `args 1 "a" .`, "3", "0", g.pipe(2), `query "some" | sorted "a"`)
	before := len(g.vars)
	g.write("{{range %s%s}}", g.declare(2), over)
	g.ranges++
	g.list(depth - 1)
	if g.Intn(4) == 0 {
		g.write("{{if %s}}{{%s}}{{end}}", g.pipe(1), g.pick("break", "continue"))
		g.list(0)
	}
	g.ranges--
	if g.Intn(3) == 0 {
		g.write("{{else}}")
		g.list(depth - 1)
	}
	g.write("{{end}}")
	g.vars = g.vars[:before]
}

// pipe writes a pipeline.
func (g *generator) pipe(depth int) string {
	switch g.Intn(12) {
	case 0:
		return g.word(depth) + " | " + g.pick("print", `printf "%v|%T"`, "len", "not", "number", "eq 1", `or ""`, "and 1", "index", "first", "value", `label "a"`, `replace "x" "yy"`, "args")
	case 1:
		return fmt.Sprintf(`query %s | first | %s`, g.pick(`"some"`, `"some"`, `"none"`, `"wrong"`), g.pick("value | number", `label "a"`, "value", "len"))
	case 2, 3, 4:
		return g.word(depth)
	}
	return g.command(depth)
}

func (g *generator) command(depth int) string {
	a, b, c := g.word(depth-1), g.word(depth-1), g.word(depth-1)
	text, number := g.text(depth), g.number(depth)
	switch g.Intn(12) {
	case 0:
		return g.pick("eq ", "ne ", "lt ", "le ", "gt ", "ge ") + text + " " + g.text(depth)
	case 1:
		return g.pick("eq ", "ne ", "lt ", "le ", "gt ", "ge ") + number + " " + g.number(depth)
	case 2:
		return g.pick("eq ", "ne ", "lt ", "le ", "gt ", "ge ") + a + " " + b
	case 3:
		return "eq " + text + " " + g.text(depth) + " " + g.pick(g.text(depth), a)
	case 4:
		return g.pick("and ", "or ") + a + " " + b + " " + g.pick("", c)
	case 5:
		return g.pick("not ", "len ", "print ", "println ", "number ") + a
	case 6:
		return "print " + a + " " + text + " " + number
	case 7:
		return `printf ` + g.pick(`"%v-%v"`, `"%s %5.2f"`, `"%q %d"`, `"%x %t"`, `"%[2]v"`, `"%*d"`, `"100%"`) + " " + text + " " + g.pick(number, a)
	case 8:
		return "index " + g.pick("$.Labels "+text, `(query "some") `+g.pick("0", "1", "2", "-1"), `"abc" `+g.pick("0", "3"), `(args 1 "x" nil) `+g.pick(`"arg0"`, `"arg2"`, `"none"`), a+" "+b)
	case 9:
		return "replace " + text + " " + g.text(depth) + " " + g.pick(g.text(depth), a)
	case 10:
		return "args " + a + " " + b
	}
	return g.pick("first ", "value ", "query ", "sorted ") + a
}

// text writes a word that is a text, number one that is a float64.
func (g *generator) text(depth int) string {
	return g.pick(`"a"`, `"x"`, `""`, "$.Labels.a", "$.Labels.b", "$.Labels.none", "`raw`", fmt.Sprintf(`(print %s)`, g.word(depth-1)), `(index "abc" 1 | printf "%c")`)
}

func (g *generator) number(depth int) string {
	return g.pick("1.5", "0.0", "$.Value", "2e0", "0x1p1", `(query "some" | first | value)`, `(query "some" | first).Value`)
}

// word writes an operand of any type.
func (g *generator) word(depth int) string {
	if len(g.vars) > 0 && g.Intn(3) == 0 {
		v := g.pick(g.vars...)
		return v + g.pick("", "", "", ".Labels", ".Value", ".Labels.a", ".arg0", ".a", ".a.b")
	}
	if depth > 0 && g.Intn(3) == 0 {
		return "(" + g.pipe(depth-1) + ")" + g.pick("", "", "", ".Labels", ".Value", ".arg0", ".arg2.x")
	}
	return g.pick("1", "0", "-3", "0x10", "'a'", "1.5", "1.0", `"a"`, `""`, "true", "false", "nil", ".", ".", "$", ".Labels", ".Value", ".Labels.a", ".Labels.none", "$.Labels.a", ".a", "query", `(index "abc" 0)`, `(query "none")`, `(query "some")`)
}

// Both evaluators write the same, and fail at the same texts.
func TestAsTextTemplate(t *testing.T) {
	own, their := testFunctions()
	good, bad := 0, map[string]int{}
	for seed := range int64(5_000) {
		g := &generator{Rand: rand.New(rand.NewSource(seed))}
		g.list(3)
		text := g.out.String()
		for i, data := range subjects() {
			want, wantErr := theirs(text, data, their)
			got, err := ours(text, data, own)
			switch {
			case wantErr != nil && err != nil:
				bad[reason(wantErr)]++
			case wantErr != nil || err != nil || got != want:
				t.Errorf("seed %d, data %d: %s\n got %q, %v\nwant %q, %v", seed, i, text, got, err, want, wantErr)
			default:
				good++
			}
		}
		if t.Failed() && seed > 0 && good > 0 {
			return
		}
	}
	t.Logf("%d evaluations succeed, errors: %v", good, bad)
	if good < 2_500 || len(bad) < 12 {
		t.Errorf("only %d evaluations succeed, %d kinds of errors: %v", good, len(bad), bad)
	}
}

// reason is what an error is about, without its values.
func reason(err error) string {
	_, text, _ := strings.Cut(err.Error(), ">: ")
	words := strings.Fields(text)
	return strings.Join(words[:min(3, len(words))], " ")
}

// FuzzAsTextTemplate compares with text/template whatever can be parsed.
func FuzzAsTextTemplate(f *testing.F) {
	for seed := range int64(50) {
		g := &generator{Rand: rand.New(rand.NewSource(seed))}
		g.list(3)
		f.Add(g.out.String())
	}
	own, their := testFunctions()
	for _, name := range []string{"call", "html", "js", "slice", "urlquery"} {
		their[name] = func(...any) (string, error) { return "", fmt.Errorf("%s is not compared", name) }
	}
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := Parse("t", text, own)
		if err != nil || strings.Contains(text, ".Format") {
			return
		}
		got, err := tree.Execute(subjects()[0], nil)
		if bounded(err) {
			return
		}
		want, wantErr := theirs(text, subjects()[0], their)
		if (err == nil) != (wantErr == nil) || err == nil && got != want {
			t.Errorf("%s\n got %q, %v\nwant %q, %v", text, got, err, want, wantErr)
		}
	})
}
