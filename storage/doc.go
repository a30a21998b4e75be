// Package storage keeps tables, secondary indexes and streams in memory, and optionally in a
// journal. It knows items and keys, and neither requests nor expressions nor error responses:
// package emulator decides what to write, and storage makes it so.
//
// # Nouns
//
// A Store holds the Tables of one account and region. A Table is a tree of entries, each a Key with
// an item.Item. It may have Indexes, which are trees too, VectorIndexes, item collections (the
// sizes that limit a table with local indexes), an expiry order, an undo log and a Stream. A Stream
// has Shards, and a Shard has a log of Changes. A Backup is a copy of a table that never changes.
// An undo log has the changes that Recovery.Restore undoes. An Outbox has the changes that the
// store's user passes on to somebody else and has not passed on yet. A Table that is a replica has
// the versions of its items, and for each peer a backlog of changes that the peer does not have.
// The whole of it:
//
//	Store ─┬─ Table ──┬─ tree             Key → item
//	       │          ├─ Index ─ tree     index key + table key → projected item
//	       │          ├─ VectorIndex      partition key → columns of vectors and projected items
//	       │          ├─ collections      partition key → bytes
//	       │          ├─ expiry           second, Key
//	       │          ├─ recovery ─ changeLog
//	       │          └─ replica ──┬─ versions   Key → Version
//	       │                       └─ backlog    Seq → Outgoing
//	       ├─ Backup ─── Table            without store, expiry and recovery
//	       ├─ Outbox ─── changeLog
//	       └─ Stream ─── Shard ─ changeLog
//
// A Key is the hash of the partition key and a text: the encoded partition key and sort key, so
// that bytewise order is the order of the service. In an index the table's key follows, which makes
// the keys of entries unique.
//
// # Lifetimes
//
// Items are immutable strings. A reader may keep one for as long as it likes. A Table, an Index and
// a Stream are handles: those of a Table or Index are valid until it is dropped, that of a Stream
// within one View or Update. A Tx is valid until its function returns. A Lookup may outlive the
// search that filled it: PutAt then searches again.
//
// Fork copies a store in constant time per tree. Trees share their nodes until one of them writes
// (see tree), and vector indexes share their blocks (see vectorBlock).
//
// # Locks
//
// A Store has one lock. View shares it and Update has it alone, so that a transaction is
// serializable without further locks. Update and View release the lock before they wait for the
// journal. Copying a tree modifies it, and so needs the lock as Update does.
//
// # The commit point
//
// Within an Update, Table.write changes the tree, the indexes, the collections and the expiry order
// at once, and Tx.log records the old item. The Tx sees its own writes everywhere. Nobody else
// runs. Tx.commit is the one place where writes become final: it numbers the changes, adds them to
// the streams, undo logs and outboxes, passes them to the listeners and appends them to the
// journal as one batch. If the function returns an error or panics, Tx.end reverts the log from its
// end, and nothing has happened.
//
// # The way of a PutItem
//
//	emulator: Store.Update(fn)      takes the lock
//	fn:       KeySchema.EncodeIn    encodes the key of the request's item
//	          Tx.Get or Tx.GetAll   reads the old item: childFor from the root to a leaf
//	          (the condition, the limits and the capacity are the emulator's)
//	          Tx.PutAt              puts the item where the old one was found
//	            Table.write
//	              Table.put         tree.at clones the shared nodes on the path to the leaf, splits
//	                                full ones, and returns the cell; slabs hold the new text and item
//	              Index.replace     one delete and one put, or nothing if the entry stays the same
//	              expiry, collections
//	            Tx.log              gets the old item, for a rollback and for the commit
//	Update:   Tx.commit             Change, Stream.log, undoLog.add, listeners, durability.commit
//	          durability.settle     waits for the journal without the lock
//
// # The way of a Query
//
//	emulator: a key condition       becomes a Range: Key.Prefix, or bounds on the sort key
//	          Store.View(fn)        shares the lock
//	fn:       Tx.Page(PageSpec)     chooses the tree of the table or index
//	            tree.Ascend         descends to Lo once, and then walks the leaves; Reverse walks back
//	            Page.add            ends the page at Limit, or with the item that exceeds MaxBytes
//	          (filter, projection and the last evaluated key are the emulator's)
//
// # Durability
//
// With a Durable, each commit is one batch for a journal.Journal. Load reads the stores back, and
// package storage/disk is the journal that keeps them in files. Mend prepares a damaged journal for
// Load.
package storage
