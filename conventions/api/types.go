package api

import "github.com/kugiri-db/kugiri/storage/item"

// Map is a JSON object whose members have one type, in the order of the request. A nil Map means
// absent or null. An empty Map means {}.
type Map[V any] []Entry[V]

// Entry is one member of a Map.
type Entry[V any] struct {
	Key   string
	Value V
}

// AttributeValue is an attribute value of a request. Present is false if the member is absent.
// Invalid, if not nil, is the error of an invalid value. The service reports it after violations of
// the model's constraints.
type AttributeValue struct {
	Value   item.Value
	Present bool
	Invalid *item.Invalid
}

// Timestamp is a point in time in the form of the protocol: seconds since 1970, with milliseconds
// as decimals.
type Timestamp float64
