package seed

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item"
)

// add adds one value of a file.
func (d *Data) add(n node) error {
	list, err := n.members()
	if err != nil {
		return err
	}
	has := func(name string) bool { _, ok := find(list, name); return ok }
	switch {
	case isWrapped(list) && !has("TableName"):
		return d.addWrapped(list)
	case isItem(list):
		d.writes.add(newWrite(n, tableOf(n.in.name), put))
		return nil
	case isBatch(list):
		return d.addBatch(list)
	case has("RequestItems"):
		return d.addRequestItems(list)
	case has("DataModel"):
		return d.addModel(n)
	case has("Table"), has("TableDescription"):
		return d.addDescription(list)
	case has("KeySchema"):
		return d.addDefinition(n, list)
	case has("TimeToLiveSpecification"):
		return d.addTimeToLive(list)
	case has("TimeToLiveDescription"):
		return d.addTimeToLiveDescription(list)
	case has("Items"):
		return d.addItems(list)
	case has("Item") && has("TableName"):
		return d.addPut(n, list)
	}
	if i := slices.IndexFunc(list, isNoValue); i >= 0 {
		return n.errorf(
			"no form of a seed has these members: %s; if it is an item, %s needs a type, as in {\"S\":\"text\"}",
			namesOf(list), list[i].name)
	}
	return n.errorf("no form of a seed has these members: %s", namesOf(list))
}

// isItem reports whether an object has the form of an item: each member is an attribute value, an
// object whose only member is named after a type.
func isItem(list []member) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, isNoValue)
}

func isNoValue(m member) bool {
	if m.value.raw[0] != '{' {
		return true
	}
	value, err := m.value.members()
	return err != nil || len(value) != 1 || item.TypeNamed(value[0].name) == item.NoType
}

// isWrapped reports whether an object has an item as its member Item. It is false for an item with
// an attribute of that name.
func isWrapped(list []member) bool {
	it, ok := find(list, "Item")
	if !ok {
		return false
	}
	inner, err := it.members()
	return err == nil && (len(inner) == 0 || isItem(inner))
}

var errNoBatch = errors.New("no batch")

// isBatch reports whether an object maps tables to lists of write requests.
func isBatch(list []member) bool {
	requests := 0
	for _, m := range list {
		if m.value.elems(func(e node) error {
			request, err := e.members()
			if err != nil || len(request) != 1 || request[0].name != "PutRequest" &&
				request[0].name != "DeleteRequest" {
				return errNoBatch
			}
			requests++
			return nil
		}) != nil {
			return false
		}
	}
	return requests > 0
}

// addWrapped adds the item that get-item prints, or the item of a line of an export.
func (d *Data) addWrapped(list []member) error {
	if err := only("an item", list, "Item", "ConsumedCapacity"); err != nil {
		return err
	}
	it, _ := find(list, "Item")
	d.writes.add(newWrite(it, tableOf(it.in.name), put))
	return nil
}

// addItems adds the items that scan and query print.
func (d *Data) addItems(list []member) error {
	if err := only("the output of scan", list, "Items", "Count", "ScannedCount", "LastEvaluatedKey",
		"NextToken", "ConsumedCapacity"); err != nil {
		return err
	}
	items, _ := find(list, "Items")
	table := tableOf(items.in.name)
	if used, ok := find(list, "ConsumedCapacity"); ok {
		var capacity struct{ TableName string }
		if err := json.Unmarshal(used.raw, &capacity); err != nil {
			return used.fail(err)
		}
		if capacity.TableName != "" {
			table = capacity.TableName
		}
	}
	return d.addList(items, table)
}

// addList adds a list of items.
func (d *Data) addList(items node, table string) error {
	return items.elems(func(e node) error {
		if len(e.raw) <= len("{}") || e.raw[0] != '{' {
			return e.fail(errNoItem)
		}
		d.writes.add(newWrite(e, table, put))
		return nil
	})
}

// addPut adds the request of a put-item. It may have conditions.
func (d *Data) addPut(n node, list []member) error {
	if err := only("put-item", list, putMembers...); err != nil {
		return err
	}
	d.writes.add(newWrite(n, "", request))
	return nil
}

func (d *Data) addRequestItems(list []member) error {
	if err := only("batch-write-item", list, "RequestItems"); err != nil {
		return err
	}
	tables, err := list[0].value.members()
	if err != nil {
		return err
	}
	if !isBatch(tables) {
		return list[0].value.errorf(
			"no list of PutRequest and DeleteRequest for each of some tables")
	}
	return d.addBatch(tables)
}

// addBatch adds write requests, by table.
func (d *Data) addBatch(tables []member) error {
	for _, t := range tables {
		if err := t.value.elems(func(r node) error {
			w, err := batchWrite(r, t.name)
			if err == nil {
				d.writes.add(w)
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// batchWrite reads {"PutRequest":{"Item":{}}} or {"DeleteRequest":{"Key":{}}}.
func batchWrite(r node, table string) (write, error) {
	request, err := r.members()
	if err != nil {
		return write{}, err
	}
	kind, what := put, "Item"
	if request[0].name == "DeleteRequest" {
		kind, what = remove, "Key"
	}
	inner, err := request[0].value.members()
	if err != nil {
		return write{}, r.fail(err)
	}
	if err := only(request[0].name, inner, what); err != nil {
		return write{}, err
	}
	n, ok := find(inner, what)
	if !ok {
		return write{}, r.errorf("%s has no %s", request[0].name, what)
	}
	n.index = r.index
	return newWrite(n, table, kind), nil
}

func (d *Data) addTimeToLive(list []member) error {
	if err := only("update-time-to-live", list, "TableName",
		"TimeToLiveSpecification"); err != nil {
		return err
	}
	spec, _ := find(list, "TimeToLiveSpecification")
	table, err := nameIn(spec.place, list)
	if err != nil {
		return err
	}
	d.ttls = append(d.ttls, timeToLive{spec.place, table, spec.raw})
	return nil
}

func (d *Data) addTimeToLiveDescription(list []member) error {
	if err := only("describe-time-to-live", list, "TimeToLiveDescription"); err != nil {
		return err
	}
	n := list[0].value
	var is struct{ TimeToLiveStatus, AttributeName string }
	if err := n.decode(&is); err != nil {
		return err
	}
	switch is.TimeToLiveStatus {
	case "DISABLED", "DISABLING":
		return nil
	case "ENABLED", "ENABLING":
		d.ttls = append(d.ttls, newTimeToLive(n.place, tableOf(n.in.name), is.AttributeName))
		return nil
	}
	return n.errorf("there is no TimeToLiveStatus %q", is.TimeToLiveStatus)
}

// newTimeToLive enables TTL for an attribute.
func newTimeToLive(at place, table, attribute string) timeToLive {
	return timeToLive{at, table,
		object(map[string]any{"Enabled": true, "AttributeName": attribute})}
}

// nameIn returns the TableName among members.
func nameIn(at place, list []member) (name string, err error) {
	n, ok := find(list, "TableName")
	if !ok {
		return "", at.errorf("there is no TableName")
	}
	return name, n.decode(&name)
}

// The parameters that the AWS CLI's commands accept in --cli-input-json.
var (
	putMembers = []string{
		"TableName", "Item", "Expected", "ReturnValues", "ReturnConsumedCapacity",
		"ReturnItemCollectionMetrics", "ConditionalOperator",
		"ConditionExpression", "ExpressionAttributeNames", "ExpressionAttributeValues",
		"ReturnValuesOnConditionCheckFailure",
	}
	createMembers = []string{
		"AttributeDefinitions", "TableName", "KeySchema", "LocalSecondaryIndexes",
		"GlobalSecondaryIndexes", "BillingMode",
		"ProvisionedThroughput", "StreamSpecification", "SSESpecification", "Tags", "TableClass",
		"DeletionProtectionEnabled",
		"WarmThroughput", "ResourcePolicy", "OnDemandThroughput", "GlobalTableSourceArn",
		"GlobalTableSettingsReplicationMode", "VectorIndexes",
	}
)

// extensions are the extensions of seed files.
var extensions = []string{".json", ".jsonl", ".ndjson"}

// tableOf returns the table that a file is named after.
func tableOf(file string) string {
	name := file[strings.LastIndexAny(file, `/\`)+1:]
	for _, ext := range slices.Concat(extensions, []string{".items", ".ttl"}) {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}
