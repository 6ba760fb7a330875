package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// Markdown writes a report as GitHub-flavoured Markdown, for an issue or an
// incident page. Width and colour of o do not matter. The only error is one of w.
func Markdown(w io.Writer, r *rules.Report, o Options) error {
	m := &markdown{wording: newWording(r, o)}
	switch {
	case len(m.out.causes) > 1:
		m.causes()
	case len(m.out.causes) == 1:
		m.finding(m.out.causes[0])
		m.steps(m.out.causes[0].first())
		m.avoid(m.out.causes[0].first().Avoid)
		m.rest(m.out.causes[0])
	case !judged(r):
		m.heading(1, "? COULD NOT JUDGE: "+m.nothingWhy())
		m.paragraph("This is not an all-clear. " + m.nothingMeans())
	default:
		m.heading(1, "· CLEAR: "+rules.LowerFirst(m.clearText()))
		m.paragraph("Judged " + m.clock.full(r.At) + ".")
		m.vitals()
	}
	m.others()
	m.coverage()
	code, reason := o.Exit(r)
	m.paragraph(fmt.Sprintf("exit %d: %s", code, reason))
	_, err := io.WriteString(w, m.b.String())
	return err
}

// A markdown collects the lines of a Markdown page.
type markdown struct {
	wording
	b strings.Builder
}

// esc makes s one line of Markdown that shows s and does nothing else.
func (m *markdown) esc(s string) string {
	return markdownEscapes.Replace(m.prose(s))
}

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`, "$", `\$`, "#", `\#`, "!", `\!`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;",
)

func (m *markdown) heading(level int, s string) {
	fmt.Fprintf(&m.b, "%s %s\n\n", strings.Repeat("#", level), m.esc(s))
}

func (m *markdown) paragraph(s string) {
	if s = m.esc(s); s != "" {
		m.b.WriteString(notBlock(s) + "\n\n")
	}
}

// notBlock keeps the start of a paragraph from opening a list or a rule.
func notBlock(s string) string {
	rest := strings.TrimLeft(s, "0123456789")
	switch {
	case strings.HasPrefix(s, "-"), strings.HasPrefix(s, "+"), strings.HasPrefix(s, "="):
		return `\` + s
	case rest != s && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, ")")):
		return s[:len(s)-len(rest)] + `\` + rest
	}
	return s
}

// bullet writes an item of a list; strong is set in bold before it.
func (m *markdown) bullet(mark, strong, s string) {
	m.b.WriteString(mark + " ")
	if strong = m.esc(strong); strong != "" {
		m.b.WriteString("**" + strong + "** ")
	}
	m.b.WriteString(notBlock(m.esc(s)) + "\n")
}

func (m *markdown) row(cells ...string) {
	for _, c := range cells {
		m.b.WriteString("| " + m.esc(c) + " ")
	}
	m.b.WriteString("|\n")
}

// causes writes several causes, one plan for all, and then each with its rest.
func (m *markdown) causes() {
	shown := m.out.causes[:min(mostCauses, len(m.out.causes))]
	for _, g := range shown {
		m.finding(g)
	}
	if n := len(m.out.causes) - len(shown); n > 0 {
		m.paragraph(rules.Plural(n, "more cause", "more causes") + ".")
	}
	m.heading(1, "One plan")
	book := rules.PlaybookFor(firsts(shown))
	for i, s := range book.Steps {
		m.step(i+1, s.Step, "For cause "+strings.Join(causeNumbers(s), " and ")+".")
	}
	for _, d := range book.Dropped {
		m.bullet("-", "Left out: "+rules.Sentence(d.Do), "It works against "+against(book, d)+".")
	}
	m.b.WriteByte('\n')
	m.avoid(book.Avoid)
	for _, g := range shown {
		m.rest(g)
	}
}

// finding writes what it is, what proves it and what to do first.
func (m *markdown) finding(g group) {
	f := g.first()
	m.heading(1, state(f).text+": "+m.name(f.Title, mostName)+" on "+m.subject(f.Subject))
	when := joinNonEmpty([]string{m.since(f), m.length(f), "judged " + m.clock.full(m.r.At), m.inputCount()}, "; ")
	m.paragraph(strings.ToUpper(when[:1]) + when[1:] + ".")
	m.paragraph(rules.Sentence(f.Summary) + " " + rules.Sentence(f.Meaning))
	if first := firstStep(f); first != "" {
		m.b.WriteString("**Do first:** " + m.esc(rules.LowerFirst(rules.Sentence(first))) + "\n\n")
	}
	m.proof(f)
	if len(g) > 1 {
		m.paragraph("Also on " + m.subjects(g[1:]) + ".")
	}
}

// rest writes what can be read after the steps.
func (m *markdown) rest(g group) {
	f := g.first()
	m.looksAlike(f)
	m.quotes(f)
}

func (m *markdown) proof(f *rules.Finding) {
	if len(f.Evidence) == 0 {
		return
	}
	m.heading(2, "Proof")
	m.row("condition", "observed", "threshold", "seen")
	m.b.WriteString("|---|---:|---|---|\n")
	for _, e := range f.Evidence {
		if e.State != rules.Absent {
			observed, threshold := comparison(e)
			m.row(title(e), observed, threshold, m.seen(f, e))
		}
	}
	m.b.WriteByte('\n')
}

func (m *markdown) steps(f *rules.Finding) {
	if len(f.Steps) == 0 {
		return
	}
	m.heading(2, "Do, in this order")
	for i, s := range f.Steps {
		m.step(i+1, s, "")
	}
	m.b.WriteByte('\n')
}

func (m *markdown) step(n int, s rules.Step, whatFor string) {
	then := ""
	if v := verify(s); v != "" {
		then = "Then: " + rules.Sentence(v)
	}
	m.bullet(fmt.Sprintf("%d.", n), rules.Sentence(s.Do), joinNonEmpty([]string{rules.Sentence(s.Why), then, riskOf(s), whatFor}, " "))
}

func (m *markdown) avoid(advice []rules.Advice) {
	if len(advice) == 0 {
		return
	}
	m.heading(2, "Do not")
	for _, a := range advice {
		m.bullet("-", noPeriod(a.Do)+":", a.Why)
	}
	m.b.WriteByte('\n')
}

func (m *markdown) looksAlike(f *rules.Finding) {
	if out := m.looks(f); len(out) > 0 {
		m.paragraph("Ruled out: " + strings.Join(out, "; ") + ".")
	}
	if not := m.missingLooks(f); len(not) > 0 {
		m.paragraph("Not ruled out: " + strings.Join(not, "; ") + ".")
	}
}

// quotes writes log lines as code, where nothing in them is Markdown.
func (m *markdown) quotes(f *rules.Finding) {
	lines := quoted(f)
	if len(lines) == 0 {
		return
	}
	m.heading(2, "Log lines")
	var code []string
	for _, l := range lines {
		code = append(code, m.place(l)+"  "+CutEnd(m.clean(l.Text), mostProse, m.ellipsis()))
	}
	fence := "```"
	for strings.Contains(strings.Join(code, "\n"), fence) {
		fence += "`"
	}
	fmt.Fprintf(&m.b, "%stext\n%s\n%s\n\n", fence, strings.Join(code, "\n"), fence)
}

// vitals writes the present values of a few targets.
func (m *markdown) vitals() {
	for i, in := range m.vitalInstances() {
		if i == mostVitals {
			break
		}
		m.bullet("-", in+":", strings.Join(m.vitalsOf(in), "; "))
	}
	m.b.WriteByte('\n')
}

func (m *markdown) others() {
	if len(m.out.others) == 0 {
		return
	}
	m.heading(2, "Also")
	for i, g := range m.out.others {
		if i == mostAlso {
			m.bullet("-", "", rules.Plural(len(m.out.others)-i, "more diagnosis", "more diagnoses"))
			break
		}
		m.bullet("-", state(g.first()).text, m.otherText(g))
	}
	m.b.WriteByte('\n')
}

// coverage says what the verdict rests on.
func (m *markdown) coverage() {
	m.heading(2, "Coverage")
	m.bullet("-", "", "Judged: "+m.judgedText())
	for i, g := range unknownGroups(m.notSaid(m.out.causes)) {
		if i == mostUnknown {
			m.bullet("-", "", "and more that was not judged")
			break
		}
		m.bullet("-", "", "Not judged: "+m.unknownText(g))
	}
	if s := m.ledgerText(); s != "" {
		m.bullet("-", "", "Unknown result: "+s)
	}
	for _, in := range failing(m.r)[:min(mostInputLines, len(failing(m.r)))] {
		m.bullet("-", "", "× DOWN "+in.Name+": "+rules.Sentence(in.Error))
	}
	for _, n := range m.r.Notes[:min(mostInputLines, len(m.r.Notes))] {
		m.bullet("-", "", rules.Sentence(n))
	}
	for _, s := range m.inputTexts() {
		m.bullet("-", "", s)
	}
	m.b.WriteByte('\n')
}
