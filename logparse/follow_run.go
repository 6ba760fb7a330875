package logparse

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Run follows the log until ctx is done. It reads whenever something changes in
// the log's folder, and at every tick, which is enough where changes are not
// told; after a tick without news the last record is handed out, too. It
// returns the first error of reading; that ctx is done is none.
func (f *Follower) Run(ctx context.Context, ticks <-chan time.Time, hand func(*Record)) error {
	watcher, events := f.watch()
	if watcher != nil {
		defer watcher.Close()
	}
	idle := false
	for {
		news, err := f.Poll(hand)
		if err != nil {
			return err
		}
		idle = idle && !news
		select {
		case <-ctx.Done():
			return nil
		case _, ok := <-ticks:
			if !ok {
				return nil
			}
			if idle {
				f.Flush(hand)
			}
			idle = true
		case _, ok := <-events:
			if !ok {
				events = nil
			}
		}
	}
}

// watch begins to watch the folders of the log and of what it is a link to. It
// returns nil when the system cannot.
func (f *Follower) watch() (*fsnotify.Watcher, <-chan fsnotify.Event) {
	w, err := fsnotify.NewBufferedWatcher(64)
	if err != nil {
		return nil, nil
	}
	if w.Add(filepath.Dir(f.path)) != nil {
		w.Close()
		return nil, nil
	}
	if real, err := filepath.EvalSymlinks(f.path); err == nil {
		w.Add(filepath.Dir(real)) // an error leaves the ticks
	}
	return w, w.Events
}
