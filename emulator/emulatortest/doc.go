// Package emulatortest gives each Go test a DynamoDB of its own, in the process of the test, and
// clients of the AWS SDK for Go v2 for it:
//
//	func TestStore(t *testing.T) {
//		client := emulatortest.Start(t).Client()
//		...
//	}
//
// The test starts no server, waits for nothing and uses no port: a request is a function call. A
// suite that needs data makes it once. Each test, parallel or not, then uses a fork of it (Fork). A
// fork takes microseconds, whatever the amount of data.
//
//   - A test that depends on time holds the clock (WithHeldClock) and moves it.
//   - A test that depends on limits sets smaller ones (emulator.WithLimits).
//   - A test that compares the whole content of tables uses a golden file (Server.Golden).
//   - A test that depends on the cost of its code sets budgets of units, and forbids scans
//     (Record).
//   - Code that makes its own clients gets a URL (Server.URL).
//
// The directory example is a module to copy.
//
// With the real clock, which is the default, the test deletes expired items by calling
// Emulator.ExpireItems. After a call of URL, expired items are also deleted every second.
//
// Of the emulator's packages only this one links the SDK. It does not link package testing.
//
// # What a request costs
//
// CPU time of GetItem and PutItem of 1 KB (BenchmarkRequest), on two cores of an AMD EPYC. The
// floor is the time that the SDK itself takes, with canned answers and without signing.
//
//	                             GetItem   PutItem
//	floor                          45 µs     42 µs
//	Client                         53 µs     51 µs
//	a server at Server.URL        160 µs    165 µs
//	at the Initialize step         29 µs     28 µs
//
// The last line is an experiment (initialize_test.go): a middleware that answers in the SDK's first
// step, before serialization. It halves the time of a request, but is not part of this package: it
// would skip what tests of an application should see, such as retries, client-side validation,
// error metadata, request ids, and the middleware of the application. It would also need an encoder
// and a decoder for each operation, written by hand.
package emulatortest
