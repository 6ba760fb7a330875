package logparse

// A Catalog is the set of patterns and the filter that finds the lines which
// may match one. It is not modified after it was read.
type Catalog struct {
	files    []*PatternFile
	patterns []*Pattern
	places   []catalogPlace // of each pattern
	filter   *Prefilter
	byLit    [][]int32 // literal of the filter → patterns
	own      []*Format // of the files, before the built-in ones
	formats  *Formats
}

// Patterns returns every pattern, in the order in which they are tried.
func (c *Catalog) Patterns() []*Pattern { return c.patterns }

// Place says where a pattern of Patterns stands, as file:line.
func (c *Catalog) Place(pattern int) string { return c.places[pattern].String() }

// Files returns the files of the catalogue by name.
func (c *Catalog) Files() []*PatternFile { return c.files }

// Formats returns the formats of lines: those of the catalogue's files, then the
// built-in ones.
func (c *Catalog) Formats() *Formats { return c.formats }

// Prefilter finds the lines that may match a pattern: all others need not be
// parsed beyond their time and level.
func (c *Catalog) Prefilter() *Prefilter { return c.filter }

// index builds the filter from the templates' literals.
func (c *Catalog) index() error {
	ids := map[string]int32{}
	var literals []string
	for i, p := range c.patterns {
		for _, t := range p.templates {
			l := t.rare
			id, ok := ids[l]
			if !ok {
				id = int32(len(literals))
				ids[l] = id
				literals = append(literals, l)
				c.byLit = append(c.byLit, nil)
			}
			c.byLit[id] = append(c.byLit[id], int32(i))
		}
	}
	var err error
	c.filter, err = NewPrefilter(literals)
	return err
}
