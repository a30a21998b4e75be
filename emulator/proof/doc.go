// Package proof verifies plans of package design: it makes the table in an emulator of its own, loads
// rows, reads every pattern, and compares the results with a filter over the rows.
//
// A pattern holds if its requests find exactly the rows that the pattern means, in its order, and
// read no others. Verify checks all patterns of a plan. Mutate checks that Verify would notice: each
// mutation of the plan undoes one decision, and has to make a pattern fail.
package proof
