package main

import (
	"fmt"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// unseenPeaks says where reads are further apart than the window in which a
// limit counts: what happens between two of them is not seen.
func unseenPeaks(r *rules.Report) []string {
	for _, f := range r.Facts {
		if f.Name != "window_seconds" || f.Value <= 0 {
			continue
		}
		window := time.Duration(f.Value * float64(time.Second))
		for _, in := range r.Inputs {
			if in.Name == f.Instance && in.Kind != "log" && in.Interval > window {
				return []string{fmt.Sprintf("A limit counts within %s and was read every %s: peaks between two reads cannot be seen. "+
					"--burst reads once a second.", rules.Duration(window), rules.Duration(in.Interval))}
			}
		}
	}
	return nil
}
