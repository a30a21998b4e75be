package seed

import "encoding/json"

// definition is the input of a CreateTable request.
type definition struct {
	place
	table string
	input []byte
}

// addDefinition adds the input of a CreateTable request.
func (d *Data) addDefinition(n node, list []member) error {
	if err := only("create-table", list, createMembers...); err != nil {
		return err
	}
	table, err := nameIn(n.place, list)
	if err != nil {
		return err
	}
	if err := d.roomForTable(n); err != nil {
		return err
	}
	d.tables = append(d.tables, definition{n.place, table, n.raw})
	return nil
}

// maxDefinition is how many bytes the settings of a table may have, without its items: a hundred
// times what a table with all indexes and attributes needs.
const maxDefinition = 1 << 20

// isDefinition returns an error if the settings of a table have too many bytes.
func (n node) isDefinition(bytes int) error {
	if bytes > maxDefinition {
		return n.errorf("the settings of a table have %d bytes, and may have %d", bytes,
			maxDefinition)
	}
	return nil
}

// description holds the table settings that an import keeps.
type description struct {
	TableName                 string
	AttributeDefinitions      json.RawMessage
	KeySchema                 json.RawMessage
	BillingModeSummary        *struct{ BillingMode string }
	ProvisionedThroughput     *throughput
	OnDemandThroughput        json.RawMessage
	LocalSecondaryIndexes     []indexDescription
	GlobalSecondaryIndexes    []indexDescription
	VectorIndexes             []vectorDescription
	StreamSpecification       json.RawMessage
	TableClassSummary         *struct{ TableClass string }
	DeletionProtectionEnabled json.RawMessage
}

type indexDescription struct {
	IndexName             string
	KeySchema             json.RawMessage
	Projection            json.RawMessage
	ProvisionedThroughput *throughput
	OnDemandThroughput    json.RawMessage
}

// vectorDescription has the members of a vector index that CreateTable takes.
type vectorDescription struct {
	IndexName        string
	VectorAttribute  json.RawMessage
	SearchSchema     json.RawMessage `json:",omitempty"`
	Projection       json.RawMessage
	Dimensions       json.Number
	DistanceFunction string
}

type throughput struct{ ReadCapacityUnits, WriteCapacityUnits json.Number }

// maxTables is how many tables a seed may have: as many as an account can have in a Region
// (Developer Guide, "Quotas").
const maxTables = 10_000

// roomForTable returns an error if there are so many tables that a further one, a value, is one too
// many.
func (d *Data) roomForTable(n node) error {
	if len(d.tables) >= maxTables {
		return n.errorf("a seed has at most %d tables, as many as an account has in a Region: "+
			"make others with CreateTable", maxTables)
	}
	return nil
}

// addDescription adds a table with the settings that describe-table, create-table and other
// commands print.
func (d *Data) addDescription(list []member) error {
	if err := only("describe-table", list, "Table", "TableDescription",
		"ResponseMetadata"); err != nil { // boto3 and dynamodump print the last one
		return err
	}
	for _, m := range list {
		if m.name == "ResponseMetadata" {
			continue
		}
		if err := m.value.isDefinition(len(m.value.raw)); err != nil {
			return err
		}
		var t description
		if err := json.Unmarshal(m.value.raw, &t); err != nil {
			return m.value.fail(err)
		}
		if t.TableName == "" {
			return m.value.errorf("there is no TableName")
		}
		if err := d.roomForTable(m.value); err != nil {
			return err
		}
		d.tables = append(d.tables, definition{m.value.place, t.TableName, object(t.definition())})
	}
	return nil
}

// definition returns the input of the CreateTable request that makes such a table.
func (t *description) definition() map[string]any {
	in := map[string]any{
		"TableName":                 t.TableName,
		"AttributeDefinitions":      t.AttributeDefinitions,
		"KeySchema":                 t.KeySchema,
		"BillingMode":               "PROVISIONED",
		"OnDemandThroughput":        t.OnDemandThroughput,
		"StreamSpecification":       t.StreamSpecification,
		"DeletionProtectionEnabled": t.DeletionProtectionEnabled,
	}
	provisioned := t.BillingModeSummary == nil ||
		t.BillingModeSummary.BillingMode != "PAY_PER_REQUEST"
	if provisioned {
		in["ProvisionedThroughput"] = t.ProvisionedThroughput
	} else {
		in["BillingMode"] = "PAY_PER_REQUEST"
	}
	if t.TableClassSummary != nil {
		in["TableClass"] = t.TableClassSummary.TableClass
	}
	for _, ix := range [...]struct {
		name string
		list []indexDescription
	}{{"LocalSecondaryIndexes", t.LocalSecondaryIndexes},
		{"GlobalSecondaryIndexes", t.GlobalSecondaryIndexes}} {
		var list []any
		for _, i := range ix.list {
			list = append(list, i.definition(provisioned && ix.name == "GlobalSecondaryIndexes"))
		}
		if list != nil {
			in[ix.name] = list
		}
	}
	if len(t.VectorIndexes) > 0 {
		in["VectorIndexes"] = t.VectorIndexes
	}
	return in
}

func (i *indexDescription) definition(provisioned bool) map[string]any {
	in := map[string]any{
		"IndexName":          i.IndexName,
		"KeySchema":          i.KeySchema,
		"Projection":         i.Projection,
		"OnDemandThroughput": i.OnDemandThroughput,
	}
	if provisioned {
		in["ProvisionedThroughput"] = i.ProvisionedThroughput
	}
	return in
}

// object encodes the members that are not empty as a JSON object.
func object(members map[string]any) []byte {
	for name, v := range members {
		switch v := v.(type) {
		case json.RawMessage:
			if len(v) == 0 || string(v) == "null" {
				delete(members, name)
			}
		case *throughput:
			if v == nil {
				delete(members, name)
			}
		}
	}
	text, err := json.Marshal(members)
	if err != nil { // they were decoded, or are strings
		panic(err)
	}
	return text
}
