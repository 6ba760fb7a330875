package main

import (
	"bytes"
	"fmt"
	"time"

	"github.com/capdoctor/capdoctor/incident"
)

// A tape keeps what was read of a model, so that a run can be saved as a case.
type tape []shot

// A shot is one reading of the pages and of what the logs had got since the last.
type shot struct {
	at          time.Time
	pages, logs map[string][]byte // by target; no page while it is down
}

// shoot reads the model.
func (g *game) shoot(at time.Time) shot {
	s := shot{at: at, pages: g.model.Pages(), logs: map[string][]byte{}}
	for _, name := range g.model.LogNames() {
		var b bytes.Buffer
		for _, line := range g.model.Logs(name) {
			b.WriteString(line.Text)
			b.WriteByte('\n')
		}
		s.logs[name] = b.Bytes()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.tape = append(g.tape, s)
	return s
}

// save writes the run so far into the working folder and returns the path.
func (g *game) save() (string, error) {
	g.mu.Lock()
	tape := g.tape
	g.mu.Unlock()
	path := fmt.Sprintf("capdoctor-drill-%s-%s%s", g.scenario.Name, g.start.UTC().Format("20060102T150405Z"), incident.Extension)
	w, err := incident.Create(path, incident.Options{})
	if err != nil {
		return "", err
	}
	if err := g.write(w, tape); err != nil {
		w.Close() // the first error says more
		return "", err
	}
	return path, w.Close()
}

func (g *game) write(w *incident.Writer, tape tape) error {
	err := w.SetCase(incident.Case{
		Title: "drill " + g.scenario.Name + ": " + g.scenario.Title, Source: "a drill of capdoctor " + versionText(),
		Start: g.start, Facts: factTexts(g.scenario.Expect.Facts),
	})
	if err != nil {
		return err
	}
	for _, s := range tape {
		for _, name := range modelTargets {
			m := incident.Meta{Status: 200, ContentType: "text/plain; version=0.0.4"}
			body, up := s.pages[name]
			if !up {
				m = incident.Meta{Error: "connection refused: the server was restarted"}
			}
			if err := w.AddScrape(name, s.at, m, body); err != nil {
				return err
			}
			if len(s.logs[name]) == 0 {
				continue
			}
			if err := w.AppendLog(name+".log", s.at, s.logs[name]); err != nil {
				return err
			}
		}
	}
	return nil
}

// factTexts writes facts as a case does.
func factTexts(facts map[string]float64) map[string]string {
	out := map[string]string{}
	for name, v := range facts {
		out[name] = fmt.Sprint(v)
	}
	return out
}
