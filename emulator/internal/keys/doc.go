// Package keys holds the rules for the keys of tables and indexes.
//
//   - A Source is a table, or an index of it, that a Query or Scan reads.
//   - A Condition is a key condition that suits the key of a source. A Span is where the items
//     that satisfy it are.
//   - A start key says after which item a read goes on, and the last key where it ended.
//   - A Segment is a part of a table for a parallel scan.
package keys
