package api

import "github.com/kugiri-db/kugiri/storage/item"

// Map is a JSON object with members of one type, in the order of the request.
// A nil Map was absent (or null); an empty one was {}.
type Map[V any] []Entry[V]

// Entry is one member of a Map.
type Entry[V any] struct {
	Key   string
	Value V
}

// AttributeValue is one attribute value of a request. Present is false if the
// member was absent. Invalid, if not nil, is why the value is no attribute
// value; it is reported after the model's constraints.
type AttributeValue struct {
	Value   item.Value
	Present bool
	Invalid *item.Invalid
}

// Timestamp is a point in time as the protocol writes it: seconds since 1970,
// with milliseconds as decimals.
type Timestamp float64
