package seed

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/workbench"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Table is a table with items as Go values. Its capacity mode is on-demand.
type Table struct {
	Name          string
	PartitionKey  Attribute
	SortKey       Attribute // no sort key if it has no name
	GlobalIndexes []Index
	LocalIndexes  []Index
	VectorIndexes []VectorIndex
	StreamView    string // a StreamViewType; "" for no stream
	TTL           string // the attribute, "" for no TTL
	Items         []Item
}

// Attribute is a key attribute. Its type is "S", "N" or "B".
type Attribute struct{ Name, Type string }

// Index is a secondary index. A local index always has the partition key of its table and ignores
// PartitionKey.
type Index struct {
	Name         string
	PartitionKey Attribute
	SortKey      Attribute
	KeysOnly     bool
	// the projected attributes besides the keys; if empty, all attributes unless KeysOnly is set
	Include []string
}

// VectorIndex is an index of the vectors that items have as lists of numbers.
type VectorIndex struct {
	Name         string
	Attribute    string // the vector
	Dimensions   int
	Distance     string      // "COSINE", also if it is "", "EUCLIDEAN" or "DOT_PRODUCT"
	PartitionKey Attribute   // no partition key if it has no name
	Filters      []Attribute // the inline filters
	KeysOnly     bool
	Include      []string // further attributes, as in Index
}

// Item is an item. The types of DynamoDB have these Go types:
//
//	S     string
//	N     all integers and floating point numbers, json.Number
//	B     []byte
//	BOOL  bool
//	NULL  nil
//	L     []any
//	M     map[string]any, Item
//	SS    StringSet
//	NS    NumberSet
//	BS    BinarySet
//
// An item.Value may be used as well.
type Item map[string]any

// Sets of strings, numbers and binaries.
type (
	StringSet []string
	NumberSet []json.Number
	BinarySet [][]byte
)

// Of returns Data for tables given as Go values. An error names the attribute whose type an Item
// cannot have.
func Of(tables ...Table) (*Data, error) {
	d := new(Data)
	for i := range tables {
		t := &tables[i]
		at := place{in: &source{name: "seed.Of", inMemory: true}}
		d.tables = append(d.tables, definition{at, t.Name, object(t.definition())})
		if t.TTL != "" {
			d.ttls = append(d.ttls, newTimeToLive(at, t.Name, t.TTL))
		}
		for j, it := range t.Items {
			at := place{in: at.in, at: len(at.in.text), index: j + 1}
			text, err := fields(it)
			if err != nil {
				return nil, at.errorf("table %s: %w", t.Name, err)
			}
			at.in.text = append(at.in.text, text...)
			d.writes.add(newWrite(node{at, text}, t.Name, put))
		}
	}
	return d, nil
}

// definition returns the input of the CreateTable request that makes such a table.
func (t *Table) definition() map[string]any {
	base := keyOf(t.PartitionKey, t.SortKey)
	key, attributes := schemaOf(base, nil)
	in := map[string]any{"TableName": t.Name, "KeySchema": key, "BillingMode": "PAY_PER_REQUEST"}
	indexes := func(list []Index, local bool) (indexes []any) {
		for _, ix := range list {
			partition := ix.PartitionKey
			if local {
				partition = t.PartitionKey
			}
			k := keyOf(partition, ix.SortKey)
			key, attributes = schemaOf(k, attributes)
			indexes = append(indexes,
				map[string]any{
					"IndexName": ix.Name, "KeySchema": key, "Projection": ix.projection(),
				})
		}
		return indexes
	}
	if list := indexes(t.LocalIndexes, true); list != nil {
		in["LocalSecondaryIndexes"] = list
	}
	if list := indexes(t.GlobalIndexes, false); list != nil {
		in["GlobalSecondaryIndexes"] = list
	}
	for i := range t.VectorIndexes {
		attributes = t.VectorIndexes[i].attributes(attributes)
	}
	if len(t.VectorIndexes) > 0 {
		in["VectorIndexes"] = vectorDefinitions(t.VectorIndexes)
	}
	if t.StreamView != "" {
		in["StreamSpecification"] = map[string]any{
			"StreamEnabled": true, "StreamViewType": t.StreamView,
		}
	}
	in["AttributeDefinitions"] = attributes
	return in
}

func keyOf(partition, sort Attribute) workbench.Key {
	k := workbench.Key{PartitionKey: partition.inModel()}
	if sort != (Attribute{}) {
		in := sort.inModel()
		k.SortKey = &in
	}
	return k
}

// inModel returns the attribute in the form that it has in a model.
func (a Attribute) inModel() workbench.Attribute {
	return workbench.Attribute{AttributeName: a.Name, AttributeType: a.Type}
}

// attributes adds the attributes of the search schema to definitions.
func (ix *VectorIndex) attributes(all []workbench.Attribute) []workbench.Attribute {
	for _, a := range append([]Attribute{ix.PartitionKey}, ix.Filters...) {
		if m := a.inModel(); a.Name != "" && !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	return all
}

// vectorDefinitions returns the vector indexes of a CreateTable request.
func vectorDefinitions(list []VectorIndex) (definitions []any) {
	for i := range list {
		ix := &list[i]
		definition := map[string]any{"IndexName": ix.Name,
			"VectorAttribute": map[string]string{"AttributeName": ix.Attribute},
			"Dimensions":      ix.Dimensions, "DistanceFunction": cmp.Or(ix.Distance, "COSINE"),
			"Projection": (&Index{KeysOnly: ix.KeysOnly, Include: ix.Include}).projection()}
		if schema := ix.searchSchema(); schema != nil {
			definition["SearchSchema"] = schema
		}
		definitions = append(definitions, definition)
	}
	return definitions
}

func (ix *VectorIndex) searchSchema() (schema []any) {
	add := func(name, kind string) {
		schema = append(schema,
			map[string]string{"AttributeName": name, "SearchSchemaElementType": kind})
	}
	if ix.PartitionKey.Name != "" {
		add(ix.PartitionKey.Name, "HASH")
	}
	for _, f := range ix.Filters {
		add(f.Name, "INLINE_FILTER")
	}
	return schema
}

func (ix *Index) projection() map[string]any {
	switch {
	case ix.Include != nil:
		return map[string]any{"ProjectionType": "INCLUDE", "NonKeyAttributes": ix.Include}
	case ix.KeysOnly:
		return map[string]any{"ProjectionType": "KEYS_ONLY"}
	}
	return map[string]any{"ProjectionType": "ALL"}
}

// fields encodes the attributes of an item or a map as JSON.
func fields(attributes map[string]any) ([]byte, error) {
	values := make(map[string]json.RawMessage, len(attributes))
	for name, v := range attributes {
		text, err := value(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		values[name] = text
	}
	return json.Marshal(values)
}

// value encodes an attribute value as JSON.
func value(v any) (json.RawMessage, error) {
	switch v := v.(type) {
	case nil:
		return typed("NULL", true)
	case bool:
		return typed("BOOL", v)
	case string:
		return typed("S", v)
	case []byte:
		return typed("B", append([]byte{}, v...)) // nil would encode as null
	case json.Number:
		return typed("N", string(v))
	case item.Value:
		return json.RawMessage(v), nil
	case StringSet:
		return typed("SS", []string(v))
	case NumberSet:
		numbers := make([]string, len(v))
		for i, n := range v {
			numbers[i] = string(n)
		}
		return typed("NS", numbers)
	case BinarySet:
		return typed("BS", [][]byte(v))
	case []any:
		return list(v)
	case map[string]any:
		return document(v)
	case Item:
		return document(v)
	}
	return number(v)
}

func document(m map[string]any) (json.RawMessage, error) {
	text, err := fields(m)
	if err != nil {
		return nil, err
	}
	return typed("M", json.RawMessage(text))
}

func list(elems []any) (json.RawMessage, error) {
	values := make([]json.RawMessage, len(elems))
	for i, e := range elems {
		var err error
		if values[i], err = value(e); err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return typed("L", values)
}

// number encodes a Go number as JSON.
func number(v any) (json.RawMessage, error) {
	switch v := v.(type) {
	case float32:
		return float(float64(v), 32)
	case float64:
		return float(v, 64)
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return typed("N", fmt.Sprint(v))
	}
	return nil, fmt.Errorf("no type of DynamoDB has a %T", v)
}

// float encodes a number with the fewest digits that read as the same float.
func float(f float64, bits int) (json.RawMessage, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("DynamoDB has no number %v", f)
	}
	return typed("N", strings.Replace(strconv.FormatFloat(f, 'g', -1, bits), "e+", "e", 1))
}

func typed(name string, v any) (json.RawMessage, error) {
	return json.Marshal(map[string]any{name: v})
}
