package lab

import "time"

// Pages returns the metric pages of the model's targets as they would be read
// now, in the text format 0.0.4. A server that is down has none. Reading
// changes nothing.
func (m *Model) Pages() map[string][]byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.pages()
}

func (m *Model) pages() map[string][]byte {
	pages := map[string][]byte{BundleTarget: m.bundle.page()}
	if !m.server.life.over {
		pages[ServerTarget] = m.server.page()
	}
	return pages
}

// scrapeTime is how long the server works on its page.
const scrapeTime = 4 * time.Millisecond

// scraped notes that the server has answered a scrape: its page counts them.
func (m *Model) scraped() {
	if !m.server.life.over {
		m.server.scrapes.see(m.agenda.now, scrapeTime)
	}
}
