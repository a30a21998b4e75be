// Package races finds, in the recorded requests of programs in any language, the writes that go
// wrong when two of them run at the same time, or when an answer is lost.
//
// A Recorder writes each request and its answer as a line of JSON, an Exchange. Read reads such a
// file, and Find returns a Report. A Finding names the requests, the order of requests that hurts,
// and what mends it. Find replays that order on a fork of an emulator that has the items that were
// read: a Finding is Confirmed if all of its requests are accepted there, and the harm is done. A
// write that a condition refuses there does not confirm a Finding.
//
// Requests belong to one caller if they have the same access key and region, and the same trace, or
// without one the same address.
package races
