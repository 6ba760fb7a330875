package lab

// The targets of an Evento model: the names of its pages and of its logs.
const (
	ServerTarget = "evento-server"
	BundleTarget = "catalog-bundle"
)

const actuatorPath = "/actuator/prometheus"

// Targets lists the server and the bundle.
func (m *Model) Targets() []Target {
	return []Target{{ServerTarget, actuatorPath}, {BundleTarget, actuatorPath}}
}

// LogNames lists the server and the bundle.
func (m *Model) LogNames() []string { return []string{ServerTarget, BundleTarget} }
