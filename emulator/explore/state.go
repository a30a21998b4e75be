package explore

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/storage/item"
)

// schemasOf returns the keys of a server's tables.
func schemasOf(t emulatortest.TB, s *emulatortest.Server) map[string]request.KeySchema {
	schemas := map[string]request.KeySchema{}
	db := s.ClientOf(s.Emulator.Rehearsal())
	for _, name := range s.TableNames(s.Caller()) {
		out, err := db.DescribeTable(context.Background(),
			&dynamodb.DescribeTableInput{TableName: aws.String(name)})
		if err != nil {
			t.Fatalf("explore: %v", err)
		}
		var schema request.KeySchema
		for _, k := range out.Table.KeySchema {
			if k.KeyType == types.KeyTypeHash {
				schema.Partition = *k.AttributeName
			} else {
				schema.Sort = *k.AttributeName
			}
		}
		schemas[name] = schema
	}
	return schemas
}

// stateOf returns how the tables of a fork differ from those of the server, as text, without the
// attributes to ignore.
func stateOf(s *emulatortest.Server, fork *emulator.Emulator, ignored []string) string {
	accessKey, _ := s.Caller()
	before := emulator.State{Emulator: s.Emulator, AccessKey: accessKey}
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

// itemText returns an item as {name: value, ...}.
func itemText(it item.Item) string {
	if it == "" {
		return "nothing"
	}
	b := []byte{'{'}
	for name, v := range it.All() {
		if len(b) > 1 {
			b = append(b, ", "...)
		}
		b = append(append(b, name...), ": "...)
		b = append(b, valueText(v)...)
	}
	return string(append(b, '}'))
}

// valueText returns a value: strings quoted, numbers as they are, and others in DynamoDB's JSON.
func valueText(v item.Value) string {
	switch v.Type() {
	case item.S:
		return strconv.Quote(v.Str())
	case item.N:
		return v.Num()
	case item.NoType:
		return "nothing"
	}
	return string(v)
}
