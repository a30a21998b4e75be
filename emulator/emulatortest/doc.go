// Package emulatortest gives each Go test a DynamoDB of its own, in the process of the test, and
// clients of the AWS SDK for Go v2 for it. The test starts no server, waits for nothing and uses no
// port: a request is a function call.
//
// # Start, Template or Fork
//
// Take Start for a test that makes its own tables:
//
//	func TestStore(t *testing.T) {
//		client := emulatortest.Start(t).Client()
//		...
//	}
//
// Take Template for tests that begin with the same tables and items. They are made once. Each test,
// parallel or not, then gets a fork, which takes microseconds, whatever the amount of data:
//
//	var newShop = emulatortest.Template(func(t testing.TB, server *emulatortest.Server) {
//		server.Seed(t, "testdata/shop")
//	})
//
//	func TestOrder(t *testing.T) {
//		client := newShop(t).Client()
//		...
//	}
//
// Take Server.Fork for subtests that begin with what their test has prepared, and the function Fork
// for an emulator.Emulator of your own.
//
// # What a server offers
//
//   - A test that depends on time holds the clock (WithClockAt) and moves it (Server.Clock).
//   - A test that depends on limits sets smaller ones (emulator.WithLimits).
//   - A test of retries and lost answers injects faults (Server.SetFaults).
//   - A test looks at what is stored (Server.Item, Server.Items), or compares it with a golden file
//     (Server.Golden).
//   - A test that depends on the cost of its code sets budgets of units, and forbids scans
//     (Record).
//   - Code that makes its own clients gets a URL (Server.URL).
//
// Whatever fails, fails the test at the line of the test that called this package. The directory
// example is a module to copy.
//
// With the real clock, which is the default, the test deletes expired items by calling
// Server.ExpireItems. After a call of URL, expired items are also deleted every second.
//
// Of the emulator's packages only this one links the SDK. It does not link package testing.
//
// # What a request costs
//
// CPU time of GetItem and PutItem of 1 KB (BenchmarkRequest), on one core of an AMD EPYC. The floor
// is the time that the SDK itself takes, with canned answers and without signing.
//
//	                             GetItem   PutItem
//	floor                          26 µs     22 µs
//	Client                         30 µs     28 µs
//	Client with Direct             26 µs     23 µs
//	a server at Server.URL         81 µs     86 µs
//
// A test that takes a fork and sends five requests takes 300 µs (BenchmarkSuite, tests in
// parallel): the SDK itself takes 210 µs of them, and the fork 4 µs.
package emulatortest
