//go:build !race

package httpd

// RaceDetector is true in builds for the race detector, which are for tests.
const RaceDetector = false
