package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// load puts items, 25 in each request.
func load(t *testing.T, shape string, items ...string) {
	t.Helper()
	for len(items) > 0 {
		n := min(25, len(items))
		call(t, "BatchWriteItem",
			`{"RequestItems":{"@`+shape+`":[{"PutRequest":{"Item":`+
				strings.Join(items[:n], `}},{"PutRequest":{"Item":`)+`}}]}}`)
		items = items[n:]
	}
}

// answerOf writes the answer of a Query or Scan that returns all items that it read.
func answerOf(items ...string) string {
	return fmt.Sprintf(`{"Items":[%s],"Count":%d,"ScannedCount":%[2]d}`, strings.Join(items, ","),
		len(items))
}

func TestQueryKeyConditions(t *testing.T) {
	t.Parallel()
	item := func(sk string) string { return `{"pk":{"S":"keys"},"sk":{"S":"` + sk + `"}}` }
	a, ab, abc, b, c := item("a"), item("ab"), item("abc"), item("b"), item("c")
	load(t, "comp", a, ab, abc, b, c, `{"pk":{"S":"keys2"},"sk":{"S":"a"}}`)
	query := func(expr, values string) string {
		if values != "" {
			values = "," + values
		}
		return `{"ConsistentRead":true,"KeyConditionExpression":"` + expr +
			`","ExpressionAttributeValues":{":p":{"S":"keys"}` + values + `}}`
	}
	run(t, defaults{
		src: "Developer Guide, Key condition expressions for the Query operation", table: "comp",
		op: "Query",
	}, []kase{
		{name: "partition", in: query("pk = :p", ""), want: answerOf(a, ab, abc, b, c)},
		{name: "no such partition",
			in: `{"ConsistentRead":true,"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"none"}}}`, want: answerOf()},
		{name: "equal", in: query("pk = :p AND sk = :s", `":s":{"S":"ab"}`), want: answerOf(ab)},
		{name: "sort key first", in: query("sk = :s AND pk = :p", `":s":{"S":"ab"}`),
			want: answerOf(ab)},
		{name: "less", in: query("pk = :p AND sk < :s", `":s":{"S":"ab"}`), want: answerOf(a)},
		{name: "less or equal", in: query("pk = :p AND sk <= :s", `":s":{"S":"ab"}`),
			want: answerOf(a, ab)},
		{name: "greater", in: query("pk = :p AND sk > :s", `":s":{"S":"ab"}`),
			want: answerOf(abc, b, c)},
		{name: "greater or equal", in: query("pk = :p AND sk >= :s", `":s":{"S":"ab"}`),
			want: answerOf(ab, abc, b, c)},
		{name: "between",
			in:   query("pk = :p AND sk BETWEEN :s AND :u", `":s":{"S":"ab"},":u":{"S":"b"}`),
			want: answerOf(ab, abc, b)},
		{name: "between bounds that do not exist",
			in:   query("pk = :p AND sk BETWEEN :s AND :u", `":s":{"S":"aa"},":u":{"S":"bb"}`),
			want: answerOf(ab, abc, b)},
		{name: "begins_with", in: query("pk = :p AND begins_with(sk, :s)", `":s":{"S":"ab"}`),
			want: answerOf(ab, abc)},
		{name: "begins_with of the last",
			in: query("pk = :p AND begins_with(sk, :s)", `":s":{"S":"c"}`), want: answerOf(c)},
		{name: "lower case and",
			in:   query("pk = :p and sk between :s and :u", `":s":{"S":"ab"},":u":{"S":"ab"}`),
			want: answerOf(ab)},
		{name: "parentheses", in: query("(pk = :p) AND (sk = :s)", `":s":{"S":"ab"}`),
			want: answerOf(ab)},
		{name: "placeholders",
			in: `{"ConsistentRead":true,"KeyConditionExpression":"#p = :p AND #s = :s","ExpressionAttributeNames":{"#p":"pk","#s":"sk"},"ExpressionAttributeValues":{":p":{"S":"keys"},":s":{"S":"b"}}}`, want: answerOf(b)},
		{name: "backwards",
			in:   strings.Replace(query("pk = :p", ""), "{", `{"ScanIndexForward":false,`, 1),
			want: answerOf(c, b, abc, ab, a)},
		{name: "range backwards",
			in: strings.Replace(query("pk = :p AND sk > :s", `":s":{"S":"ab"}`), "{",
				`{"ScanIndexForward":false,`, 1), want: answerOf(c, b, abc)},
		{name: "forwards",
			in: strings.Replace(query("pk = :p AND sk < :s", `":s":{"S":"abc"}`), "{",
				`{"ScanIndexForward":true,`, 1), want: answerOf(a, ab)},
		{name: "table by ARN",
			in: strings.Replace(query("pk = :p AND sk = :s", `":s":{"S":"ab"}`), "{",
				`{"TableName":"@arn:comp",`, 1), want: answerOf(ab)},
		{name: "partition key alone", table: "hash", in: query("pk = :p", ""), want: answerOf()},
	})
}

func TestQueryErrors(t *testing.T) {
	t.Parallel()
	p := `":p":{"S":"x"}`
	ps := p + `,":s":{"S":"y"}`
	const missed = "!Query condition missed key schema element: "
	const unsupported = "!Query key condition not supported"
	const operator = "!Invalid operator used in KeyConditionExpression: "
	const mismatch = "!One or more parameter values were invalid: Condition parameter type does not match schema type"
	run(t, defaults{
		src: "Developer Guide, Key condition expressions for the Query operation", table: "comp",
		op: "Query",
	}, refusedExpressions("KeyConditionExpression", `"Limit":1`, []failing{
		{name: "empty", err: "The expression can not be empty;"},
		{name: "no partition key", expr: "sk = :s", values: `":s":{"S":"y"}`, err: missed + "pk"},
		{name: "another attribute", expr: "x = :p", values: p, err: missed + "pk"},
		{name: "another attribute beside the partition key", expr: "pk = :p AND x = :s", values: ps,
			err: missed + "sk"},
		{name: "another attribute beside the sort key", expr: "x = :p AND sk = :s", values: ps,
			err: missed + "pk"},
		{name: "partition key by range", expr: "pk > :p", values: p, err: unsupported},
		{name: "partition key by begins_with", expr: "begins_with(pk, :p)", values: p,
			err: unsupported},
		{name: "partition key by range beside the sort key", expr: "pk <= :p AND sk = :s",
			values: ps, err: unsupported},
		{name: "OR", expr: "pk = :p OR sk = :s", values: ps, err: operator + "OR"},
		{name: "NOT", expr: "NOT pk = :p", values: p, err: operator + "NOT"},
		{name: "IN", expr: "pk = :p AND sk IN (:s)", values: ps, err: operator + "IN"},
		{name: "not equal", expr: "pk = :p AND sk <> :s", values: ps, err: operator + "<>"},
		{name: "contains", expr: "pk = :p AND contains(sk, :s)", values: ps,
			err: operator + "contains"},
		{name: "attribute_exists", expr: "pk = :p AND attribute_exists(sk)", values: p,
			err: operator + "attribute_exists"},
		{name: "size", expr: "pk = :p AND size(sk) = :s", values: ps,
			err: "!KeyConditionExpressions cannot contain nested operations"},
		{name: "path", expr: "pk = :p AND sk.a = :s", values: ps,
			err: "!KeyConditionExpressions cannot have conditions on nested attributes"},
		{name: "two conditions of a key", expr: "pk = :p AND sk > :s AND sk < :t",
			values: ps + `,":t":{"S":"z"}`,
			err:    "KeyConditionExpressions must only contain one condition per key"},
		{name: "two conditions of the partition key", expr: "pk = :p AND pk = :s", values: ps,
			err: "KeyConditionExpressions must only contain one condition per key"},
		{name: "three keys", expr: "pk = :p AND sk = :s AND x = :t", values: ps + `,":t":{"S":"z"}`,
			err: "!The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)"},
		{name: "two attributes", expr: "pk = sk",
			err: "!Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
		{name: "two values", expr: ":p = :s", values: ps,
			err: "!Invalid condition in KeyConditionExpression: No key attribute specified"},
		{name: "begins_with of a value", expr: "pk = :p AND begins_with(:s, sk)", values: ps,
			err: "!Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand"},
		{name: "type of the partition key", expr: "pk = :p", values: `":p":{"N":"1"}`,
			err: mismatch},
		{name: "type of the sort key", expr: "pk = :p AND sk = :s", values: p + `,":s":{"N":"1"}`,
			err: mismatch},
		{name: "types of the bounds", expr: "pk = :p AND sk BETWEEN :s AND :t",
			values: ps + `,":t":{"N":"1"}`,
			err:    "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {S:y}, upper bound operand: AttributeValue: {N:1}"},
		{name: "bounds in the wrong order", expr: "pk = :p AND sk BETWEEN :s AND :t",
			values: ps + `,":t":{"S":"a"}`,
			err:    "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:y}, upper bound operand: AttributeValue: {S:a}"},
		{name: "begins_with of a number", expr: "pk = :p AND begins_with(sk, :s)",
			values: p + `,":s":{"N":"1"}`,
			err:    "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"},
		{name: "undefined value", expr: "pk = :q", values: p,
			err: "An expression attribute value used in expression is not defined; attribute value: :q"},
		{name: "undefined name", expr: "#p = :p", values: p,
			err: "An expression attribute name used in the document path is not defined; attribute name: #p"},
		{name: "unused value", expr: "pk = :p", values: ps,
			err: "!Value provided in ExpressionAttributeValues unused in expressions: keys: {:s}"},
		{name: "unused name", expr: "pk = :p", values: p, names: `"#x":"x"`,
			err: "!Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}"},
		{name: "syntax", expr: "pk = :p AND", values: p,
			err: `Syntax error; token: "<EOF>", near: "AND"`},
		{name: "reserved word", expr: "name = :p", values: p,
			err: "Attribute name is a reserved keyword; reserved keyword: name"},
		{name: "redundant parentheses", expr: "((pk = :p))", values: p,
			err: "The expression has redundant parentheses;"},
		{name: "empty partition key", expr: "pk = :p", values: `":p":{"S":""}`,
			err: "!One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"},
		{name: "empty sort key", expr: "pk = :p AND sk = :s", values: p + `,":s":{"S":""}`,
			err: "!One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk"},
		{name: "bad number", expr: "pk = :p", values: `":p":{"N":"x"}`,
			err: "!The parameter cannot be converted to a numeric value: x"},
	}))
	kce := `"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"x"}}`
	run(t, defaults{src: "API Reference, Query", table: "comp", op: "Query"}, []kase{
		{name: "no condition", in: `{}`,
			err: "ValidationException: Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."},
		{name: "no condition of an unknown table", in: `{"TableName":"no-such-table"}`,
			err: "ValidationException: Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."},
		{name: "unknown table", in: `{"TableName":"no-such-table",` + kce + `}`,
			err: noSuchTable},
		{name: "unknown index", in: `{"IndexName":"nope",` + kce + `}`,
			err: "ValidationException: The table does not have the specified index: nope"},
		{name: "index name of two characters", in: `{"IndexName":"ab",` + kce + `}`,
			err: "ValidationException: 1 validation error detected: Value 'ab' at 'indexName' failed to satisfy constraint: Member must have length greater than or equal to 3"},
		{name: "limit of zero", in: `{"Limit":0,` + kce + `}`,
			err: "ValidationException: 1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{name: "negative limit", in: `{"Limit":-1,` + kce + `}`,
			err: "ValidationException: 1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{name: "unknown select", in: `{"Select":"SOME",` + kce + `}`,
			err: "ValidationException: 1 validation error detected: Value 'SOME' at 'select' failed to satisfy constraint: Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]"},
		{name: "filter on the partition key", in: `{"FilterExpression":"pk = :p",` + kce + `}`,
			err: "ValidationException: Filter Expression can only contain non-primary key attributes: Primary key attribute: pk"},
		{name: "filter on the sort key",
			in:  `{"FilterExpression":"attribute_exists(a) AND sk > :p",` + kce + `}`,
			err: "ValidationException: Filter Expression can only contain non-primary key attributes: Primary key attribute: sk"},
		{name: "values without expressions",
			in: `{"ExpressionAttributeValues":{":p":{"S":"x"}},"KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}}}`, err: "ValidationException: ExpressionAttributeValues can only be specified when using expressions"},
		{name: "ConditionalOperator without filter",
			in: `{"ConditionalOperator":"OR","KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}}}`, err: "Invalid: ConditionalOperator cannot be used without Filter or Expected"},
	})
}

func TestQuerySelect(t *testing.T) {
	t.Parallel()
	load(t, "comp", `{"pk":{"S":"select"},"sk":{"S":"1"},"a":{"N":"1"},"b":{"N":"1"}}`,
		`{"pk":{"S":"select"},"sk":{"S":"2"},"a":{"N":"2"}}`,
		`{"pk":{"S":"select"},"sk":{"S":"3"},"b":{"N":"3"}}`)
	query := func(members string) string {
		return `{"ConsistentRead":true,` + members +
			`,"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"select"}}}`
	}
	filter := func(expr, members string) string {
		return `{"ConsistentRead":true,` + members + `"FilterExpression":"` + expr +
			`","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"select"},":one":{"N":"1"}}}`
	}
	run(t, defaults{src: "API Reference, Query, Select", table: "comp", op: "Query"}, []kase{
		{name: "COUNT", in: query(`"Select":"COUNT"`), want: `{"Count":3,"ScannedCount":3}`},
		{name: "COUNT with a filter", in: filter("b > :one", `"Select":"COUNT",`),
			want: `{"Count":1,"ScannedCount":3}`},
		{name: "ALL_ATTRIBUTES", in: query(`"Select":"ALL_ATTRIBUTES"`),
			want: answerOf(`{"pk":{"S":"select"},"sk":{"S":"1"},"a":{"N":"1"},"b":{"N":"1"}}`,
				`{"pk":{"S":"select"},"sk":{"S":"2"},"a":{"N":"2"}}`,
				`{"pk":{"S":"select"},"sk":{"S":"3"},"b":{"N":"3"}}`)},
		{name: "SPECIFIC_ATTRIBUTES",
			in:   query(`"Select":"SPECIFIC_ATTRIBUTES","ProjectionExpression":"a"`),
			want: answerOf(`{"a":{"N":"1"}}`, `{"a":{"N":"2"}}`, `{}`)},
		{name: "projection alone", in: query(`"ProjectionExpression":"sk, b"`),
			want: answerOf(`{"sk":{"S":"1"},"b":{"N":"1"}}`, `{"sk":{"S":"2"}}`,
				`{"sk":{"S":"3"},"b":{"N":"3"}}`)},
		{name: "filter", in: filter("a >= :one", ""),
			want: `{"Items":[{"pk":{"S":"select"},"sk":{"S":"1"},"a":{"N":"1"},"b":{"N":"1"}},{"pk":{"S":"select"},"sk":{"S":"2"},"a":{"N":"2"}}],"Count":2,"ScannedCount":3}`},
		{name: "filter on an attribute that is not projected",
			in:   filter("a > :one", `"ProjectionExpression":"sk",`),
			want: `{"Items":[{"sk":{"S":"2"}}],"Count":1,"ScannedCount":3}`},
		{name: "filter that nothing passes", in: filter("a > :one AND b > :one", ""),
			want: `{"Items":[],"Count":0,"ScannedCount":3}`},
		{name: "limit counts before the filter", in: filter("b > :one", `"Limit":2,`),
			want: `{"Items":[],"Count":0,"ScannedCount":2,"LastEvaluatedKey":{"pk":{"S":"select"},"sk":{"S":"2"}}}`},
		{name: "ALL_PROJECTED_ATTRIBUTES of a table",
			in:  query(`"Select":"ALL_PROJECTED_ATTRIBUTES"`),
			err: "ValidationException: 1 validation error detected: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"},
		{name: "SPECIFIC_ATTRIBUTES of none", in: query(`"Select":"SPECIFIC_ATTRIBUTES"`),
			err: "ValidationException: 1 validation error detected: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"},
		{name: "COUNT with a projection", in: query(`"Select":"COUNT","ProjectionExpression":"a"`),
			err: "ValidationException: 1 validation error detected: Cannot specify the ProjectionExpression when choosing to get only the Count"},
		{name: "ALL_ATTRIBUTES with a projection",
			in:  query(`"Select":"ALL_ATTRIBUTES","ProjectionExpression":"a"`),
			err: "ValidationException: 1 validation error detected: Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES"},
		{name: "COUNT with AttributesToGet",
			in: `{"Select":"COUNT","AttributesToGet":["a"],"KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}}}`, err: "ValidationException: 1 validation error detected: Cannot specify the AttributesToGet when choosing to get only the Count"},
		{name: "ALL_ATTRIBUTES with AttributesToGet",
			in: `{"Select":"ALL_ATTRIBUTES","AttributesToGet":["a"],"KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}}}`, err: "ValidationException: 1 validation error detected: Cannot specify the AttributesToGet when choosing to get ALL_ATTRIBUTES"},
	})
}

func TestQueryLegacy(t *testing.T) {
	t.Parallel()
	one, two, three :=
		`{"pk":{"S":"legacy"},"sk":{"S":"1"},"a":{"N":"1"}}`,
		`{"pk":{"S":"legacy"},"sk":{"S":"2"},"a":{"N":"2"}}`, `{"pk":{"S":"legacy"},"sk":{"S":"3"}}`
	load(t, "comp", one, two, three)
	query := func(sk, members string) string {
		if sk != "" {
			sk = `,"sk":` + sk
		}
		return `{"ConsistentRead":true,` + members +
			`"KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"legacy"}]}` + sk + `}}`
	}
	run(t, defaults{
		src:   "Developer Guide, Legacy conditional parameters, KeyConditions and QueryFilter",
		table: "comp", op: "Query",
	}, []kase{
		{name: "partition", in: query("", ""), want: answerOf(one, two, three)},
		{name: "EQ", in: query(`{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"2"}]}`, ""),
			want: answerOf(two)},
		{name: "LT", in: query(`{"ComparisonOperator":"LT","AttributeValueList":[{"S":"2"}]}`, ""),
			want: answerOf(one)},
		{name: "LE", in: query(`{"ComparisonOperator":"LE","AttributeValueList":[{"S":"2"}]}`, ""),
			want: answerOf(one, two)},
		{name: "GT", in: query(`{"ComparisonOperator":"GT","AttributeValueList":[{"S":"2"}]}`, ""),
			want: answerOf(three)},
		{name: "GE", in: query(`{"ComparisonOperator":"GE","AttributeValueList":[{"S":"2"}]}`, ""),
			want: answerOf(two, three)},
		{name: "BETWEEN",
			in: query(`{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"S":"1"},{"S":"2"}]}`,
				""), want: answerOf(one, two)},
		{name: "BEGINS_WITH",
			in: query(`{"ComparisonOperator":"BEGINS_WITH","AttributeValueList":[{"S":"3"}]}`,
				""),
			want: answerOf(three)},
		{name: "AttributesToGet", in: query("", `"AttributesToGet":["a"],`),
			want: answerOf(`{"a":{"N":"1"}}`, `{"a":{"N":"2"}}`, `{}`)},
		{name: "QueryFilter",
			in: query("",
				`"QueryFilter":{"a":{"ComparisonOperator":"GT","AttributeValueList":[{"N":"1"}]}},`), want: `{"Items":[` + two + `],"Count":1,"ScannedCount":3}`},
		{name: "QueryFilter with OR",
			in: query("",
				`"ConditionalOperator":"OR","QueryFilter":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"1"}]},"x":{"ComparisonOperator":"NOT_NULL"}},`), want: `{"Items":[` + one + `],"Count":1,"ScannedCount":3}`},
		{name: "QueryFilter on a key",
			in:  query("", `"QueryFilter":{"sk":{"ComparisonOperator":"NOT_NULL"}},`),
			err: "ValidationException: QueryFilter can only contain non-primary key attributes: Primary key attribute: sk"},
		{name: "no partition key",
			in: `{"KeyConditions":{"sk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"1"}]}}}`, err: "ValidationException: Query condition missed key schema element: pk"},
		{name: "partition key by GT",
			in: `{"KeyConditions":{"pk":{"ComparisonOperator":"GT","AttributeValueList":[{"S":"1"}]}}}`, err: "ValidationException: Query key condition not supported"},
		{name: "NE", in: query(`{"ComparisonOperator":"NE","AttributeValueList":[{"S":"3"}]}`, ""),
			err: "ValidationException: Attempted conditional constraint is not an indexable operation"},
		{name: "CONTAINS",
			in:  query(`{"ComparisonOperator":"CONTAINS","AttributeValueList":[{"S":"3"}]}`, ""),
			err: "ValidationException: Attempted conditional constraint is not an indexable operation"},
		{name: "NOT_NULL", in: query(`{"ComparisonOperator":"NOT_NULL"}`, ""),
			err: "ValidationException: Attempted conditional constraint is not an indexable operation"},
		{name: "no values", in: `{"KeyConditions":{"pk":{"ComparisonOperator":"EQ"}}}`,
			err: "Invalid: One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator"},
		{name: "two values",
			in: `{"KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"1"},{"S":"2"}]}}}`, err: "Invalid: One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator"},
		{name: "type of the key",
			in: `{"KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"1"}]}}}`, err: "ValidationException: One or more parameter values were invalid: Condition parameter type does not match schema type"},
		{name: "empty conditions", in: `{"KeyConditions":{}}`,
			err: "ValidationException: Either the KeyConditions or KeyConditionExpression parameter must be specified in the request. || ValidationException: Conditions can be of length 1 or 2 only"},
		{name: "bad number of the filter",
			in: query("",
				`"QueryFilter":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"x"}]}},`), err: notNumericFault},
	})
}

// TestQueryOrder checks the order of sort keys: Developer Guide, Query, "results are sorted by the
// sort key value".
func TestQueryOrder(t *testing.T) {
	t.Parallel()
	orders := []struct {
		shape, kind string
		keys        []string
	}{
		{"comp", "S", []string{" ", "A", "Z", "a", "a\u0001", "aa", "b", "é", "～", "😀"}},
		{"compn", "N",
			[]string{"-1" + strings.Repeat("0", 125), "-10", "-9", "-1.5",
				"-0." + strings.Repeat("0", 129) + "1", "0", "0." + strings.Repeat("0", 129) + "1",
				"0.5", "1", "2", "9", "10", "12345678901234567890123456789012345678",
				"1" + strings.Repeat("0", 125)}},
		{"compb", "B", []string{"AA==", "AAA=", "AAE=", "AQ==", "fw==", "gA==", "/w==", "//8="}},
	}
	for _, order := range orders {
		t.Run(order.kind, func(t *testing.T) {
			t.Parallel()
			var items []string
			for _, key := range order.keys {
				it := `{"pk":{"S":"order"},"sk":{"` + order.kind + `":` + encode(key) + `}}`
				items = append([]string{it}, items...)
			}
			load(t, order.shape, items...)
			forward := call(t, "Query",
				`{"TableName":"@`+order.shape+
					`","ConsistentRead":true,"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"order"}}}`)
			assert.Equal(t, order.keys, sortKeys(t, forward))
			backward := call(t, "Query",
				`{"TableName":"@`+order.shape+
					`","ConsistentRead":true,"ScanIndexForward":false,"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"order"}}}`)
			for i, key := range sortKeys(t, backward) {
				assert.Equal(t, order.keys[len(order.keys)-1-i], key)
			}
			for i, key := range order.keys {
				less := call(t, "Query",
					`{"TableName":"@`+order.shape+
						`","ConsistentRead":true,"Select":"COUNT","KeyConditionExpression":"pk = :p AND sk < :s","ExpressionAttributeValues":{":p":{"S":"order"},":s":{"`+order.kind+`":`+encode(key)+`}}}`)
				assert.Equal(t, encode(i), encode(less["Count"]), "below %q", key)
			}
		})
	}
}

// sortKeys returns the sort keys of an answer's items.
func sortKeys(t *testing.T, answer map[string]any) []string {
	var keys []string
	for _, item := range answer["Items"].([]any) {
		keys = append(keys, textAt(t, item, "sk"))
	}
	return keys
}
