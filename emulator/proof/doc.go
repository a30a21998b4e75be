// Package proof verifies plans of package design: it makes the table in an emulator of its own, or
// in another Service, loads rows, reads every pattern, and compares the results with a filter over
// the rows.
//
// A pattern holds if its requests find exactly the rows that the pattern means, in its order, and
// read no others. Verify checks all patterns of a plan. Mutate checks that Verify would notice:
// each mutation of the plan undoes one decision, and has to make a pattern fail.
//
// VerifyMigration takes the steps of a migration between two plans while items are written, and
// reads the patterns after each; MutateMigration leaves steps out, or takes them too early. Load
// sends requests at the design's rates under the limits of partitions.
package proof
