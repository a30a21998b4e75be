// Package proof verifies plans of package design: it makes the table in an emulator of its own, or
// in another Service, loads rows, reads every pattern, and compares the results with a filter over
// the rows.
//
// A pattern holds if its requests find exactly the rows that the pattern means, in its order, and
// read no others. Verify checks all patterns of a plan. Mutate checks that Verify would notice:
// each mutation of the plan undoes one decision, and has to make a pattern fail.
//
// Writes run in all orders of their requests, beside the consumer of the stream where there is one.
// Package writing makes the requests. Package consuming says what the consumer does for a record,
// as it does for the code that render writes. The checks know nothing of either.
//
// The code that sends the requests of a generated consumer, stream_support.go, does not run here.
// It reads and writes the types of a generated package by functions of that package, and has the
// table and its keys from variables of it, in 32 places of three files. Running it for any plan
// takes what render writes for a record as closures over the plan, rows from items, which only
// generated code has, and a client of the SDK: about 250 lines, in place of the 190 that interpret
// a plan here. The tests of generated packages run it, in one order of requests.
//
// VerifyMigration takes the steps of a migration between two plans while items are written, and
// reads the patterns after each; MutateMigration leaves steps out, or takes them too early. Load
// sends requests at the design's rates under the limits of partitions.
package proof
