package search

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/storage/item"
)

// schemasOf returns the keys of a caller's tables, also of those that a policy hides from it.
func schemasOf(e *emulator.Emulator, accessKey, region string) (map[string]request.KeySchema,
	error) {
	schemas := map[string]request.KeySchema{}
	client := e.Rehearsal().Fork(emulator.WithPolicy(nil)).HTTPClient(accessKey, region)
	for _, name := range e.TableNames(accessKey, region) {
		schema, err := schemaOf(client, name)
		if err != nil {
			return nil, err
		}
		schemas[name] = schema
	}
	return schemas, nil
}

// schemaOf asks for the key of a table.
func schemaOf(client *emulator.HTTPClient, table string) (schema request.KeySchema, err error) {
	body, err := json.Marshal(map[string]string{"TableName": table})
	if err != nil {
		return schema, err
	}
	r, err := http.NewRequest(http.MethodPost, "http://explore/", bytes.NewReader(body))
	if err != nil {
		return schema, err
	}
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.DescribeTable")
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	answer, err := client.Do(r)
	if err != nil {
		return schema, err
	}
	defer answer.Body.Close()
	var out struct {
		Table struct {
			KeySchema []struct{ AttributeName, KeyType string }
		}
	}
	if err := json.NewDecoder(answer.Body).Decode(&out); err != nil {
		return schema, err
	}
	if answer.StatusCode != http.StatusOK {
		return schema, fmt.Errorf("DescribeTable of %s: status %d", table, answer.StatusCode)
	}
	for _, k := range out.Table.KeySchema {
		if k.KeyType == "HASH" {
			schema.Partition = k.AttributeName
		} else {
			schema.Sort = k.AttributeName
		}
	}
	return schema, nil
}

// stateOf returns how the tables of a fork differ from those before a run, as text, without the
// attributes to ignore.
func stateOf(origin, fork *emulator.Emulator, accessKey string, ignored []string) string {
	before := emulator.State{Emulator: origin, AccessKey: accessKey}
	after := emulator.State{Emulator: fork, AccessKey: accessKey}
	var b strings.Builder
	for _, t := range emulator.Compare(before, after) {
		b.WriteString(t.Table + ":\n")
		for place, more := "", true; more; more = place != "" {
			items, next, err := emulator.CompareItems(before, after, t.Region, t.Table, place, 1000)
			if err != nil {
				b.WriteString(err.Error())
				break
			}
			for i := range items {
				x := &items[i]
				was, is := without(ignored, x.Before), without(ignored, x.After)
				if was != is {
					b.WriteString(without(ignored, x.Key) + " = " + is + "\n")
				}
			}
			place = next
		}
	}
	return b.String()
}

// without returns an item as text, without the attributes to ignore.
func without(ignored []string, it item.Item) string {
	if it == "" {
		return "nothing"
	}
	if len(ignored) == 0 {
		return itemText(it)
	}
	var rest []item.Attribute
	for name, v := range it.All() {
		if !slices.Contains(ignored, name) {
			rest = append(rest, item.Attribute{Name: name, Value: v})
		}
	}
	return itemText(item.New(rest...))
}
