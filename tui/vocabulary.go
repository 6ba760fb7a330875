package tui

import "github.com/capdoctor/capdoctor/rules"

// A vocabulary is what signals are called and counted in, and which diagnosis
// speaks of which.
type vocabulary struct {
	catalog *rules.Catalog // may be nil
	signals map[string]*rules.Signal
	titles  map[systemSignal]string // where a system has its own word for a signal
}

// A systemSignal names a signal of one system.
type systemSignal struct{ system, signal string }

// newVocabulary reads the vocabulary of a catalogue, which may be nil.
func newVocabulary(c *rules.Catalog) vocabulary {
	v := vocabulary{catalog: c, signals: map[string]*rules.Signal{}, titles: map[systemSignal]string{}}
	if c == nil {
		return v
	}
	for _, sig := range c.Signals {
		v.signals[sig.Name] = sig
	}
	for _, system := range c.Systems {
		for signal, title := range system.Titles {
			v.titles[systemSignal{system.ID, signal}] = title
		}
	}
	return v
}

// unit is the unit of a signal; bare numbers where it is not known.
func (v vocabulary) unit(signal string) string {
	if sig := v.signals[signal]; sig != nil {
		return sig.Unit
	}
	return "1"
}

// title is what a signal is called.
func (v vocabulary) title(signal string) string {
	if sig := v.signals[signal]; sig != nil && sig.Title != "" {
		return sig.Title
	}
	return bare(signal)
}

// titleOn is what a signal is called on a system.
func (v vocabulary) titleOn(signal, system string) string {
	if title := v.titles[systemSignal{system, signal}]; title != "" {
		return title
	}
	return v.title(signal)
}

// families are the families of the signals that a diagnosis speaks of.
func (v vocabulary) families(id string) []string {
	if v.catalog == nil || v.catalog.Diagnosis(id) == nil {
		return nil
	}
	var out []string
	for _, signal := range v.catalog.Diagnosis(id).Signals() {
		out = appendNew(out, family(signal))
	}
	return out
}
