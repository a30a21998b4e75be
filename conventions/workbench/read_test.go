package workbench

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

// value is a Value that has Go's types for JSON: an object is a list of names and values.
type value struct{ of any }

type object []any

var errKind = errors.New("it is of another kind")

func (v value) IsNull() bool { return v.of == nil }

func (v value) Members(read func(string, value) error) error {
	o, ok := v.of.(object)
	if !ok {
		return errKind
	}
	for i := 0; i < len(o); i += 2 {
		if err := read(o[i].(string), value{o[i+1]}); err != nil {
			return err
		}
	}
	return nil
}

func (v value) Elements(read func(value) error) error {
	if v.of == nil {
		return nil
	}
	list, ok := v.of.([]any)
	if !ok {
		return errKind
	}
	for _, e := range list {
		if err := read(value{e}); err != nil {
			return err
		}
	}
	return nil
}

func (v value) Text(into *string) (err error) {
	text, ok := v.of.(string)
	if !ok {
		err = errKind
	}
	*into = text
	return err
}

// TestReadTable: a table has what its members say, and others are given away, at every level.
func TestReadTable(t *testing.T) {
	attribute := func(name string, more ...any) object {
		return append(object{"AttributeName", name, "AttributeType", "S"}, more...)
	}
	var others []string
	got, err := ReadTable(value{object{
		"TableName", "t", "New", 1.0,
		"KeyAttributes", object{"PartitionKey", attribute("pk", "Format", "ULID"), "SortKey", nil},
		"NonKeyAttributes", []any{attribute("a"), attribute("b")},
		"GlobalSecondaryIndexes", []any{object{"IndexName", "i", "Note", "n",
			"KeyAttributes", object{"PartitionKey", attribute("a"), "SortKey", attribute("b")},
			"Projection", object{"ProjectionType", "INCLUDE", "NonKeyAttributes", []any{"c"}}}},
		"TableData", []any{"items"},
		"BillingMode", "PROVISIONED",
		"ProvisionedCapacitySettings", object{
			"ProvisionedThroughput", object{"ReadCapacityUnits", 5.0, "WriteCapacityUnits", 6.0},
		},
	}}, func(name string, _ value) error {
		others = append(others, name)
		return nil
	})
	assert.NoError(t, err)
	assert.Equal(t, []string{"New", "Format", "Note"}, others)
	assert.Equal(t, Table[value]{
		TableName:        "t",
		KeyAttributes:    Key{PartitionKey: Attribute{"pk", "S"}},
		NonKeyAttributes: []Attribute{{"a", "S"}, {"b", "S"}},
		GlobalSecondaryIndexes: []Index{{
			IndexName: "i",
			KeyAttributes: Key{PartitionKey: Attribute{"a", "S"},
				SortKey: &Attribute{"b", "S"}},
			Projection: Projection{"INCLUDE", []string{"c"}},
		}},
		TableData:   value{[]any{"items"}},
		BillingMode: "PROVISIONED",
		ProvisionedCapacitySettings: &Capacity[value]{
			ProvisionedThroughput: Throughput[value]{value{5.0}, value{6.0}},
		},
	}, got)
}

// TestReadFacets: facets have aliases of keys and the names of attributes.
func TestReadFacets(t *testing.T) {
	facets, err := ReadFacets(value{[]any{object{
		"FacetName", "f", "DataAccess", object{},
		"KeyAttributeAlias", object{"PartitionKeyAlias", "p", "SortKeyAlias", "s"},
		"NonKeyAttributes", []any{"a"}, "TableData", []any{},
	}}})
	assert.NoError(t, err)
	assert.Equal(t,
		[]Facet[value]{{"f", KeyAlias{"p", "s"}, []string{"a"}, value{[]any{}}}}, facets)
	facets, err = ReadFacets(value{})
	assert.NoError(t, err)
	assert.Empty(t, facets)
}

// TestErrors: an error of a value ends the reading.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name  string
		table any
	}{
		{"no object", "t"},
		{"a name that is no text", object{"TableName", 1.0}},
		{"attributes that are no list", object{"NonKeyAttributes", object{}}},
		{"an index that is no object", object{"GlobalSecondaryIndexes", []any{"i"}}},
		{"a key that is no object", object{"KeyAttributes", object{"SortKey", []any{}}}},
		{"a new member that the caller refuses", object{"New", object{}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadTable(value{c.table}, func(string, value) error { return errKind })
			assert.ErrorIs(t, err, errKind)
		})
	}
}
