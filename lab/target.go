package lab

// The targets of a model: the names of its pages and of its logs.
const (
	ServerTarget = "evento-server"
	BundleTarget = "catalog-bundle"
)
