package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// condition returns a Query with a KeyConditionExpression, its values, and further members.
func condition(expression, values, more string) string {
	return `{"KeyConditionExpression":"` + expression + `","ExpressionAttributeValues":{` +
		values + `}` + more + `}`
}

// legacyCondition returns an entry of KeyConditions, QueryFilter or ScanFilter.
func legacyCondition(name, operator, values string) string {
	return `"` + name + `":{"ComparisonOperator":"` + operator + `","AttributeValueList":[` +
		values + `]}`
}

const invalidParameters = "ValidationException: One or more parameter values were invalid: "

func TestKeyConditionsBesideExpressions(t *testing.T) {
	t.Parallel()
	load(t, "comp", `{"pk":{"S":"beside"},"sk":{"S":"1"},"a":{"N":"1"}}`,
		`{"pk":{"S":"beside"},"sk":{"S":"2"},"a":{"N":"2"}}`)
	keyed := `"KeyConditions":{` + legacyCondition("pk", "EQ", `{"S":"beside"}`) + `}`
	const mixed = "ValidationException: Can not use both expression and non-expression parameters in the same request: "
	run(t, defaults{src: "service facts 3.1", table: "comp", op: "Query"}, []kase{
		{name: "a filter",
			in: `{` + keyed +
				`,"FilterExpression":"a > :a","ExpressionAttributeValues":{":a":{"N":"1"}}}`,
			want: `{"Count":1,"ScannedCount":2,"Items":[{"pk":{"S":"beside"},"sk":{"S":"2"},"a":{"N":"2"}}]}`},
		{name: "a projection with a name",
			in: `{` + keyed +
				`,"ProjectionExpression":"#a","ExpressionAttributeNames":{"#a":"a"}}`,
			want: `{"Count":2,"ScannedCount":2,"Items":[{"a":{"N":"1"}},{"a":{"N":"2"}}]}`},
		{name: "a filter and a projection",
			in: `{` + keyed +
				`,"FilterExpression":"a = :a","ProjectionExpression":"sk","ExpressionAttributeValues":{":a":{"N":"1"}}}`,
			want: `{"Count":1,"ScannedCount":2,"Items":[{"sk":{"S":"1"}}]}`},
		{name: "a key condition expression", src: "service facts 3.2",
			in: `{` + keyed +
				`,"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"beside"}}}`,
			err: mixed +
				"Non-expression parameters: {KeyConditions} Expression parameters: {KeyConditionExpression}"},
		{name: "legacy parameters beside expressions", src: "service facts 3.2",
			in: `{` + keyed + `,"AttributesToGet":["a"],"QueryFilter":{` +
				legacyCondition("a", "EQ", `{"N":"1"}`) +
				`},"ConditionalOperator":"OR","ProjectionExpression":"a","FilterExpression":"a = :a","ExpressionAttributeValues":{":a":{"N":"1"}}}`,
			err: mixed +
				"Non-expression parameters: {AttributesToGet, QueryFilter, ConditionalOperator} Expression parameters: {ProjectionExpression, FilterExpression}"},
		{name: "everything", src: "service facts 3.2",
			in: `{` + keyed +
				`,"AttributesToGet":["a"],"FilterExpression":"a = :a","KeyConditionExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"1"}}}`,
			err: mixed +
				"Non-expression parameters: {AttributesToGet, KeyConditions} Expression parameters: {FilterExpression, KeyConditionExpression}"},
	})
}

func TestNumberOfKeyConditions(t *testing.T) {
	t.Parallel()
	v := `":v":{"S":"x"}`
	const tooMany = "ValidationException: The number of query conditions "
	run(t, defaults{src: "service facts 3.6", table: "comp", op: "Query"}, []kase{
		{name: "three of two", in: condition("pk = :v AND sk = :v AND x = :v", v, ""),
			err: tooMany + "(3) exceeds the number of key attributes defined in the schema (2)"},
		{name: "four of two", in: condition("pk = :v AND sk = :v AND x = :v AND y > :v", v, ""),
			err: tooMany + "(4) exceeds the number of key attributes defined in the schema (2)"},
		{name: "three without the key", in: condition("x = :v AND y = :v AND z = :v", v, ""),
			err: tooMany + "(3) exceeds the number of key attributes defined in the schema (2)"},
		{name: "two of one", table: "hash", in: condition("pk = :v AND x = :v", v, ""),
			err: tooMany + "(2) exceeds the number of key attributes defined in the schema (1)"},
		{name: "three on an index", table: "local",
			in:  condition("pk = :v AND lk = :v AND sk = :v", v, `,"IndexName":"lall"`),
			err: tooMany + "(3) exceeds the number of key attributes defined in the schema (2)"},
		{name: "two on an index of one", table: "global",
			in:  condition("gp = :v AND pk = :v", v, `,"IndexName":"gall"`),
			err: tooMany + "(2) exceeds the number of key attributes defined in the schema (1)"},
		{name: "five on an index of four", table: "multi",
			in: condition("a = :v AND b = :v AND c = :v AND d = :v AND e = :v", v,
				`,"IndexName":"mall"`),
			err: tooMany + "(5) exceeds the number of key attributes defined in the schema (4)"},
		{name: "an unknown table",
			in: `{"TableName":"no-such-table",` +
				condition("pk = :v AND sk = :v AND x = :v", v, "")[1:],
			err: noSuchTable},
		{name: "an unknown index",
			in:  condition("pk = :v AND sk = :v AND x = :v", v, `,"IndexName":"none"`),
			err: "ValidationException: The table does not have the specified index: none"},
	})
}

func TestMultiAttributeKeyConditions(t *testing.T) {
	t.Parallel()
	load(t, "multi", `{"pk":{"S":"mc1"},"a":{"S":"mc"},"b":{"S":"mc"},"c":{"N":"1"},"d":{"S":"x"}}`)
	vn := `":v":{"S":"mc"},":n":{"N":"1"}`
	const because = " must have equality conditions specified in the query because a condition is present on key attribute "
	run(t, defaults{src: "service facts 3.4", table: "multi", op: "Query"}, []kase{
		{name: "any order",
			in: condition("d < :z AND c = :n AND b = :v AND a = :v", vn+`,":z":{"S":"y"}`,
				`,"IndexName":"mall","ProjectionExpression":"pk"`),
			want: `{"Count":1,"ScannedCount":1,"Items":[{"pk":{"S":"mc1"}}]}`},
		{name: "a gap",
			in: condition("a = :v AND b = :v AND d = :v", `":v":{"S":"mc"}`,
				`,"IndexName":"mall"`),
			err: "ValidationException: RANGE key attributes c" + because + "d"},
		{name: "a range before the last",
			in:  condition("a = :v AND b = :v AND c > :n AND d = :v", vn, `,"IndexName":"mall"`),
			err: "ValidationException: RANGE key attributes c" + because + "d"},
		{name: "BETWEEN before the last, written last",
			in: condition("d = :v AND a = :v AND b = :v AND c BETWEEN :n AND :n", vn,
				`,"IndexName":"mall"`),
			err: "ValidationException: RANGE key attributes c" + because + "d"},
		{name: "HASH attribute missing", src: "service facts 3.5",
			in:  condition("a = :v", `":v":{"S":"mc"}`, `,"IndexName":"mall"`),
			err: "ValidationException: HASH key attributes b must have equality conditions*"},
		{name: "HASH attribute by range", src: "service facts 3.5",
			in:  condition("a > :v AND b = :v", `":v":{"S":"mc"}`, `,"IndexName":"mall"`),
			err: "ValidationException: HASH key attributes a must have equality conditions*"},
		{name: "HASH attribute by begins_with", src: "service facts 3.5",
			in: condition("a = :v AND begins_with(b, :v)", `":v":{"S":"mc"}`,
				`,"IndexName":"mall"`),
			err: "ValidationException: HASH key attributes b must have equality conditions*"},
	})
}

func TestQueryStartKeys(t *testing.T) {
	t.Parallel()
	const (
		schema    = wrongKey
		wrong     = "ValidationException: The provided starting key is invalid"
		predicate = "ValidationException: The provided starting key does not match the range key predicate"
		oneRow    = "ValidationException: The query can return at most one row and cannot be restarted"
		outside   = "ValidationException: The provided starting key is outside query boundaries based on provided conditions"
		itself    = "ValidationException: The provided exclusive start key is invalid: ExclusiveStartKey: "
	)
	from := func(expression, values, start string) string {
		return condition(expression, values, `,"ExclusiveStartKey":`+start)
	}
	p, ps := `":p":{"S":"q"}`, `":p":{"S":"q"},":s":{"S":"m"}`
	run(t, defaults{src: "service facts 3.7", table: "comp", op: "Query"}, []kase{
		{name: "partition key of another type", src: "service facts F.13",
			in: from("pk = :p", p, `{"pk":{"N":"1"},"sk":{"S":"a"}}`), err: wrong},
		{name: "sort key of another type", src: "service facts F.13",
			in: from("pk = :p", p, `{"pk":{"S":"q"},"sk":{"B":"AA=="}}`), err: wrong},
		{name: "without the sort key", in: from("pk = :p", p, `{"pk":{"S":"q"}}`), err: wrong},
		{name: "with another attribute",
			in: from("pk = :p", p, `{"pk":{"S":"q"},"sk":{"S":"a"},"x":{"S":"a"}}`), err: wrong},
		{name: "with other names", in: from("pk = :p", p, `{"pk":{"S":"q"},"x":{"S":"a"}}`),
			err: wrong},
	})
	run(t, defaults{src: "service facts 3.8", table: "hash", op: "Query"}, []kase{
		{name: "the key itself, S", in: from("pk = :p", p, `{"pk":{"S":"q"}}`),
			err: itself + "{pk=AttributeValue: {S:q}}"},
		{name: "the key itself, N", table: "hashn",
			in:  from("pk = :p", `":p":{"N":"7"}`, `{"pk":{"N":"7"}}`),
			err: itself + "{pk=AttributeValue: {N:7}}"},
		{name: "another key", in: from("pk = :p", p, `{"pk":{"S":"r"}}`), err: outside},
	})
	run(t, defaults{src: "service facts 3.9", table: "comp", op: "Query"}, []kase{
		{name: "breaks the condition",
			in: from("pk = :p AND sk > :s", ps, `{"pk":{"S":"q"},"sk":{"S":"a"}}`), err: predicate},
		{name: "breaks the condition in another partition",
			in: from("pk = :p AND sk < :s", ps, `{"pk":{"S":"r"},"sk":{"S":"z"}}`), err: predicate},
		{name: "breaks a prefix in another partition",
			in:  from("pk = :p AND begins_with(sk, :s)", ps, `{"pk":{"S":"r"},"sk":{"S":"n"}}`),
			err: predicate},
		{name: "breaks an equality",
			in: from("pk = :p AND sk = :s", ps, `{"pk":{"S":"q"},"sk":{"S":"n"}}`), err: predicate},
		{name: "satisfies it in another partition",
			in: from("pk = :p AND sk > :s", ps, `{"pk":{"S":"r"},"sk":{"S":"z"}}`), err: oneRow},
		{name: "satisfies an equality in another partition",
			in: from("pk = :p AND sk = :s", ps, `{"pk":{"S":"r"},"sk":{"S":"m"}}`), err: oneRow},
		{name: "no condition and another partition",
			in: from("pk = :p", p, `{"pk":{"S":"r"},"sk":{"S":"a"}}`), err: outside},
		{name: "LSI, breaks the condition in another partition", table: "local",
			in: condition("pk = :p AND lk > :s", ps,
				`,"IndexName":"lall","ExclusiveStartKey":{"pk":{"S":"r"},"sk":{"S":"a"},"lk":{"S":"a"}}`), err: predicate},
		{name: "LSI, satisfies it in another partition", table: "local",
			in: condition("pk = :p AND lk > :s", ps,
				`,"IndexName":"lall","ExclusiveStartKey":{"pk":{"S":"r"},"sk":{"S":"a"},"lk":{"S":"z"}}`), err: oneRow},
		{name: "GSI, satisfies it in another partition", table: "global",
			in: condition("gp = :p AND gs > :n", `":p":{"S":"q"},":n":{"N":"1"}`,
				`,"IndexName":"gkeys","ExclusiveStartKey":{"pk":{"S":"r"},"sk":{"S":"a"},"gp":{"S":"r"},"gs":{"N":"5"}}`), err: oneRow},
		{name: "GSI, no condition and another partition", table: "global",
			in: condition("gp = :p", p,
				`,"IndexName":"gall","ExclusiveStartKey":{"pk":{"S":"r"},"sk":{"S":"a"},"gp":{"S":"r"}}`), err: outside},
	})
	index := func(start string) string {
		return condition("gp = :p", p, `,"IndexName":"gall","ExclusiveStartKey":`+start)
	}
	run(t, defaults{src: "service facts 3.13", table: "global", op: "Query"}, []kase{
		{name: "table key of another type", src: "service facts F.13",
			in:  index(`{"gp":{"S":"q"},"pk":{"N":"1"},"sk":{"S":"a"}}`),
			err: wrong},
		{name: "table key of other names", src: "service facts F.13",
			in:  index(`{"gp":{"S":"q"},"pk":{"S":"q"},"x":{"S":"a"}}`),
			err: wrong},
		{name: "index key of another type", src: "service facts F.13",
			in: index(`{"gp":{"N":"1"},"pk":{"S":"q"},"sk":{"S":"a"}}`), err: wrong},
		{name: "without the index key", in: index(`{"pk":{"S":"q"},"sk":{"S":"a"}}`), err: wrong},
		{name: "LSI, table key of another type", src: "service facts F.13", table: "local",
			in: condition("pk = :p", p,
				`,"IndexName":"lall","ExclusiveStartKey":{"pk":{"S":"q"},"lk":{"S":"a"},"sk":{"N":"1"}}`), err: wrong},
		{name: "Scan, wrong attributes", op: "Scan",
			in: `{"IndexName":"gall","ExclusiveStartKey":{"pk":{"S":"q"},"sk":{"S":"a"},"x":{"S":"q"}}}`, err: wrong},
		{name: "Scan, index key of another type", op: "Scan",
			in: `{"IndexName":"gall","ExclusiveStartKey":{"pk":{"S":"q"},"sk":{"S":"a"},"gp":{"N":"1"}}}`, err: schema},
		{name: "Scan of the table, another type", op: "Scan",
			in:  `{"ExclusiveStartKey":{"pk":{"S":"q"},"sk":{"N":"1"}}}`,
			err: wrong + ": The provided key element does not match the schema"},
		{name: "Scan of the table, wrong attributes", op: "Scan",
			in:  `{"ExclusiveStartKey":{"pk":{"S":"q"}}}`,
			err: wrong + ": The provided key element does not match the schema"},
	})
}

// The error of a Query or Scan with two faults.
func TestOrderOfReadChecks(t *testing.T) {
	t.Parallel()
	const (
		notIndexable = "ValidationException: Attempted conditional constraint is not an indexable operation"
		unsupported  = "ValidationException: Query key condition not supported"
		wrongType    = invalidParameters + "Condition parameter type does not match schema type"
		wrongStart   = "ValidationException: The provided starting key is invalid"
		notFound     = "ValidationException: The table does not have the specified index: none"
		prefix       = invalidParameters +
			"ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"
		either = "ValidationException: Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."
	)
	not := `"KeyConditions":{` + legacyCondition("pk", "EQ",
		`{"S":"x"}`) + `,` + legacyCondition("sk", "NE", `{"S":"x"}`) + `}`
	run(t, defaults{src: "service facts 12.1", table: "comp", op: "Query"}, []kase{
		{name: "not indexable", in: `{` + not + `}`, err: notIndexable},
		{name: "NULL", in: `{"KeyConditions":{"pk":{"ComparisonOperator":"NULL"}}}`,
			err: notIndexable},
		{name: "unknown table before not indexable",
			in:  `{"TableName":"no-such-table",` + not + `}`,
			err: noSuchTable},
		{name: "unknown index before not indexable", in: `{"IndexName":"none",` + not + `}`,
			err: notFound},
		{name: "consistent read before not indexable", table: "global",
			in: `{"IndexName":"gall","ConsistentRead":true,"KeyConditions":{` +
				legacyCondition("gp", "NE", `{"S":"x"}`) + `}}`,
			err: "ValidationException: Consistent reads are not supported on global secondary indexes"},
		{name: "start key before not indexable",
			in: `{"ExclusiveStartKey":{"pk":{"S":"x"}},` + not + `}`, err: wrongStart},
		{name: "missing key before not indexable",
			in: `{"KeyConditions":{` +
				legacyCondition("pk", "NE", `{"S":"x"}`) + `,` + legacyCondition("x", "EQ",
				`{"S":"x"}`) + `}}`,
			err: "ValidationException: Query condition missed key schema element: sk"},
	})
	run(t, defaults{src: "service facts 12.2", table: "global", op: "Query"}, []kase{
		{name: "start key before a missing key",
			in:  condition("x = :p", `":p":{"S":"x"}`, `,"ExclusiveStartKey":{"pk":{"S":"x"}}`),
			err: wrongStart},
		{name: "missing key before the place of the start key",
			in: condition("sk = :p", `":p":{"S":"x"}`,
				`,"ExclusiveStartKey":{"pk":{"S":"x"},"sk":{"S":"a"}}`),
			err: "ValidationException: Query condition missed key schema element: pk"},
		{name: "place of the start key before Select",
			in: condition("gp = :p", `":p":{"S":"x"}`,
				`,"IndexName":"gkeys","Select":"ALL_ATTRIBUTES","ExclusiveStartKey":{"pk":{"S":"x"},"sk":{"S":"a"},"gp":{"S":"y"},"gs":{"N":"1"}}`), err: "ValidationException: The provided starting key is outside query boundaries based on provided conditions"},
		{name: "Scan, start key before Select", op: "Scan",
			in: `{"IndexName":"gkeys","Select":"ALL_ATTRIBUTES","ExclusiveStartKey":{"pk":{"S":"x"}}}`, err: wrongStart},
	})
	run(t, defaults{src: "service facts 12.6", table: "comp", op: "Query"}, []kase{
		{name: "type before operator", in: condition("pk > :p", `":p":{"N":"1"}`, ""),
			err: wrongType},
		{name: "type before operator, mirrored", in: condition(":p > pk", `":p":{"N":"1"}`, ""),
			err: wrongType},
		{name: "bounds before operator",
			in: condition("pk BETWEEN :p AND :p", `":p":{"B":"AQ=="}`, ""), err: wrongType},
		{name: "type before operator, legacy",
			in:  `{"KeyConditions":{` + legacyCondition("pk", "GE", `{"N":"1"}`) + `}}`,
			err: wrongType},
		{name: "type before operator on an index", table: "global",
			in: condition(":p <= gp", `":p":{"N":"1"}`, `,"IndexName":"gkeys"`), err: wrongType},
		{name: "operator alone, legacy",
			in:  `{"KeyConditions":{` + legacyCondition("pk", "GE", `{"S":"1"}`) + `}}`,
			err: unsupported},
		{name: "operator alone", in: condition("pk > :p", `":p":{"S":"1"}`, ""), err: unsupported},
	})
	filter := `"QueryFilter":{` + legacyCondition("a", "BEGINS_WITH", `{"N":"1"}`) + `}`
	scanFilter := `"ScanFilter":{` + legacyCondition("a", "BEGINS_WITH", `{"N":"1"}`) + `}`
	run(t, defaults{src: "service facts 12.3", table: "comp", op: "Query"}, []kase{
		{name: "legacy filter before no key condition", in: `{` + filter + `}`, err: prefix},
		{name: "legacy filter before a bad start key",
			in: `{` + filter + `,"ExclusiveStartKey":{"pk":{"N":"x"}}}`, err: prefix},
		{name: "AttributesToGet before no key condition", in: `{"AttributesToGet":["a","a"]}`,
			err: invalidParameters + "Duplicate value in attribute name: a"},
		{name: "Scan, legacy filter before a bad start key", op: "Scan",
			in: `{` + scanFilter + `,"ExclusiveStartKey":{"pk":{"N":"x"}}}`, err: prefix},
		{name: "no key condition alone", in: `{}`, err: either},
	})
	p := `":p":{"S":"x"}`
	run(t, defaults{src: "service facts 12.4", table: "comp", op: "Query"}, []kase{
		{name: "key condition before filter",
			in:  condition("pk =", p, `,"FilterExpression":"a =","ProjectionExpression":"a b"`),
			err: `ValidationException: Invalid KeyConditionExpression: Syntax error; token: "<EOF>", near: "="`},
		{name: "filter before projection",
			in:  condition("pk = :p", p, `,"FilterExpression":"a =","ProjectionExpression":"a b"`),
			err: `ValidationException: Invalid FilterExpression: Syntax error; token: "<EOF>", near: "="`},
		{name: "empty filter before projection",
			in:  condition("pk = :p", p, `,"FilterExpression":"","ProjectionExpression":"a b"`),
			err: `ValidationException: Invalid FilterExpression: The expression can not be empty;`},
		{name: "Scan, filter before projection", op: "Scan",
			in:  `{"FilterExpression":"","ProjectionExpression":""}`,
			err: `ValidationException: Invalid FilterExpression: The expression can not be empty;`},
	})
	run(t, defaults{src: "service facts C.1", table: "comp", op: "Scan"}, []kase{
		{name: "legacy filter before Select",
			in: `{` + scanFilter + `,"Select":"SPECIFIC_ATTRIBUTES"}`, err: prefix},
		{name: "legacy filter before Segment",
			in: `{` + scanFilter + `,"Segment":5,"TotalSegments":2}`, err: prefix},
		{name: "legacy filter of a Query before Select", op: "Query",
			in: `{"KeyConditions":{` + legacyCondition("pk", "EQ", `{"S":"x"}`) + `},` + filter +
				`,"Select":"COUNT","AttributesToGet":["a"]}`, err: prefix},
		{name: "number of arguments before TotalSegments alone",
			in: `{"ScanFilter":{` + legacyCondition("a", "BETWEEN", `{"N":"1"}`) +
				`},"TotalSegments":2}`,
			err: invalidParameters +
				"Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
		{name: "ConditionalOperator before Segment",
			in: `{"ScanFilter":{` + legacyCondition("a", "EQ", `{"N":"1"}`) +
				`},"ConditionalOperator":"OR","Segment":5,"TotalSegments":2}`,
			err: "ValidationException: ConditionalOperator can only be used when Filter or Expected has two or more elements"},
		{name: "filter expression before Select", src: "service facts C.2",
			in:  `{"FilterExpression":"a =","ProjectionExpression":"a","Select":"COUNT"}`,
			err: `ValidationException: Invalid FilterExpression: Syntax error; token: "<EOF>", near: "="`},
		{name: "projected attributes of a table", src: "service facts C.3",
			in:  `{"ProjectionExpression":"a","Select":"ALL_PROJECTED_ATTRIBUTES"}`,
			err: "ValidationException: Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES"},
		{name: "projected attributes of a table, legacy", src: "service facts C.3",
			in:  `{"AttributesToGet":["a"],"Select":"ALL_PROJECTED_ATTRIBUTES"}`,
			err: "ValidationException: Cannot specify the AttributesToGet when choosing to get ALL_PROJECTED_ATTRIBUTES"},
	})
	named := "ValidationException: Filter Expression can only contain non-primary key attributes: Primary key attribute: "
	run(t, defaults{src: "service facts B.4", table: "comp", op: "Query"}, []kase{
		{name: "filter on both keys",
			in:  condition("pk = :p", p, `,"FilterExpression":"sk = :p AND pk = :p"`),
			err: named + "pk"},
		{name: "filter on the sort key",
			in:  condition("pk = :p", p, `,"FilterExpression":"a = :p OR sk = :p"`),
			err: named + "sk"},
		{name: "QueryFilter on both keys",
			in: `{"KeyConditions":{` +
				legacyCondition("pk", "EQ",
					`{"S":"x"}`) + `},"QueryFilter":{` + legacyCondition("sk", "EQ",
				`{"S":"x"}`) + `,` + legacyCondition("pk", "EQ", `{"S":"x"}`) + `}}`,
			err: "ValidationException: QueryFilter can only contain non-primary key attributes: Primary key attribute: pk"},
		{name: "filter on both keys of an index", table: "global",
			in: condition("gp = :p", p,
				`,"IndexName":"gkeys","FilterExpression":"gs = :p AND gp = :p"`),
			err: named + "gp"},
		{name: "filter on both keys of a local index", table: "local",
			in: condition("pk = :p", p,
				`,"IndexName":"lall","FilterExpression":"lk = :p AND pk = :p"`), err: named + "pk"},
	})
}

// TestFiltersOnUnprojectedAttributes: a query refuses a filter on an attribute that its index does
// not project. For a scan the attribute is missing.
func TestFiltersOnUnprojectedAttributes(t *testing.T) {
	t.Parallel()
	load(t, "global",
		`{"pk":{"S":"unproj"},"sk":{"S":"1"},"gp":{"S":"unproj"},"gs":{"N":"1"},"inc":{"S":"i"},"x":{"S":"b"}}`)
	load(t, "local",
		`{"pk":{"S":"unproj"},"sk":{"S":"1"},"lk":{"S":"l"},"ln":{"N":"1"},"inc":{"S":"i"},"x":{"S":"b"}}`)
	query := func(key, index, members string) string {
		return `{"IndexName":"` + index + `","KeyConditions":{` +
			legacyCondition(key, "EQ", `{"S":"unproj"}`) + `},` + members + `}`
	}
	lacks := func(index, names string) string {
		return invalidParameters + "Secondary index " + index +
			" does not project one or more filter attributes: [" + names + "]"
	}
	v := `,"ExpressionAttributeValues":{":v":{"S":"b"}}`
	run(t, defaults{src: "service facts B.2", table: "local", op: "Query"}, []kase{
		{name: "LSI of keys", in: query("pk", "lkeys", `"FilterExpression":"x = :v"`+v),
			err: lacks("lkeys", "x")},
		{name: "LSI, in a path",
			in:  query("pk", "linc", `"FilterExpression":"inc = :v OR NOT x.y = :v"`+v),
			err: lacks("linc", "x")},
		{name: "LSI, all attributes",
			in: query("pk", "lkeys",
				`"Select":"ALL_ATTRIBUTES","FilterExpression":"attribute_not_exists(x)"`),
			err: lacks("lkeys", "x")},
		{name: "LSI, QueryFilter",
			in: query("pk", "lkeys",
				`"Select":"COUNT","QueryFilter":{`+legacyCondition("x", "NE", `{"S":"b"}`)+`}`),
			err: lacks("lkeys", "x")},
		{name: "LSI, included attribute and table key",
			in: query("pk", "linc",
				`"FilterExpression":"inc <> :v AND sk <> :v","Select":"COUNT"`+v),
			want: `{"Count":1,"ScannedCount":1}`},
		{name: "LSI of everything",
			in:   query("pk", "lall", `"FilterExpression":"x = :v","ProjectionExpression":"x"`+v),
			want: answerOf(`{"x":{"S":"b"}}`)},
		{name: "GSI of keys", table: "global",
			in:  query("gp", "gkeys", `"FilterExpression":"size(x) > :v"`+v),
			err: lacks("gkeys", "x")},
		{name: "GSI, QueryFilter", table: "global",
			in:  query("gp", "ginc", `"QueryFilter":{"x":{"ComparisonOperator":"NULL"}}`),
			err: lacks("ginc", "x")},
		{name: "GSI, included attribute", table: "global",
			in: query("gp", "ginc",
				`"Select":"COUNT","QueryFilter":{`+legacyCondition("inc", "EQ", `{"S":"i"}`)+`}`),
			want: `{"Count":1,"ScannedCount":1}`},
	})
	for _, c := range []struct{ name, shape, members, want string }{
		{"GSI, missing", "global",
			`"IndexName":"gkeys","FilterExpression":"pk = :p AND attribute_not_exists(x)"`, "1"},
		{"GSI, compared", "global", `"IndexName":"ginc","FilterExpression":"pk = :p AND x > :p"`,
			"0"},
		{"LSI, missing", "local",
			`"IndexName":"lkeys","FilterExpression":"pk = :p AND attribute_not_exists(x)"`, "1"},
		{"LSI, all attributes", "local",
			`"IndexName":"linc","Select":"ALL_ATTRIBUTES","FilterExpression":"pk = :p AND attribute_exists(x)"`, "0"},
		{"LSI, ScanFilter", "local",
			`"IndexName":"lkeys","ScanFilter":{` + legacyCondition("pk", "EQ", `{"S":"unproj"}`) +
				`,"x":{"ComparisonOperator":"NOT_NULL"}}`, "0"},
	} {
		t.Run("Scan of "+c.name, func(t *testing.T) { // service facts B.3
			values := `,"ExpressionAttributeValues":{":p":{"S":"unproj"}}`
			if strings.Contains(c.members, "ScanFilter") {
				values = ""
			}
			answer := call(t, "Scan", `{"TableName":"@`+c.shape+`",`+c.members+values+`}`)
			assert.Equal(t, c.want, fmt.Sprint(answer["Count"]))
		})
	}
}

// TestOrderOfAutumnChecks: which of two faults is reported, as became known in the autumn of 2026.
func TestOrderOfAutumnChecks(t *testing.T) {
	t.Parallel()
	query := func(members string) string {
		return `{"KeyConditionExpression":"partitionKey = sth",` + members + `}`
	}
	const twoNames = "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"
	update := func(action, members string) string {
		return `{"TransactItems":[{"` + action + `":{"TableName":"@hash",` + members +
			`,"ExpressionAttributeValues":{}}}]}`
	}
	const noValues = "Invalid: ExpressionAttributeValues must not be empty"
	run(t, defaults{src: "service facts M.1", table: "hash", op: "Query"}, []kase{
		{name: "an empty filter", in: query(`"FilterExpression":""`),
			err: "Invalid: Invalid FilterExpression: The expression can not be empty;"},
		{name: "an empty projection", in: query(`"ProjectionExpression":""`),
			err: "Invalid: Invalid ProjectionExpression: The expression can not be empty;"},
		{name: "an unused name", src: "service facts M.2",
			in:  `{"KeyConditionExpression":"(#0 = x)","ExpressionAttributeNames":{"#0":"pk","#count":"count"}}`,
			err: "Invalid: Value provided in ExpressionAttributeNames unused in expressions: keys: {#count}"},
		{name: "a name that a filter uses", src: "service facts M.2",
			in:  `{"KeyConditionExpression":"(#0 = x)","FilterExpression":"attribute_exists(#count)","ExpressionAttributeNames":{"#0":"pk","#count":"count"}}`,
			err: "Invalid: " + twoNames},
		{name: "no values and an update that does not parse", src: "service facts M.3",
			op: "TransactWriteItems", raw: true,
			in: update("Update", `@key,"UpdateExpression":"SET"`), err: noValues},
		{name: "no values and a condition that does not parse", src: "service facts M.3",
			op: "TransactWriteItems", raw: true,
			in: update("Put", `"Item":{@pk},"ConditionExpression":"a ="`), err: noValues},
		{name: "no values and a bad condition of a delete", src: "service facts M.3",
			op: "TransactWriteItems", raw: true,
			in: update("Delete", `@key,"ConditionExpression":"a ="`), err: noValues},
		{name: "a reserved word after an undefined name", src: "service facts M.10", op: "GetItem",
			in:  `{@key,"ProjectionExpression":"#a,ABSoLUTE"}`,
			err: "Invalid: Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: ABSoLUTE"},
	})
}
