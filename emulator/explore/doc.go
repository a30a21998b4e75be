// Package explore runs a test's concurrent workers in every order of their requests.
//
// A test with two goroutines shows one order of their requests, by chance. Run shows all of them:
//
//	var newShop = emulatortest.Template(func(t testing.TB, server *emulatortest.Server) {
//		server.Seed(t, "testdata/shop")
//	})
//
//	func TestReserve(t *testing.T) {
//		explore.Run(t, newShop, func(x *explore.X) {
//			for _, name := range []string{"alice", "bob"} {
//				x.Go(name, func(ctx context.Context, db *dynamodb.Client) error {
//					return NewStore(db).Reserve(ctx, "sku1")
//				})
//			}
//			x.Check(func(ctx context.Context, db *dynamodb.Client) error {
//				return stockPlusReservationsIsTen(ctx, db)
//			})
//		})
//	}
//
// # Nouns
//
//   - A worker is a function that Go starts. It has a client of its own.
//   - A consumer is a handler of the records of a stream: see Consume. A batch waits at the gate.
//   - A run is one order: a fork of the template, the workers, and the checks.
//   - The gate is where each request of a worker waits. When every worker waits or has ended, the
//     search lets one request go.
//   - A schedule is the list of workers in the order in which their requests went.
//   - A search is all runs of one call of Run. It ends at the first Failure, unless All is given.
//
// # Determinism
//
// The search calls the function that Run gets once for each run, so what the function makes belongs
// to one run. With Go 1.25 or later a run is a bubble of testing/synctest: goroutines that a worker
// starts, sleeps, timeouts and time.Now are part of it and cost no time. A worker that sleeps wakes
// before any request goes, so a sleep never decides an order. With Go 1.24 a worker's sleeps take
// their time. A worker must not depend on anything else that changes from run to run, such as
// random numbers that decide which requests it sends.
//
// A worker's context ends with its function: requests of goroutines that outlive it are not sent.
package explore
