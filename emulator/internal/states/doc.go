// Package states has one table of what happens while a table of DynamoDB changes: for each change
// in progress, and each phase of it, what other requests answer, and what descriptions show. It is
// data: a new fact is a line.
//
// The page states.md of conformance/facts is this table in words, and its test has a case for each
// line. What the lines come from is in changing.md and ack-api-quirks.md there. What is marked as
// inferred has not been seen.
package states
