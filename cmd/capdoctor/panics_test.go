package main

import (
	"context"
	"os"

	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/tui"
)

// panicking is a command whose dashboard meets a panic in a goroutine once it is
// on the screen.
func panicking() {
	f := screenFlags{theme: "dark", zone: "UTC", failOn: rules.Warning}
	io := streams{os.Stdin, os.Stdout, os.Stderr}
	catalog, err := rules.Default()
	if err != nil {
		complain(io.err, err)
		os.Exit(exitUsage)
	}
	s := newSession(catalog, loadedOnce(nil), false)
	err = f.show(context.Background(), io, f.dashboard(s, io), func(ctx context.Context, frames chan<- tui.Frame) error {
		if err := send(ctx, frames, tui.Frame{Report: s.nothing()}); err != nil {
			return err
		}
		panic("in a goroutine")
	})
	if err != nil {
		complain(io.err, err)
		os.Exit(exitUsage)
	}
}
