package proof

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/emulator"
)

// client sends the requests of a verification.
type client struct {
	http *emulator.HTTPClient
	plan *design.Plan
}

func newClient(e *emulator.Emulator, plan *design.Plan) *client {
	return &client{http: e.HTTPClient("proof", "us-east-1"), plan: plan}
}

// attributes are the attributes of an item in DynamoDB's JSON.
type attributes map[string]any

// value writes a value in DynamoDB's JSON.
func value(v any) any {
	switch v := v.(type) {
	case string:
		return map[string]string{"S": v}
	case int64:
		return map[string]string{"N": strconv.FormatInt(v, 10)}
	case float64:
		return map[string]string{"N": strconv.FormatFloat(v, 'f', -1, 64)}
	case []byte:
		return map[string]string{"B": base64.StdEncoding.EncodeToString(v)}
	case bool:
		return map[string]bool{"BOOL": v}
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = value(v[i])
		}
		return map[string]any{"L": list}
	case map[string]any:
		return map[string]any{"M": values(v)}
	}
	panic(fmt.Sprintf("proof: an attribute is a %T", v))
}

func values(item map[string]any) attributes {
	all := attributes{}
	for name, v := range item {
		all[name] = value(v)
	}
	return all
}

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
	answer, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		var failure struct{ Message string }
		_ = json.Unmarshal(text, &failure)
		return errors.New(operation + ": " + cmp.Or(failure.Message, string(text)))
	}
	return json.Unmarshal(text, out)
}

// createTable makes the table of the plan.
func (v *verification) createTable() error {
	var out struct{}
	return v.db.do("CreateTable", v.plan.CreateTable(), &out)
}

// batch collects items for BatchWriteItem.
type batch struct {
	client *client
	puts   []any
}

const batchSize = 25

func (c *client) newBatch() *batch { return &batch{client: c} }

func (b *batch) put(item map[string]any) error {
	b.puts = append(b.puts, map[string]any{"PutRequest": map[string]any{"Item": values(item)}})
	if len(b.puts) < batchSize {
		return nil
	}
	return b.flush()
}

func (b *batch) flush() error {
	if len(b.puts) == 0 {
		return nil
	}
	var out struct {
		UnprocessedItems map[string]any
	}
	err := b.client.do("BatchWriteItem", map[string]any{"RequestItems": map[string]any{b.client.plan.Design.Table: b.puts}}, &out)
	b.puts = b.puts[:0]
	if err == nil && len(out.UnprocessedItems) > 0 {
		err = errors.New("BatchWriteItem: items were not processed")
	}
	return err
}

// answer is what GetItem and Query answer.
type answer struct {
	Item             map[string]json.RawMessage
	Items            []map[string]json.RawMessage
	ScannedCount     int
	LastEvaluatedKey json.RawMessage
	ConsumedCapacity struct{ CapacityUnits float64 }
}

// read sends a request and its further pages, and adds what it takes to a result. more is true if
// there are pages after MaxPages.
func (c *client) read(b design.Bound, result *Pattern) (items []map[string]json.RawMessage, more bool, err error) {
	operation, in := b.Request(c.plan.Design.Table, value)
	in["ReturnConsumedCapacity"] = "TOTAL"
	for {
		var out answer
		if err := c.do(operation, in, &out); err != nil {
			return nil, false, err
		}
		result.Pages++
		result.ReadUnits += out.ConsumedCapacity.CapacityUnits
		if out.Item != nil {
			out.Items = append(out.Items, out.Item)
		}
		result.Items += int64(len(out.Items))
		items = append(items, out.Items...)
		if out.LastEvaluatedKey == nil || in["Limit"] != nil {
			return items, false, nil
		}
		if result.Pages%MaxPages == 0 {
			return items, true, nil
		}
		in["ExclusiveStartKey"] = out.LastEvaluatedKey
	}
}

// primaryKey returns the primary key of an item of the plan as one text.
func (c *client) primaryKey(item map[string]any) string {
	key, _ := json.Marshal([]any{value(item[c.plan.Key.Partition]), c.sortValue(item)})
	return string(key)
}

func (c *client) sortValue(item map[string]any) any {
	if c.plan.Key.Sort == "" {
		return nil
	}
	return value(item[c.plan.Key.Sort])
}

// primaryKeyOf is primaryKey of an item in an answer.
func (c *client) primaryKeyOf(item map[string]json.RawMessage) string {
	parts := []json.RawMessage{item[c.plan.Key.Partition], nil}
	if c.plan.Key.Sort != "" {
		parts[1] = item[c.plan.Key.Sort]
	}
	key, _ := json.Marshal(parts)
	return string(key)
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
