package main

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// wronglyDescribed describes a table by other names of its key, and data without its index.
const wronglyDescribed = `
tenants: {callers: {AK1: tenant001, AK2: tenant002}, known: [tenant001, tenant002]}
tables:
  - {name: other, role: plain, key: {partition: PK, sort: SK}}
  - name: data
    role: plain
    entities: [{name: order, prefix: ORDER, sort: "ORDER#{order}"}]
  - {name: history, open: true}
`

// wrongKey returns the finding that lint has in the table "other" after any request.
func wrongKey() []difference {
	return []difference{{inLint, "key-schema", "lint sees the key of the table"}}
}

// openIndex opens the index of data, whose keys name no tenant.
const openIndex = `
tenants: {callers: {AK1: tenant001, AK2: tenant002}}
tables:
  - name: data
    role: data
    entities: [{name: order, prefix: ORDER, sort: "ORDER#{order}"}]
    indexes: [{name: by-category, key: {partition: gsi1pk, sort: gsi1sk}, open: true}]
`

const (
	nobodysTrace = "nothing tells who wrote an item"
	noTable      = "lint reads declared tables"
)

// tenantPlaces are the cases of tenants.
var tenantPlaces = []placeCase{
	{name: "another's item put", do: alone(foreignOrder()), want: "tenant-crossing",
		except: traceless(nobodysTrace)},
	{name: "another's item put in a batch", do: batched(foreignOrder()), want: "tenant-crossing",
		except: traceless(nobodysTrace)},
	{name: "another's item put in a transaction", do: together(foreignOrder()),
		want: "tenant-crossing", except: traceless(nobodysTrace)},
	{name: "another's item inserted", want: "tenant-crossing", except: traceless(nobodysTrace),
		do: statement(
			`INSERT INTO "data" VALUE {'pk': 'ORDER#tenant002', 'sk': 'ORDER#1', 'version': 0}`)},
	{name: "another's item inserted in a transaction", want: "tenant-crossing",
		except: traceless(nobodysTrace),
		do: statementsTogether(
			`INSERT INTO "data" VALUE {'pk': 'ORDER#tenant002', 'sk': 'ORDER#1', 'version': 0}`)},
	{name: "another's item updated", stored: []types.Put{*foreignOrder().Put},
		want: "tenant-crossing", except: traceless(nobodysTrace),
		do: alone(update("data", "", "ADD version :n1", "pk", "ORDER#tenant002", "sk", "ORDER#1"))},
	{name: "another's item deleted in a batch", stored: []types.Put{*foreignOrder().Put},
		want: "tenant-crossing", except: traceless(nobodysTrace),
		do: batched(remove("data", "", "pk", "ORDER#tenant002", "sk", "ORDER#1"))},
	{name: "a condition on another's item", stored: []types.Put{*foreignOrder().Put},
		want: "tenant-crossing", except: traceless(isRead),
		do: together(
			check("data", "attribute_exists(pk)", "pk", "ORDER#tenant002", "sk", "ORDER#1"))},
	{name: "another's item selected in a batch", want: "tenant-crossing", except: traceless(isRead),
		do: statementsInBatch(
			`SELECT * FROM "data" WHERE pk = 'ORDER#tenant002' AND sk = 'ORDER#1'`)},
	{name: "another's association", do: got("data", "USER_TENANT#common", "tenant002#u"),
		want: "tenant-crossing", except: traceless(isRead)},
	{name: "one's own association", do: got("data", "USER_TENANT#common", "tenant001#u")},
	{name: "all associations", do: queried("pk = :spk", "USER_TENANT#common", ""),
		want: "tenant-crossing", except: traceless(isRead)},
	{name: "one's own associations",
		do: queried("pk = :spk AND begins_with(sk, :ssk)", "USER_TENANT#common", "tenant001#")},
	{name: "associations of tenants that are called alike",
		do:   queried("pk = :spk AND begins_with(sk, :ssk)", "USER_TENANT#common", "tenant001"),
		want: "tenant-crossing", except: traceless(isRead)},
	{name: "all associations by an index",
		do:   statement(`SELECT * FROM "data"."by-text" WHERE pk = 'USER_TENANT#common'`),
		want: "tenant-crossing", except: traceless(isRead)},
	{name: "associations by a part of an index", want: "tenant-crossing", except: traceless(isRead),
		do: statement(
			`SELECT * FROM "data"."by-text" WHERE pk = 'USER_TENANT#common' AND begins_with(gsi1sk, 'tenant001#')`)},
	{name: "one's own associations by an index",
		do: statement(
			`SELECT * FROM "data"."by-text" WHERE pk = 'USER_TENANT#common' AND begins_with(sk, 'tenant001#')`)},
	{name: "orders by an index",
		do: statement(`SELECT * FROM "data"."by-text" WHERE pk = 'ORDER#tenant001'`)},
	{name: "a place in the index that the request does not say",
		stored: orderAt("0", "tmp", "CATEGORY#tenant002"), want: "tenant-crossing",
		do: alone(update("data", "", "SET gsi1pk = tmp, gsi1sk = :sx ADD version :n1",
			orderKey()...))},
	{name: "a caller of no tenant", caller: "AK9", do: got("data", "ORDER#tenant001", "ORDER#1"),
		want: "tenant-caller", except: traceless(isRead)},
	{name: "a privileged caller", caller: "ADMIN", do: got("data", "ORDER#tenant002", "ORDER#1")},
	{name: "a privileged caller's update of a partition key of no entity, in an index that the item is not in",
		caller: "ADMIN", stored: orderAt("1"), do: halfOfAnIndexKey(), except: []difference{
			{inGuard, "key-undeclared-prefix", noSortKeySeen},
			{inGateway, "key-undeclared-prefix", noSortKeySeen}}},
	{name: "a privileged caller's update of a partition key of no entity, in an index that the item is in",
		caller: "ADMIN", stored: orderAt("1", "gsi1pk", "CATEGORY#tenant001", "gsi1sk", "p"),
		do: halfOfAnIndexKey(), want: "key-undeclared-prefix"},

	{name: "a shared item read", do: got("data", "COUNTRY#common", "jp")},
	{name: "a shared item put", do: alone(country("")), want: "tenant-shared",
		except: traceless(nobodysTrace)},
	{name: "a shared item put in a batch", do: batched(country("")), want: "tenant-shared",
		except: traceless(nobodysTrace)},
	{name: "a shared item put in a transaction", do: together(country("")), want: "tenant-shared",
		except: traceless(nobodysTrace)},
	{name: "a shared item inserted", want: "tenant-shared", except: traceless(nobodysTrace),
		do: statement(
			`INSERT INTO "data" VALUE {'pk': 'COUNTRY#common', 'sk': 'jp', 'version': 0}`)},
	{name: "a shared item updated", stored: []types.Put{*country("").Put}, want: "tenant-shared",
		except: traceless(nobodysTrace),
		do:     alone(update("data", "", "ADD version :n1", "pk", "COUNTRY#common", "sk", "jp"))},
	{name: "a shared item deleted", stored: []types.Put{*country("").Put}, want: "tenant-shared",
		except: traceless(nobodysTrace),
		do:     alone(remove("data", "version = :n0", "pk", "COUNTRY#common", "sk", "jp"))},
	{name: "a condition on a shared item", stored: []types.Put{*country("").Put},
		do: together(check("data", "attribute_exists(pk)", "pk", "COUNTRY#common", "sk", "jp"))},
	{name: "a shared item of an entity that may be each tenant's",
		do: alone(
			put("data", "", "pk", "PRODUCT#common", "sk", "01HX7MBJK3V9WQBZ7XNDK5ZT2M", "version",
				"=0")),
		want: "tenant-shared", except: traceless(nobodysTrace)},
	{name: "a shared item put by a privileged caller", caller: "ADMIN", do: alone(country(""))},
	{name: "a shared item that tenants may write",
		do: alone(put("data", "", "pk", "USER#common", "sk", "u1", "version", "=0"))},
	{name: "one's own association put",
		do: alone(put("data", "", "pk", "USER_TENANT#common", "sk", "tenant001#u1", "version",
			"=0"))},
	{name: "one's own association put, in an index of its partition",
		do: alone(put("data", "", "pk", "USER_TENANT#common", "sk", "tenant001#u1", "version", "=0",
			"gsi1sk", "x"))},
	{name: "a half of a place among what tenants share in an index",
		do:   alone(order("", "0", "gsi1pk", "CATEGORY#common")),
		want: "tenant-shared", except: traceless(nobodysTrace)},
	{name: "the association of everybody put",
		do: alone(
			put("data", "", "pk", "USER_TENANT#common", "sk", "common#u1", "version", "=0")),
		want: "tenant-shared", except: traceless(nobodysTrace)},
	{name: "a place among what tenants share in an index",
		do:   alone(order("", "0", "gsi1pk", "CATEGORY#common", "gsi1sk", "p")),
		want: "tenant-shared", except: traceless(nobodysTrace)},
	{name: "a place among what tenants share in an index by an update", stored: orderAt("0"),
		want: "tenant-shared", except: traceless(nobodysTrace),
		do: statement(
			`UPDATE data SET gsi1pk = 'CATEGORY#common' SET gsi1sk = 'p' SET version = 1 WHERE pk = 'ORDER#tenant001' AND sk = 'ORDER#1' AND version = 0`)},
	{name: "a place among what tenants may write in an index",
		do: alone(order("", "0", "gsi1pk", "OFFER#common", "gsi1sk", "p"))},
	{name: "a shared item in an index of such",
		do: alone(put("data", "", "pk", "USER#common", "sk", "u1", "version", "=0", "gsi1pk",
			"CATEGORY#common", "gsi1sk", "p"))},

	{name: "a table that is not declared", do: got("other", "ORDER#tenant001", "1"),
		want: "tenant-undeclared", except: traceless(isRead)},
	{name: "a write to a table that is not declared",
		do: alone(put("other", "", "pk", "ORDER#tenant001", "sk", "1")), want: "tenant-undeclared",
		except: traceless(noTable)},
	{name: "a key by other names", policy: wronglyDescribed, do: got("other", "X#tenant001", "1"),
		want: "tenant-undeclared", except: wrongKey()},
	{name: "an index that is not declared", policy: wronglyDescribed, want: "tenant-undeclared",
		except: wrongKey(),
		do: statement(
			`SELECT * FROM "data"."by-category" WHERE gsi1pk = 'CATEGORY#tenant001'`)},
	{name: "an item in an open index", policy: openIndex,
		do: alone(order("", "0", "gsi1pk", "books", "gsi1sk", "p"))},
	{name: "an item that enters an open index", policy: openIndex, stored: orderAt("0"),
		do: alone(update("data", "", "SET gsi1pk = :sbooks, gsi1sk = :sp ADD version :n1",
			orderKey()...))},
	{name: "what an open index has", policy: openIndex,
		do: statement(`SELECT * FROM "data"."by-category" WHERE gsi1pk = 'books'`)},
	{name: "an open table", policy: wronglyDescribed, caller: "AK9",
		do: alone(put("history", "", "pk", "ORDER#tenant002", "sk", "1")), except: wrongKey()},

	{name: "a table's settings", want: "tenant-operation", except: traceless("lint looks at items"),
		do: func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.UpdateTimeToLive(
				ctx, &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("data"),
					TimeToLiveSpecification: &types.TimeToLiveSpecification{
						AttributeName: aws.String("ttl"), Enabled: aws.Bool(true),
					}})
			return err
		}},
	{name: "the list of tables", want: "tenant-operation", except: []difference{
		unseen(inServer,
			"the server leaves out what is not the caller's, where guard and gateway pass the answer on"), unseen(inLint, isRead)},
		do: func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.ListTables(ctx, &dynamodb.ListTablesInput{})
			return err
		}},
}

// foreignOrder puts an item of tenant002.
func foreignOrder() types.TransactWriteItem {
	return put("data", "", "pk", "ORDER#tenant002", "sk", "ORDER#1", "version", "=0")
}

// country puts an item that tenants share.
func country(condition string) types.TransactWriteItem {
	return put("data", condition, "pk", "COUNTRY#common", "sk", "jp", "version", "=0")
}

// got asks by GetItem.
func got(table, pk, sk string) clientRequest {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.GetItem(ctx,
			&dynamodb.GetItemInput{TableName: &table, Key: attributes("pk", pk, "sk", sk)})
		return err
	}
}

const noSortKeySeen = "the request does not show whether the item has the sort key of the index"

// halfOfAnIndexKey updates the partition key of an index without its sort key: the item is in the
// index afterwards if it has the sort key already.
func halfOfAnIndexKey() clientRequest {
	return alone(update("data", "version = :n1", "SET gsi1pk = :sbooks ADD version :n1",
		orderKey()...))
}
