// Package trigger calls functions with the records of streams, as an event source mapping of AWS
// Lambda does: in batches, in the order of each shard, again after an error, and with what is
// given up sent elsewhere (AWS Lambda Developer Guide, "Using AWS Lambda with Amazon DynamoDB").
//
// A Mapping says which records a Function gets and what happens when it fails. Package emulator
// reads the streams: see emulator.WithRecords.
//
// Filters are evaluated here. github.com/timbray/quamina was rejected: its patterns are of its own,
// such as shellstyle, and not Lambda's.
package trigger
