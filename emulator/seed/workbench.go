package seed

import (
	"encoding/json"

	"github.com/kugiri-db/kugiri/conventions/workbench"
)

// addModel adds the tables of a model and their TableData.
func (d *Data) addModel(n node) error {
	m, err := workbench.ReadModel(n, d.leaveOut)
	if err != nil {
		return err
	}
	return m.DataModel.Elements(d.addModelTable)
}

func (d *Data) addModelTable(n node) error {
	list, err := n.members()
	if err != nil {
		return err
	}
	data, ok := find(list, "TableData")
	if err := n.isDefinition(len(n.raw) - len(data.raw)); err != nil {
		return err
	}
	t, err := workbench.ReadTable(n, d.leaveOut)
	if err != nil {
		return err
	}
	if t.TableName == "" {
		return n.errorf("there is no TableName")
	}
	if err := d.roomForTable(n); err != nil {
		return err
	}
	in, err := definitionOf(&t)
	if err != nil {
		return err
	}
	d.tables = append(d.tables, definition{n.place, t.TableName, object(in)})
	if !ok {
		return nil
	}
	return d.addList(data, t.TableName)
}

// definitionOf returns the input of the CreateTable request that makes a table of a model. A model
// has no capacity for indexes, so they get that of the table.
func definitionOf(t *workbench.Table[node]) (map[string]any, error) {
	key, attributes := schemaOf(t.KeyAttributes, nil)
	in := map[string]any{"TableName": t.TableName, "KeySchema": key}
	var capacity *throughput
	switch {
	case t.BillingMode != "PROVISIONED":
		in["BillingMode"] = "PAY_PER_REQUEST"
		if t.BillingMode != "" {
			in["BillingMode"] = t.BillingMode
		}
	case t.ProvisionedCapacitySettings != nil:
		var err error
		if capacity, err = throughputOf(t.ProvisionedCapacitySettings); err != nil {
			return nil, err
		}
		in["ProvisionedThroughput"] = capacity
	}
	var indexes []any
	for _, ix := range t.GlobalSecondaryIndexes {
		var key []any
		key, attributes = schemaOf(ix.KeyAttributes, attributes)
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
	return in, nil
}

// throughputOf returns the capacity of a table.
func throughputOf(c *workbench.Capacity[node]) (*throughput, error) {
	from, to := &c.ProvisionedThroughput, new(throughput)
	if err := from.ReadCapacityUnits.number(&to.ReadCapacityUnits); err != nil {
		return nil, err
	}
	return to, from.WriteCapacityUnits.number(&to.WriteCapacityUnits)
}

// schemaOf returns a key as a KeySchema, and attributes with those of the key added.
func schemaOf(k workbench.Key, attributes []workbench.Attribute) (schema []any,
	all []workbench.Attribute) {
	add := func(a workbench.Attribute, role string) {
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

// maxWarnings is how many members may be left out. What has more is no model.
const maxWarnings = 100

// leaveOut warns of a member that the format does not have: each release of NoSQL Workbench may add
// some.
func (d *Data) leaveOut(name string, n node) error {
	if len(d.warnings) == maxWarnings {
		return n.errorf("there are more than %d members that a model of NoSQL Workbench does not "+
			"have", maxWarnings)
	}
	n.index = 0
	d.warnings = append(d.warnings, Warning{n.String(), "a model of NoSQL Workbench has no known " +
		"member " + name + ": it is left out"})
	return nil
}

// Members calls read for each member of an object, for package workbench as the methods below.
func (n node) Members(read func(name string, v node) error) error {
	if n.isNone() {
		return nil
	}
	list, err := n.members()
	if err != nil {
		return err
	}
	for _, m := range list {
		if err := read(m.name, m.value); err != nil {
			return err
		}
	}
	return nil
}

// Elements calls read for each element of a list.
func (n node) Elements(read func(node) error) error {
	if n.isNone() {
		return nil
	}
	return n.elems(func(e node) error {
		e.index = 0
		return read(e)
	})
}

// Text reads a string.
func (n node) Text(into *string) error { return n.decode(into) }

// number reads a number, or a string that has one. It reads nothing from a node that is not there.
func (n node) number(into *json.Number) error {
	if n.isNone() {
		return nil
	}
	return n.decode(into)
}

// IsNull reports whether the value is null.
func (n node) IsNull() bool { return n.isNull() }

// isNone reports whether the value is null, or not there.
func (n node) isNone() bool { return n.raw == nil || n.isNull() }
