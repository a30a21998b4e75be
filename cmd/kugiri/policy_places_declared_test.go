package main

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

const declaredPolicy = `
severities: {read-mixed-entities: enforce}
tables:
  - name: data
    role: data
    entities:
      - {name: order, prefix: ORDER, sort: "ORDER#{order}"}
      - {name: order-item, prefix: ORDER, sort: "ORDER_ITEM#{order}#{item:number}", mutable: [quantity]}
      - {name: by-status, prefix: STATUS, sort: "{status:status}#{order}"}
      - {name: master, prefix: MASTER, sort: "{type:SETTING|DATA}#{category}#{code}"}
      - {name: log, prefix: LOG, partition: "{month:month}", sort: "{at:timestamp}#{event}"}
      - {name: post, prefix: BLOG, sort: "Post_{created:timestamp}"}
      - {name: comment, prefix: BLOG, sort: "Comment_{created:timestamp}"}
  - name: command
    role: command
    entities: [{name: order, prefix: ORDER, sort: "ORDER#{order}"}]
`

const tiedPolicy = `
tables:
  - name: data
    role: data
    commands: command
    entities: &orders [{name: order, prefix: ORDER, sort: "ORDER#{order}"}]
  - {name: command, role: command, entities: *orders}
`

const (
	needsImages = "the item before the write is not seen"
	needsTables = "only the table of the request is seen"
	isRead      = "a read leaves nothing behind"
	keepsState  = "the item no longer has what its key repeats"
)

// fromOutside are the differences of places that see requests only, and of lint.
func fromOutside(reason, ofLint string) []difference {
	return []difference{unseen(inGuard, reason), unseen(inGateway, reason), unseen(inLint, ofLint)}
}

// declaredPlaces are the cases of what is declared.
var declaredPlaces = declared(declaredPolicy, []placeCase{
	{name: "an event in its month",
		do: alone(at("LOG#tenant001#2024-01", "2024-01-15T10:30:00Z#failed"))},
	{name: "an event in another month",
		do: alone(at("LOG#tenant001#2024-01", "2024-02-15T10:30:00Z#evt001")), want: "key-value"},
	{name: "an event in another month, in a batch",
		do: batched(at("LOG#tenant001#2024-01", "2024-02-15T10:30:00Z#evt001")), want: "key-value"},
	{name: "an event in another month, in a transaction",
		do:   together(at("LOG#tenant001#2024-01", "2024-02-15T10:30:00Z#evt001")),
		want: "key-value"},
	{name: "an event in another month, inserted", want: "key-value",
		do: statement(
			`INSERT INTO "data" VALUE {'pk': 'LOG#tenant001#2024-01', 'sk': '2024-02-15T10:30:00Z#evt001', 'version': 0}`)},

	{name: "an id", do: alone(order("", "0", "id", "ORDER#tenant001#ORDER#1"))},
	{name: "another item's id", do: alone(order("", "0", "id", "ORDER#tenant001#ORDER#2")),
		want: "key-id"},
	{name: "another item's id, updated",
		do:   alone(update("data", "", "SET id = :sx ADD version :n1", orderKey()...)),
		want: "key-id"},
	{name: "another item's id, inserted", want: "key-id",
		do: statement(
			`INSERT INTO "data" VALUE {'pk': 'ORDER#tenant001', 'sk': 'ORDER#1', 'version': 0, 'id': 'x'}`)},
	{name: "the command of the version",
		do: alone(order("", "1", "cpk", "ORDER#tenant001", "csk", "ORDER#1@1"))},
	{name: "the command of another version",
		do:   alone(order("", "1", "cpk", "ORDER#tenant001", "csk", "ORDER#1@2")),
		want: "version-command"},

	{name: "a code that is a word of state",
		do: alone(at("MASTER#tenant001", "DATA#order_status#active"))},
	{name: "a declared state", do: alone(at("STATUS#tenant001", "packed#1")), want: "key-mutable"},
	{name: "a state that the key repeats",
		stored: []types.Put{*at("MASTER#tenant001", "DATA#kind#active", "note", "active").Put},
		want:   "key-mutable",
		do: alone(update("data", "", "SET note = :sinactive ADD version :n1", "pk",
			"MASTER#tenant001", "sk", "DATA#kind#active")),
		except: fromOutside(needsImages, keepsState)},
	{name: "a number as large as another",
		do: alone(at("ORDER#tenant001", "ORDER_ITEM#1#2", "quantity", "2"))},
	{name: "text in front", do: alone(at("BLOG#tenant001", "Post_2021-12-03T10:06:57.650Z"))},
	{name: "other text in front", do: alone(at("BLOG#tenant001", "Like_2021-12-03T10:06:57.650Z")),
		want: "key-undeclared-prefix"},

	{name: "a query of one entity",
		do: queried("pk = :spk AND begins_with(sk, :ssk)", "BLOG#tenant001", "Post_")},
	{name: "a query by a version", want: "version-in-data-key", except: traceless(isRead),
		do: queried("pk = :spk AND begins_with(sk, :ssk)", "ORDER#tenant001", "ORDER#1@3")},
	{name: "a query by the beginning of a version", want: "version-in-data-key",
		except: traceless(isRead),
		do:     queried("pk = :spk AND begins_with(sk, :ssk)", "ORDER#tenant001", "ORDER#1@")},
	{name: "a query between two versions", want: "version-in-data-key", except: traceless(isRead),
		do: queried("pk = :spk AND sk BETWEEN :ssk AND :ssk", "ORDER#tenant001", "ORDER#1@3")},
	{name: "a query of two entities", do: queried("pk = :spk", "BLOG#tenant001", ""),
		want: "read-mixed-entities", except: traceless(isRead)},
	{name: "a range of two entities",
		do:   queried("pk = :spk AND sk > :ssk", "ORDER#tenant001", "ORDER#"),
		want: "read-mixed-entities", except: traceless(isRead)},
	{name: "two entities selected",
		do:   statement(`SELECT * FROM "data" WHERE pk = 'BLOG#tenant001'`),
		want: "read-mixed-entities", except: traceless(isRead)},
	{name: "one entity selected",
		do: statement(
			`SELECT * FROM "data" WHERE pk = 'ORDER#tenant001' AND sk BETWEEN 'ORDER#' AND 'ORDER#~'`)},

	{name: "bookkeeping of a command", stored: []types.Put{*aCommand("", "1").Put},
		do:     alone(update("command", "", "SET notified = :sx", keyOfCommand("1")...)),
		want:   "history-immutable",
		except: traceless(keepsState)},
	{name: "declared bookkeeping of a command", stored: []types.Put{*aCommand("", "1").Put},
		do: alone(update("command", "", "SET updatedAt = :sx", keyOfCommand("1")...))},
	{name: "declared bookkeeping of no command",
		do:     alone(update("command", "", "SET updatedAt = :sx", keyOfCommand("1")...)),
		want:   "history-immutable",
		except: []difference{{inLint, repeated, "lint sees a command without its version"}}},
	{name: "a command put again with other bookkeeping",
		stored: []types.Put{*aCommand("", "1", "requestId", "r").Put},
		do:     alone(aCommand("", "1", "requestId", "r", "updatedAt", "x")),
		except: []difference{{inGuard, "history-immutable", needsImages},
			{inGateway, "history-immutable", needsImages}}},
})

// tiedPlaces are the cases of data that is tied to its commands.
var tiedPlaces = declared(tiedPolicy, []placeCase{
	{name: "data without its command", do: alone(order("", "1")), want: "version-command",
		except: []difference{unseen(inGuard, needsTables), unseen(inGateway, needsTables)}},
	{name: "data with its command", do: together(aCommand("", "1"), order("", "1"))},
	{name: "data that no command made", do: alone(order("", "0"))},
	{name: "data after its command", stored: []types.Put{*aCommand("", "1").Put},
		do: alone(order("", "1"))},
})

// declared gives cases a policy, and callers that it says nothing of.
func declared(policy string, cases []placeCase) []placeCase {
	for i := range cases {
		cases[i].policy = policy
	}
	return cases
}

// queried asks for what meets a condition on :spk and, unless sk is "", :ssk.
func queried(condition, pk, sk string) clientRequest {
	return func(ctx context.Context, c *dynamodb.Client) error {
		values := attributes(":spk", pk)
		if sk != "" {
			values[":ssk"] = value(sk)
		}
		_, err := c.Query(ctx,
			&dynamodb.QueryInput{
				TableName: aws.String("data"), KeyConditionExpression: &condition,
				ExpressionAttributeValues: values,
			})
		return err
	}
}

// at puts a new item of the data table.
func at(pk, sk string, more ...string) types.TransactWriteItem {
	return put("data", "", append([]string{"pk", pk, "sk", sk, "version", "=0"}, more...)...)
}
