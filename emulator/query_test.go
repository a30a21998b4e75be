package emulator

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newReadTest is an itemTest that has also the table "reads" with all kinds of index.
func newReadTest(t *testing.T) *itemTest {
	t.Helper()
	x := newItemTest(t)
	answer := x.do("CreateTable", readTable)
	require.True(t, strings.HasPrefix(answer, "{"), answer)
	return x
}

// queried is a Query of the partition "p" of a table, with more members.
func queried(table, more string) string {
	return `{"TableName":"` + table +
		`","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"p"}}` +
		more + `}`
}

// keyed is a Query with a key condition.
func keyed(table, index, condition, values, more string) string {
	if index != "" {
		more += `,"IndexName":"` + index + `"`
	}
	return `{"TableName":"` + table + `","KeyConditionExpression":"` + condition +
		`","ExpressionAttributeValues":{` + values + `}` + more + `}`
}

// legacyKeyed is a Query with KeyConditions, each "name OP values".
func legacyKeyed(table, more string, conditions ...string) string {
	entries := make([]string, len(conditions))
	for i, c := range conditions {
		part := strings.SplitN(c, " ", 3)
		entries[i] = fmt.Sprintf(`%q:{"ComparisonOperator":%q,"AttributeValueList":[%s]}`, part[0],
			part[1], part[2])
	}
	return `{"TableName":"` + table + `","KeyConditions":{` +
		strings.Join(entries, ",") + `}` + more + `}`
}

const (
	mixed        = "ValidationException: Can not use both expression and non-expression parameters in the same request: "
	missed       = "ValidationException: Query condition missed key schema element: "
	unsuited     = "ValidationException: Query key condition not supported"
	tooManyTerms = "ValidationException: The number of query conditions "
	rangeGap     = "ValidationException: RANGE key attributes gr must have equality conditions specified in the query " +
		"because a condition is present on key attribute b"
	wrongTerm     = invalidValues + "Condition parameter type does not match schema type"
	emptyIndexKey = "ValidationException: One or more parameter values are not valid. A value specified for a secondary index key is not supported. " +
		"The AttributeValue for a key attribute cannot contain an empty string value. IndexName: "
	emptyKey   = "ValidationException: One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: "
	startWrong = "ValidationException: The provided starting key is invalid"
)

func TestQueryRefusals(t *testing.T) {
	x := newReadTest(t)
	x.put("reads", `{"pk":{"S":"p"},"sk":{"N":"1"}}`)
	const p, ps = `":p":{"S":"p"}`, `":p":{"S":"p"},":s":{"N":"1"}`
	const pk = `pk EQ {"S":"p"}`
	x.refused("Query", []itemCase{
		{"every kind of parameter",
			`{"TableName":"reads","AttributesToGet":["a"],"QueryFilter":{},"ConditionalOperator":"AND","KeyConditions":{},"ProjectionExpression":"a","FilterExpression":"a","KeyConditionExpression":"a"}`,
			mixed + "Non-expression parameters: {AttributesToGet, QueryFilter, ConditionalOperator, KeyConditions} Expression parameters: {ProjectionExpression, FilterExpression, KeyConditionExpression}"},
		{"filter of one kind, key of the other",
			queried("reads", `,"QueryFilter":{"a":{"ComparisonOperator":"NULL"}}`),
			mixed + "Non-expression parameters: {QueryFilter} Expression parameters: {KeyConditionExpression}"},
		{"names without expressions",
			legacyKeyed("reads", `,"ExpressionAttributeNames":{"#a":"a"}`, pk),
			namesWithoutExpression},
		{"values without expressions",
			legacyKeyed("reads", `,"ExpressionAttributeValues":{":a":{"S":"a"}}`, pk),
			"ValidationException: ExpressionAttributeValues can only be specified when using expressions"},
		{"no key condition", `{"TableName":"reads"}`,
			"ValidationException: Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."},
		{"no key condition comes before a bad filter",
			`{"TableName":"reads","FilterExpression":"a b"}`,
			"ValidationException: Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."},
		{"mixed comes before the table",
			`{"TableName":"none","KeyConditions":{},"KeyConditionExpression":"a"}`,
			mixed + "Non-expression parameters: {KeyConditions} Expression parameters: {KeyConditionExpression}"},
		{"unknown table", queried("none", ""),
			noSuchTable},
		{"the request comes before the table", queried("none", `,"FilterExpression":"a b"`),
			`ValidationException: Invalid FilterExpression: Syntax error; token: "b", near: "a b"`},
		{"unknown index", queried("reads", `,"IndexName":"none"`),
			"ValidationException: The table does not have the specified index: none"},
		{"consistent global index", keyed("reads", "gall", "gh = :p", p, `,"ConsistentRead":true`),
			"ValidationException: Consistent reads are not supported on global secondary indexes"},
		{"unused value of a query",
			queried("reads",
				`,"FilterExpression":"attribute_exists(a)","ExpressionAttributeNames":{"#x":"x"}`),
			"ValidationException: Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}"},
		{"no conditions", `{"TableName":"reads","KeyConditions":{}}`,
			"ValidationException: Conditions can be of length 1 or 2 only"},
		{"three conditions", keyed("reads", "", "pk = :p AND sk = :s AND a = :s", ps, ""),
			tooManyTerms + "(3) exceeds the number of key attributes defined in the schema (2)"},
		{"three conditions on an index with two keys",
			keyed("reads", "lkeys", "pk = :p AND ls = :p AND sk = :s", ps, ""),
			tooManyTerms + "(3) exceeds the number of key attributes defined in the schema (2)"},
		{"no partition key", keyed("reads", "", "sk = :s", `":s":{"N":"1"}`, ""), missed + "pk"},
		{"another attribute for the sort key", keyed("reads", "", "pk = :p AND a = :s", ps, ""),
			missed + "sk"},
		{"another attribute where there is no sort key",
			keyed("plain", "", "pk = :p AND a = :s", ps, ""),
			tooManyTerms + "(2) exceeds the number of key attributes defined in the schema (1)"},
		{"range on the partition key", keyed("reads", "", "pk >= :p", p, ""), unsuited},
		{"type of the partition key", keyed("reads", "", "pk = :p", `":p":{"N":"1"}`, ""),
			wrongTerm},
		{"type of the sort key", keyed("reads", "", "pk = :p AND sk < :s", p+`,":s":{"S":"1"}`, ""),
			wrongTerm},
		{"type that no key has", keyed("reads", "", "pk = :p", `":p":{"SS":["p"]}`, ""), wrongTerm},
		{"empty partition key", keyed("reads", "", "pk = :p", `":p":{"S":""}`, ""),
			emptyKey + "pk"},
		{"empty sort key",
			keyed("reads", "lkeys", "pk = :p AND ls > :s", `":p":{"S":"p"},":s":{"S":""}`, ""),
			emptyIndexKey + "lkeys, IndexKey: ls"},
		{"empty prefix",
			keyed("reads", "lkeys", "pk = :p AND begins_with(ls, :s)",
				`":p":{"S":"p"},":s":{"S":""}`, ""), emptyIndexKey + "lkeys, IndexKey: ls"},
		{"empty lower bound",
			keyed("reads", "lkeys", "pk = :p AND ls BETWEEN :s AND :p",
				`":p":{"S":"p"},":s":{"S":""}`, ""), emptyIndexKey + "lkeys, IndexKey: ls"},
		{"long partition key",
			keyed("reads", "", "pk = :p", `":p":{"S":"`+strings.Repeat("p", 2049)+`"}`, ""),
			invalidValues + "Size of hashkey has exceeded the maximum size limit of2048 bytes"},
		{"long sort key",
			keyed("reads", "lkeys", "pk = :p AND ls = :s",
				`":p":{"S":"p"},":s":{"S":"`+strings.Repeat("p", 1025)+`"}`, ""),
			invalidValues +
				"Size limit exceeded for Index Key ls Actual Size: 1025 bytes Max Size: 1024 bytes IndexName: lkeys"},
		{"long upper bound",
			keyed("reads", "lkeys", "pk = :p AND ls BETWEEN :p AND :s",
				`":p":{"S":"p"},":s":{"S":"`+strings.Repeat("q", 1025)+`"}`, ""),
			invalidValues +
				"Size limit exceeded for Index Key ls Actual Size: 1025 bytes Max Size: 1024 bytes IndexName: lkeys"},
		{"filter on the partition key", queried("reads", `,"FilterExpression":"pk = :p"`),
			"ValidationException: Filter Expression can only contain non-primary key attributes: Primary key attribute: pk"},
		{"filter on the index's sort key",
			keyed("reads", "lkeys", "pk = :p", p, `,"FilterExpression":"attribute_exists(ls)"`),
			"ValidationException: Filter Expression can only contain non-primary key attributes: Primary key attribute: ls"},
		{"filter into a key of the table",
			keyed("reads", "gall", "gh = :p", p, `,"FilterExpression":"pk.a = :p"`),
			"ValidationException: Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk"},
		{"QueryFilter on a key",
			legacyKeyed("reads", `,"QueryFilter":{"sk":{"ComparisonOperator":"NOT_NULL"}}`, pk),
			"ValidationException: QueryFilter can only contain non-primary key attributes: Primary key attribute: sk"},
		{"global index lacks a projected attribute",
			keyed("reads", "gkeys", "gh = :p", p, `,"ProjectionExpression":"v, gr, a[0].b"`),
			invalidValues + "Global secondary index gkeys does not project [v, a]"},
		// service facts B.2
		{"global index lacks a filtered attribute",
			keyed("reads", "gkeys", "gh = :p", p, `,"FilterExpression":"v = :p OR n = :p"`),
			invalidValues +
				"Secondary index gkeys does not project one or more filter attributes: [v, n]"},
		{"local index lacks a filtered attribute",
			keyed("reads", "lkeys", "pk = :p", p, `,"FilterExpression":"attribute_not_exists(v)"`),
			invalidValues +
				"Secondary index lkeys does not project one or more filter attributes: [v]"},
		{"index key of two attributes", keyed("reads", "gmulti", "gh = :p", p, ""),
			"ValidationException: HASH key attributes ls must have equality conditions specified in the query"},
		{"index key with a gap",
			keyed("reads", "gmulti", "gh = :p AND ls = :p AND b = :b", p+`,":b":{"B":"AA=="}`, ""),
			rangeGap},
		{"index key after a range",
			keyed("reads", "gmulti", "gh = :p AND ls = :p AND gr > :s AND b = :b",
				ps+`,":b":{"B":"AA=="}`, ""), rangeGap},
		{"index key and another attribute",
			keyed("reads", "gmulti", "gh = :p AND ls = :p AND a = :p", p, ""), missed + "gr"},
	})
	x.refused("Query", []itemCase{
		{"legacy number of arguments", legacyKeyed("reads", "", `pk EQ {"S":"p"},{"S":"q"}`),
			invalidValues + "Invalid number of argument(s) for the EQ ComparisonOperator"},
		{"legacy operator", legacyKeyed("reads", "", pk, `sk NE {"N":"1"}`),
			"ValidationException: Attempted conditional constraint is not an indexable operation"},
		{"legacy operator of the partition key", legacyKeyed("reads", "", `pk LT {"S":"p"}`),
			unsuited},
		{"legacy prefix of a number", legacyKeyed("reads", "", pk, `sk BEGINS_WITH {"S":"1"}`),
			wrongTerm},
		{"legacy bad value", legacyKeyed("reads", "", `pk EQ {"N":"x"}`),
			notNumeric},
		{"legacy bad value of a filter",
			legacyKeyed("reads",
				`,"QueryFilter":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[{}]}}`, pk),
			"ValidationException: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		{"ConditionalOperator without a filter",
			legacyKeyed("reads", `,"ConditionalOperator":"AND"`, pk),
			"ValidationException: ConditionalOperator cannot be used without Filter or Expected"},
		{"AttributesToGet twice", legacyKeyed("reads", `,"AttributesToGet":["a","a"]`, pk),
			invalidValues + "Duplicate value in attribute name: a"},
	})
}

func TestSelectRefusals(t *testing.T) {
	x := newReadTest(t)
	key := func(more string) string { return legacyKeyed("reads", more, `pk EQ {"S":"p"}`) }
	global := func(index, more string) string {
		return keyed("reads", index, "gh = :g", `":g":{"S":"g"}`, more)
	}
	const cannot = "ValidationException: 1 validation error detected: Cannot specify the "
	x.refused("Query", []itemCase{
		{"COUNT with AttributesToGet", key(`,"Select":"COUNT","AttributesToGet":["a"]`),
			cannot + "AttributesToGet when choosing to get only the Count"},
		{"ALL_ATTRIBUTES with AttributesToGet",
			key(`,"Select":"ALL_ATTRIBUTES","AttributesToGet":["a"]`),
			cannot + "AttributesToGet when choosing to get ALL_ATTRIBUTES"},
		{"ALL_PROJECTED_ATTRIBUTES with AttributesToGet",
			key(`,"Select":"ALL_PROJECTED_ATTRIBUTES","IndexName":"lkeys","AttributesToGet":["a"]`),
			cannot + "AttributesToGet when choosing to get ALL_PROJECTED_ATTRIBUTES"},
		{"COUNT with a projection",
			queried("reads", `,"Select":"COUNT","ProjectionExpression":"a"`),
			cannot + "ProjectionExpression when choosing to get only the Count"},
		{"ALL_ATTRIBUTES with a projection",
			queried("reads", `,"Select":"ALL_ATTRIBUTES","ProjectionExpression":"a"`),
			cannot + "ProjectionExpression when choosing to get ALL_ATTRIBUTES"},
		{"ALL_PROJECTED_ATTRIBUTES without an index",
			queried("reads", `,"Select":"ALL_PROJECTED_ATTRIBUTES"`),
			"ValidationException: 1 validation error detected: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"},
		{"SPECIFIC_ATTRIBUTES of none", queried("reads", `,"Select":"SPECIFIC_ATTRIBUTES"`),
			"ValidationException: 1 validation error detected: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"},
		{"ALL_ATTRIBUTES of a global index with less",
			global("gkeys", `,"Select":"ALL_ATTRIBUTES"`),
			invalidValues +
				"Select type ALL_ATTRIBUTES is not supported for global secondary index gkeys because its projection type is not ALL"},
	})
	x.want(`{"Items":[],"Count":0,"ScannedCount":0}`, "Query",
		global("gall", `,"Select":"ALL_ATTRIBUTES"`))
}

func TestQueryStartKey(t *testing.T) {
	x := newReadTest(t)
	for _, sk := range []string{"1", "2", "3", "4"} {
		x.put("reads", `{"pk":{"S":"p"},"sk":{"N":"`+sk+`"},"ls":{"S":"same"},"gh":{"S":"g"}}`)
	}
	x.put("plain", `{"pk":{"S":"p"}}`)
	key := func(pk, sk, more string) string {
		return `{"pk":{"S":"` + pk + `"},"sk":{"N":"` + sk + `"}` + more + `}`
	}
	from := func(condition, start, more string) string {
		values := `":p":{"S":"p"}`
		if strings.Contains(condition, ":s") {
			values += `,":s":{"N":"2"}`
		}
		if strings.Contains(condition, ":t") {
			values += `,":t":{"N":"3"}`
		}
		return keyed("reads", "", condition, values, `,"ExclusiveStartKey":`+start+more)
	}
	const outside = "ValidationException: The provided starting key is outside query boundaries based on provided conditions"
	const predicate = "ValidationException: The provided starting key does not match the range key predicate"
	const backwards = `,"ScanIndexForward":false`
	x.refused("Query", []itemCase{
		{"of another partition", from("pk = :p", key("q", "1", ""), ""), outside},
		{"before the range", from("pk = :p AND sk >= :s", key("p", "1", ""), ""), predicate},
		{"before the range, backwards", from("pk = :p AND sk >= :s", key("p", "1", ""), backwards),
			predicate},
		{"behind the range", from("pk = :p AND sk <= :s", key("p", "3", ""), ""), predicate},
		{"last of the range", from("pk = :p AND sk BETWEEN :s AND :t", key("p", "3", ""), ""),
			predicate},
		{"last of the range, backwards", from("pk = :p AND sk >= :s", key("p", "2", ""), backwards),
			predicate},
		{"of one item", from("pk = :p AND sk = :s", key("p", "2", ""), ""),
			"ValidationException: The query can return at most one row and cannot be restarted"},
		{"of one item without sort key", queried("plain", `,"ExclusiveStartKey":{"pk":{"S":"p"}}`),
			"ValidationException: The provided exclusive start key is invalid: ExclusiveStartKey: {pk=AttributeValue: {S:p}}"},
		{"empty", from("pk = :p", `{}`, ""), startWrong},
		{"without sort key", from("pk = :p", `{"pk":{"S":"p"}}`, ""), startWrong},
		{"with more", from("pk = :p", key("p", "1", `,"a":{"S":"a"}`), ""), startWrong},
		{"of another type", from("pk = :p", `{"pk":{"S":"p"},"sk":{"S":"1"}}`, ""),
			startWrong},
		{"of other names", from("pk = :p", `{"pk":{"S":"p"},"a":{"N":"1"}}`, ""), startWrong},
		{"bad value", from("pk = :p", `{"pk":{"S":"p"},"sk":{"N":"x"}}`, ""),
			notNumeric},
		{"empty value", from("pk = :p", key("", "1", ""), ""),
			startWrong + ": " + strings.TrimPrefix(emptyKey, "ValidationException: ") + "pk"},
		{"of an index without the index's key",
			queried("reads", `,"IndexName":"lkeys","ExclusiveStartKey":`+key("p", "1", "")),
			startWrong},
		{"of an index with an empty key",
			queried("reads",
				`,"IndexName":"lkeys","ExclusiveStartKey":`+key("p", "1", `,"ls":{"S":""}`)),
			startWrong + ": " + strings.TrimPrefix(emptyKey, "ValidationException: ") + "ls"},
		{"of an index's other partition",
			keyed("reads", "gall", "gh = :p", `":p":{"S":"p"}`,
				`,"ExclusiveStartKey":`+key("p", "1", `,"gh":{"S":"g"}`)), outside},
	})
	for name, tc := range map[string]struct {
		request string
		want    []string
	}{
		"first of the range": {from("pk = :p AND sk >= :s", key("p", "2", ""), ""),
			[]string{"3", "4"}},
		"first of the range, backwards": {
			from("pk = :p AND sk BETWEEN :s AND :t", key("p", "3", ""), backwards), []string{"2"},
		},
		"no item": {from("pk = :p", key("p", "2.5", ""), ""),
			[]string{"3", "4"}},
		"no item, backwards": {from("pk = :p", key("p", "2.5", ""), backwards),
			[]string{"2", "1"}},
		"the end": {from("pk = :p", key("p", "4", ""), ""), nil},
		"equal sort keys in an index": {
			keyed("reads", "lkeys", "pk = :p AND ls = :s", `":p":{"S":"p"},":s":{"S":"same"}`,
				`,"ExclusiveStartKey":`+key("p", "2", `,"ls":{"S":"same"}`)), []string{"3", "4"},
		},
		"equal sort keys, backwards": {
			keyed("reads", "lkeys", "pk = :p AND ls >= :s", `":p":{"S":"p"},":s":{"S":"same"}`,
				backwards+`,"ExclusiveStartKey":`+key("p", "2", `,"ls":{"S":"same"}`)),
			[]string{"1"},
		},
		"the last of an index's partition": {
			keyed("reads", "gall", "gh = :g", `":g":{"S":"g"}`,
				`,"ExclusiveStartKey":`+key("p", "4", `,"gh":{"S":"g"}`)), nil,
		},
	} {
		t.Run(name,
			func(t *testing.T) {
				(&itemTest{T: t, emulator: x.emulator}).wantNumbers(tc.want, "Query", tc.request)
			})
	}
}

// wantNumbers checks the sort keys, in order, of an answer's items.
func (x *itemTest) wantNumbers(want []string, operation, body string) {
	x.Helper()
	var answer struct {
		Items []struct{ SK struct{ N string } }
	}
	require.NoError(x, json.Unmarshal([]byte(x.do(operation, body)), &answer))
	var got []string
	for _, it := range answer.Items {
		got = append(got, it.SK.N)
	}
	assert.Equal(x, want, got)
}

func TestQueryLastKey(t *testing.T) {
	x := newReadTest(t)
	for _, sk := range []string{"1", "2", "3"} {
		x.put("reads", `{"pk":{"S":"p"},"sk":{"N":"`+sk+`"},"ls":{"S":"same"},"gr":{"N":"5"}}`)
	}
	limited := func(n int, index, condition, more string) string {
		values := `":p":{"S":"p"}`
		for placeholder, value := range map[string]string{
			":s": `{"N":"3"}`, ":l": `{"S":"same"}`, ":t": `{"N":"1"}`,
		} {
			if strings.Contains(condition, placeholder) {
				values += `,"` + placeholder + `":` + value
			}
		}
		return keyed("reads", index, condition, values,
			fmt.Sprintf(`,"Select":"COUNT","Limit":%d`, n)+more)
	}
	answer := func(n int, last string) string {
		if last != "" {
			last = `,"LastEvaluatedKey":` + last
		}
		return fmt.Sprintf(`{"Count":%d,"ScannedCount":%d%s}`, n, n, last)
	}
	last := func(sk, more string) string {
		return `{"pk":{"S":"p"},"sk":{"N":"` + sk + `"}` + more + `}`
	}
	for name, tc := range map[string]struct{ want, request string }{
		"within": {answer(2, last("2", "")),
			limited(2, "", "pk = :p", "")},
		"at the end of the partition": {answer(3, last("3", "")),
			limited(3, "", "pk = :p", "")},
		"not at the limit": {answer(3, ""), limited(4, "", "pk = :p", "")},
		"nothing can follow": {answer(1, ""),
			limited(1, "", "pk = :p AND sk = :s", "")},
		"nothing can follow a bound": {answer(3, ""),
			limited(3, "", "pk = :p AND sk <= :s", "")},
		"nothing can follow a bound backwards": {answer(3, ""),
			limited(3, "", "pk = :p AND sk >= :t", `,"ScanIndexForward":false`)},
		"before a bound": {answer(2, last("2", "")),
			limited(2, "", "pk = :p AND sk <= :s", "")},
		"an equal sort key can follow": {answer(3, last("3", `,"ls":{"S":"same"}`)),
			limited(3, "lkeys", "pk = :p AND ls = :l", "")},
		"index keys that are projected": {answer(1, last("1", `,"gr":{"N":"5"}`)),
			limited(1, "linc", "pk = :p", "")},
	} {
		t.Run(name,
			func(t *testing.T) {
				(&itemTest{T: t, emulator: x.emulator}).want(tc.want, "Query", tc.request)
			})
	}
}

func TestQueryBytes(t *testing.T) {
	x := newReadTest(t)
	x.emulator.service.Limits.PageBytes = 300
	for _, sk := range []string{"1", "2", "3", "4"} { // 100 bytes each
		x.put("reads",
			`{"pk":{"S":"p"},"sk":{"N":"`+sk+`"},"v":{"S":"`+strings.Repeat("v", 92)+`"}}`)
	}
	want := func(n int, last string) string {
		return fmt.Sprintf(`{"Count":%d,"ScannedCount":%d%s}`, n, n, last)
	}
	at := func(sk string) string {
		return `,"LastEvaluatedKey":{"pk":{"S":"p"},"sk":{"N":"` + sk + `"}}`
	}
	x.want(want(4, at("4")), "Query", queried("reads", `,"Select":"COUNT"`)) // three make just 300
	x.emulator.service.Limits.PageBytes = 299
	x.want(want(3, at("3")), "Query", queried("reads", `,"Select":"COUNT"`))
	x.want(want(2, at("2")), "Query", queried("reads", `,"Select":"COUNT","Limit":2`))
	x.want(want(3, at("2")), "Query",
		queried("reads", `,"Select":"COUNT","ScanIndexForward":false`))
	x.want(`{"Count":0,"ScannedCount":3`+at("3")+`}`, "Query",
		queried("reads", `,"Select":"COUNT","FilterExpression":"attribute_exists(n)"`))
	x.emulator.service.Limits.PageBytes = 1
	x.want(want(1, at("1")), "Query", queried("reads", `,"Select":"COUNT"`))
	x.want(want(1, at("2")), "Query",
		queried("reads", `,"Select":"COUNT","ExclusiveStartKey":{"pk":{"S":"p"},"sk":{"N":"1"}}`))
}

func TestQueryCapacity(t *testing.T) {
	x := newReadTest(t)
	for _, n := range []int{4096, 4097} {
		pk := fmt.Sprint(n)
		rest := strings.Repeat("v", n-len("pk")-len(pk)-len("sk")-2-len("v"))
		x.put("reads", `{"pk":{"S":"`+pk+`"},"sk":{"N":"1"},"v":{"S":"`+rest+`"}}`)
	}
	x.put("reads",
		`{"pk":{"S":"p"},"sk":{"N":"1"},"ls":{"S":"a"},"v":{"S":"`+strings.Repeat("v", 4096)+`"}}`)
	x.put("reads", `{"pk":{"S":"p"},"sk":{"N":"2"},"ls":{"S":"b"},"v":{"S":"v"}}`)
	local := func(more string) string {
		return queried("reads",
			`,"IndexName":"lkeys","Select":"COUNT","ReturnConsumedCapacity":"INDEXES"`+more)
	}
	whole := func(more string) string {
		return queried("reads",
			`,"IndexName":"lkeys","Select":"ALL_ATTRIBUTES","ReturnConsumedCapacity":"INDEXES"`+
				more)
	}
	sized := func(pk string) string {
		return keyed("reads", "", "pk = :p", `":p":{"S":"`+pk+`"}`,
			`,"ConsistentRead":true,"ReturnConsumedCapacity":"TOTAL"`)
	}
	used := func(total, table, index string) string {
		return fmt.Sprintf(
			`{"TableName":"reads","CapacityUnits":%s,"Table":{"CapacityUnits":%s},"LocalSecondaryIndexes":{"lkeys":{"CapacityUnits":%s}}}`, total, table, index)
	}
	for name, tc := range map[string]struct{ want, request string }{
		"the table": {
			`{"TableName":"reads","CapacityUnits":1,"Table":{"CapacityUnits":1}}`,
			queried("reads", `,"ReturnConsumedCapacity":"INDEXES"`),
		},
		"the table, consistent": {`{"TableName":"reads","CapacityUnits":2}`,
			queried("reads", `,"ConsistentRead":true,"ReturnConsumedCapacity":"TOTAL"`)},
		"an index":                 {used("0.5", "0", "0.5"), local("")},
		"fetches, each rounded up": {used("2", "1.5", "0.5"), whole("")},
		"fetches, consistent":      {used("4", "3", "1"), whole(`,"ConsistentRead":true`)},
		"a filter on what the index has": {used("0.5", "0", "0.5"),
			local(`,"FilterExpression":"sk <> :p"`)},
		"4096 bytes": {`{"TableName":"reads","CapacityUnits":1}`,
			sized("4096")},
		"4097 bytes": {`{"TableName":"reads","CapacityUnits":2}`,
			sized("4097")},
		"nothing": {`{"TableName":"reads","CapacityUnits":1}`,
			sized("none")},
	} {
		t.Run(name,
			func(t *testing.T) {
				wantMember(t, tc.want, x.do("Query", tc.request), "ConsumedCapacity")
			})
	}
}

func TestQueryByARN(t *testing.T) {
	x := newReadTest(t)
	x.put("reads", `{"pk":{"S":"p"},"sk":{"N":"1"}}`)
	arn := "arn:aws:dynamodb:us-east-1:000000000000:table/reads"
	x.want(`{"Count":1,"ScannedCount":1,"ConsumedCapacity":{"TableName":"`+arn+
		`","CapacityUnits":0.5}}`,
		"Query", queried(arn, `,"Select":"COUNT","ReturnConsumedCapacity":"TOTAL"`))
}

// TestQueryBackfilling: an index cannot be read before it is ACTIVE, its table can.
func TestQueryBackfilling(t *testing.T) {
	x := newTableTest(t, WithTableDelays(0, time.Minute, 0))
	x.create("reads", onDemandBilling, defs("pk"), keySchema("pk"))
	x.ok("UpdateTable",
		tableRequest("reads", defs("pk", "gh"),
			updates(`{"Create":`+index("late", keySchema("gh"), projectAll)+`}`)))
	global := keyed("reads", "late", "gh = :g", `":g":{"S":"g"}`, "")
	const backfilling = "ValidationException: Cannot read from backfilling global secondary index: late"
	x.fails("Query", global, backfilling)
	x.fails("Scan", scanned("reads", `,"IndexName":"late"`), backfilling)
	x.ok("Query", queried("reads", ""))
	x.now = x.now.Add(time.Hour)
	x.ok("Query", global)
}
