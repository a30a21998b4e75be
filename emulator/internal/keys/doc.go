// Package keys has the rules for the keys of tables and indexes.
//
//   - A Source is the table, or the index of it, that a Query or Scan reads.
//   - A Condition is a key condition that fits the key of a source. A Span is the part of the
//     source with the items that satisfy it.
//   - A start key is the key of the item after which a read starts, and the last key that of the
//     item at which a read ends.
//   - A Segment is a part of a table for a parallel scan.
package keys
