package seed

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/workbench"
)

// modelTable is a table of a model that becomes JSON.
type modelTable = workbench.Table[json.RawMessage]

// Workbench returns all tables that a client sees, with their items, as a model of NoSQL Workbench.
// Models have no streams, no TTL and no settings but capacity, so these are left out. Models have
// no local indexes and no keys of several attributes either: a table with one of these is an error.
func Workbench(c Client, name string) ([]byte, error) {
	tables, err := tablesOf(c)
	if err != nil {
		return nil, err
	}
	models := make([]*modelTable, len(tables))
	for i, t := range tables {
		if models[i], err = t.model(); err != nil {
			return nil, fmt.Errorf("table %s: %w", t.name, err)
		}
	}
	return indented(struct {
		ModelName     string
		ModelMetadata map[string]string
		DataModel     []*modelTable
	}{name, map[string]string{"AWSService": "Amazon DynamoDB", "Version": "3.0"}, models})
}

// model returns the table in the form that it has in a model.
func (t *dumped) model() (*modelTable, error) {
	var answer struct{ Table description }
	if err := json.Unmarshal(t.description, &answer); err != nil {
		return nil, err
	}
	is := &answer.Table
	if len(is.LocalSecondaryIndexes) > 0 {
		return nil, fmt.Errorf("a model of NoSQL Workbench has no local indexes such as %s",
			is.LocalSecondaryIndexes[0].IndexName)
	}
	if len(is.VectorIndexes) > 0 {
		return nil, fmt.Errorf("a model of NoSQL Workbench has no vector indexes such as %s",
			is.VectorIndexes[0].IndexName)
	}
	var definitions []workbench.Attribute
	if err := json.Unmarshal(is.AttributeDefinitions, &definitions); err != nil {
		return nil, err
	}
	data, err := json.Marshal(t.items)
	if err != nil {
		return nil, err
	}
	m := &modelTable{
		TableName: t.name, BillingMode: "PROVISIONED", DataAccess: json.RawMessage(`{"MySql":{}}`),
	}
	if len(t.items) > 0 {
		m.TableData = data
	}
	if b := is.BillingModeSummary; b != nil && b.BillingMode != "" {
		m.BillingMode = b.BillingMode
	}
	if m.BillingMode == "PROVISIONED" {
		m.ProvisionedCapacitySettings = capacityOf(is.ProvisionedThroughput)
	}
	if m.KeyAttributes, err = modelKeyFrom(is.KeySchema, definitions); err != nil {
		return nil, err
	}
	for _, ix := range is.GlobalSecondaryIndexes {
		i := workbench.Index{IndexName: ix.IndexName}
		if err := json.Unmarshal(ix.Projection, &i.Projection); err != nil {
			return nil, err
		}
		if i.KeyAttributes, err = modelKeyFrom(ix.KeySchema, definitions); err != nil {
			return nil, fmt.Errorf("index %s: %w", ix.IndexName, err)
		}
		m.GlobalSecondaryIndexes = append(m.GlobalSecondaryIndexes, i)
	}
	m.NonKeyAttributes, err = t.otherAttributes(m.KeyAttributes)
	return m, err
}

// capacityOf converts the capacity of a table.
func capacityOf(t *throughput) *workbench.Capacity[json.RawMessage] {
	return &workbench.Capacity[json.RawMessage]{
		ProvisionedThroughput: workbench.Throughput[json.RawMessage]{
			ReadCapacityUnits:  json.RawMessage(t.ReadCapacityUnits),
			WriteCapacityUnits: json.RawMessage(t.WriteCapacityUnits),
		},
	}
}

// modelKeyFrom converts a KeySchema to the key of a model.
func modelKeyFrom(schema json.RawMessage, definitions []workbench.Attribute) (k workbench.Key,
	err error) {
	var parts []struct{ AttributeName, KeyType string }
	if err := json.Unmarshal(schema, &parts); err != nil {
		return k, err
	}
	for i, p := range parts {
		at := slices.IndexFunc(definitions,
			func(a workbench.Attribute) bool { return a.AttributeName == p.AttributeName })
		switch {
		case at < 0:
			return k, fmt.Errorf("%s is not defined", p.AttributeName)
		case i == 0:
			k.PartitionKey = definitions[at]
		case i == 1 && p.KeyType == "RANGE":
			k.SortKey = &definitions[at]
		default:
			return k, fmt.Errorf(
				"a key in a model of NoSQL Workbench has no further attribute such as %s",
				p.AttributeName)
		}
	}
	return k, nil
}

// otherAttributes returns the attributes of the items that are not in the key, sorted by name. If
// items differ in the type of an attribute, the first item counts.
func (t *dumped) otherAttributes(key workbench.Key) ([]workbench.Attribute, error) {
	types := map[string]string{}
	for _, text := range t.items {
		var it map[string]map[string]json.RawMessage
		if err := json.Unmarshal(text, &it); err != nil {
			return nil, err
		}
		for name, v := range it {
			for typ := range v {
				if types[name] == "" {
					types[name] = typ
				}
			}
		}
	}
	delete(types, key.PartitionKey.AttributeName)
	if key.SortKey != nil {
		delete(types, key.SortKey.AttributeName)
	}
	var list []workbench.Attribute
	for name, typ := range types {
		list = append(list, workbench.Attribute{AttributeName: name, AttributeType: typ})
	}
	slices.SortFunc(list, func(a, b workbench.Attribute) int {
		return strings.Compare(a.AttributeName, b.AttributeName)
	})
	return list, nil
}
