package seed

import (
	"encoding/json"
	"reflect"
	"strings"
)

// The models of NoSQL Workbench in its export format. All names are taken from the sample models
// that come with it ("Data modeler", Developer Guide).

// modelTable is the description of a table in a model, without its items.
type modelTable struct {
	TableName                   string
	KeyAttributes               modelKey
	NonKeyAttributes            []modelAttribute `json:",omitempty"`
	TableFacets                 json.RawMessage  `json:",omitempty"` // views of the same items
	GlobalSecondaryIndexes      []modelIndex     `json:",omitempty"`
	TableData                   json.RawMessage  `json:",omitempty"`
	SampleDataFormats           json.RawMessage  `json:",omitempty"`
	DataAccess                  json.RawMessage  `json:",omitempty"`
	BillingMode                 string           `json:",omitempty"`
	ProvisionedCapacitySettings *modelCapacity   `json:",omitempty"`
}

type modelAttribute struct{ AttributeName, AttributeType string }

type modelKey struct {
	PartitionKey modelAttribute
	SortKey      *modelAttribute `json:",omitempty"`
}

type modelIndex struct {
	IndexName     string
	KeyAttributes modelKey
	Projection    struct {
		ProjectionType   string
		NonKeyAttributes []string `json:",omitempty"`
	}
}

type modelCapacity struct {
	ProvisionedThroughput throughput
	AutoScalingRead       json.RawMessage `json:",omitempty"`
	AutoScalingWrite      json.RawMessage `json:",omitempty"`
}

// model is a model of NoSQL Workbench.
type model struct {
	ModelName     string
	ModelMetadata json.RawMessage
	DataModel     json.RawMessage
}

// addModel adds the tables of a model and their TableData.
func (d *Data) addModel(list []member) error {
	if err := d.warnOfMembers(list, reflect.TypeFor[model]()); err != nil {
		return err
	}
	tables, _ := find(list, "DataModel")
	return tables.elems(d.addModelTable)
}

func (d *Data) addModelTable(n node) error {
	n.index = 0
	list, err := n.members()
	if err != nil {
		return err
	}
	data, ok := find(list, "TableData")
	if err := n.isDefinition(len(n.raw) - len(data.raw)); err != nil {
		return err
	}
	var t modelTable
	if err := json.Unmarshal(n.raw, &t); err != nil {
		return n.fail(err)
	}
	if t.TableName == "" {
		return n.errorf("there is no TableName")
	}
	if err := d.warnOf(n, reflect.TypeFor[modelTable]()); err != nil {
		return err
	}
	if err := d.roomForTable(n); err != nil {
		return err
	}
	d.tables = append(d.tables, definition{n.place, t.TableName, object(t.definition())})
	if !ok {
		return nil
	}
	return d.addList(data, t.TableName)
}

// definition returns the input of the CreateTable request that makes such a table. A model has no
// capacity for indexes, so they get that of the table.
func (t *modelTable) definition() map[string]any {
	key, attributes := t.KeyAttributes.schema(nil)
	in := map[string]any{"TableName": t.TableName, "KeySchema": key}
	var capacity *throughput
	switch {
	case t.BillingMode != "PROVISIONED":
		in["BillingMode"] = "PAY_PER_REQUEST"
		if t.BillingMode != "" {
			in["BillingMode"] = t.BillingMode
		}
	case t.ProvisionedCapacitySettings != nil:
		capacity = &t.ProvisionedCapacitySettings.ProvisionedThroughput
		in["ProvisionedThroughput"] = capacity
	}
	var indexes []any
	for _, ix := range t.GlobalSecondaryIndexes {
		var key []any
		key, attributes = ix.KeyAttributes.schema(attributes)
		index := map[string]any{
			"IndexName": ix.IndexName, "KeySchema": key, "Projection": ix.Projection,
		}
		if capacity != nil {
			index["ProvisionedThroughput"] = capacity
		}
		indexes = append(indexes, index)
	}
	if indexes != nil {
		in["GlobalSecondaryIndexes"] = indexes
	}
	in["AttributeDefinitions"] = attributes
	return in
}

// schema returns a key as a KeySchema, and attributes with those of the key added.
func (k *modelKey) schema(attributes []modelAttribute) (schema []any, all []modelAttribute) {
	add := func(a modelAttribute, role string) {
		schema = append(schema,
			map[string]string{"AttributeName": a.AttributeName, "KeyType": role})
		for _, known := range attributes {
			if known == a {
				return
			}
		}
		attributes = append(attributes, a)
	}
	add(k.PartitionKey, "HASH")
	if k.SortKey != nil {
		add(*k.SortKey, "RANGE")
	}
	return schema, attributes
}

// warnOf adds a warning for each member that its type has no field for: each release of NoSQL
// Workbench may add members.
func (d *Data) warnOf(n node, t reflect.Type) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case n.isNull() || t == reflect.TypeFor[json.RawMessage]():
		return nil
	case t.Kind() == reflect.Struct:
		list, err := n.members()
		if err != nil {
			return err
		}
		return d.warnOfMembers(list, t)
	case t.Kind() == reflect.Slice:
		return n.elems(func(e node) error {
			e.index = 0
			return d.warnOf(e, t.Elem())
		})
	}
	return nil
}

// maxWarnings is how many members may be left out. What has more is no model.
const maxWarnings = 100

func (d *Data) warnOfMembers(list []member, t reflect.Type) error {
	for _, m := range list {
		field, ok := t.FieldByNameFunc(
			func(name string) bool { return strings.EqualFold(name, m.name) })
		if !ok {
			if len(d.warnings) == maxWarnings {
				return m.value.errorf("there are more than %d members that a model of "+
					"NoSQL Workbench does not have", maxWarnings)
			}
			d.warnings = append(d.warnings,
				Warning{m.value.String(),
					"a model of NoSQL Workbench has no known member " +
						m.name + ": it is left out"})
			continue
		}
		if err := d.warnOf(m.value, field.Type); err != nil {
			return err
		}
	}
	return nil
}
