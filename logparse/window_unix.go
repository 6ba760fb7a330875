//go:build unix

package logparse

import (
	"os"
	"syscall"
	"unsafe"
)

// A window is a part of a file that is read where the system keeps it, which
// saves copying it.
type window struct {
	text   []byte
	mapped []byte // text and what stands before it in its page
}

// open maps a part of a file of n bytes. Where that cannot be done text is
// empty, and the part is to be read.
func (w *window) open(f *os.File, from, n int64) {
	within := from % int64(os.Getpagesize())
	m, err := syscall.Mmap(int(f.Fd()), from-within, int(within+n), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return
	}
	w.mapped, w.text = m, m[within:]
}

// close ends the use of the text.
func (w *window) close() {
	if w.mapped != nil {
		syscall.Munmap(w.mapped) // fails only for what was not mapped
	}
	w.text, w.mapped = nil, nil
}

// holds says whether an address lies in the window.
func (w *window) holds(address uintptr) bool {
	return address-uintptr(unsafe.Pointer(unsafe.SliceData(w.mapped))) < uintptr(len(w.mapped))
}
