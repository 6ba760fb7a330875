// Package incident reads and writes incidents, which are also called cases: what
// was scraped and logged during one, with the times, and optionally the right
// answer.
//
// An incident is a folder or the same folder packed as one .capdoctor file, a
// tar compressed with zstd:
//
//	case.yaml                         title, start, facts, the expected answer
//	scrapes/<target>/<offset>s.prom   a body as the target sent it
//	scrapes/<target>/<offset>s.meta   optional: status, duration_ms, content_type, error, offset_ms
//	scrapes/<target>.om               or all bodies of a target as OpenMetrics with timestamps
//	logs/<name>                       a log, or a folder of its parts in order
//
// Beside a body may stand, instead of .meta, a .status (HTTP status; without a
// body the target sent none) or a .delay (milliseconds that the answer took;
// without a body it is the one before it).
//
// The package knows the files and nothing of what is in them: bodies, log lines
// and diagnosis ids mean nothing here. Everything it reads may be hostile, so
// sizes and counts are bounded and nothing outside the incident is touched.
package incident
