// Package zoo has small programs with bugs that lie in the order of requests and in failures, as
// real code bases have them. Each is there in a broken and a mended form. The tests have package
// explore find what is wrong with the one, with as few switches between workers as a person would
// draw, and try all orders of the other.
//
//	go test -v ./emulator/explore/zoo
//
// prints how many runs each took. The tests need Go 1.25 or later, with which a worker that sleeps
// takes no time.
package zoo
