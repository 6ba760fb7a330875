package lab

import (
	"math/rand/v2"
	"time"
)

// A Model is a simulated Evento server with its importer. Its clock moves only
// when it is told to. Two models of one configuration do and say the same,
// whatever steps their clocks move in. A Model may be used by several
// goroutines.
type Model struct {
	clock
	cfg    Config
	times  *rand.Rand // varies times
	ids    *rand.Rand // makes correlation ids, so that logging does not disturb times
	server *server    // the present one, or the last one while it is down
	bundle *bundle
	// serverLog is one file over all runs of the server.
	serverLog journal
}

// New returns a model whose server starts at start. Writers start two seconds
// later, when the bundle has connected.
func New(c Config, start time.Time) *Model {
	m := &Model{cfg: c.bounded(), clock: clock{start: start}}
	m.times = rand.New(rand.NewPCG(c.Seed, 1))
	m.ids = rand.New(rand.NewPCG(c.Seed, 2))
	m.server = bootServer(m)
	m.bundle = newBundle(m)
	return m
}

// Config returns the configuration as it stands now.
func (m *Model) Config() Config {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.cfg
}

// Set changes the configuration while the model runs. Writers and consumers
// that are too many leave when their present request is over; new ones start at
// once, StartEvery apart. The pool takes new limits as a Java pool does: a
// larger core starts threads for what is queued, a larger max or another way of
// growing shows with the next submission. A new deadline holds for requests
// sent from now on.
func (m *Model) Set(change func(*Config)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(&m.cfg)
	m.cfg = m.cfg.bounded()
	m.server.reconfigure()
	if m.agenda.now >= startup {
		m.bundle.staff()
	}
}

func (m *Model) now() time.Duration { return m.agenda.now }

// vary returns d, up to Jitter longer or shorter.
func (m *Model) vary(d time.Duration) time.Duration {
	return d + time.Duration((2*m.times.Float64()-1)*m.cfg.Jitter*float64(d))
}

func (m *Model) seed() uint64 { return m.Config().Seed }
