// Package consuming says what the consumer of the stream of a plan's table does for a record: which
// copies, feeds and counters it changes, in which order, and what it does once. Package render
// writes that down as code for Go and TypeScript, and package proof of the emulator does it in all
// orders of requests; neither decides anything.
package consuming
