// Package item defines attribute values and items, their sizes, numbers and keys. All other
// packages are built on it.
//
// # Nouns
//
// A Value is one attribute value: a string in canonical wire form, such as {"S":"abc"}. An Item is
// an attribute map: a string with a directory of its attributes in front of its JSON. A Decimal is
// a DynamoDB number. Invalid is the fault of well-formed JSON that is no attribute value, and
// SerializationError that of JSON with the wrong form. A Scratch is memory for the items of one
// request.
//
// # Lifetimes
//
// Values and Items are immutable. A Value that was read from an Item is a part of it, and keeps all
// of the Item in memory. An Item from a Scratch is valid until the Scratch is reset.
//
// # The way of an item
//
// ParseAttributes reads the JSON of a request. The parser makes the canonical form while it reads
// (canonical.go), with the help of the shapes of the items before (shape_cache.go). Item.Get finds
// an attribute in the directory, and expressions work on the Values as they are. An answer copies
// the Item's JSON. AppendKey encodes a key attribute so that bytes compare like values.
//
// # The encoding
//
// An item is stored in the form that answers have, and never as a tree. The alternative was a
// tagged binary form (type, length, bytes), which takes a fifth less memory. An answer with a
// whole item of 1 KB copies the wire form in 17 ns, where the binary form takes 1.4 µs to convert
// (BenchmarkEncoding). And because the form is canonical, equal values are equal strings, documents
// and sets included.
package item
