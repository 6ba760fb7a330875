package lab

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"go.yaml.in/yaml/v3"
)

// WriteCase writes the last length of a scenario's course as a case folder:
// scrapes of every target each every, the logs, and case.yaml with the right
// answer. start is the wall time of the first scrape. The same arguments give
// the same bytes.
//
// A scrape that a target was not there for has no page but a .meta that says
// so. Of the logs, the server's first minute and the lines of the time scraped
// are written.
//
// dir is made if need be; files of an earlier writing with other arguments stay.
//
// every and length must be whole seconds, length a multiple of every and
// shorter than the course.
func WriteCase(dir string, s Scenario, start time.Time, every, length time.Duration) error {
	if every < time.Second || every%time.Second != 0 || length%every != 0 {
		return fmt.Errorf("case %q: scrapes every %v for %v; both must be whole seconds, the second a multiple of the first",
			s.Name, every, length)
	}
	whole := s.duration()
	if length >= whole {
		return fmt.Errorf("case %q: %v asked for, but the course lasts %v", s.Name, length, whole)
	}
	begin := whole - length
	m := s.begin(start.Add(-begin))
	for _, target := range m.Targets() {
		if err := os.MkdirAll(filepath.Join(dir, "scrapes", target.Name), 0o755); err != nil {
			return err
		}
	}
	logs := map[string]*bytes.Buffer{}
	for _, name := range m.LogNames() {
		logs[name] = &bytes.Buffer{}
	}
	var failed error
	s.course(m, func(now time.Duration) {
		spool(m, logs, now <= time.Minute || now > begin)
		if offset := now - begin; offset >= 0 && offset%every == 0 && failed == nil {
			failed = writeScrapes(m, dir, offset)
		}
	})
	if failed != nil {
		return failed
	}
	if err := writeLogs(dir, logs); err != nil {
		return err
	}
	return writeAnswer(filepath.Join(dir, "case.yaml"), s, m.seed(), start)
}

// duration is how long the course takes.
func (s Scenario) duration() time.Duration {
	m := s.begin(time.Time{})
	s.course(m, func(time.Duration) {})
	return m.elapsed()
}

// spool appends the lines logged since the last call, or forgets them.
func spool(m System, logs map[string]*bytes.Buffer, keep bool) {
	for _, name := range m.LogNames() {
		for _, line := range m.Logs(name) {
			if keep {
				logs[name].WriteString(line.Text + "\n")
			}
		}
	}
}

// writeScrapes reads every target's page and writes it.
func writeScrapes(m System, dir string, offset time.Duration) error {
	for _, target := range m.Targets() {
		name := filepath.Join(dir, "scrapes", target.Name, fmt.Sprintf("%04ds", offset/time.Second))
		body := m.scrape(target.Name, m.Now())
		var err error
		if body == nil {
			err = os.WriteFile(name+".meta", []byte("error: "+m.unanswered()+"\n"), 0o644)
		} else {
			err = os.WriteFile(name+".prom", body, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func writeLogs(dir string, logs map[string]*bytes.Buffer) error {
	dir = filepath.Join(dir, "logs")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, lines := range logs {
		if err := os.WriteFile(filepath.Join(dir, name+".log"), lines.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// answerFile is case.yaml.
type answerFile struct {
	Title      string             `yaml:"title"`
	Source     string             `yaml:"source"`
	Confidence string             `yaml:"confidence"`
	Start      time.Time          `yaml:"start"`
	Facts      map[string]float64 `yaml:"facts,omitempty,flow"`
	Expect     answer             `yaml:"expect"`
	Why        string             `yaml:"why"`
}

type answer struct {
	Find          []foundAnswer `yaml:"find"`
	Not           []string      `yaml:"not,omitempty,flow"`
	Unknown       []string      `yaml:"unknown,omitempty,flow"`
	AdviceMust    []string      `yaml:"advice_must,omitempty"`
	AdviceMustNot []string      `yaml:"advice_must_not,omitempty"`
}

type foundAnswer struct {
	ID   string   `yaml:"id"`
	Says []string `yaml:"says,omitempty,flow"`
}

func writeAnswer(name string, s Scenario, seed uint64, start time.Time) error {
	a := answer{
		Find:          []foundAnswer{},
		Not:           s.Expect.Not,
		Unknown:       s.Expect.Unknown,
		AdviceMust:    s.Expect.AdviceMust,
		AdviceMustNot: s.Expect.AdviceMustNot,
	}
	for _, f := range s.Expect.Find {
		a.Find = append(a.Find, foundAnswer(f))
	}
	text, err := yaml.Marshal(answerFile{
		Title:      s.Title,
		Source:     madeBy(s.Name, seed),
		Confidence: "confirmed",
		Start:      start.UTC(),
		Facts:      s.Expect.Facts,
		Expect:     a,
		Why:        s.Expect.Why,
	})
	if err != nil {
		return fmt.Errorf("case %q: %w", s.Name, err)
	}
	return os.WriteFile(name, text, 0o644)
}

// madeBy names the model and, where it draws, the seed.
func madeBy(name string, seed uint64) string {
	source := "made by the lab: capdoctor lab model " + name
	if seed != 0 {
		source += fmt.Sprintf(", seed %d", seed)
	}
	return source
}
