// Package control has the operations on tables: CreateTable, UpdateTable, DeleteTable,
// descriptions, tags, TTL, resource policies, and global tables of both versions.
//
//   - A ReplicaGroup is a table with its replicas in other regions during one commit that they
//     share: UpdateTable, DeleteTable and the operations on global tables work on a group.
//   - The replicator delivers the changes of replicas to their peers. Whoever commits a change
//     delivers what is due.
//   - A tableUpdate is one UpdateTable on its way.
package control
