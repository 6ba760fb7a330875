package tui

import (
	"fmt"
	"io"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func BenchmarkView(b *testing.B) {
	for _, w := range worlds {
		for _, size := range sizes {
			b.Run(fmt.Sprintf("%s/%dx%d", w.name, size[0], size[1]), func(b *testing.B) {
				m := sized(watching(b, w.build(), Options{}), size[0], size[1])
				b.ReportAllocs()
				for b.Loop() {
					_ = m.View()
				}
			})
		}
	}
}

// BenchmarkScreens draws every screen at the largest size.
func BenchmarkScreens(b *testing.B) {
	m := sized(watching(b, collapse(), Options{}), 200, 60)
	for id, name := range screenNames {
		b.Run(name, func(b *testing.B) {
			m := press(m, string(rune('1'+id)))
			for b.Loop() {
				_ = m.View()
			}
		})
	}
}

// BenchmarkFrame takes a frame and reads for it what the overview shows.
func BenchmarkFrame(b *testing.B) {
	for _, w := range worlds {
		b.Run(w.name, func(b *testing.B) {
			world := w.build()
			m := sized(watching(b, world, Options{}), 200, 60)
			for b.Loop() {
				m.scene.reading.want = want{}
				m = feed(m, Frame{Report: world.report})
			}
		})
	}
}

// BenchmarkProgram runs a whole program, one frame after the other, and draws
// each: what a frame costs with the renderer. At 1 Hz the share of a core is this
// times one per second.
func BenchmarkProgram(b *testing.B) {
	for _, w := range worlds {
		b.Run(w.name+"/200x60", func(b *testing.B) {
			world := w.build()
			frames := make(chan Frame)
			in, keys := io.Pipe()
			done := make(chan error)
			go func() {
				_, err := run(b.Context(), in, io.Discard, Options{Store: world.store, Frames: frames, Start: noon, Catalog: wordCatalog()}, tea.WithWindowSize(200, 60))
				in.Close()
				done <- err
			}()
			for b.Loop() {
				r := *world.report
				frames <- Frame{Report: &r}
			}
			if _, err := io.WriteString(keys, "q"); err != nil {
				b.Fatal(err)
			}
			if err := <-done; err != nil {
				b.Fatal(err)
			}
		})
	}
}
