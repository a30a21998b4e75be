// Package remote explores programs that run in other processes, in any language.
//
// A program connects by HTTP: the admin API has an Exploration as a resource. Its nouns are those
// of package explore, with these differences:
//
//   - A worker is code that signs its requests with an access key of its own. The emulator hands
//     these requests to the gate (see emulator.Intercept), which holds them until the search lets
//     them go.
//   - A step says what the program has to do next: start the workers of a run, handle a batch of
//     records, run the checks on what they have left behind, or read the report.
//   - The search learns from the program that a worker has ended. A worker that neither sends a
//     request nor ends is waited for, up to the patience of the exploration.
//
// A worker that consumes a stream has no beginning: each of its batches is a step, with an access
// key for the requests of its handler.
//
// A worker that sends one request at a time is deterministic as far as its code is. The requests
// that a worker sends at the same time arrive one after the other. Once a run has shown that
// workers do so, the gate waits for as many requests as the worker had there before: after the same
// answers it sends the same. Only at a point where a worker never was the gate waits a little until
// no more arrive.
//
// Sleeps, timeouts and clocks of workers are real. The clock of the service stands still in a run,
// but for the fault search.Later.
package remote
