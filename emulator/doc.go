// Package emulator is an in-memory server that speaks DynamoDB's protocol.
//
// New makes an Emulator, which Start and Handler serve over HTTP and HTTPClient serves in process.
// Package emulatortest does all of that for Go tests; command kugiri does it for everybody else.
// The rest of this page is for those who change the package.
//
// # Nouns
//
//   - An Emulator holds settings, a clock, faults, a policy and namespaces. It lives as long as its
//     user keeps it.
//   - A namespace holds the data that the callers with one access key see in one region. With
//     WithIAM all access keys of an account see the same, and with WithSharedData all callers do.
//   - An operation is an entry of the table in operation.go. Its function is in a file of the
//     feature that it belongs to. Package catalog says of all operations of the service what they
//     are about.
//   - A feature is a package below internal/feature: items, statements (of PartiQL), control
//     (tables and global tables), jobs (exports, imports, bulk puts), backups, streams, kinesis,
//     triggers, insights and accelerators (clusters of DAX). Features share package serve, whose doc names
//     calls, accounts, targets and interceptors.
//   - An interceptor of a feature gets a decoded request before its operation. New builds the
//     list of interceptors (features.go): a feature that is off has none.
//   - A replication.Link is the way of a replica's changes to a peer. Whoever commits a change
//     delivers what is due: see control.Replicator.
//
// # The way of a PutItem
//
//  1. servePost (package front) takes memory for the request and the answer from pools, and Call
//     reads the headers: the operation by X-Amz-Target, the caller by the signature. It then reads
//     the body, and borrows the caller's namespace.
//  2. The operation's serve function (serve/operation.go) decodes the body into an
//     api.PutItemInput, checks the model's constraints, and calls the interceptors: permissions
//     (package permit), the policy, insights, faults (package inject). None of that is in the
//     operation's own file.
//  3. PutItem (feature/items/put_item.go) checks what needs no table, parses the condition, and
//     makes a writeSet of one write.
//  4. writeSet.Commit begins a storage Update, which holds the store's lock, and writeSet.Run does
//     the rest in one order: it finds the table and the key; asks the policy about the proposed
//     write; reads the old item; refuses an item that a transaction holds; checks that there is
//     throughput; evaluates the condition; builds the new item; reserves the throughput that the
//     write costs; puts the item; asks the policy about the item as it became; and counts
//     capacity. An error at any step rolls the Update back.
//  5. The store commits table, indexes and change records together, and the journal if there is
//     one. Package storage tells that part of the way.
//  6. The output is encoded onto the answer's memory. An error is worded in the operation's form
//     (package apierr). The answer is sent, and the memory goes back to the pools.
//
// # The way of a Query
//
// Steps 1 and 2 are the same. newQuery (feature/items/query.go) checks what needs no table and
// parses the expressions. A storage View, which readers share, runs the rest: open finds the table
// and the index; checks that need the key schema follow; the key condition becomes a range of keys;
// the policy sees source and condition; page reads up to 1 MB of entries before the filter and
// counts capacity. Filter and projection work on the entries after the View has ended: stored items
// never change, so they need no lock. The items of the answer are parts of the stored text, which
// is written to the client as it is.
//
// # Locks
//
//   - A Store has one lock: an Update holds it alone, Views share it. The states of an account are
//     guarded by the lock of its store.
//   - Namespaces.Several is held by who locks several stores, before all of them: UpdateAll, Fork
//     and Restore. The replicator's mu is held by who delivers changes between replicas; who holds
//     it only tries to get Several.
//   - Namespaces.Mu guards which namespaces there are. Fork and Restore hold it while they lock all
//     stores.
//   - A policy's findings, injected faults, throughput and observers have locks of their own, which
//     are held for single steps.
//
// # The memory of a request
//
// Owns or Borrows declares an operation:
//
//   - Owns: the operation may keep what it likes of its decoded request. Its body has been copied.
//   - Borrows: the body and the decoded request lie in memory that the next request reuses. Strings
//     of the decoded request are parts of the body. Operations on items use Borrows, which saves
//     their allocations.
//
// What every request passes through borrows as well: the interceptors, the policy, observers and
// faults. Code that borrows must copy everything that outlives the answer: the store copies the
// items that it stores, and an Event, a finding and a fault copy what they keep.
//
// Under the race detector the memory is overwritten when a request has ended, so that a test fails
// if code did not copy. Memory that has grown large is not pooled.
//
// # Packages below
//
// Arrows run down: emulator, features, permit, serve, and then what knows neither a call nor an
// Emulator, each with its nouns in its doc.go: enforce applies the policy, observe records what
// observers are told of, faults holds the faults, apierr has the errors, arn the ARNs, auth the
// signatures, httpd the connections and bodies, keys the rules for keys, replication the way of
// changes to replicas, metering capacity and throughput, tables the settings and descriptions of
// tables. Package layers tests which may import which.
//
// # Where things go
//
//   - An operation is a file of its feature, named after it, and a line in operation.go. Tests that
//     need an Emulator are beside operation.go.
//   - A check of one member that the API model knows is in package api; go generate brings it from
//     the model.
//   - A check of one member that the model does not know is in the operation's file, or in the file
//     that the operations with this member share. Its error is an apierr.ParameterError if the form
//     of the operation decides on the text.
//   - A text that several operations answer is declared once, beside the others of its kind.
//   - A new kind of data that an account holds is a file of its feature that implements
//     serve.State, a serve.Kind, and a line in newStates (features.go).
package emulator
