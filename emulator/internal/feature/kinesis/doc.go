// Package kinesis sends the changes of tables to Kinesis data streams. A sender sends the changes
// of one table from the outbox that storage keeps for it.
package kinesis
