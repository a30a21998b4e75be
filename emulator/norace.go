//go:build !race

package emulator

// raceDetector is true in builds for the race detector, which are for tests.
const raceDetector = false
