// Package replication brings the changes of a replica of a global table to its peers.
//
// A Link is the way from one replica to one peer. Terms say what holds changes back: a lag, faults,
// open transactions. Owners name replicas in storage; Name and OwnerOf convert between the two.
package replication
