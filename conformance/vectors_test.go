package conformance

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// vectorGuide is the maker's description of vector indexes: aws/agent-toolkit-for-aws,
// amazon-dynamodb/references/vector-search.md.
const vectorGuide = "vector-search.md, "

// vectorIndex returns the definition of a vector index on the attribute v. search are terms
// "name:HASH" and "name:INLINE_FILTER".
func vectorIndex(name, distance string, dimensions int, projection string,
	search ...string) string {
	var schema []string
	for _, term := range search {
		attribute, kind, _ := strings.Cut(term, ":")
		schema = append(schema,
			fmt.Sprintf(`{"AttributeName":%q,"SearchSchemaElementType":%q}`, attribute, kind))
	}
	list := ""
	if len(schema) > 0 {
		list = `"SearchSchema":[` + strings.Join(schema, ",") + `],`
	}
	return fmt.Sprintf(
		`{"IndexName":%q,"VectorAttribute":{"AttributeName":"v"},%s"Projection":{%s},"Dimensions":%d,"DistanceFunction":%q}`,
		name, list, projected(projection), dimensions, distance)
}

// numberList returns the elements of a list of numbers.
func numberList(numbers ...any) string {
	var list []string
	for _, n := range numbers {
		list = append(list, fmt.Sprintf(`{"N":"%v"}`, n))
	}
	return strings.Join(list, ",")
}

// vectorAttribute returns the attribute v.
func vectorAttribute(numbers ...any) string { return `"v":{"L":[` + numberList(numbers...) + `]}` }

// searching returns a request of SearchVectors for the vector 1, 0, 0, 0.
func searching(index string, k int, more string) string {
	return fmt.Sprintf(`{"IndexName":%q,"TopK":%d,"SearchVector":[%s]%s}`, index, k,
		numberList(1, 0, 0, 0), more)
}

// inCategory is a condition on the partition key, whose value is that of the case.
const inCategory = `,"SearchConditionExpression":"cat = :c","ExpressionAttributeValues":{":c":{"S":"$k"}}`

func TestVectorWrites(t *testing.T) {
	t.Parallel()
	put := func(more string) string { return `{"Item":{@pk,` + more + `}}` }
	const prefix = "ValidationException: One or more parameter values were invalid. "
	run(t, defaults{src: vectorGuide + "Writing vectors", table: "vectors", op: "PutItem"}, []kase{
		{name: "a vector of too few dimensions", in: put(vectorAttribute(1, 2)),
			err:  prefix + "Invalid size for parameter v, Expected: 4, Actual: 2 IndexName: vcos",
			then: "none"},
		{name: "a vector of too many dimensions", in: put(vectorAttribute(1, 2, 3, 4, 5)),
			err:  prefix + "Invalid size for parameter v, Expected: 4, Actual: 5 IndexName: vcos",
			then: "none"},
		{name: "a number set with duplicates", in: put(`"v":{"NS":["1","1","2"]}`),
			err: "Invalid: One or more parameter values were invalid: Input collection contains duplicates.", then: "none"},
		{name: "a number set", in: put(`"v":{"NS":["1","2","3","4"]}`),
			err: "ValidationException: *", then: "none"},
		{name: "a string", src: "Developer Guide, Troubleshooting vector indexes",
			in: put(`"v":{"S":"1"}`), err: "ValidationException: *", then: "none"},
		{name: "an element that is no number",
			src: "Developer Guide, Troubleshooting vector indexes",
			in:  put(`"v":{"L":[` + numberList(1, 2, 3) + `,{"S":"4"}]}`),
			err: "ValidationException: *", then: "none"},
		{name: "no vector", in: put(`"cat":{"S":"a"}`), then: `{@pk,"cat":{"S":"a"}}`},
		{name: "no partition key", in: put(vectorAttribute(1, 2, 3, 4)),
			then: `{@pk,` + vectorAttribute(1, 2, 3, 4) + `}`},
		{name: "a partition key of another type",
			in:  put(vectorAttribute(1, 2, 3, 4) + `,"cat":{"N":"1"}`),
			err: "ValidationException: One or more parameter values were invalid: Type mismatch for Index Key cat Expected: S Actual: N IndexName: vcos", then: "none"},
		{name: "an empty partition key", in: put(vectorAttribute(1, 2, 3, 4) + `,"cat":{"S":""}`),
			err: "ValidationException: *", then: "none"},
		{name: "an inline filter of another type",
			in:  put(vectorAttribute(1, 2, 3, 4) + `,"year":{"S":"1"}`),
			err: "ValidationException: *", then: "none"},
		{name: "an update to too few dimensions", op: "UpdateItem",
			given: []string{`{@pk,` + vectorAttribute(1, 2, 3, 4) + `}`},
			in: `{@key,"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"L":[` +
				numberList(1) + `]}}}`,
			err:  prefix + "Invalid size for parameter v, Expected: 4, Actual: 1 IndexName: vcos",
			then: `{@pk,` + vectorAttribute(1, 2, 3, 4) + `}`},
		{name: "an update that appends an element", op: "UpdateItem",
			given: []string{`{@pk,` + vectorAttribute(1, 2, 3, 4) + `}`},
			in:    `{@key,"UpdateExpression":"SET v[4] = :v","ExpressionAttributeValues":{":v":{"N":"1"}}}`,
			err:   prefix + "Invalid size for parameter v, Expected: 4, Actual: 5 IndexName: vcos",
			then:  `{@pk,` + vectorAttribute(1, 2, 3, 4) + `}`},
		{name: "a batch with a wrong vector", op: "BatchWriteItem",
			in: `{"RequestItems":{"@vectors":[{"PutRequest":{"Item":{@pk,` +
				vectorAttribute(1) + `}}}]}}`,
			err:  prefix + "Invalid size for parameter v, Expected: 4, Actual: 1 IndexName: vcos",
			then: "none"},
		{name: "a transaction with a wrong vector", op: "TransactWriteItems",
			in: `{"TransactItems":[{"Put":{"TableName":"@vectors","Item":{@pk,` +
				vectorAttribute(1) + `}}}]}`,
			err: "TransactionCanceledException: Transaction cancelled, please refer cancellation reasons for specific reasons [ValidationError]", then: "none"},
		{name: "a vector of a statement", op: "ExecuteStatement",
			in:  `{"Statement":"INSERT INTO \"@vectors\" VALUE {'pk': '$k', 'v': [1]}"}`,
			err: prefix + "Invalid size for parameter v, Expected: 4, Actual: 1 IndexName: vcos"},
	})
}

func TestVectorSearches(t *testing.T) {
	t.Parallel()
	item := func(sk string, more string) string {
		return `{"pk":{"S":"` + sk + `-$k"},"cat":{"S":"$k"},` + more + `}`
	}
	given := []string{
		item("a", vectorAttribute(10, 0, 0, 0)+
			`,"year":{"N":"1"},"title":{"S":"A"},"extra":{"S":"o"}`),
		item("b", vectorAttribute(1, 1, 0, 0)+`,"year":{"N":"2"},"title":{"S":"B"}`),
		item("c", vectorAttribute(-1, 0, 0, 0)+`,"year":{"N":"2.0"}`),
		item("d", vectorAttribute(0, 2, 0, 0)),
	}
	result := func(score string, more string) string {
		return `{"Item":{` + more + `},"Score":` + score + `}`
	}
	results := func(list ...string) string {
		return `{"SearchResults":[` + strings.Join(list, ",") + `]}`
	}
	pk := func(name string) string { return `"pk":{"S":"` + name + `-$k"},"cat":{"S":"$k"}` }
	const half = "0.29289321881345254"
	run(t, defaults{
		src: vectorGuide + "Distance functions and score direction", table: "vectors",
		op: "SearchVectors",
	}, []kase{
		{name: "cosine", given: given,
			in: searching("vcos", 10, inCategory+`,"ProjectionExpression":"title"`), want: results(
				result("0", `"title":{"S":"A"}`), result(half, `"title":{"S":"B"}`),
				result("1", ""),
				result("2", ""))},
		{name: "euclidean", given: given,
			in: searching("veuc", 10, inCategory+`,"ProjectionExpression":"title"`), want: results(
				result("1", `"title":{"S":"B"}`), result("2", ""), result("2.23606797749979", ""),
				result("9", `"title":{"S":"A"}`))},
		{name: "dot product", given: given, in: searching("vdot", 10, inCategory), want: results(
			result("10", pk("a")), result("1", pk("b")), result("0", pk("d")),
			result("-1", pk("c")))},
		{name: "the nearest two", given: given, in: searching("vdot", 2, inCategory),
			want: results(result("10", pk("a")), result("1", pk("b")))},
		{name: "no entry of the partition", in: searching("vdot", 2, inCategory),
			want: `{"SearchResults":[]}`},
		{name: "the projection of the index, without the vector",
			src: vectorGuide + "What comes back", given: given[:1],
			in:   searching("veuc", 1, inCategory),
			want: results(result("9", pk("a")+`,"year":{"N":"1"},"title":{"S":"A"}`))},
		{name: "all attributes, without the vector", src: vectorGuide + "What comes back",
			given: given[:1], in: searching("vcos", 1, inCategory),
			want: results(
				result("0", pk("a")+`,"year":{"N":"1"},"title":{"S":"A"},"extra":{"S":"o"}`))},
		{name: "the vector by name", src: vectorGuide + "What comes back", given: given[:1],
			in: searching("vdot", 1, inCategory+`,"ProjectionExpression":"v, pk"`),
			want: results(
				result("10", `"pk":{"S":"a-$k"},`+vectorAttribute("10.0", "0.0", "0.0", "0.0")))},
		{name: "attributes that are not projected", src: vectorGuide + "What comes back",
			given: given[:1],
			in:    searching("veuc", 1, inCategory+`,"ProjectionExpression":"extra, title"`),
			want:  results(result("9", `"title":{"S":"A"}`))},
		{name: "an inline filter", src: vectorGuide + "Searching",
			given: given, in: searching("veuc", 10,
				`,"SearchConditionExpression":"cat = :c AND #y = :y",`+
					`"ExpressionAttributeNames":{"#y":"year"},"ExpressionAttributeValues":{":c":{"S":"$k"},":y":{"N":"2"}},"ProjectionExpression":"pk"`), want: results(
				result("1", `"pk":{"S":"b-$k"}`), result("2", `"pk":{"S":"c-$k"}`))},
		{name: "a vector of higher precision", src: vectorGuide + "Requirements and limits",
			given: []string{item("p", vectorAttribute("0.123456789123456789", 0, 0, 0))},
			in:    searching("vdot", 1, inCategory+`,"ProjectionExpression":"v"`),
			want: results(
				result("0.12345679104328156", vectorAttribute("0.12345679", "0.0", "0.0", "0.0")))},
		{name: "an item without an inline filter", src: vectorGuide + "Writing vectors",
			given: given[3:], in: searching("veuc", 1, inCategory+`,"ProjectionExpression":"pk"`),
			want: results(result("2.23606797749979", `"pk":{"S":"d-$k"}`))},
		{name: "an item without the partition key", src: vectorGuide + "Silent de-indexing",
			given: []string{`{@pk,` + vectorAttribute(1, 0, 0, 0) + `}`},
			in:    searching("vdot", 1, inCategory), want: `{"SearchResults":[]}`},
		{name: "capacity",
			src: "Developer Guide, Monitoring vector index capacity; " + vectorGuide +
				"Cost: at least 1 KB", given: given[:1],
			in: searching("vdot", 1, inCategory+`,"ReturnConsumedCapacity":"TOTAL"`),
			want: `{"ConsumedCapacity":{"VectorSearchRequestBytes":1024},` +
				results(result("10", pk("a")))[1:]},
	})
}

// TestVectorSearchRefusals: which searches fail, and what of a search is checked first.
func TestVectorSearchRefusals(t *testing.T) {
	t.Parallel()
	const comparator = "ValidationException: Invalid SearchConditionExpression: Invalid comparator used in SearchConditionExpression"
	condition := func(expression string, values string) string {
		return `,"SearchConditionExpression":"` + expression + `","ExpressionAttributeValues":{` +
			values + `}`
	}
	const c, y = `":c":{"S":"a"}`, `":y":{"N":"1"}`
	vector := func(index, list string) string {
		return `{"IndexName":"` + index + `","TopK":1,"SearchVector":[` +
			list + `]` + condition("cat = :c", c) + `}`
	}
	run(t, defaults{src: vectorGuide + "Searching", table: "vectors", op: "SearchVectors"}, []kase{
		{name: "no condition", src: vectorGuide + "SearchSchema", in: searching("vdot", 1, ""),
			err: "ValidationException: SearchConditionExpression must be provided when SearchSchema has a HASH key"},
		{name: "a condition without the partition key", src: vectorGuide + "SearchSchema",
			in: searching("veuc", 1, condition("brand = :c", c)), err: "ValidationException: *"},
		{name: "TopK too large", in: searching("vdot", 101, inCategory),
			err: "ValidationException: Provided TopK value '101' is out of valid range. The value must be between 1 and 100 inclusive"},
		{name: "TopK zero", src: "API Reference, SearchVectors, TopK", raw: true,
			in:  searching("vdot", 0, inCategory),
			err: "ValidationException: 1 validation error detected: Value at 'TopK' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{name: "other dimensions", in: vector("vdot", numberList(1, 2, 3)),
			err: "ValidationException: Input search vector dimension 3 does not match vector index dimension 4"},
		{name: "an element that is no number", in: vector("vdot", numberList(1, 2, 3)+`,{"S":"4"}`),
			err: "ValidationException: Search vector contains invalid values. All values in the search vector must be a 32-bit floating-point number attribute"},
		{name: "less than", in: searching("veuc", 1, condition("cat = :c AND brand < :c", c)),
			err: comparator},
		{name: "at most", in: searching("veuc", 1, condition("cat = :c AND brand <= :c", c)),
			err: comparator},
		{name: "greater than", in: searching("veuc", 1, condition("cat = :c AND brand > :c", c)),
			err: comparator},
		{name: "at least", in: searching("veuc", 1, condition("cat = :c AND brand >= :c", c)),
			err: comparator},
		{name: "unequal", in: searching("veuc", 1, condition("cat = :c AND brand <> :c", c)),
			err: comparator},
		{name: "one of several",
			in: searching("veuc", 1, condition("cat = :c AND brand IN (:c)", c)), err: comparator},
		{name: "one or the other", in: searching("veuc", 1, condition("cat = :c OR brand = :c", c)),
			err: "ValidationException: *"},
		{name: "a function", in: searching("veuc", 1, condition("begins_with(cat, :c)", c)),
			err: "ValidationException: *"},
		{name: "a nested attribute", src: "API Reference, SearchVectors, SearchConditionExpression",
			in: searching("veuc", 1, condition("cat.a = :c", c)), err: "ValidationException: Invalid SearchConditionExpression: SearchConditionExpression cannot have conditions on nested attributes"},
		{name: "an attribute outside of the search schema",
			src: "API Reference, SearchVectors, SearchConditionExpression",
			in:  searching("veuc", 1, condition("cat = :c AND title = :c", c)),
			err: "ValidationException: *"},
		{name: "a value of another type", in: searching("veuc", 1, condition("cat = :y", y)),
			err: "ValidationException: *"},
		{name: "an unused value", src: "Developer Guide, Expressions",
			in:  searching("veuc", 1, condition("cat = :c", c+","+y)),
			err: "Invalid: Value provided in ExpressionAttributeValues unused in expressions: keys: {:y}"},
		{name: "no such index", src: vectorGuide + "Troubleshooting",
			in:  searching("none", 1, inCategory),
			err: "ValidationException: The table does not have the specified index: none"},
		{name: "a global index",
			in:  `{"TableName":"@global","IndexName":"gall","TopK":1,"SearchVector":[{"N":"1"}]}`,
			err: "ValidationException: *"},
		{name: "no such table", src: "API Reference, SearchVectors",
			in: `{"TableName":"no-such-table","IndexName":"vdot","TopK":1,"SearchVector":[{"N":"1"}]}`, err: noSuchTable},
		{name: "a search without dimensions", src: "API Reference, SearchVectors, SearchVector",
			in:  `{"IndexName":"vdot","TopK":1,"SearchVector":[]` + inCategory + `}`,
			err: "ValidationException: 1 validation error detected: Value at 'SearchVector' failed to satisfy constraint: Member must have length greater than or equal to 1"},
	})
	run(t, defaults{src: vectorGuide + "Requirements and limits", table: "vectors"}, []kase{
		{name: "a query", op: "Query",
			in:  `{"IndexName":"veuc","KeyConditionExpression":"cat = :c","ExpressionAttributeValues":{":c":{"S":"a"}}}`,
			err: "ValidationException: Query operation not supported on this index type."},
		{name: "a scan", op: "Scan", in: `{"IndexName":"veuc"}`, err: "ValidationException: Scan operation not supported on this index type"},
		{name: "a statement", op: "ExecuteStatement",
			in:  `{"Statement":"SELECT * FROM \"@vectors\".\"veuc\" WHERE cat = 'a'"}`,
			err: "ValidationException: Scan operation not supported on this index type"},
	})
}

// TestVectorCapacity: what writes of a table with a single vector index cost.
func TestVectorCapacity(t *testing.T) {
	t.Parallel()
	long := make([]any, 1024)
	for i := range long {
		long[i] = 1
	}
	const src = "Developer Guide, Monitoring vector index capacity; " + vectorGuide + "Cost"
	wrote := func(units string, bytes int) string {
		more := `,"Table":{"CapacityUnits":` + units + `}`
		if bytes > 0 {
			more += fmt.Sprintf(`,"VectorIndexes":{"long":{"VectorWriteRequestBytes":%d}}`, bytes)
		}
		return `{"ConsumedCapacity":` + consumed("vlong", units, more) + `}`
	}
	put := func(more string) string {
		return `{"ReturnConsumedCapacity":"INDEXES","Item":{@pk` + more + `}}`
	}
	whole := `{@pk,` + vectorAttribute(long...) + `}`
	update := func(expression string) string {
		return `{@key,"ReturnConsumedCapacity":"INDEXES","UpdateExpression":"` + expression +
			`","ExpressionAttributeValues":{":t":{"S":"t"}}}`
	}
	run(t, defaults{src: src, table: "vlong", op: "PutItem"}, []kase{
		{name: "a new vector", in: put(`,` + vectorAttribute(long...)), want: wrote("5", 4096+15)},
		{name: "no vector", in: put(`,"title":{"S":"t"}`), want: wrote("1", 0)},
		{name: "the same again", given: []string{whole}, in: put(`,` + vectorAttribute(long...)),
			want: wrote("5", 0)},
		{name: "an attribute that is not projected", op: "UpdateItem", given: []string{whole},
			in: update("SET extra = :t"), want: wrote("5", 0)},
		{name: "an attribute that is projected", op: "UpdateItem", given: []string{whole},
			in: update("SET title = :t"), want: wrote("5", 4096+15+6)},
		{name: "a delete", op: "DeleteItem", given: []string{whole},
			in: `{@key,"ReturnConsumedCapacity":"INDEXES"}`, want: wrote("5", 4096+15)},
		{name: "TOTAL", in: `{"ReturnConsumedCapacity":"TOTAL","Item":` + whole + `}`,
			want: `{"ConsumedCapacity":` + consumed("vlong", "5", "") + `}`},
	})
	run(t, defaults{
		src: src + ": each write is charged at least 1 KB", table: "vectors", op: "PutItem",
	}, []kase{
		{name: "small vectors in three indexes",
			in: `{"ReturnConsumedCapacity":"INDEXES","Item":{@pk,"cat":{"S":"c"},` +
				vectorAttribute(1, 2, 3, 4) + `}}`,
			want: `{"ConsumedCapacity":` + consumed("vectors", "1",
				`,"Table":{"CapacityUnits":1},"VectorIndexes":{"vcos":{"VectorWriteRequestBytes":1024},`+
					`"veuc":{"VectorWriteRequestBytes":1024},"vdot":{"VectorWriteRequestBytes":1024}}`) + `}`},
	})
}

// TestVectorDefinitions: which vector indexes a table cannot have.
func TestVectorDefinitions(t *testing.T) {
	t.Parallel()
	create := func(table string, indexes ...string) string {
		return `{"TableName":"` + runID + `-refused",` + table + `,"VectorIndexes":[` +
			strings.Join(indexes, ",") + `]}`
	}
	onDemand := keys("pk:S")
	provisioned := strings.Replace(onDemand, `"BillingMode":"PAY_PER_REQUEST"`,
		`"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}`, 1)
	plain := func(name string) string { return vectorIndex(name, "COSINE", 4, "ALL") }
	filters := func(n int) (definitions, search []string) {
		definitions = []string{"pk:S"}
		for i := range n {
			definitions, search = append(definitions, fmt.Sprintf("f%d:S", i)), append(search,
				fmt.Sprintf("f%d:INLINE_FILTER", i))
		}
		return definitions, search
	}
	tooMany, all := filters(19)
	run(t, defaults{src: vectorGuide + "Requirements and limits", op: "CreateTable"}, []kase{
		{name: "provisioned", in: create(provisioned, plain("one")), err: "ValidationException: One or more parameter values were invalid: Vector indexes are only supported for PAY_PER_REQUEST tables"},
		{name: "six indexes",
			in: create(onDemand, plain("in1"), plain("in2"), plain("in3"), plain("in4"),
				plain("in5"), plain("in6")), err: "ValidationException: *"},
		{name: "two of a name", src: "API Reference, VectorIndex, IndexName",
			in: create(onDemand, plain("one"), plain("one")), err: "ValidationException: *"},
		{name: "an undefined element", src: vectorGuide + "Creating an index",
			in:  create(onDemand, vectorIndex("one", "COSINE", 4, "ALL", "cat:HASH")),
			err: "ValidationException: One or more parameter values were invalid: One element in SearchSchema is not defined in attribute definitions"},
		{name: "two partition keys",
			in: create(keys("pk:S", "a:S", "b:S"),
				vectorIndex("one", "COSINE", 4, "ALL", "a:HASH", "b:HASH")),
			err: "ValidationException: One or more parameter values were invalid: Value '2' at 'SearchSchema' failed to satisfy constraint: Member must have HASH count less than or equal to 1"},
		{name: "19 inline filters",
			in:  create(keys(tooMany...), vectorIndex("one", "COSINE", 4, "ALL", all...)),
			err: "ValidationException: *"},
		{name: "4,097 dimensions", in: create(onDemand, vectorIndex("one", "COSINE", 4097, "ALL")),
			err: "ValidationException: One or more parameter values were invalid: Number of dimensions must be between 1 and 4096 inclusive."},
		{name: "no dimensions", src: "API Reference, VectorIndex, Dimensions",
			in:  create(onDemand, vectorIndex("one", "COSINE", 0, "ALL")),
			err: "ValidationException: 1 validation error detected: Value '0' at 'vectorIndexes.1.member.dimensions' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{name: "no such distance", src: "API Reference, VectorIndex, DistanceFunction",
			in:  create(onDemand, vectorIndex("one", "MANHATTAN", 4, "ALL")),
			err: "ValidationException: 1 validation error detected: Value 'MANHATTAN' at 'vectorIndexes.1.member.distanceFunction' failed to satisfy constraint: Member must satisfy enum value set: [DOT_PRODUCT, COSINE, EUCLIDEAN]"},
		{name: "two dimensions of one attribute", src: "API Reference, CreateTable, VectorIndexes",
			in:  create(onDemand, plain("one"), vectorIndex("two", "COSINE", 5, "ALL")),
			err: "ValidationException: *"},
		{name: "the table's key as the vector",
			in:  create(onDemand, strings.Replace(plain("one"), `"v"`, `"pk"`, 1)),
			err: "ValidationException: *"},
		{name: "an unused definition", src: "Developer Guide, Vector indexes",
			in:  create(keys("pk:S", "unused:S"), plain("one")),
			err: "ValidationException: *"},
	})
}

// TestVectorLifecycle: the states of vector indexes, and when they can be searched.
func TestVectorLifecycle(t *testing.T) {
	t.Parallel()
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	send := private(t, emulator.WithHeldClock(clock),
		emulator.WithTableDelays(10*time.Second, 10*time.Second, 10*time.Second))
	indexed := func(members string) string {
		return `{"Table":{"VectorIndexes":[` + members + `]}}`
	}
	updates := func(list ...string) string {
		return `{"TableName":"tab","AttributeDefinitions":[{"AttributeName":"cat","AttributeType":"S"}],"VectorIndexUpdates":[` + strings.Join(list, ",") + `]}`
	}
	added := `{"Create":` + vectorIndex("added", "EUCLIDEAN", 2, "INCLUDE title", "cat:HASH") + `}`
	search := func(index string) string {
		return `{"TableName":"tab","IndexName":"` + index + `","TopK":1,"SearchVector":[` +
			numberList(1, 0) + `]`
	}
	inCat := search("added") +
		`,"SearchConditionExpression":"cat = :c","ExpressionAttributeValues":{":c":{"S":"c"}}}`
	const table = `{"TableName":"tab"}`
	const oneOnline = "LimitExceededException: Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"
	deletes := func(name string) step {
		return step{name: "delete the table " + name, op: "DeleteTable", body: table,
			err: resourceInUse +
				"Cannot delete table while indexes are being created, updated, or deleted."}
	}
	follow(t, send, []step{
		{name: "create", op: "CreateTable",
			body: `{"TableName":"tab",` + keys("pk:S") + `,"VectorIndexes":[` +
				vectorIndex("first", "COSINE", 2, "ALL") + `]}`},
		{name: "with the table, Backfilling is absent", op: "DescribeTable", body: table,
			has: `{"Table":{"TableStatus":"CREATING","VectorIndexes":[{"IndexName":"first","IndexStatus":"CREATING","Backfilling":null}]}}`},
		{name: "search of a new table", op: "SearchVectors", body: search("first") + `}`,
			err: noSuchTable},
	})
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		{name: "active", op: "DescribeTable",
			body: table,
			has: indexed(
				`{"IndexName":"first","IndexStatus":"ACTIVE","Backfilling":null,"VectorAttribute":{"AttributeName":"v"},
			"Dimensions":2,"DistanceFunction":"COSINE","Projection":{"ProjectionType":"ALL"},"SearchSchema":null,"ItemCount":0,"IndexSizeBytes":0,
			"IndexArn":"arn:aws:dynamodb:eu-west-3:000000000000:table/tab/index/first"}`)},
		{name: "put", op: "PutItem",
			body: `{"TableName":"tab","Item":{"pk":{"S":"a"},"cat":{"S":"c"},` +
				vectorAttribute(1, 0) + `}}`},
		{name: "counts", op: "DescribeTable", body: table,
			has: indexed(`{"IndexName":"first","ItemCount":1,"IndexSizeBytes":15}`)},
		{name: "two at once", op: "UpdateTable",
			body: updates(added, `{"Create":`+vectorIndex("second", "COSINE", 2, "ALL")+`}`),
			err:  oneOnline},
		{name: "one of the name", op: "UpdateTable",
			body: updates(`{"Create":` + vectorIndex("first", "COSINE", 2, "ALL") + `}`),
			err:  "ValidationException: Attempting to create an index which already exists"},
		{name: "none to delete", op: "UpdateTable",
			body: updates(`{"Delete":{"IndexName":"none"}}`),
			err:  "ResourceNotFoundException: Requested resource not found: Index none for table tab"},
		{name: "an undefined element", op: "UpdateTable",
			body: strings.Replace(updates(added), `"AttributeName":"cat","AttributeType":"S"`,
				`"AttributeName":"dog","AttributeType":"S"`, 1),
			err: "ValidationException: One or more parameter values were invalid: One element in SearchSchema is not defined in attribute definitions"},
		{name: "provisioned", op: "UpdateTable",
			body: `{"TableName":"tab","BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}`, err: "ValidationException: *"},
		{name: "add", op: "UpdateTable", body: updates(added)},
		{name: "backfilling is false at first", op: "DescribeTable", body: table,
			has: indexed(
				`{"IndexName":"first"},{"IndexName":"added","IndexStatus":"CREATING","Backfilling":false}`)},
		{name: "the search endpoint does not know it", op: "SearchVectors", body: inCat,
			err: "ValidationException: The table does not have the specified index: added"},
		{name: "a delete while it is allocated", op: "UpdateTable",
			body: updates(`{"Delete":{"IndexName":"added"}}`), err: resourceInUse +
				"Index creation is in resource allocation phase. Retry deletion during backfilling phase or when the index is active. Table: tab Index: added"},
		{name: "another one while it is allocated", op: "UpdateTable",
			body: updates(`{"Create":` + vectorIndex("second", "COSINE", 2, "ALL") + `}`),
			err:  oneOnline},
		deletes("while it is allocated"),
	})
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		deletes("while it is backfilled"),
		{name: "backfilling", op: "DescribeTable", body: table,
			has: indexed(
				`{"IndexName":"first"},{"IndexName":"added","IndexStatus":"CREATING","Backfilling":true}`)},
		{name: "search while backfilling", op: "SearchVectors", body: inCat,
			err: "ValidationException: Cannot search backfilling vector index: added"},
		{name: "another one meanwhile", op: "UpdateTable",
			body: updates(`{"Create":` + vectorIndex("second", "COSINE", 2, "ALL") + `}`),
			err:  oneOnline},
		{name: "a global index meanwhile", op: "UpdateTable",
			body: `{"TableName":"tab","AttributeDefinitions":[{"AttributeName":"g","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":` + index("global", "ALL", "g") + `}]}`, err: oneOnline},
	})
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		{name: "added", op: "DescribeTable",
			body: table,
			has: `{"Table":{"AttributeDefinitions":[{"AttributeName":"cat"},{"AttributeName":"pk"}],
			"VectorIndexes":[{"IndexName":"first"},{"IndexName":"added","IndexStatus":"ACTIVE","Backfilling":null,"ItemCount":1,"SearchSchema":[{"AttributeName":"cat","SearchSchemaElementType":"HASH"}]}]}}`},
		{name: "not searchable yet", op: "SearchVectors", body: inCat,
			err: "ValidationException: The table does not have the specified index: added"},
	})
	clock.Advance(2 * time.Second)
	follow(t, send, []step{
		{name: "search", op: "SearchVectors", body: inCat,
			has: `{"SearchResults":[{"Item":{"pk":{"S":"a"},"cat":{"S":"c"}},"Score":0}]}`},
		{name: "remove the partition key", op: "UpdateItem",
			body: `{"TableName":"tab","Key":{"pk":{"S":"a"}},"UpdateExpression":"REMOVE cat"}`},
		{name: "silently gone", op: "SearchVectors", body: inCat, has: `{"SearchResults":[]}`},
		{name: "not from the other index", op: "SearchVectors", body: search("first") + `}`,
			has: `{"SearchResults":[{"Score":0}]}`},
		{name: "delete", op: "UpdateTable", body: updates(`{"Delete":{"IndexName":"added"}}`)},
		{name: "deleting", op: "DescribeTable", body: table,
			has: `{"Table":{"AttributeDefinitions":[{"AttributeName":"pk"}],"VectorIndexes":[{"IndexName":"first"},{"IndexName":"added","IndexStatus":"DELETING"}]}}`},
		{name: "search of a deleted index", op: "SearchVectors", body: inCat,
			err: "ValidationException: The table does not have the specified index: added"},
	})
	clock.Advance(10 * time.Second)
	answer, err := send("KEY", "DescribeTable", table)
	require.NoError(t, err)
	assert.Len(t, at(t, answer, "Table", "VectorIndexes"), 1)
	follow(t, send, []step{{name: "add again", op: "UpdateTable", body: updates(added)}})
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		{name: "a delete cancels the backfill", op: "UpdateTable",
			body: updates(`{"Delete":{"IndexName":"added"}}`)},
		{name: "cancelled", op: "DescribeTable", body: table,
			has: indexed(`{"IndexName":"first"},{"IndexName":"added","IndexStatus":"DELETING"}`)},
	})
}

// TestVectorBackups: Developer Guide, vector indexes and backups: the definition is restored, and
// the index is backfilled.
func TestVectorBackups(t *testing.T) {
	t.Parallel()
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	send := private(t, emulator.WithHeldClock(clock),
		emulator.WithTableDelays(10*time.Second, 10*time.Second, 0))
	clock.Advance(time.Minute)
	one, two := vectorIndex("one", "COSINE", 2, "ALL"), vectorIndex("two", "EUCLIDEAN", 2,
		"KEYS_ONLY", "cat:HASH")
	follow(t, send,
		[]step{{name: "create", op: "CreateTable",
			body: `{"TableName":"tab",` + keys("pk:S", "cat:S") + `,"VectorIndexes":[` +
				one + `,` + two + `]}`}})
	clock.Advance(time.Hour)
	follow(t, send, []step{
		{name: "put", op: "PutItem",
			body: `{"TableName":"tab","Item":{"pk":{"S":"a"},"cat":{"S":"c"},` +
				vectorAttribute(1, 0) + `}}`},
		{name: "back up", op: "CreateBackup", body: `{"TableName":"tab","BackupName":"first"}`},
		{name: "delete", op: "DeleteItem", body: `{"TableName":"tab","Key":{"pk":{"S":"a"}}}`},
		{name: "nothing is found", op: "SearchVectors",
			body: `{"TableName":"tab","IndexName":"one","TopK":1,"SearchVector":[` +
				numberList(1, 0) + `]}`, has: `{"SearchResults":[]}`},
	})
	clock.Advance(time.Hour)
	answer, err := send("KEY", "ListBackups", `{"TableName":"tab"}`)
	require.NoError(t, err)
	arn := at(t, at(t, answer, "BackupSummaries").([]any)[0], "BackupArn").(string)
	restore := func(name, more string) string {
		return `{"BackupArn":"` + arn + `","TargetTableName":"` + name + `"` + more + `}`
	}
	search := func(table string) string {
		return `{"TableName":"` + table + `","IndexName":"one","TopK":1,"SearchVector":[` +
			numberList(1, 0) + `]}`
	}
	follow(t, send, []step{
		{name: "describe", op: "DescribeBackup",
			body: `{"BackupArn":"` + arn +
				`"}`, has: `{"BackupDescription":{"SourceTableFeatureDetails":{"VectorIndexes":[
			{"IndexName":"one","Dimensions":2,"DistanceFunction":"COSINE"},{"IndexName":"two","SearchSchema":[{"AttributeName":"cat","SearchSchemaElementType":"HASH"}]}]}}}`},
		{name: "an override that does not match", op: "RestoreTableFromBackup",
			body: restore("none",
				`,"VectorIndexOverride":[`+vectorIndex("one", "EUCLIDEAN", 2, "ALL")+`]`),
			err: "ValidationException: *"},
		{name: "provisioned", op: "RestoreTableFromBackup",
			body: restore("none",
				`,"BillingModeOverride":"PROVISIONED","ProvisionedThroughputOverride":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}`), err: "ValidationException: *"},
		{name: "restore", op: "RestoreTableFromBackup", body: restore("whole", "")},
	})
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		{name: "backfilling", op: "DescribeTable", body: `{"TableName":"whole"}`,
			has: `{"Table":{"TableStatus":"ACTIVE","VectorIndexes":[{"IndexName":"one","IndexStatus":"CREATING","Backfilling":true},{"IndexName":"two"}]}}`},
		{name: "too early", op: "SearchVectors", body: search("whole"),
			err: "ValidationException: Cannot search backfilling vector index: one"},
	})
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		{name: "not searchable yet", op: "SearchVectors", body: search("whole"),
			err: "ValidationException: The table does not have the specified index: one"},
	})
	clock.Advance(2 * time.Second)
	follow(t, send, []step{
		{name: "found", op: "SearchVectors", body: search("whole"),
			has: `{"SearchResults":[{"Item":{"pk":{"S":"a"}},"Score":0}]}`},
		{name: "restore one", op: "RestoreTableFromBackup",
			body: restore("part", `,"VectorIndexOverride":[`+one+`]`)},
	})
	clock.Advance(22 * time.Second)
	follow(t, send, []step{
		{name: "found in part", op: "SearchVectors", body: search("part"),
			has: `{"SearchResults":[{"Score":0}]}`},
		{name: "part", op: "DescribeTable", body: `{"TableName":"part"}`,
			has: `{"Table":{"AttributeDefinitions":[{"AttributeName":"pk"}],"VectorIndexes":[{"IndexName":"one"}]}}`},
		{name: "restore none", op: "RestoreTableFromBackup",
			body: restore("bare", `,"VectorIndexOverride":[]`)},
		{name: "bare", op: "DescribeTable", body: `{"TableName":"bare"}`,
			has: `{"Table":{"VectorIndexes":null}}`},
	})
}
