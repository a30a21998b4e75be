package conformance

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestKeysAreDistinct puts items with keys that a careless encoding would confuse: Developer Guide,
// Core components, Primary key.
func TestKeysAreDistinct(t *testing.T) {
	t.Parallel()
	pairs := [][2]string{{"a.b", "c"}, {"a", "b.c"}, {"a", "b|c"}, {"a|b", "c"}, {"a\x00b", "c"},
		{"a", "\x00bc"}, {"a\x00", "bc"}, {"a", "bc"}, {"ab", "c"}, {"A", "bc"}, {"é", "1"},
		{"e\u0301", "1"}, {"1", "01"}, {"1", "1"}, {" 1", "1"}}
	for i, pair := range pairs {
		call(t, "PutItem",
			`{"TableName":"@comp","Item":{"pk":{"S":`+
				encode(pair[0])+`},"sk":{"S":`+encode(pair[1])+`},"i":{"N":"`+encode(i)+`"}}}`)
	}
	for i, pair := range pairs {
		answer := call(t, "GetItem",
			`{"TableName":"@comp","ConsistentRead":true,"Key":{"pk":{"S":`+
				encode(pair[0])+`},"sk":{"S":`+encode(pair[1])+`}}}`)
		assert.Equal(t, encode(i), textAt(t, answer["Item"], "i"), "%q", pair)
	}
	answer := call(t, "Query",
		`{"TableName":"@comp","ConsistentRead":true,"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"a"}}}`)
	assert.Equal(t, []string{"\x00bc", "b.c", "bc", "b|c"}, sortKeys(t, answer),
		"other partitions are not in this one")
}

// TestBinaryKeyRanges queries at the edges of bytes: Developer Guide, Key condition expressions for
// the Query operation.
func TestBinaryKeyRanges(t *testing.T) {
	t.Parallel()
	item := func(sk string) string { return `{"pk":{"S":"binary"},"sk":{"B":"` + sk + `"}}` }
	zero, zeros, one, high, highest, highestZero, highests := item("AA=="), item("AAA="), item(
		"AQ=="), item("/g=="), item("/w=="), item("/wA="), item("//8=")
	load(t, "compb", zero, zeros, one, high, highest, highestZero, highests)
	query := func(condition, value string) string {
		return `{"ConsistentRead":true,"KeyConditionExpression":"pk = :p AND ` + condition +
			`","ExpressionAttributeValues":{":p":{"S":"binary"},":v":{"B":"` + value + `"}}}`
	}
	run(t, defaults{
		src: "Developer Guide, Key condition expressions for the Query operation", table: "compb",
		op: "Query",
	}, []kase{
		{name: "begins with FF", in: query("begins_with(sk, :v)", "/w=="),
			want: answerOf(highest, highestZero, highests)},
		{name: "begins with FF FF", in: query("begins_with(sk, :v)", "//8="),
			want: answerOf(highests)},
		{name: "begins with 00", in: query("begins_with(sk, :v)", "AA=="),
			want: answerOf(zero, zeros)},
		{name: "begins with FE", in: query("begins_with(sk, :v)", "/g=="), want: answerOf(high)},
		{name: "above FF", in: query("sk > :v", "/w=="), want: answerOf(highestZero, highests)},
		{name: "up to 00", in: query("sk <= :v", "AA=="), want: answerOf(zero)},
		{name: "equal", in: query("sk = :v", "AQ=="), want: answerOf(one)},
	})
}

// TestNumberKeyRanges: Developer Guide, Naming rules and data types, Number.
func TestNumberKeyRanges(t *testing.T) {
	t.Parallel()
	item := func(sk string) string { return `{"pk":{"S":"number"},"sk":{"N":"` + sk + `"}}` }
	load(t, "compn", item("-10"), item("-1"), item("0"), item("0.1"), item("1"), item("2"),
		item("10"))
	query := func(condition, values string) string {
		return `{"ConsistentRead":true,"KeyConditionExpression":"pk = :p AND ` + condition +
			`","ExpressionAttributeValues":{":p":{"S":"number"},` + values + `}}`
	}
	run(t, defaults{
		src: "Developer Guide, Key condition expressions for the Query operation", table: "compn",
		op: "Query",
	}, []kase{
		{name: "between", in: query("sk BETWEEN :a AND :b", `":a":{"N":"-1.0"},":b":{"N":"1e0"}`),
			want: answerOf(item("-1"), item("0"), item("0.1"), item("1"))},
		{name: "minus zero is zero", in: query("sk = :a", `":a":{"N":"-0"}`),
			want: answerOf(item("0"))},
		{name: "above", in: query("sk > :a", `":a":{"N":"1.5"}`),
			want: answerOf(item("2"), item("10"))},
		{name: "below", in: query("sk < :a", `":a":{"N":"-1"}`), want: answerOf(item("-10"))},
		{name: "begins_with", in: query("begins_with(sk, :a)", `":a":{"N":"1"}`),
			err: "ValidationException: Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"},
	})
}

// TestARNs uses ARNs in place of names: API Reference, TableName of each operation, "You can also
// provide the Amazon Resource Name (ARN) of the table in this parameter".
func TestARNs(t *testing.T) {
	t.Parallel()
	run(t, defaults{src: "API Reference, Scan, TableName", op: "Scan"}, []kase{
		{name: "scan", in: `{"TableName":"@arn:hashb","Limit":1,"Select":"COUNT"}`},
		{name: "of an unknown table", in: `{"TableName":"@arn:hashb-x"}`,
			err: noSuchTable},
		{name: "describe an unknown table", op: "DescribeTable", in: `{"TableName":"@arn:hashb-x"}`,
			err: "ResourceNotFoundException: Requested resource not found: Table: *"},
		// The texts of these are not on public record.
		{name: "of another service", in: `{"TableName":"arn:aws:s3:::bucket"}`,
			err: "ValidationException: *"},
		{name: "that is cut off", in: `{"TableName":"arn:aws:dynamodb:us-east-1"}`,
			err: "ValidationException: *"},
		{name: "of an index", in: `{"TableName":"@arn:global/index/gall"}`,
			err: "ValidationException: *"},
	})
}
