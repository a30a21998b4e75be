// Package writing has the parts of a design's writes: a Write has Actions, which are one request,
// and those that come after it. A Table knows how rows are stored, and Requests returns the
// requests of a write for it.
//
// Package design finds the writes that keep what is unique, counted or written together. The
// package is pure, and below it: it knows no designs.
package writing
