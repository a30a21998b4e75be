// Package serve has what all operations share: the request that is served, and what it works on.
//
//   - A Service holds what all requests of an Emulator share: settings, clock, limits, namespaces,
//     faults, throughput, and as interfaces what features ask of another one.
//   - A Call is one request while it is served. It ends with the answer.
//   - A Namespace holds the data that the callers with one access key see in one region.
//   - An Account holds the data of a Namespace: a storage.Store with tables, streams and backups,
//     and a State for every other kind of data. Fork, Snapshot, Restore, the journal and the
//     pruning of unused namespaces go over the kinds (account.go), so none of them knows what a
//     kind holds. The lock of the store guards the states.
//   - An Operation is a function with its shapes, what its requests touch, and the form of its
//     validation errors. Owns and Borrows make one: see "The memory of a request" in package
//     emulator.
//   - An interceptor of a feature gets a decoded request before its operation.
//   - A Target is a table, index or item that a request touches. Faults, observers and permissions
//     ask for targets; they have no lists of operations of their own.
//
// The look-ups of tables, ARNs and owners that several features need are here as well.
package serve
