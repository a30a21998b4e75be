package proof

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// client sends the requests of a verification.
type client struct {
	service Service
	plan    *design.Plan
}

// The owner of the tables of an emulator in this process.
const (
	accessKey = "proof"
	region    = "us-east-1"
)

// refusal is an error that the service answers.
type refusal struct {
	operation         string
	Message           string
	ThrottlingReasons []throttlingReason
}

// throttlingReason names the limit that throttled a request, and its table or index.
type throttlingReason struct{ Reason, Resource string }

func (r *refusal) Error() string { return r.operation + ": " + r.Message }

// do sends a request and decodes its answer.
func (c *client) do(operation string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	r, err := http.NewRequest(http.MethodPost, "http://localhost/", bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	answer, err := c.service.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		failure := &refusal{operation: operation}
		_ = json.Unmarshal(text, failure)
		failure.Message = cmp.Or(failure.Message, string(text))
		return failure
	}
	return json.Unmarshal(text, out)
}

// createTable makes the table of the plan.
func (c *client) createTable() error {
	if err := c.do("CreateTable", c.plan.CreateTable(), &struct{}{}); err != nil {
		return err
	}
	if err := c.service.Settle(); err != nil {
		return err
	}
	if in := c.plan.TimeToLive(); in != nil {
		return c.do("UpdateTimeToLive", in, &struct{}{})
	}
	return nil
}

// timeToLive makes an attribute the time to live of a table, or ends that.
func (c *client) timeToLive(table, attribute string, enabled bool) error {
	return c.do("UpdateTimeToLive", map[string]any{
		"TableName":               table,
		"TimeToLiveSpecification": map[string]any{"AttributeName": attribute, "Enabled": enabled},
	}, &struct{}{})
}

// expires returns the attribute of the time to live, or "".
func (c *client) expires() (string, error) {
	var out struct {
		TimeToLiveDescription struct{ AttributeName, TimeToLiveStatus string }
	}
	err := c.do("DescribeTimeToLive", map[string]any{"TableName": c.plan.Design.Table}, &out)
	if d := out.TimeToLiveDescription; d.TimeToLiveStatus == "ENABLED" ||
		d.TimeToLiveStatus == "ENABLING" {
		return d.AttributeName, err
	}
	return "", err
}

// has reports whether the table has an item with the key of another one.
func (c *client) has(item map[string]any) (bool, error) {
	var out answer
	err := c.do("GetItem", map[string]any{"TableName": c.plan.Design.Table, "Key": c.key(item)},
		&out)
	return out.Item != nil, err
}

// key returns the primary key of an item as requests have it.
func (c *client) key(item map[string]any) map[string]any {
	key := map[string]any{c.plan.Key.Partition: value(item[c.plan.Key.Partition])}
	if c.plan.Key.Sort != "" {
		key[c.plan.Key.Sort] = value(item[c.plan.Key.Sort])
	}
	return key
}

// remove deletes an item.
func (c *client) remove(item map[string]any) error {
	return c.do("DeleteItem", map[string]any{"TableName": c.plan.Design.Table, "Key": c.key(item)},
		&struct{}{})
}

// scan returns all items of the table.
func (c *client) scan() (items []found, err error) {
	in := map[string]any{"TableName": c.plan.Design.Table}
	for {
		var out answer
		if err := c.do("Scan", in, &out); err != nil {
			return nil, err
		}
		items = append(items, out.Items...)
		if out.LastEvaluatedKey == nil {
			return items, nil
		}
		in["ExclusiveStartKey"] = out.LastEvaluatedKey
	}
}

// canonical writes an item of an answer as appendItem does.
func canonical(item found) string {
	b := []byte{'{'}
	for i, name := range slices.Sorted(maps.Keys(item)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, quote(name)...), ':'), item[name]...)
	}
	return string(append(b, '}'))
}

// put stores items.
func (c *client) put(table string, items []map[string]any) error {
	body := append([]byte(`{"RequestItems":{`), quote(table)...)
	body = append(body, ":["...)
	for i, item := range items {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(appendItem(append(body, `{"PutRequest":{"Item":`...), item), "}}"...)
	}
	var out struct {
		UnprocessedItems map[string]any
	}
	err := c.do("BatchWriteItem", json.RawMessage(append(body, "]}}"...)), &out)
	if err == nil && len(out.UnprocessedItems) > 0 {
		err = errors.New("BatchWriteItem: items were not processed")
	}
	return err
}

// found is an item in an answer.
type found = map[string]json.RawMessage

// answer has the members of answers of GetItem, Query and other operations.
type answer struct {
	Item             found
	Items            []found
	ScannedCount     int64
	SearchResults    []struct{ Item found }
	LastEvaluatedKey json.RawMessage
	ConsumedCapacity struct{ CapacityUnits float64 }
}

// read sends a request and its further pages, and adds what it takes to a result. more is true if
// there are pages after MaxPages.
func (c *client) read(b design.Bound, result *Pattern) (items []found, more bool, err error) {
	operation, in := b.Request(c.plan.Design.Table, value)
	in["ReturnConsumedCapacity"] = "TOTAL"
	if operation == string(design.BatchGetItem) {
		items, err = c.readBatch(in, result)
		result.Pages++
		result.Items += int64(len(items))
		return items, false, err
	}
	for pages := 1; ; pages++ {
		var out answer
		if err := c.do(operation, in, &out); err != nil {
			return nil, false, err
		}
		if out.Item != nil {
			out.Items = append(out.Items, out.Item)
		}
		for _, r := range out.SearchResults {
			out.Items = append(out.Items, r.Item)
		}
		result.Pages++
		result.ReadUnits += out.ConsumedCapacity.CapacityUnits
		result.Items += int64(len(out.Items))
		result.Evaluated += out.ScannedCount
		if b.Fetch {
			if out.Items, err = c.fetch(out.Items, result); err != nil {
				return nil, false, err
			}
		}
		items = append(items, out.Items...)
		if out.LastEvaluatedKey == nil || in["Limit"] != nil {
			return items, false, nil
		}
		if pages == MaxPages {
			return items, true, nil
		}
		in["ExclusiveStartKey"] = out.LastEvaluatedKey
	}
}

// errUnprocessed means that a BatchGetItem did not read all items, because it was throttled.
var errUnprocessed = errors.New("BatchGetItem: keys were not processed")

// fetchSize is how many items BatchGetItem reads at most.
const fetchSize = 100

// fetch reads items of an index whole, from the table.
func (c *client) fetch(items []found, result *Pattern) ([]found, error) {
	whole := map[string]found{}
	for part := range slices.Chunk(items, fetchSize) {
		var keys []found
		for _, item := range part {
			keys = append(keys, c.keyOf(item))
		}
		in := map[string]any{
			"RequestItems": map[string]any{
				c.plan.Design.Table: map[string]any{"Keys": keys},
			},
			"ReturnConsumedCapacity": "TOTAL",
		}
		read, err := c.readBatch(in, result)
		if err != nil {
			return nil, err
		}
		for _, item := range read {
			whole[c.primaryKeyOf(item)] = item
		}
	}
	fetched := make([]found, len(items))
	for i, item := range items {
		fetched[i] = whole[c.primaryKeyOf(item)]
	}
	return fetched, nil
}

// keyOf returns the primary key of an item.
func (c *client) keyOf(item found) found {
	key := found{c.plan.Key.Partition: item[c.plan.Key.Partition]}
	if c.plan.Key.Sort != "" {
		key[c.plan.Key.Sort] = item[c.plan.Key.Sort]
	}
	return key
}

// primaryKey returns the primary key of an item of the plan as one text.
func (c *client) primaryKey(item map[string]any) string {
	key := appendValue(nil, item[c.plan.Key.Partition])
	if c.plan.Key.Sort != "" {
		key = appendValue(key, item[c.plan.Key.Sort])
	}
	return string(key)
}

// primaryKeyOf is primaryKey of an item in an answer.
func (c *client) primaryKeyOf(item found) string {
	return string(item[c.plan.Key.Partition]) + string(item[c.plan.Key.Sort])
}

// compare orders values of one type as a sort key does.
func compare(a, b any) int {
	switch a := a.(type) {
	case int64:
		b, _ := b.(int64)
		return cmp.Compare(a, b)
	case float64:
		b, _ := b.(float64)
		return cmp.Compare(a, b)
	case []byte:
		b, _ := b.([]byte)
		return bytes.Compare(a, b)
	case string:
		b, _ := b.(string)
		return cmp.Compare(a, b)
	}
	return 0
}
