// Package protocol translates between the messages of DynamoDB Accelerator and the JSON of
// DynamoDB's operations. emulator/docs/dax-protocol.md describes the messages; its source are the
// official clients.
//
//   - A Method names a call of a client. Reading its arguments makes a Request: an operation with
//     its JSON, and what the answer depends on.
//   - A Schema is the primary key of a table. Keys are byte strings whose form it decides.
//   - An attribute list is the sorted names of an item's attributes without its key. Both sides
//     know it by a number: see Lists.
//   - A Path is one of the paths of a projection. An answer names it by its ordinal.
//   - Expressions come as trees, without the text of the client, and are printed as text with
//     placeholders.
//
// The package knows no connection and no emulator.
package protocol
