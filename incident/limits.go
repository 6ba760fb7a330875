package incident

// Bounds on what is read. A recording of 10 targets at 1 s for an hour has
// 72,000 entries of together some GB.
const (
	maxEntries  = 200_000
	maxTotal    = 8 << 30   // bytes of all entries
	maxBody     = 64 << 20  // bytes of one scrape
	maxTimed    = 256 << 20 // bytes of one file of timed samples
	maxSmall    = 1 << 20   // bytes of case.yaml
	maxMeta     = 16 << 10  // bytes of a .meta, .status or .delay
	maxTargets  = 10_000
	maxLogs     = 256
	maxName     = 512       // bytes of an entry's path
	maxInMemory = 64 << 20  // a .capdoctor file whose content is not larger is read once
	maxWindow   = 32 << 20  // bytes of history that the decompressor may need
	writeWindow = 8 << 20   // bytes of history that a recording uses
	freeRatio   = 256 << 20 // bytes that may come out before maxRatio counts
	maxRatio    = 5_000     // bytes out per byte in
)
