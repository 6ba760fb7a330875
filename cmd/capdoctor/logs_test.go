package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/rules"
)

// TestLinesAreNumberedOn holds that a log that is read bit by bit numbers its
// lines as one file, and that a line is told alike as evidence and in the list.
func TestLinesAreNumberedOn(t *testing.T) {
	catalog, err := rules.Default()
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(catalog, func() (*logparse.Catalog, error) { return logparse.LoadCatalog() }, false)
	l, err := s.newLogs(logparse.GridOptions{Step: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 7, 2, 9, 0, 0, 0, time.UTC)
	const line = "%s WARN  [bundle] c.e.Bundle - event=bundle_correlation_expired count=1 pending=8 byType={Add=1}\n"
	for i := range 3 {
		at := start.Add(time.Duration(i) * time.Second)
		text := strings.Repeat(fmt.Sprintf(line, at.Format("2006-01-02 15:04:05,000")), 2)
		if err := l.follow(strings.NewReader(text), "folder/bundle.log", "bundle", at); err != nil {
			t.Fatal(err)
		}
	}
	lines := l.lines("", "", 100)
	if len(lines) != 6 {
		t.Fatalf("%d lines: %v", len(lines), lines)
	}
	for i, x := range lines {
		if x.Number != int64(i+1) || x.File != "bundle.log" {
			t.Errorf("line %d is told as %s:%d", i+1, x.File, x.Number)
		}
	}
	quoted := l.quote("bundle", "bundle_correlation_expired", nil, start, start.Add(time.Minute), 1)
	if len(quoted) != 1 || quoted[0] != lines[5] {
		t.Errorf("as evidence %v, in the list %v", quoted, lines[5])
	}
}
