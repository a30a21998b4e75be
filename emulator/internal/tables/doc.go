// Package tables holds the data of a table besides its key and its items, and the rules for that
// data.
//
//   - Settings are a table's definitions, capacity, stream, TTL, encryption, class and tags. They
//     are never modified: a change makes a Clone, changes that, and sets it.
//   - A Transition is a state that a table or index has until a point in time.
//   - VectorSettings and what else is about vector indexes are in vector.go.
//   - An IndexSpec is the definition of an index in a request.
//   - A Backup holds the data of a backup besides the table's key and items.
//   - Describe makes the description of a table, and Codec the text that a journal keeps.
//
// No two files need each other. settings.go is in the middle: the parts of Settings are below it
// (state.go, capacity.go, features.go, vector.go, global_table.go and others), and what takes whole
// Settings is above it (the descriptions, record.go, restore.go, replica_settings.go and others).
package tables
