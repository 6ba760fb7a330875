package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/logparse"
)

// TestLastTimeIsReadFromTheEnd holds that of a large file only the end is read:
// a wrong time far before it is not seen, nor is the line that the end begins in.
func TestLastTimeIsReadFromTheEnd(t *testing.T) {
	last := time.Date(2026, 3, 2, 10, 0, 5, 0, time.UTC)
	line := "2026-03-02T10:00:00.000Z  INFO 1 --- [shop] [main] c.acme.shop.Orders : order 17 stored\n"
	for name, further := range map[string]string{"lines": "", "a trace": strings.Repeat("\tat com.acme.shop.Orders.store(Orders.java:17)\n", 1100)} {
		text := "2031-03-02T10:00:00.000Z  INFO 1 --- [shop] [main] c.acme.shop.Orders : a broken clock\n" +
			strings.Repeat(line, 3*tailSize/len(line)) + further + strings.Repeat(line, (tailSize-len(further)/2)/len(line)) +
			strings.Replace(line, "10:00:00", "10:00:05", 1)
		file := filepath.Join(t.TempDir(), "app.log")
		write(t, file, text)
		got, err := lastTime(t.Context(), file, logparse.Options{})
		if err != nil || !got.Equal(last) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, last)
		}
	}
}

// TestLastTimeOfANewestFirstLog holds that the last time is that of the newest
// record also where a file begins with it, whether a stamp has a date or not.
func TestLastTimeOfANewestFirstLog(t *testing.T) {
	last := time.Date(2026, 3, 2, 10, 0, 5, 0, time.UTC)
	for name, layout := range map[string]string{
		"with a date": "2006-01-02T15:04:05.000Z  INFO 1 --- [shop] [main] c.acme.shop.Orders : order",
		"without":     "15:04:05.000 [main] INFO com.acme.shop.Orders - order",
	} {
		var text strings.Builder
		for i := 0; text.Len() < 3*tailSize; i++ {
			fmt.Fprintf(&text, "%s %d stored\n", last.Add(-time.Duration(i)*100*time.Millisecond).Format(layout), i)
		}
		file := filepath.Join(t.TempDir(), "app.log")
		write(t, file, text.String())
		got, err := lastTime(t.Context(), file, logparse.Options{Base: last})
		if err != nil || !got.Equal(last) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, last)
		}
	}
}
