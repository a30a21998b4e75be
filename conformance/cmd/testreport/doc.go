// Testreport runs a command that runs "go test", "go test work" if none is given, and prints at its
// end what a person wants to know:
//
//   - the ten packages whose tests took the most CPU time
//   - the tests that were skipped, with the reason that each gives
//   - the output of the tests that failed, last
//
// The command is run as it is, with two flags in GOFLAGS: -json, and -exec with this program, which
// measures the CPU time of each test program and of the processes that it started and waited for.
//
//	go run ./conformance/cmd/testreport go test work
//
// With -budget the run fails when all tests together take more CPU seconds than that, or when one
// package takes more than its -share of it. CPU time, unlike wall time, is nearly the same on a
// busy machine. A package whose result comes from the cache takes none.
package main
