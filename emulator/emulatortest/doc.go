// Package emulatortest gives Go tests a DynamoDB of their own, in their process,
// with the clients of the AWS SDK for Go v2 that reach it:
//
//	func TestStore(t *testing.T) {
//		client := emulatortest.Start(t).Client()
//		...
//	}
//
// Nothing is started, awaited or stopped, and no port is used: a request is a call
// of a function. A suite that needs data makes it once, and gives each test, also
// parallel ones, a fork (Fork), which costs microseconds whatever the amount of
// data. A test that depends on time holds the clock (WithHeldClock) and moves it; one
// that depends on limits scales them down (emulator.WithLimits); one that compares
// all that a table holds has a golden file (Server.Golden); one that depends on what its
// code costs has budgets of units, and tables that must not be scanned (Record). Code that makes its own
// clients gets a URL (Server.URL). Directory example has a module to copy.
//
// With the real clock, which is the default, items that expire by TTL are deleted
// when the test calls Emulator.ExpireItems, and every second once it has called URL.
//
// This package is the only one of the emulator's that links the SDK; it does not link testing.
//
// # What a request costs
//
// GetItem and PutItem of 1 KB, in CPU time on a machine with two cores of an AMD
// EPYC (BenchmarkRequest; medians of twelve runs on a machine that is in use, which
// differ by a fifth from one to the next). The floor is what the SDK takes by
// itself: canned answers of an HTTP client, unsigned.
//
//	                             GetItem   PutItem
//	floor                          45 µs     42 µs
//	Client                         53 µs     51 µs
//	a server at Server.URL        160 µs    165 µs
//	at the Initialize step         29 µs     28 µs
//
// The last line is an experiment (initialize_test.go): a middleware that answers in
// the SDK's first step, before it serializes anything. An answer that is there
// already costs 21 µs there. To have one engine, and not a second one that drifts,
// the typed values go to it as wire JSON, by an encoder and a decoder that are
// written for them: that takes 8 µs, and so a request takes half of what Client
// takes. It was left out, for what it would cost to be right. It skips what tests
// of an application are to see: the retries, the client-side validation, the
// serializer's refusals, errors with their metadata and request ids, and the
// middleware that the application adds after the Initialize step. Each of 29
// operations needs its typed encoder and decoder, and each new member of the model
// must be added to them by hand, or is silently lost. 24 µs of 53 are not worth that
// to a test that does a thousand requests: it would save 24 ms.
package emulatortest
