// Package dax is an accelerator in front of an emulator: a cluster that speaks the protocol of
// DynamoDB Accelerator (DAX), with its caches.
//
//   - A Cluster has nodes. Each listens at a port of its own, and tells clients of the others.
//   - A node has an item cache and a query cache (package cache). It hears late of what others
//     write.
//   - A connection is authorized for a caller. Its requests become requests of DynamoDB's
//     operations (package protocol), which the emulator answers: what holds there holds here.
//
// What the caches keep, and for how long, follows the Developer Guide, "DAX and DynamoDB
// consistency models"; call.go cites it rule by rule.
package dax
