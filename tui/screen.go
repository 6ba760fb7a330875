package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/capdoctor/capdoctor/rules"
)

// A screenID is one of the screens, by its digit less one.
type screenID int

const (
	overviewScreen screenID = iota
	findingScreen
	playbookScreen
	coverageScreen
	signalsScreen
	logsScreen
	limitsScreen
	screens
)

var screenNames = [screens]string{"over", "finding", "playbook", "coverage", "signals", "logs", "limits"}

// newScreens are the screens as they are at the start, by digit.
func newScreens() [screens]screen {
	return [screens]screen{
		overviewScreen: overview{},
		findingScreen:  findingView{},
		playbookScreen: playbook{},
		coverageScreen: coverageView{},
		signalsScreen:  signalsView{},
		logsScreen:     logsView{},
		limitsScreen:   limitsView{},
	}
}

// A screen is what stands between the first rows and the last. Screens are
// values: update returns the next one.
type screen interface {
	update(s *scene, k *keyMap, msg tea.KeyPressMsg) (screen, intent)
	view(s *scene, width, height int) []row
	// wants adds what the screen has to know to what is read.
	wants(s *scene, w *want)
	// hints are the keys worth showing in the last row.
	hints(s *scene, k *keyMap) []key.Binding
	// editing tells that keys are typed into a filter, which prompt shows.
	editing() bool
	prompt() string
}

// An intent is what a screen asks for beside its own change. The zero value asks
// for nothing.
type intent struct {
	open    *screenID
	back    bool
	target  *string     // the target to show in detail
	finding *findingKey // the finding to show in detail
	mark    *planned    // a step to mark done, or not done
	line    *rules.Line // a log line to go to
	refresh bool        // read the page of the target in full
	say     string      // tell in the last row
}

func open(id screenID) intent { return intent{open: &id} }

// step reads how far a key moves a cursor in a list; ok is false for other keys.
func (k *keyMap) step(msg tea.KeyPressMsg, count, page int) (n int, ok bool) {
	switch {
	case key.Matches(msg, k.Down):
		return 1, true
	case key.Matches(msg, k.Up):
		return -1, true
	case key.Matches(msg, k.First):
		return -count, true
	case key.Matches(msg, k.Last):
		return count, true
	case key.Matches(msg, k.PageDown):
		return page, true
	case key.Matches(msg, k.PageUp):
		return -page, true
	}
	return 0, false
}
