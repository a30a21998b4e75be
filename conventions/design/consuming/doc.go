// Package consuming says what the consumer of the stream of a plan's table does for a record: which
// copies, feeds and counters it changes, in which order, and what it does once. Package render
// writes that down as code for Go and TypeScript, and render/running does it for any plan with the
// same support code; neither decides anything.
package consuming
