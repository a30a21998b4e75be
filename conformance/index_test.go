package conformance

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLocalIndexes(t *testing.T) {
	t.Parallel()
	one := `{"pk":{"S":"lsi"},"sk":{"S":"1"},"lk":{"S":"c"},"ln":{"N":"10"},"inc":{"S":"i1"},"x":{"S":"x1"}}`
	two := `{"pk":{"S":"lsi"},"sk":{"S":"2"},"lk":{"S":"a"},"inc":{"S":"i2"},"x":{"S":"x2"}}`
	three := `{"pk":{"S":"lsi"},"sk":{"S":"3"},"lk":{"S":"b"},"ln":{"N":"9"},"x":{"S":"x3"}}`
	four := `{"pk":{"S":"lsi"},"sk":{"S":"4"},"x":{"S":"x4"}}`
	load(t, "local", one, two, three, four)
	keysOf := func(sk, lk string) string {
		return `{"pk":{"S":"lsi"},"sk":{"S":"` + sk + `"},"lk":{"S":"` + lk + `"}}`
	}
	query := func(index, members string) string {
		return `{"IndexName":"` + index + `","ConsistentRead":true` + members +
			`,"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"lsi"}}}`
	}
	ranged := func(index, condition, value string) string {
		return `{"IndexName":"` + index +
			`","ConsistentRead":true,"KeyConditionExpression":"pk = :p AND ` + condition +
			`","ExpressionAttributeValues":{":p":{"S":"lsi"},":v":` + value + `}}`
	}
	run(t, defaults{
		src: "Developer Guide, Local secondary indexes", table: "local", op: "Query",
	}, []kase{
		{name: "is sparse and ordered by its key", in: query("lall", ""),
			want: answerOf(two, three, one)},
		{name: "backwards", in: query("lall", `,"ScanIndexForward":false`),
			want: answerOf(one, three, two)},
		{name: "KEYS_ONLY", in: query("lkeys", ""),
			want: answerOf(keysOf("2", "a"), keysOf("3", "b"), keysOf("1", "c"))},
		{name: "INCLUDE, ordered by number", in: query("linc", ""),
			want: answerOf(`{"pk":{"S":"lsi"},"sk":{"S":"3"},"ln":{"N":"9"}}`,
				`{"pk":{"S":"lsi"},"sk":{"S":"1"},"ln":{"N":"10"},"inc":{"S":"i1"}}`)},
		{name: "key condition", in: ranged("lkeys", "lk > :v", `{"S":"a"}`),
			want: answerOf(keysOf("3", "b"), keysOf("1", "c"))},
		{name: "ALL_PROJECTED_ATTRIBUTES",
			in:   query("lkeys", `,"Select":"ALL_PROJECTED_ATTRIBUTES"`),
			want: answerOf(keysOf("2", "a"), keysOf("3", "b"), keysOf("1", "c"))},
		{name: "ALL_ATTRIBUTES fetches from the table", src: "API Reference, Query, Select",
			in: query("lkeys", `,"Select":"ALL_ATTRIBUTES"`), want: answerOf(two, three, one)},
		{name: "a projection fetches from the table",
			src:  "Developer Guide, Local secondary indexes, Attribute projections",
			in:   query("lkeys", `,"ProjectionExpression":"x"`),
			want: answerOf(`{"x":{"S":"x2"}}`, `{"x":{"S":"x3"}}`, `{"x":{"S":"x1"}}`)},
		{name: "COUNT", in: query("lkeys", `,"Select":"COUNT"`),
			want: `{"Count":3,"ScannedCount":3}`},
		{name: "page", in: query("lall", `,"Limit":1`),
			want: `{"Items":[` + two + `],"Count":1,"ScannedCount":1,"LastEvaluatedKey":` +
				keysOf("2", "a") + `}`},
		{name: "next page", in: query("lall", `,"ExclusiveStartKey":`+keysOf("2", "a")),
			want: answerOf(three, one)},
		{name: "start key without the index key",
			in:  query("lall", `,"ExclusiveStartKey":{"pk":{"S":"lsi"},"sk":{"S":"2"}}`),
			err: "ValidationException: The provided starting key is invalid || ValidationException: Exclusive Start Key must have same size as table's key schema || ValidationException: The provided starting key is invalid: The provided key element does not match the schema"},
		{name: "condition on the table's sort key", in: ranged("lall", "sk = :v", `{"S":"1"}`),
			err: "ValidationException: Query condition missed key schema element: lk"},
		{name: "filter on the index key",
			in: `{"IndexName":"lall","FilterExpression":"lk = :p","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"lsi"}}}`, err: "ValidationException: Filter Expression can only contain non-primary key attributes: Primary key attribute: lk"},
		{name: "filter on the table's sort key",
			in: `{"IndexName":"lall","ConsistentRead":true,"FilterExpression":"sk = :s","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"lsi"},":s":{"S":"1"}}}`, want: `{"Items":[` + one + `],"Count":1,"ScannedCount":3}`},
		{name: "wrong type of an index key", op: "PutItem",
			in:  `{"Item":{@pk,"sk":{"S":"1"},"ln":{"S":"x"}}}`,
			err: "ValidationException: One or more parameter values were invalid: Type mismatch for Index Key ln Expected: N Actual: S IndexName: linc"},
		{name: "null as an index key", op: "PutItem",
			in:  `{"Item":{@pk,"sk":{"S":"1"},"ln":{"NULL":true}}}`,
			err: "ValidationException: One or more parameter values were invalid: Type mismatch for Index Key ln Expected: N Actual: NULL IndexName: linc"},
	})
}

func TestGlobalIndexes(t *testing.T) {
	t.Parallel()
	one := `{"pk":{"S":"g1"},"sk":{"S":"1"},"gp":{"S":"G"},"gs":{"N":"10"},"inc":{"S":"i1"},"x":{"S":"x1"}}`
	two := `{"pk":{"S":"g2"},"sk":{"S":"1"},"gp":{"S":"G"},"gs":{"N":"-5"},"x":{"S":"x2"}}`
	three := `{"pk":{"S":"g1"},"sk":{"S":"2"},"gp":{"S":"G"},"gs":{"N":"9"},"inc":{"S":"i3"}}`
	other := `{"pk":{"S":"g1"},"sk":{"S":"3"},"gp":{"S":"H"},"gs":{"N":"1"}}`
	single := `{"pk":{"S":"g1"},"sk":{"S":"4"},"gp":{"S":"ALONE"}}`
	binary := `{"pk":{"S":"g1"},"sk":{"S":"5"},"gb":{"B":"/wA="}}`
	load(t, "global", one, two, three, other, single, binary)
	keysOf := func(pk, sk, gs string) string {
		return `{"pk":{"S":"` + pk + `"},"sk":{"S":"` + sk + `"},"gp":{"S":"G"},"gs":{"N":"` +
			gs + `"}}`
	}
	query := func(index, members string) string {
		return `{"IndexName":"` + index + `"` + members +
			`,"KeyConditionExpression":"gp = :p","ExpressionAttributeValues":{":p":{"S":"G"}}}`
	}
	ranged := func(condition, value string) string {
		return `{"IndexName":"gkeys","KeyConditionExpression":"gp = :p AND ` + condition +
			`","ExpressionAttributeValues":{":p":{"S":"G"},":v":` + value + `}}`
	}
	const notProjected = "ValidationException: One or more parameter values were invalid: Global secondary index gkeys does not project [x]"
	run(t, defaults{
		src: "Developer Guide, Global secondary indexes", table: "global", op: "Query",
	}, []kase{
		{name: "empty value for the index key",
			src: "github.com/praetorian-inc/chariot-ui/issues/353, a log of the service's answer",
			in:  `{"IndexName":"gall","KeyConditionExpression":"gp = :p","ExpressionAttributeValues":{":p":{"S":""}}}`, err: "ValidationException: One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: gall, IndexKey: gp"},
		{name: "KEYS_ONLY, ordered by number", in: query("gkeys", ""),
			want: answerOf(keysOf("g2", "1", "-5"), keysOf("g1", "2", "9"),
				keysOf("g1", "1", "10"))},
		{name: "backwards", in: query("gkeys", `,"ScanIndexForward":false`),
			want: answerOf(keysOf("g1", "1", "10"), keysOf("g1", "2", "9"),
				keysOf("g2", "1", "-5"))},
		{name: "INCLUDE", in: query("ginc", `,"Limit":3`),
			want: strings.Replace(
				answerOf(keysOf("g2", "1", "-5"),
					strings.Replace(keysOf("g1", "2", "9"), `{"pk"`, `{"inc":{"S":"i3"},"pk"`, 1),
					strings.Replace(keysOf("g1", "1", "10"), `{"pk"`, `{"inc":{"S":"i1"},"pk"`, 1)),
				`"Count"`, `"LastEvaluatedKey":`+keysOf("g1", "1", "10")+`,"Count"`, 1)},
		{name: "ALL",
			in: `{"IndexName":"gall","KeyConditionExpression":"gp = :p","ExpressionAttributeValues":{":p":{"S":"H"}}}`, want: answerOf(other)},
		{name: "an index without sort key takes items without it",
			in: `{"IndexName":"gall","KeyConditionExpression":"gp = :p","ExpressionAttributeValues":{":p":{"S":"ALONE"}}}`, want: answerOf(single)},
		{name: "is sparse",
			in: `{"IndexName":"gkeys","KeyConditionExpression":"gp = :p","ExpressionAttributeValues":{":p":{"S":"ALONE"}}}`, want: answerOf()},
		{name: "binary key",
			in: `{"IndexName":"gbin","KeyConditionExpression":"gb = :p","ExpressionAttributeValues":{":p":{"B":"/wA="}}}`, want: answerOf(binary)},
		{name: "key condition", in: ranged("gs BETWEEN :v AND :v", `{"N":"9.0"}`),
			want: answerOf(keysOf("g1", "2", "9"))},
		{name: "less", in: ranged("gs < :v", `{"N":"10"}`),
			want: answerOf(keysOf("g2", "1", "-5"), keysOf("g1", "2", "9"))},
		{name: "page", in: query("gkeys", `,"Limit":1`),
			want: `{"Items":[` + keysOf("g2", "1", "-5") +
				`],"Count":1,"ScannedCount":1,"LastEvaluatedKey":` + keysOf("g2", "1", "-5") + `}`},
		{name: "next page", in: query("gkeys", `,"ExclusiveStartKey":`+keysOf("g2", "1", "-5")),
			want: answerOf(keysOf("g1", "2", "9"), keysOf("g1", "1", "10"))},
		{name: "filter on a key of the table",
			in: `{"IndexName":"gkeys","FilterExpression":"pk = :t","KeyConditionExpression":"gp = :p","ExpressionAttributeValues":{":p":{"S":"G"},":t":{"S":"g2"}}}`, want: `{"Items":[` + keysOf("g2", "1", "-5") + `],"Count":1,"ScannedCount":3}`},
		{name: "filter on a key of the index",
			in: `{"IndexName":"gkeys","FilterExpression":"gs = :t","KeyConditionExpression":"gp = :p","ExpressionAttributeValues":{":p":{"S":"G"},":t":{"N":"2"}}}`, err: "ValidationException: Filter Expression can only contain non-primary key attributes: Primary key attribute: gs"},
		{name: "projection of attributes that it has",
			in:   query("ginc", `,"ProjectionExpression":"inc","ScanIndexForward":false`),
			want: answerOf(`{"inc":{"S":"i1"}}`, `{"inc":{"S":"i3"}}`, `{}`)},
		{name: "projection of attributes that it lacks",
			in: query("gkeys", `,"ProjectionExpression":"x"`), err: notProjected},
		{name: "AttributesToGet of attributes that it lacks",
			in: `{"IndexName":"gkeys","AttributesToGet":["x"],"KeyConditions":{"gp":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"G"}]}}}`, err: notProjected},
		{name: "ALL_ATTRIBUTES of KEYS_ONLY", in: query("gkeys", `,"Select":"ALL_ATTRIBUTES"`),
			err: "ValidationException: One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index gkeys because its projection type is not ALL"},
		{name: "ALL_ATTRIBUTES of ALL",
			in: `{"IndexName":"gall","Select":"ALL_ATTRIBUTES","KeyConditionExpression":"gp = :p","ExpressionAttributeValues":{":p":{"S":"H"}}}`, want: answerOf(other)},
		{name: "consistent read", in: query("gkeys", `,"ConsistentRead":true`),
			err: "ValidationException: Consistent reads are not supported on global secondary indexes"},
		{name: "consistent scan", op: "Scan", in: `{"IndexName":"gall","ConsistentRead":true}`,
			err: "ValidationException: Consistent reads are not supported on global secondary indexes"},
		{name: "table's key as the condition",
			in: `{"IndexName":"gkeys","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"g1"}}}`, err: "ValidationException: Query condition missed key schema element: gp"},
		{name: "start key of the table alone",
			in:  query("gkeys", `,"ExclusiveStartKey":{"pk":{"S":"g1"},"sk":{"S":"1"}}`),
			err: "ValidationException: The provided starting key is invalid || ValidationException: Exclusive Start Key must have same size as table's key schema || ValidationException: The provided starting key is invalid: The provided key element does not match the schema"},
		{name: "start key of another partition",
			in: query("gkeys",
				`,"ExclusiveStartKey":{"pk":{"S":"g1"},"sk":{"S":"3"},"gp":{"S":"H"},"gs":{"N":"1"}}`), err: "ValidationException: The provided starting key is outside query boundaries based on provided conditions"},
		{name: "wrong type of an index key", op: "PutItem",
			in:  `{"Item":{@pk,"sk":{"S":"1"},"gb":{"S":"x"}}}`,
			err: "ValidationException: One or more parameter values were invalid: Type mismatch for Index Key gb Expected: B Actual: S IndexName: gbin"},
		{name: "wrong type in a batch", op: "BatchWriteItem",
			in: `{"RequestItems":{"@global":[{"PutRequest":{"Item":{@pk,"sk":{"S":"1"},"gb":{"S":"x"}}}}]}}`, err: "ValidationException: One or more parameter values were invalid: Type mismatch for Index Key gb Expected: B Actual: S IndexName: gbin"},
		{name: "index key that is too long", op: "PutItem",
			in:  `{"Item":{@pk,"sk":{"S":"1"},"gb":{"B":"` + strings.Repeat("AAAA", 683) + `"}}}`,
			err: "ValidationException: One or more parameter values were invalid: *"},
	})
}

// TestGlobalIndexFollowsItems: Developer Guide, Global secondary indexes, Data synchronization
// between tables and global secondary indexes.
func TestGlobalIndexFollowsItems(t *testing.T) {
	t.Parallel()
	const query = `{"TableName":"@global","IndexName":"ginc","KeyConditionExpression":"gp = :p","ExpressionAttributeValues":{":p":{"S":"follow"}}}`
	expect := func(step, want string) {
		eventually(t, "Query", func(t2 assert.TestingT) {
			assert.Equal(t2, normal(parseJSON(want)), normal(call(t, "Query", query)), step)
		})
	}
	key := `"pk":{"S":"follow"},"sk":{"S":"1"}`
	update := func(expr, values string) {
		if values != "" {
			values = `,"ExpressionAttributeValues":{` + values + `}`
		}
		call(t, "UpdateItem",
			`{"TableName":"@global","Key":{`+key+`},"UpdateExpression":"`+expr+`"`+values+`}`)
	}
	call(t, "PutItem",
		`{"TableName":"@global","Item":{`+key+
			`,"gp":{"S":"follow"},"gs":{"N":"1"},"inc":{"S":"a"},"x":{"S":"b"}}}`)
	expect("put", answerOf(`{`+key+`,"gp":{"S":"follow"},"gs":{"N":"1"},"inc":{"S":"a"}}`))
	update("SET inc = :v", `":v":{"S":"c"}`)
	expect("update of an included attribute",
		answerOf(`{`+key+`,"gp":{"S":"follow"},"gs":{"N":"1"},"inc":{"S":"c"}}`))
	update("ADD gs :v", `":v":{"N":"1"}`)
	expect("update of the index's sort key",
		answerOf(`{`+key+`,"gp":{"S":"follow"},"gs":{"N":"2"},"inc":{"S":"c"}}`))
	update("REMOVE gs", "")
	expect("removal of the index's sort key", answerOf())
	update("SET gs = :v", `":v":{"N":"7"}`)
	expect("return of the index's sort key",
		answerOf(`{`+key+`,"gp":{"S":"follow"},"gs":{"N":"7"},"inc":{"S":"c"}}`))
	update("SET gp = :v", `":v":{"S":"elsewhere"}`)
	expect("move to another partition", answerOf())
	call(t, "PutItem",
		`{"TableName":"@global","Item":{`+key+`,"gp":{"S":"follow"},"gs":{"N":"1"}}}`)
	expect("put over it", answerOf(`{`+key+`,"gp":{"S":"follow"},"gs":{"N":"1"}}`))
	call(t, "DeleteItem", `{"TableName":"@global","Key":{`+key+`}}`)
	expect("delete", answerOf())
}

func TestIndexScan(t *testing.T) { // API Reference, Scan, IndexName
	t.Parallel()
	shared := newTable(t,
		keys("pk:S", "gp:S")+`,"GlobalSecondaryIndexes":[`+index("byg", "KEYS_ONLY", "gp")+`]`)
	for _, item := range []string{`"pk":{"S":"1"},"gp":{"S":"a"},"x":{"S":"x"}`,
		`"pk":{"S":"2"},"x":{"S":"x"}`, `"pk":{"S":"3"},"gp":{"S":"a"}`,
		`"pk":{"S":"4"},"gp":{"S":"b"}`} {
		call(t, "PutItem", `{"TableName":"`+shared.name+`","Item":{`+item+`}}`)
	}
	for _, members := range []string{``, `,"Limit":1`, `,"Limit":2`} {
		eventually(t, "Scan", func(t2 assert.TestingT) {
			var items []any
			for _, page := range pages(t, "Scan",
				`"TableName":"`+shared.name+`","IndexName":"byg"`+members) {
				items = append(items, page...)
			}
			want := parseJSON(
				`[{"pk":{"S":"1"},"gp":{"S":"a"}},{"pk":{"S":"3"},"gp":{"S":"a"}},{"pk":{"S":"4"},"gp":{"S":"b"}}]`).([]any)
			assert.Equal(t2, sorted(want), sorted(items), "pages with %q", members)
		})
	}
	refuse(t, "Scan", `{"TableName":"`+shared.name+`","IndexName":"byg","Select":"ALL_ATTRIBUTES"}`,
		"ValidationException: One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index byg because its projection type is not ALL")
	refuse(t, "Scan",
		`{"TableName":"`+shared.name+`","IndexName":"byg","ProjectionExpression":"x"}`,
		"ValidationException: One or more parameter values were invalid: Global secondary index byg does not project [x]")
}

// TestMultiAttributeKeys covers global indexes with up to four HASH and four RANGE attributes.
func TestMultiAttributeKeys(t *testing.T) {
	t.Parallel()
	item := func(n, c, d string) string {
		return `{"pk":{"S":"m` + n + `"},"a":{"S":"A"},"b":{"S":"B"},"c":{"N":"` +
			c + `"},"d":{"S":"` + d + `"}}`
	}
	one, two, three, four := item("1", "10", "x"), item("2", "9", "z"), item("3", "10",
		"w"), item("4", "100", "a")
	load(t, "multi", one, two, three, four,
		`{"pk":{"S":"m5"},"a":{"S":"A"},"b":{"S":"other"},"c":{"N":"1"},"d":{"S":"a"}}`,
		`{"pk":{"S":"m6"},"a":{"S":"A"},"b":{"S":"B"},"c":{"N":"1"}}`,
		`{"pk":{"S":"m7"},"b":{"S":"B"},"c":{"N":"1"},"d":{"S":"a"}}`)
	query := func(expr, values string) string {
		return `{"IndexName":"mall","KeyConditionExpression":"a = :a` + expr +
			`","ExpressionAttributeValues":{":a":{"S":"A"}` + values + `}}`
	}
	b := `,":b":{"S":"B"}`
	run(t, defaults{
		src: "Developer Guide, Global secondary indexes, Multi-attribute keys", table: "multi",
		op: "Query",
	}, []kase{
		{name: "all HASH attributes", in: query(" AND b = :b", b),
			want: answerOf(two, three, one, four)},
		{name: "first RANGE attribute", in: query(" AND b = :b AND c = :c", b+`,":c":{"N":"10"}`),
			want: answerOf(three, one)},
		{name: "range on the first RANGE attribute",
			in:   query(" AND b = :b AND c > :c", b+`,":c":{"N":"9"}`),
			want: answerOf(three, one, four)},
		{name: "range below", in: query(" AND b = :b AND c < :c", b+`,":c":{"N":"10"}`),
			want: answerOf(two)},
		{name: "between",
			in:   query(" AND b = :b AND c BETWEEN :c AND :d", b+`,":c":{"N":"9"},":d":{"N":"10"}`),
			want: answerOf(two, three, one)},
		{name: "both RANGE attributes",
			in:   query(" AND b = :b AND c = :c AND d = :d", b+`,":c":{"N":"10"},":d":{"S":"x"}`),
			want: answerOf(one)},
		{name: "range on the last RANGE attribute",
			in:   query(" AND b = :b AND c = :c AND d > :d", b+`,":c":{"N":"10"},":d":{"S":"w"}`),
			want: answerOf(one)},
		{name: "begins_with on the last RANGE attribute",
			in: query(" AND b = :b AND c = :c AND begins_with(d, :d)",
				b+`,":c":{"N":"10"},":d":{"S":"w"}`), want: answerOf(three)},
		{name: "conditions in any order",
			in:   query(" AND d = :d AND c = :c AND b = :b", b+`,":c":{"N":"10"},":d":{"S":"x"}`),
			want: answerOf(one)},
		{name: "backwards",
			in:   strings.Replace(query(" AND b = :b", b), "{", `{"ScanIndexForward":false,`, 1),
			want: answerOf(four, one, three, two)},
		{name: "page", in: strings.Replace(query(" AND b = :b", b), "{", `{"Limit":2,`, 1),
			want: `{"Items":[` + two + `,` + three +
				`],"Count":2,"ScannedCount":2,"LastEvaluatedKey":` + three + `}`},
		{name: "next page",
			in: strings.Replace(query(" AND b = :b", b), "{", `{"ExclusiveStartKey":`+three+`,`,
				1),
			want: answerOf(one, four)},
		// the text is not on record
		{name: "missing HASH attribute", in: query("", ""), err: "ValidationException: *"},
		// nor here
		{name: "second RANGE attribute without the first",
			in:  query(" AND b = :b AND d = :d", b+`,":d":{"S":"x"}`),
			err: "ValidationException: *"},
		{name: "second RANGE attribute after a range",
			in:  query(" AND b = :b AND c > :c AND d = :d", b+`,":c":{"N":"1"},":d":{"S":"x"}`),
			err: "ValidationException: *"},
		{name: "HASH attribute by range", in: query(" AND b > :b", b),
			err: "ValidationException: *"},
	})
}
