// Package lab holds a discrete-event model of the system that fails: an Evento
// server, its thread pool, and an importer that writes through it.
package lab
