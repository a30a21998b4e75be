// Package tables holds what a table is besides its key and its items, and the rules for that.
//
//   - Settings are what a table remembers: its definitions, capacity, stream, TTL, encryption, class
//     and tags. They are never modified: a change makes a Clone, changes that, and sets it.
//   - A Transition is a state that a table or index is in until a point in time.
//   - An IndexSpec is the definition of an index in a request.
//   - A Backup is what a backup remembers besides the table's key and items.
//   - Describe makes the description of a table, and Codec the text that a journal keeps.
package tables
