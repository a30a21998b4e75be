package emulator_test

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
	"github.com/kugiri-db/kugiri/storage/item"
)

// anyWrite is a write that may or may not conform: by one operation or several actions of one.
func anyWrite(r *rapid.T) policyCall {
	keyed := func() map[string]types.AttributeValue {
		pk := rapid.SampledFrom(
			[]string{"PRODUCT#tenant001", "PRODUCT#tenant001", "PRODUCT#tenant002", "PRODUCT",
				"OTHER#tenant001"}).Draw(r, "pk")
		sk := rapid.SampledFrom([]string{ulidA, ulidA, ulidB, "42", ulidA + "@1"}).Draw(r, "sk")
		return itemOf(pk, sk)
	}
	versioned := func() map[string]types.AttributeValue {
		it := keyed()
		if rapid.Bool().Draw(r, "versioned") {
			it["version"] = &types.AttributeValueMemberN{
				Value: fmt.Sprint(rapid.IntRange(0, 4).Draw(r, "version")),
			}
		}
		it["title"] = &types.AttributeValueMemberS{
			Value: rapid.SampledFrom([]string{"a", "b"}).Draw(r, "title"),
		}
		return it
	}
	table := rapid.SampledFrom([]string{"data", "data", "commands"}).Draw(r, "table")
	update := func() string {
		return rapid.SampledFrom(
			[]string{"SET title = :x", "ADD version :one", "SET title = :x ADD version :one",
				"SET version = :two"}).Draw(r, "update")
	}
	switch rapid.IntRange(0, 5).Draw(r, "operation") {
	case 0:
		return puts(table, versioned())
	case 1:
		return updates(table, keyed(), update(),
			rapid.SampledFrom([]string{"", "version = :one"}).Draw(r, "condition"))
	case 2:
		return deletes(table, keyed())
	case 3:
		return transacts(putAction("free", itemOf("free", "free", "title", "new")),
			putAction(table, versioned()), putAction("documents",
				attributes("documentVersion",
					rapid.SampledFrom([]string{"latest", "v1", "v2"}).Draw(r, "document"),
					"actualVersion", "v1", "content", "a")))
	case 4:
		return publishes(rapid.SampledFrom([]string{"v1", "v2"}).Draw(r, "published"), "a")
	}
	return batchWrites(types.WriteRequest{PutRequest: &types.PutRequest{Item: versioned()}},
		types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: keyed()}})
}

// Whatever is asked for, a request that is refused changes nothing, and the tables hold what
// conforms to the policy only.
func TestPolicyProperty(t *testing.T) {
	g := newPolicyTest(t, policytest.Shop())
	engine, err := policy.Compile(policytest.Shop())
	require.NoError(t, err)
	rapid.Check(t, func(r *rapid.T) {
		g.emulator.Reset()
		for _, table := range []struct {
			name, pk, sk string
		}{{"data", "pk", "sk"}, {"commands", "pk", "sk"}, {"documents", "documentVersion", ""},
			{"free", "pk", "sk"}} {
			g.create(table.name, table.pk, table.sk)
		}
		stored := func() (all [][]map[string]types.AttributeValue) {
			for _, table := range []string{"data", "commands", "documents", "free"} {
				all = append(all, g.items(table))
			}
			return all
		}
		before := stored()
		for range rapid.IntRange(1, 10).Draw(r, "writes") {
			err := anyWrite(r)(g, g.Client)
			after := stored()
			if err != nil {
				require.Equal(r, before, after, "%v", err)
			}
			before = after
		}
		for i, table := range []string{"data", "commands", "documents"} {
			for _, stored := range before[i] {
				require.Empty(r, engine.CheckItem(table, stringsOf(r, stored), nil))
			}
		}
		latest, err := g.GetItem(t.Context(),
			&dynamodb.GetItemInput{
				TableName: aws.String("documents"), Key: attributes("documentVersion", "latest"),
			})
		require.NoError(r, err)
		require.Equal(r, len(latest.Item) == 0, len(before[2]) == 0,
			"there is a latest item if there are documents")
	})
}

// stringsOf is an item of strings and numbers as package item has it.
func stringsOf(t require.TestingT, attributes map[string]types.AttributeValue) item.Item {
	var list []item.Attribute
	for name, v := range attributes {
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			list = append(list, item.Attribute{Name: name, Value: item.String(v.Value)})
		case *types.AttributeValueMemberN:
			list = append(list,
				item.Attribute{Name: name, Value: item.Value(`{"N":"` + v.Value + `"}`)})
		default:
			require.Fail(t, "an attribute of another type")
		}
	}
	return item.New(list...)
}
