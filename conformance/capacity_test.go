package conformance

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// consumed writes the ConsumedCapacity of a table.
func consumed(shape, units, more string) string {
	return `{"TableName":"@` + shape + `","CapacityUnits":` + units + more + `}`
}

// sized is an item with the given size in table hash.
func sized(n int) string {
	return `{@pk,"a":{"S":"` + strings.Repeat("x", n-len("pk")-12-len("a")) + `"}}`
}

func TestReadCapacity(t *testing.T) {
	t.Parallel()
	get := func(members string) string {
		return `{@key,"ReturnConsumedCapacity":"TOTAL"` + members + `}`
	}
	run(t, defaults{
		src: "Developer Guide, DynamoDB read and write operations, Read consumption", table: "hash",
		op: "GetItem",
	}, []kase{
		{name: "no item", in: get(`,"ProjectionExpression":"b"`),
			want: `{"ConsumedCapacity":` + consumed("hash", "0.5", "") + `}`},
		{name: "no item, consistent", in: get(`,"ConsistentRead":true`),
			want: `{"ConsumedCapacity":` + consumed("hash", "1", "") + `}`},
		{name: "4 KB, consistent", given: []string{sized(4096)},
			in:   get(`,"ConsistentRead":true,"ProjectionExpression":"b"`),
			want: `{"Item":{},"ConsumedCapacity":` + consumed("hash", "1", "") + `}`},
		{name: "4 KB and a byte, consistent", given: []string{sized(4097)},
			in:   get(`,"ConsistentRead":true,"ProjectionExpression":"b"`),
			want: `{"Item":{},"ConsumedCapacity":` + consumed("hash", "2", "") + `}`},
		{name: "9 KB, consistent", given: []string{sized(9000)},
			in:   get(`,"ConsistentRead":true,"ProjectionExpression":"b"`),
			want: `{"Item":{},"ConsumedCapacity":` + consumed("hash", "3", "") + `}`},
		{name: "INDEXES", in: `{@key,"ReturnConsumedCapacity":"INDEXES","ConsistentRead":true}`,
			want: `{"ConsumedCapacity":` +
				consumed("hash", "1", `,"Table":{"CapacityUnits":1}`) + `}`},
		{name: "NONE", in: `{@key,"ReturnConsumedCapacity":"NONE"}`, want: `{}`},
		{name: "table by ARN", src: "API Reference, ConsumedCapacity, TableName",
			in:   `{"TableName":"@arn:hash",@key,"ReturnConsumedCapacity":"TOTAL"}`,
			want: `{"ConsumedCapacity":{"TableName":"@arn:hash","CapacityUnits":0.5}}`},
		{name: "unknown value", in: `{@key,"ReturnConsumedCapacity":"ALL"}`,
			err: "ValidationException: 1 validation error detected: Value 'ALL' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"},
		{name: "batch rounds each item", op: "BatchGetItem", given: []string{sized(5000)},
			in: `{"ReturnConsumedCapacity":"TOTAL","RequestItems":{"@hash":{"ConsistentRead":true,"ProjectionExpression":"pk","Keys":[{@pk},{"pk":{"S":"$k-none"}}]}}}`, want: `{"Responses":{"@hash":[{@pk}]},"UnprocessedKeys":{},"ConsumedCapacity":[` + consumed("hash", "3", "") + `]}`},
		{name: "batch, INDEXES", op: "BatchGetItem",
			in: `{"ReturnConsumedCapacity":"INDEXES","RequestItems":{"@hash":{"Keys":[{@pk}]}}}`,
			want: `{"Responses":{"@hash":[]},"UnprocessedKeys":{},"ConsumedCapacity":[` +
				consumed("hash", "0.5", `,"Table":{"CapacityUnits":0.5}`) + `]}`},
	})
	load(t, "comp", numbered("capacity", 10, `,"a":{"S":"`+strings.Repeat("x", 1000)+`"}`)...)
	query := func(members string) string {
		return `{` + members +
			`,"Select":"COUNT","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"capacity"}}}`
	}
	count := func(n int, capacity string) string {
		return fmt.Sprintf(`{"Count":%d,"ScannedCount":%d,"ConsumedCapacity":%s}`, n, n, capacity)
	}
	run(t, defaults{
		src: "Developer Guide, DynamoDB read and write operations, Query rounds the sum of the sizes", table: "comp", op: "Query",
	}, []kase{
		{name: "10 items of 1 KB, consistent",
			in:   query(`"ConsistentRead":true,"ReturnConsumedCapacity":"TOTAL"`),
			want: count(10, consumed("comp", "3", ""))},
		{name: "10 items of 1 KB",
			in:   query(`"ConsistentRead":false,"ReturnConsumedCapacity":"TOTAL"`),
			want: count(10, consumed("comp", "1.5", ""))},
		{name: "INDEXES", in: query(`"ConsistentRead":true,"ReturnConsumedCapacity":"INDEXES"`),
			want: count(10, consumed("comp", "3", `,"Table":{"CapacityUnits":3}`))},
		{name: "nothing",
			in: `{"ReturnConsumedCapacity":"TOTAL","Select":"COUNT","ConsistentRead":true,"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"no capacity"}}}`, want: count(0, consumed("comp", "1", ""))},
		{name: "nothing, eventually",
			in: `{"ReturnConsumedCapacity":"TOTAL","Select":"COUNT","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"no capacity"}}}`, want: count(0, consumed("comp", "0.5", ""))},
		{name: "items that the filter drops",
			in: `{"ReturnConsumedCapacity":"TOTAL","ConsistentRead":true,"FilterExpression":"a = :p","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"capacity"}}}`, want: `{"Items":[],"Count":0,"ScannedCount":10,"ConsumedCapacity":` + consumed("comp", "3", "") + `}`},
	})
}

func TestWriteCapacity(t *testing.T) {
	t.Parallel()
	wants := func(units string) string {
		return `{"ConsumedCapacity":` + consumed("hash", units, "") + `}`
	}
	putting := func(n int) string {
		return `{"ReturnConsumedCapacity":"TOTAL","Item":` + sized(n) + `}`
	}
	run(t, defaults{
		src:   "Developer Guide, DynamoDB read and write operations, Write consumption",
		table: "hash", op: "PutItem",
	}, []kase{
		{name: "1 KB", in: putting(1024), want: wants("1")},
		{name: "1 KB and a byte", in: putting(1025), want: wants("2")},
		{name: "10 KB", in: putting(10240), want: wants("10")},
		{name: "put over a larger item", given: []string{sized(5000)}, in: putting(100),
			want: wants("5")},
		{name: "put over a smaller item", given: []string{sized(100)}, in: putting(5000),
			want: wants("5")},
		{name: "a delete consumes the size of the deleted item", op: "DeleteItem",
			given: []string{sized(5000)}, in: `{@key,"ReturnConsumedCapacity":"TOTAL"}`,
			want: wants("5")},
		{name: "delete of nothing", op: "DeleteItem", in: `{@key,"ReturnConsumedCapacity":"TOTAL"}`,
			want: wants("1")},
		{name: "update costs the larger of before and after", op: "UpdateItem",
			given: []string{sized(5000)},
			in:    `{@key,"ReturnConsumedCapacity":"TOTAL","UpdateExpression":"REMOVE a"}`,
			want:  wants("5")},
		{name: "update of a part costs the whole", op: "UpdateItem", given: []string{sized(3000)},
			in: `{@key,"ReturnConsumedCapacity":"TOTAL","UpdateExpression":"SET b = :b","ExpressionAttributeValues":{":b":{"N":"1"}}}`, want: wants("3")},
		{name: "update that creates", op: "UpdateItem",
			in: `{@key,"ReturnConsumedCapacity":"TOTAL"}`, want: wants("1")},
		{name: "INDEXES", in: `{"ReturnConsumedCapacity":"INDEXES","Item":{@pk}}`,
			want: `{"ConsumedCapacity":` +
				consumed("hash", "1", `,"Table":{"CapacityUnits":1}`) + `}`},
		{name: "batch", op: "BatchWriteItem",
			in: `{"ReturnConsumedCapacity":"TOTAL","RequestItems":{"@hash":[{"PutRequest":{"Item":` + sized(1500) + `}},{"DeleteRequest":{"Key":{"pk":{"S":"$k-2"}}}}]}}`, want: `{"UnprocessedItems":{},"ConsumedCapacity":[` + consumed("hash", "3", "") + `]}`},
	})
}

// TestSizesOfTypes measures what each type adds to an item. Padded to 1 KB the item costs one unit,
// and with one byte more it costs two.
func TestSizesOfTypes(t *testing.T) {
	t.Parallel()
	sizes := []struct {
		name, attribute string
		size            int
	}{
		{"string", `"b":{"S":"abc"}`, 1 + 3},
		{"string beyond ASCII", `"b":{"S":"é€😀"}`, 1 + 2 + 3 + 4},
		{"name beyond ASCII", `"é":{"S":""}`, 2},
		{"empty string", `"b":{"S":""}`, 1},
		{"binary", `"b":{"B":"AAECAw=="}`, 1 + 4},
		{"boolean", `"b":{"BOOL":true}`, 1 + 1},
		{"null", `"b":{"NULL":true}`, 1 + 1},
		{"one digit", `"b":{"N":"5"}`, 1 + 2},
		{"two digits", `"b":{"N":"55"}`, 1 + 2},
		{"five digits", `"b":{"N":"12345"}`, 1 + 4},
		{"zeros around do not count", `"b":{"N":"1200000000"}`, 1 + 2},
		{"string set", `"b":{"SS":["abc","de"]}`, 1 + 5},
		{"binary set", `"b":{"BS":["AAE=","AA=="]}`, 1 + 3},
		{"empty list", `"b":{"L":[]}`, 1 + 3},
		{"empty map", `"b":{"M":{}}`, 1 + 3},
		{"list", `"b":{"L":[{"S":"abc"},{"BOOL":true}]}`, 1 + 3 + (1 + 3) + (1 + 1)},
		{"map", `"b":{"M":{"key":{"S":"abc"}}}`, 1 + 3 + (1 + 3 + 3)},
	}
	var cases []kase
	for _, s := range sizes {
		pad := 1024 - len("pk") - 12 - s.size - len("a")
		for extra, units := range []string{"1", "2"} {
			cases = append(cases, kase{
				name: s.name + " and " + units + " unit(s)",
				want: `{"ConsumedCapacity":` + consumed("hash", units, "") + `}`,
				in: `{"ReturnConsumedCapacity":"TOTAL","Item":{@pk,"a":{"S":"` +
					strings.Repeat("x", pad+extra) + `"},` + s.attribute + `}}`,
			})
		}
	}
	run(t, defaults{
		src: "Developer Guide, DynamoDB item sizes and formats", table: "hash", op: "PutItem",
	}, cases)
}

// TestIndexCapacity: Developer Guide, Global secondary indexes, Provisioned throughput
// considerations, Write capacity units: one write for an entry that is added, removed or changed,
// two for one whose key changes.
func TestIndexCapacity(t *testing.T) {
	t.Parallel()
	item := func(more string) string { return `{@pk,"sk":{"S":"1"}` + more + `}` }
	key := `"Key":` + item("")
	indexes := func(total, table string, named ...string) string {
		var members []string
		for i := 0; i < len(named); i += 2 {
			members = append(members, `"`+named[i]+`":{"CapacityUnits":`+named[i+1]+`}`)
		}
		list := ""
		if members != nil {
			list = `,"GlobalSecondaryIndexes":{` + strings.Join(members, ",") + `}`
		}
		return `{"ConsumedCapacity":` +
			consumed("global", total, `,"Table":{"CapacityUnits":`+table+`}`+list) + `}`
	}
	full := item(`,"gp":{"S":"` + "capacity" + `"},"gs":{"N":"1"},"inc":{"S":"a"},"x":{"S":"b"}`)
	update := func(expr, values string) string {
		if values != "" {
			values = `,"ExpressionAttributeValues":{` + values + `}`
		}
		return `{` + key + `,"ReturnConsumedCapacity":"INDEXES","UpdateExpression":"` +
			expr + `"` + values + `}`
	}
	run(t, defaults{
		src: "Developer Guide, Global secondary indexes, Write capacity units", table: "global",
		op: "UpdateItem",
	}, []kase{
		{name: "no index", op: "PutItem",
			in:   `{"ReturnConsumedCapacity":"INDEXES","Item":` + item("") + `}`,
			want: indexes("1", "1")},
		{name: "one index", op: "PutItem",
			in:   `{"ReturnConsumedCapacity":"INDEXES","Item":` + item(`,"gp":{"S":"c"}`) + `}`,
			want: indexes("2", "1", "gall", "1")},
		{name: "three indexes", op: "PutItem",
			in:   `{"ReturnConsumedCapacity":"INDEXES","Item":` + full + `}`,
			want: indexes("4", "1", "gall", "1", "gkeys", "1", "ginc", "1")},
		{name: "TOTAL sums", op: "PutItem",
			in:   `{"ReturnConsumedCapacity":"TOTAL","Item":` + full + `}`,
			want: `{"ConsumedCapacity":` + consumed("global", "4", "") + `}`},
		{name: "the same item again", op: "PutItem", given: []string{full},
			in:   `{"ReturnConsumedCapacity":"INDEXES","Item":` + full + `}`,
			want: indexes("1", "1")},
		{name: "an attribute that only one projects", given: []string{full},
			in: update("SET x = :v", `":v":{"S":"c"}`), want: indexes("2", "1", "gall", "1")},
		{name: "an included attribute", given: []string{full},
			in:   update("SET inc = :v", `":v":{"S":"c"}`),
			want: indexes("3", "1", "gall", "1", "ginc", "1")},
		{name: "an index key", given: []string{full}, in: update("SET gs = :v", `":v":{"N":"2"}`),
			want: indexes("6", "1", "gall", "1", "gkeys", "2", "ginc", "2")},
		{name: "an index partition key", given: []string{full},
			in:   update("SET gp = :v", `":v":{"S":"d"}`),
			want: indexes("7", "1", "gall", "2", "gkeys", "2", "ginc", "2")},
		{name: "removal of an index key", given: []string{full}, in: update("REMOVE gs", ""),
			want: indexes("4", "1", "gall", "1", "gkeys", "1", "ginc", "1")},
		{name: "delete", op: "DeleteItem", given: []string{full},
			in:   `{` + key + `,"ReturnConsumedCapacity":"INDEXES"}`,
			want: indexes("4", "1", "gall", "1", "gkeys", "1", "ginc", "1")},
		{name: "size of the projection", op: "PutItem",
			in: `{"ReturnConsumedCapacity":"INDEXES","Item":` +
				item(`,"gp":{"S":"c"},"gs":{"N":"1"},"x":{"S":"`+
					strings.Repeat("x", 3000)+`"}`) + `}`,
			want: indexes("8", "3", "gall", "3", "gkeys", "1", "ginc", "1")},
	})
	load(t, "local", `{"pk":{"S":"units"},"sk":{"S":"1"},"lk":{"S":"a"},"x":{"S":"1"}}`,
		`{"pk":{"S":"units"},"sk":{"S":"2"},"lk":{"S":"b"},"x":{"S":"2"}}`)
	query := func(members string) string {
		return `{"IndexName":"lkeys","ReturnConsumedCapacity":"INDEXES"` + members +
			`,"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"units"}}}`
	}
	run(t, defaults{
		src:   "Developer Guide, Local secondary indexes, Provisioned throughput considerations",
		table: "local", op: "Query",
	}, []kase{
		{name: "write", op: "PutItem",
			in: `{"ReturnConsumedCapacity":"INDEXES","Item":{@pk,"sk":{"S":"1"},"lk":{"S":"a"}}}`,
			want: `{"ConsumedCapacity":` +
				consumed("local", "3",
					`,"Table":{"CapacityUnits":1},"LocalSecondaryIndexes":{"lall":{"CapacityUnits":1},"lkeys":{"CapacityUnits":1}}`) + `}`},
		{name: "query of the index", in: query(`,"Select":"COUNT"`),
			want: `{"Count":2,"ScannedCount":2,"ConsumedCapacity":` +
				consumed("local", "0.5",
					`,"Table":{"CapacityUnits":0},"LocalSecondaryIndexes":{"lkeys":{"CapacityUnits":0.5}}`) + `}`},
		{name: "query with fetches", in: query(`,"ConsistentRead":true,"ProjectionExpression":"x"`),
			want: strings.TrimSuffix(answerOf(`{"x":{"S":"1"}}`, `{"x":{"S":"2"}}`), "}") +
				`,"ConsumedCapacity":` +
				consumed("local", "3",
					`,"Table":{"CapacityUnits":2},"LocalSecondaryIndexes":{"lkeys":{"CapacityUnits":1}}`) + `}`},
	})
}

func TestItemCollectionMetrics(t *testing.T) {
	t.Parallel()
	metrics := `{"ItemCollectionKey":{@pk},"SizeEstimateRangeGB":[0,1]}`
	key := `"Key":{@pk,"sk":{"S":"1"}}`
	run(t, defaults{
		src: "Developer Guide, Local secondary indexes, Item collection size limit", table: "local",
		op: "PutItem",
	}, []kase{
		{name: "put", in: `{"ReturnItemCollectionMetrics":"SIZE","Item":{@pk,"sk":{"S":"1"}}}`,
			want: `{"ItemCollectionMetrics":` + metrics + `}`},
		{name: "update", op: "UpdateItem", in: `{"ReturnItemCollectionMetrics":"SIZE",` + key + `}`,
			want: `{"ItemCollectionMetrics":` + metrics + `}`},
		{name: "delete", op: "DeleteItem", in: `{"ReturnItemCollectionMetrics":"SIZE",` + key + `}`,
			want: `{"ItemCollectionMetrics":` + metrics + `}`},
		{name: "batch", op: "BatchWriteItem",
			in: `{"ReturnItemCollectionMetrics":"SIZE","RequestItems":{"@local":[{"PutRequest":{"Item":{@pk,"sk":{"S":"1"}}}}]}}`, want: `{"UnprocessedItems":{},"ItemCollectionMetrics":{"@local":[` + metrics + `]}}`},
		{name: "NONE", in: `{"ReturnItemCollectionMetrics":"NONE","Item":{@pk,"sk":{"S":"1"}}}`,
			want: `{}`},
		{name: "table without local indexes", table: "comp",
			in: `{"ReturnItemCollectionMetrics":"SIZE","Item":{@pk,"sk":{"S":"1"}}}`, want: `{}`},
		{name: "unknown value",
			in:  `{"ReturnItemCollectionMetrics":"ALL","Item":{@pk,"sk":{"S":"1"}}}`,
			err: "ValidationException: 1 validation error detected: Value 'ALL' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]"},
	})
}

// TestScanOfPartitions: a table on demand has four partitions, and each that a Scan asks rounds up
// by itself, to a block if it has nothing. A small provisioned table has one (service facts 10.1).
func TestScanOfPartitions(t *testing.T) {
	t.Parallel()
	send := private(t)
	const table = `,"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],` +
		`"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]`
	scan := func(name, units, members string) step {
		return step{name: name + " " + members, op: "Scan",
			body: `{"TableName":"` + name + `","ReturnConsumedCapacity":"TOTAL"` + members + `}`,
			has:  `{"ConsumedCapacity":{"TableName":"` + name + `","CapacityUnits":` + units + `}}`}
	}
	const consistent = `,"ConsistentRead":true`
	steps := []step{
		{name: "on demand", op: "CreateTable",
			body: `{"TableName":"demand","BillingMode":"PAY_PER_REQUEST"` + table + `}`},
		{name: "provisioned", op: "CreateTable",
			body: `{"TableName":"few",` + provisionedOne + table + `}`},
		{name: "warm", op: "CreateTable",
			body: `{"TableName":"warm","BillingMode":"PAY_PER_REQUEST","WarmThroughput":{` +
				`"ReadUnitsPerSecond":15001,"WriteUnitsPerSecond":5000}` + table + `}`},
		scan("demand", "2", ""), scan("few", "0.5", ""),
		scan("warm", "3", ""),
	}
	for _, name := range []string{"demand", "few"} {
		steps = append(steps, step{name: "put", op: "PutItem",
			body: `{"TableName":"` + name + `","Item":{"pk":{"S":"a"}}}`})
	}
	steps = append(steps,
		scan("demand", "2", ""), scan("demand", "4", consistent),
		scan("few", "0.5", ""), scan("few", "1", consistent),
		scan("demand", "1", consistent+`,"TotalSegments":4,"Segment":3`),
		scan("demand", "2", consistent+`,"TotalSegments":2,"Segment":0`),
		scan("demand", "1", consistent+`,"TotalSegments":8,"Segment":5`),
		// The segment 1 of 3 asks the second and the third partition.
		scan("demand", "2", consistent+`,"TotalSegments":3,"Segment":1`),
		step{name: "a statement", op: "ExecuteStatement",
			body: `{"Statement":"SELECT * FROM demand","ConsistentRead":true,"ReturnConsumedCapacity":"TOTAL"}`,
			has:  `{"ConsumedCapacity":{"CapacityUnits":4}}`},
		step{name: "a statement with the key", op: "ExecuteStatement",
			body: `{"Statement":"SELECT * FROM demand WHERE pk='a'","ConsistentRead":true,"ReturnConsumedCapacity":"TOTAL"}`,
			has:  `{"ConsumedCapacity":{"CapacityUnits":1}}`},
		step{name: "a query", op: "Query",
			body: `{"TableName":"demand","ConsistentRead":true,"ReturnConsumedCapacity":"TOTAL","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"none"}}}`,
			has:  `{"ConsumedCapacity":{"CapacityUnits":1}}`})
	follow(t, send, steps)

	// A page that ends with its Limit has asked the partitions up to its last item only, and the
	// next one goes on in the same partition.
	for i := range 60 {
		_, err := send("KEY", "PutItem",
			fmt.Sprintf(`{"TableName":"demand","Item":{"pk":{"S":"%d"}}}`, i))
		require.NoError(t, err)
	}
	start, units, pages := "", 0.0, 0
	for {
		out, err := send("KEY", "Scan", `{"TableName":"demand","Limit":10,"ReturnConsumedCapacity":"TOTAL"`+
			consistent+start+`}`)
		require.NoError(t, err)
		pages++
		of, err := out["ConsumedCapacity"].(map[string]any)["CapacityUnits"].(json.Number).Float64()
		require.NoError(t, err)
		units += of
		last := out["LastEvaluatedKey"]
		if last == nil {
			break
		}
		text, err := json.Marshal(last)
		require.NoError(t, err)
		start = `,"ExclusiveStartKey":` + string(text)
	}
	// All four partitions, and again each in which a page goes on.
	require.Equal(t, 7, pages)
	require.Equal(t, 4.0+float64(pages-1), units)
}
