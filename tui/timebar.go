package tui

import (
	"strings"
	"time"
)

// timeBar shows where in the history the screen stands.
func (s *scene) timeBar(columns int) row {
	from, to := s.clock.between(s.play.from, s.play.from, s.play.to), s.clock.between(s.play.to, s.play.from, s.play.to)
	keys := "   ← → one scrape   n next   f live"
	if s.mode != Live {
		keys = "   ← → one scrape   n next   f newest"
	}
	room := columns - len(from) - len(to) - 2 - width(keys)
	if room < 20 {
		keys, room = "", columns-len(from)-len(to)-2
	}
	cells := strings.Split(strings.Repeat("─", max(0, room)), "")
	place := func(t time.Time, glyph string) {
		span := s.play.to.Sub(s.play.from)
		if span <= 0 || len(cells) == 0 {
			return
		}
		i := int(float64(len(cells)-1) * float64(t.Sub(s.play.from)) / float64(span))
		cells[max(0, min(i, len(cells)-1))] = glyph
	}
	for _, t := range s.play.marks {
		place(t, "■")
	}
	place(s.frame.Report.At, "●")
	p := s.theme.pen(columns)
	p.put(plain, from+" ").put(frozen, strings.Join(cells, "")).put(plain, " "+to).put(note, keys)
	return p.row()
}
