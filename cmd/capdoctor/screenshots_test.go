package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/cmd/internal/termsvg"
	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/lab"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/tui"
)

// A screenshot is one picture of the documentation.
type screenshot struct {
	name, title string
	key         string   // of the screen, in a replay that has come to its end
	shows       []string // texts that must be seen
}

// screenshots of a replay and of a drill, each drawn at two sizes.
var (
	replayShots = []screenshot{
		{"overview", "The dashboard: what is wrong, what proves it, what to do first", "1", []string{"CRITICAL", "Do first"}},
		{"playbook", "The steps in their order, and what not to do", "3", []string{"Do not", "Risk low"}},
		{"limits", "The limits on the way of a request", "7", []string{"binding", "in reach"}},
	}
	drillShot = screenshot{"drill", "A drill: turning the knobs of a model", "", []string{"DRILL", "recovered", "best known"}}
	shotSizes = [][2]int{{120, 36}, {80, 24}}
)

// TestScreenshots draws the pictures of the documentation. With -update, which make
// screenshots gives, it draws them twice, to see that they do not differ, and
// writes them.
func TestScreenshots(t *testing.T) {
	pictures := drawAll(t)
	if !*update {
		return
	}
	again := drawAll(t)
	for name, svg := range pictures {
		if !bytes.Equal(svg, again[name]) {
			t.Errorf("%s: drawn twice, the picture differs", name)
		}
		if err := os.WriteFile(filepath.Join("../../docs", name+".svg"), svg, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// drawAll draws every picture, by its name.
func drawAll(t *testing.T) map[string][]byte {
	t.Helper()
	pictures := map[string][]byte{}
	add := func(s screenshot, size [2]int, screen string) {
		name := fmt.Sprintf("%s-%dx%d", s.name, size[0], size[1])
		var b bytes.Buffer
		if err := termsvg.Write(&b, s.title, screen); err != nil {
			t.Fatal(err)
		}
		for _, text := range s.shows {
			if !strings.Contains(textOf(t, b.Bytes()), text) {
				t.Errorf("%s does not show %q", name, text)
			}
		}
		pictures[name] = b.Bytes()
	}
	replay, drill := replayStill(t), drillStill(t)
	for _, size := range shotSizes {
		replay.Resize(size[0], size[1])
		for _, s := range replayShots {
			replay.Press(s.key)
			add(s, size, replay.Screen())
		}
		drill.Resize(size[0], size[1])
		add(drillShot, size, drill.Screen())
	}
	return pictures
}

// textOf is the text of a picture, which must be well-formed.
func textOf(t *testing.T, svg []byte) string {
	t.Helper()
	var text strings.Builder
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return text.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		if c, ok := token.(xml.CharData); ok {
			text.Write(c)
		}
	}
}

// replayStill is the recorded incident, at its end.
func replayStill(t *testing.T) *tui.Still {
	t.Helper()
	still, err := stillOf(t.Context(), "../../fixtures/evento-collapse")
	if err != nil {
		t.Fatal(err)
	}
	return still
}

// stillOf is the dashboard on a case, at its end.
func stillOf(ctx context.Context, folder string) (*tui.Still, error) {
	catalog, err := rules.Default()
	if err != nil {
		return nil, err
	}
	c, err := incident.Open(folder)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	session := newSession(catalog, loadedOnce(nil), true)
	if err := session.openCase(c); err != nil {
		return nil, err
	}
	still := tui.NewStill(ctx, tui.Options{
		Store: session.store, Catalog: catalog, Start: c.Start, Mode: tui.Replay, Targets: session.instances(), Lines: session.caseLines,
	})
	err = session.feedCase(ctx, c, time.Time{}, func(time.Time) error {
		r, err := session.report(ctx)
		still.Frame(tui.Frame{Report: r})
		return err
	})
	if err != nil {
		return nil, err
	}
	still.End()
	return still, nil
}

// drillStill is the collapse, played until it is over: after a minute the person
// does what capdoctor says.
func drillStill(t *testing.T) *tui.DrillStill {
	t.Helper()
	catalog, err := rules.Default()
	if err != nil {
		t.Fatal(err)
	}
	scenario, err := lab.Find("collapse")
	if err != nil {
		t.Fatal(err)
	}
	g, err := newGame(catalog, loadedOnce(nil), scenario, 4, time.Date(2026, 7, 2, 9, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	if err := g.study(t.Context()); err != nil {
		t.Fatal(err)
	}
	o := drillOptions{advice: true, speed: 4, scenario: scenario, streams: streams{nil, io.Discard, io.Discard}}
	show := o.screen(g, nil)
	show.Display = tui.Display{}
	still := tui.NewDrillStill(t.Context(), show)
	for over := false; !over; {
		f, err := g.next(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		still.Frame(f)
		if f.At == time.Minute {
			still.Press("a")
		}
		over = f.Over
	}
	return still
}
