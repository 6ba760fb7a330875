package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/rules"
)

// clocks compares the clocks of logs by the ids that several of them name.
type clocks struct {
	first map[string]map[string]time.Time // instance → id → when it was first named
}

// Bounds of what is compared, and of what is worth telling.
const (
	mostIDs   = 1 << 14 // of one log
	leastIDs  = 5       // that two logs have in common
	leastSkew = 500 * time.Millisecond
)

// idKeys are how lines name the id of a request.
var idKeys = [][]byte{
	[]byte("correlationId="), []byte("correlation_id="), []byte("requestId="), []byte("request_id="),
	[]byte("traceId="), []byte("trace_id="), []byte("jobId="), []byte("messageId="),
}

// note takes the ids of a record.
func (c *clocks) note(instance string, r *logparse.Record) {
	if r.Time.IsZero() {
		return
	}
	for _, key := range idKeys {
		i := bytes.Index(r.Message, key)
		if i < 0 {
			continue
		}
		id := r.Message[i+len(key):]
		if end := bytes.IndexAny(id, " ,;\"')]}|\t"); end >= 0 {
			id = id[:end]
		}
		c.put(instance, id, r.Time)
	}
}

func (c *clocks) put(instance string, id []byte, at time.Time) {
	if c.first == nil {
		c.first = map[string]map[string]time.Time{}
	}
	ids := c.first[instance]
	if ids == nil {
		ids = map[string]time.Time{}
		c.first[instance] = ids
	}
	if len(id) < 4 || len(id) > 64 || len(ids) >= mostIDs {
		return
	}
	if old, ok := ids[string(id)]; !ok || at.Before(old) {
		ids[string(id)] = at
	}
}

// estimates says which logs name the same ids at different times, one sentence
// for each pair: their clocks may differ, or what they log takes that long.
func (c *clocks) estimates() []string {
	var notes []string
	names := slices.Sorted(maps.Keys(c.first))
	for i, a := range names {
		for _, b := range names[i+1:] {
			if s := c.estimate(a, b); s != "" {
				notes = append(notes, s)
			}
		}
	}
	return notes
}

func (c *clocks) estimate(a, b string) string {
	var apart []time.Duration
	for id, at := range c.first[a] {
		if other, ok := c.first[b][id]; ok {
			apart = append(apart, other.Sub(at))
		}
	}
	if len(apart) < leastIDs {
		return ""
	}
	slices.SortFunc(apart, cmp.Compare[time.Duration])
	n := len(apart)
	low, middle, high := apart[n/10], apart[n/2], apart[n-1-n/10]
	if middle < 0 {
		a, b, low, middle, high = b, a, -high, -middle, -low
	}
	if middle < leastSkew || high-low > middle/2 {
		return "" // too little, or not the same for all
	}
	return fmt.Sprintf("%s names %d ids %s later than %s does (%s to %s): if its clock is fast, --skew %s=-%s",
		b, n, rules.Duration(middle), a, rules.Duration(low), rules.Duration(high), b, middle.Round(time.Millisecond))
}
