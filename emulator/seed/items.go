package seed

import (
	"encoding/json"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Encode returns the item as emulators hold it. The error names an attribute that an Item cannot
// have, or that DynamoDB would refuse.
func (it Item) Encode() (item.Item, error) {
	text, err := fields(it)
	if err != nil {
		return "", err
	}
	s := jsontext.NewScanner(string(text))
	parsed, err := item.ParseAttributes(&s)
	if err == nil && parsed.Invalid != nil {
		err = parsed.Invalid
	}
	return parsed.Item, err
}

// ItemOf returns an item that an emulator holds as Go values: numbers are json.Number, maps Item.
func ItemOf(it item.Item) Item {
	attributes := Item{}
	for name, v := range it.All() {
		attributes[name] = goValue(v)
	}
	return attributes
}

func goValue(v item.Value) any {
	switch v.Type() {
	case item.S:
		return v.Str()
	case item.N:
		return json.Number(v.Num())
	case item.B:
		return []byte(v.Bytes())
	case item.BOOL:
		return v.Bool()
	case item.SS:
		return StringSet(elems(v, item.Value.Str))
	case item.NS:
		return NumberSet(elems(v, func(n item.Value) json.Number { return json.Number(n.Num()) }))
	case item.BS:
		return BinarySet(elems(v, func(b item.Value) []byte { return []byte(b.Bytes()) }))
	case item.L:
		return elems(v, goValue)
	case item.M:
		fields := Item{}
		for name, field := range v.Fields() {
			fields[name] = goValue(field)
		}
		return fields
	}
	return nil
}

// elems are the elements of a list or a set.
func elems[T any](v item.Value, of func(item.Value) T) []T {
	list := []T{}
	for elem := range v.Elems() {
		list = append(list, of(elem))
	}
	return list
}
