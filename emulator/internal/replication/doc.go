// Package replication delivers the changes of a replica of a global table to its peers.
//
// A Link delivers the changes of one replica to one peer. Its Terms say what delays them: a lag,
// faults, open transactions. Storage knows a replica by a name, and the rest of the emulator by its
// owner; Name and OwnerOf convert between the two.
package replication
