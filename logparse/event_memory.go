package logparse

// eventMemory gives events their strings and slices, in few allocations: names
// come again and again. What it has given out is never changed.
type eventMemory struct {
	known     map[string]string
	scratch   []byte
	textPool  []string
	valuePool []reading
}

// maxKnown bounds the strings that are remembered.
const maxKnown = 4096

// intern returns b as a string.
func (m *eventMemory) intern(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if s, ok := m.known[string(b)]; ok {
		return s
	}
	if m.known == nil || len(m.known) >= maxKnown {
		m.known = map[string]string{}
	}
	s := string(b)
	m.known[s] = s
	return s
}

const poolSize = 1024

// texts returns n strings.
func (m *eventMemory) texts(n int) []string {
	if cap(m.textPool)-len(m.textPool) < n {
		m.textPool = make([]string, 0, max(poolSize, n))
	}
	from := len(m.textPool)
	m.textPool = m.textPool[:from+n]
	return m.textPool[from : from+n : from+n]
}

// readings returns room for n readings.
func (m *eventMemory) readings(n int) []reading {
	if cap(m.valuePool)-len(m.valuePool) < n {
		m.valuePool = make([]reading, 0, max(poolSize, n))
	}
	from := len(m.valuePool)
	m.valuePool = m.valuePool[:from+n]
	return m.valuePool[from : from : from+n]
}
