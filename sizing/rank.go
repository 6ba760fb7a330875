package sizing

// NearestRank returns the p-th percentile (0 < p ≤ 100) of values in ascending
// order: the value at rank ceil(p/100 · n), counted from 1. It is false for no
// values: no data is not 0.
func NearestRank(sorted []float64, p float64) (float64, bool) {
	r := rank(p, float64(len(sorted)))
	if r < 1 || r > float64(len(sorted)) {
		return 0, false
	}
	return sorted[int(r)-1], true
}

// rank is the nearest rank of the p-th percentile among n.
func rank(p, n float64) float64 { return ceil(p / 100 * n) }
