// Package proof verifies plans of package design: it makes the table in an emulator of its own, or
// in another Service, loads rows, reads every pattern, and compares the results with a filter over
// the rows.
//
// A pattern holds if its requests find exactly the rows that the pattern means, in its order, and
// read no others. Verify checks all patterns of a plan. Mutate checks that Verify would notice:
// each mutation of the plan undoes one decision, and has to make a pattern fail.
//
// Writes run in all orders of their requests, beside the consumer of the stream where there is one.
// Package writing makes the requests. The consumer is the one that users get: render/running runs
// the files that are copied beside generated code, stream_support.go with its batches, conditions,
// marks and tries, by an SDK client whose requests wait for the search. In place of the functions
// that render generates for records, it has closures over the plan; a test compares the requests of
// both for a sample. The checks know nothing of either.
//
// Batches come at any time and twice. Where an answer is lost the consumer stops in the middle of a
// batch, and gets it again from the record that failed. Each of its updates conflicts with a
// transaction once, and of each of its batches all items but one are left unprocessed. These are no
// steps of the search: they would multiply its orders.
//
// What no proof runs: several batches at one time, because the table's stream has one shard (with
// two, most writes beside a consumer have more orders than can be run); waits between tries; and
// the consumer in TypeScript, whose support code has tests of its own.
//
// VerifyMigration takes the steps of a migration between two plans while items are written, and
// reads the patterns after each; MutateMigration leaves steps out, or takes them too early. Load
// sends requests at the design's rates under the limits of partitions.
package proof
