// Package items has the operations on items: reads, writes, batches, transactions, Query, Scan and
// SearchVectors, and the deletion of expired items.
//
//   - A writeSet is the list of writes that one commit makes. PutItem has one write,
//     TransactWriteItems up to a hundred. Everything that changes an item goes through its Run,
//     also statements, imports and the deletion of expired items.
//   - A change is the effect of one write on its item.
//   - A RangeRead is a Query or a Scan of one page. Package statements reads with it, too.
//   - Transactions are the open transactions and the tokens of an account.
package items
