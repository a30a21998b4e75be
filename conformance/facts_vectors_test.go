package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// vectorOn is vectorIndex for a vector attribute of another name.
func vectorOn(attribute, name string, dimensions int, search ...string) string {
	return strings.Replace(vectorIndex(name, "COSINE", dimensions, "ALL", search...), `"v"`,
		`"`+attribute+`"`, 1)
}

const wrong = "ValidationException: One or more parameter values were invalid: "

const provisionedOne = `"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}`

func TestVectorIndexTexts(t *testing.T) {
	t.Parallel()
	create := func(table string, indexes ...string) string {
		return `{"TableName":"` + runID + `-refused",` + table + `,"VectorIndexes":[` +
			strings.Join(indexes, ",") + `]}`
	}
	onDemand := keys("pk:S")
	provisioned := strings.Replace(onDemand, `"BillingMode":"PAY_PER_REQUEST"`, provisionedOne, 1)
	const dimensions = wrong + "Number of dimensions must be between 1 and 4096 inclusive."
	const defined = wrong +
		"Conflicting attribute definition for 'v'. An attribute cannot be defined in AttributeDefinitions when used as a VectorAttribute."
	run(t, defaults{src: "service facts V.1.1", op: "CreateTable"}, []kase{
		{name: "a provisioned table", in: create(provisioned, vectorOn("v", "one", 4)),
			err: wrong + "Vector indexes are only supported for PAY_PER_REQUEST tables"},
		{name: "4,097 dimensions", src: "service facts V.1.3",
			in: create(onDemand, vectorOn("v", "one", 4097)), err: dimensions},
		{name: "more dimensions than 32 bits", src: "service facts V.1.3",
			in: create(onDemand, vectorOn("v", "one", 1<<40)), err: dimensions},
		{name: "two numbers of dimensions", src: "service facts V.1.4",
			in: create(onDemand, vectorOn("v", "one", 4), vectorOn("v", "two", 5)),
			err: wrong +
				"Conflicting attribute definition for 'v'. All VectorIndexes on the same vector attribute must use the same dimensions."},
		{name: "a defined vector attribute", src: "service facts V.1.5",
			in: create(keys("pk:S", "v:S"), vectorOn("v", "one", 4)), err: defined},
		{name: "the key as vector attribute", src: "service facts V.1.5",
			in:  create(onDemand, vectorOn("pk", "one", 4)),
			err: strings.Replace(defined, "'v'", "'pk'", 1)},
		{name: "two HASH elements", src: "service facts V.1.8",
			in: create(keys("pk:S", "a:S", "b:S"), vectorOn("v", "one", 4, "a:HASH", "b:HASH")),
			err: wrong +
				"Value '2' at 'SearchSchema' failed to satisfy constraint: Member must have HASH count less than or equal to 1"},
		{name: "three HASH elements", src: "service facts V.1.8",
			in: create(keys("pk:S", "a:S", "b:S", "c:S"),
				vectorOn("v", "one", 4, "a:HASH", "b:HASH", "c:HASH")),
			err: wrong +
				"Value '3' at 'SearchSchema' failed to satisfy constraint: Member must have HASH count less than or equal to 1"},
		{name: "an attribute twice", src: "service facts V.1.8",
			in:  create(keys("pk:S", "a:S"), vectorOn("v", "one", 4, "a:HASH", "a:INLINE_FILTER")),
			err: wrong + "SearchSchema contains a duplicate AttributeName"},
		{name: "an unknown distance", src: "service facts V.1.9",
			in: create(onDemand, vectorIndex("one", "MANHATTAN", 4, "ALL")),
			err: "ValidationException: 1 validation error detected: Value 'MANHATTAN' at 'vectorIndexes.1.member.distanceFunction' failed to satisfy constraint: " +
				"Member must satisfy enum value set: [DOT_PRODUCT, COSINE, EUCLIDEAN]"},
	})
}

// TestVectorIndexUpdates: which vector indexes a table with one cannot get, and what else such a
// table cannot become.
func TestVectorIndexUpdates(t *testing.T) {
	t.Parallel()
	send := private(t)
	update := func(members string) string { return `{"TableName":"tab",` + members + `}` }
	add := func(index string) string {
		return update(`"VectorIndexUpdates":[{"Create":` + index + `}]`)
	}
	toProvisioned := `"BillingMode":"PROVISIONED",` + provisionedOne
	const redefined = wrong +
		"Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. Existing schema: "
	steps := []step{
		{name: "create", op: "CreateTable",
			body: update(keys("pk:S") + `,"VectorIndexes":[` + vectorOn("v", "vix", 3) + `]`)},
		{name: "provisioned, without its last index (V.1.2)", op: "UpdateTable",
			body: update(toProvisioned + `,"VectorIndexUpdates":[{"Delete":{"IndexName":"vix"}}]`),
			err:  wrong + "Tables with vector indexes must be in PAY_PER_REQUEST mode"},
		{name: "provisioned (V.1.2)", op: "UpdateTable", body: update(toProvisioned),
			err: wrong + "Tables with vector indexes must be in PAY_PER_REQUEST mode"},
		{name: "too many dimensions (V.1.3)", op: "UpdateTable",
			body: add(vectorOn("w", "two", 4097)),
			err:  wrong + "Number of dimensions must be between 1 and 4096 inclusive."},
		{name: "other dimensions (V.1.4)", op: "UpdateTable", body: add(vectorOn("v", "two", 4)),
			err: wrong +
				"Conflicting attribute definition for 'v'. All VectorIndexes on the same vector attribute must use the same dimensions."},
		{name: "a defined attribute (V.1.5)", op: "UpdateTable",
			body: update(
				`"AttributeDefinitions":[{"AttributeName":"w","AttributeType":"S"}],"VectorIndexUpdates":[{"Create":` + vectorOn("w", "two", 4) + `}]`),
			err: wrong +
				"Conflicting attribute definition for 'w'. An attribute cannot be defined in AttributeDefinitions when used as a VectorAttribute."},
		{name: "the key (V.1.6)", op: "UpdateTable", body: add(vectorOn("pk", "two", 4)),
			err: redefined +
				"Schema:[SchemaElement: key{pk:S:HASH}] New schema: VectorIndexSchema:[VectorAttribute: key{pk:L:4}]"},
		{name: "a global index on the vector (V.1.7)", op: "UpdateTable",
			body: update(
				`"AttributeDefinitions":[{"AttributeName":"v","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":` + index("gsi", "ALL", "v") + `}]`),
			err: redefined +
				"VectorIndexSchema:[VectorAttribute: key{v:L:3}] New schema: Schema:[SchemaElement: key{v:S:HASH}]"},
		{name: "a vector index as a global one (ack-api-quirks, DDB-TABLE-442)", op: "UpdateTable",
			body: update(`"GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"vix"}}]`),
			err:  "ValidationException: Cannot delete an index that is not a GlobalSecondaryIndex: vix"},
		{name: "the search schema of a vector attribute", op: "UpdateTable",
			body: update(
				`"AttributeDefinitions":[{"AttributeName":"v","AttributeType":"S"}],"VectorIndexUpdates":[{"Create":` + vectorOn("w", "two", 4, "v:HASH") + `}]`),
			err: wrong +
				"Conflicting attribute definition for 'v'. An attribute cannot be defined in AttributeDefinitions when used as a VectorAttribute."},
	}
	for i := 2; i <= 5; i++ {
		steps = append(steps,
			step{name: fmt.Sprint("index ", i), op: "UpdateTable",
				body: add(vectorOn("v", fmt.Sprint("more", i), 3))})
	}
	follow(t, send, append(steps,
		step{name: "a sixth index (V.1.10)", op: "UpdateTable",
			body: add(vectorOn("v", "more6", 3)),
			err:  "LimitExceededException: Subscriber limit exceeded: Number of vector secondary indexes exceeds per-table limit of 5"}))
	_, err := send("KEY", "CreateTable",
		`{"TableName":"provisioned",`+
			strings.Replace(keys("pk:S"), `"BillingMode":"PAY_PER_REQUEST"`, provisionedOne, 1)+`}`)
	require.NoError(t, err)
	follow(t, send, []step{{name: "an index of a provisioned table (V.1.1)", op: "UpdateTable",
		body: strings.Replace(add(vectorOn("v", "vix", 3)), "tab", "provisioned", 1),
		err:  wrong + "Vector indexes are only supported for PAY_PER_REQUEST tables"}})
}

func TestVectorWriteTexts(t *testing.T) {
	t.Parallel()
	put := func(vector string) string { return `{"Item":{@pk,"v":` + vector + `}}` }
	list := func(last string) string { return `{"L":[` + numberList(1, 2, 3) + `,` + last + `]}` }
	const prefix = "One or more parameter values were invalid. "
	const bad = "ValidationException: " + prefix
	const tooLarge = bad +
		"Invalid value for parameter v[3], Value: 3.5E+38 is outside valid range [-3.4028235E38, 3.4028235E38]. IndexName: vcos"
	action := func(item string) string {
		return `{"Put":{"TableName":"@vectors","Item":{` + item + `}}}`
	}
	statements := func(vector ...any) string {
		return `{"Statements":[{"Statement":"INSERT INTO \"@vectors\" VALUE {'pk':'$k','v':?}",` +
			`"Parameters":[{"L":[` + numberList(vector...) + `]}]}]}`
	}
	run(t, defaults{src: "service facts V.3.1", table: "vectors", op: "PutItem"}, []kase{
		{name: "too few dimensions", in: put(`{"L":[` + numberList(1, 2, 3) + `]}`),
			err:  bad + "Invalid size for parameter v, Expected: 4, Actual: 3 IndexName: vcos",
			then: "none"},
		{name: "no list", in: put(`{"S":"1"}`),
			err: bad +
				"Invalid type for parameter v, Expected: 32-bit floating point number list IndexName: vcos", then: "none"},
		{name: "a text in the list", in: put(list(`{"S":"4"}`)),
			err: bad +
				"Invalid type for parameter v[3], Expected: 32-bit floating point number, Actual: S. IndexName: vcos", then: "none"},
		{name: "a boolean in the list", in: put(list(`{"BOOL":true}`)),
			err: bad +
				"Invalid type for parameter v[3], Expected: 32-bit floating point number, Actual: BOOL. IndexName: vcos", then: "none"},
		{name: "more than 32 bits",
			in: put(list(`{"N":"350000000000000000000000000000000000000"}`)), err: tooLarge,
			then: "none"},
		{name: "less than 32 bits", in: put(list(`{"N":"-1e125"}`)),
			err: strings.Replace(tooLarge, "3.5E+38", "-1E+125", 1), then: "none"},
		{name: "an update", op: "UpdateItem",
			in: `{@key,"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"L":[` +
				numberList(1) + `]}}}`,
			err:  bad + "Invalid size for parameter v, Expected: 4, Actual: 1 IndexName: vcos",
			then: "none"},
		{name: "a batch of statements", op: "BatchExecuteStatement", in: statements(1, 2, 3),
			want: `{"Responses":[{"Error":{"Code":"ValidationError","Message":"` + prefix +
				`Invalid size for parameter v, Expected: 4, Actual: 3 IndexName: vcos"}}]}`,
			then: "none"},
		{name: "a batch of statements that fit", op: "BatchExecuteStatement",
			in: statements(1, 2, 3, 4), want: `{"Responses":[{"TableName":"@vectors"}]}`,
			then: `{@pk,` + vectorAttribute(1, 2, 3, 4) + `}`},
		{name: "a transaction", op: "TransactWriteItems",
			in: `{"TransactItems":[` +
				action(`"pk":{"S":"$k-2"}`) + `,` + action(`@pk,"v":{"BOOL":true}`) + `]}`,
			err: "TransactionCanceledException: Transaction cancelled, please refer cancellation reasons for specific reasons [None, ValidationError]", then: "none"},
	})
}

func TestVectorWriteBytes(t *testing.T) {
	t.Parallel()
	bytes := func(cos, euc, dot int) string {
		text := ""
		for _, ix := range []struct {
			name  string
			bytes int
		}{{"vcos", cos}, {"veuc", euc}, {"vdot", dot}} {
			if ix.bytes > 0 {
				text += fmt.Sprintf(`,%q:{"VectorWriteRequestBytes":%d}`, ix.name, ix.bytes)
			}
		}
		return `{"ConsumedCapacity":` +
			consumed("vectors", "1",
				`,"Table":{"CapacityUnits":1},"VectorIndexes":{`+text[1:]+`}`) + `}`
	}
	given := []string{`{@pk,"cat":{"S":"c"},` + vectorAttribute(1, 2, 3, 4) + `}`}
	update := func(expression string) string {
		return `{@key,"ReturnConsumedCapacity":"INDEXES","UpdateExpression":"` + expression +
			`","ExpressionAttributeValues":{":x":{"S":"x"}}}`
	}
	// bytes of pk, cat, the name of a, and the vector with its name
	const others = 14 + 4 + 1 + 1 + 16
	long := strings.Repeat("x", 1025-others)
	const digits = "1.2345678901234567890123456789012345678"
	numbers := vectorAttribute(digits, digits, digits, digits)
	sized := func(n int, units string, bytes int) kase {
		return kase{in: `{"TableName":"@vsized","ReturnConsumedCapacity":"INDEXES","Item":{@pk,"a":{"S":"` + strings.Repeat("x", n) + `"},` + numbers + `}}`,
			want: `{"ConsumedCapacity":` + consumed("vsized", units,
				`,"Table":{"CapacityUnits":`+units+
					`},"VectorIndexes":{"vkey":{"VectorWriteRequestBytes":1024},"vall":{"VectorWriteRequestBytes":`+fmt.Sprint(bytes)+`}}`) + `}`}
	}
	full, over := sized(992, "1", 1024), sized(993, "2", 1025)
	full.name, over.name = "numbers of many digits", "one byte more"
	full.src, over.src = "service facts V.3.2", "service facts V.3.2"
	run(t, defaults{src: "service facts V.3.3", table: "vectors", op: "PutItem"}, []kase{
		{name: "a small item", in: `{"ReturnConsumedCapacity":"INDEXES","Item":` + given[0] + `}`,
			want: bytes(1024, 1024, 1024)},
		{name: "an attribute of one index", op: "UpdateItem", given: given,
			in: update("SET a = :x"), want: bytes(1024, 0, 0)},
		{name: "the name of the vector counts", op: "UpdateItem", given: given,
			in:   strings.Replace(update("SET a = :x"), `"S":"x"`, `"S":"`+long+`"`, 1),
			want: strings.ReplaceAll(bytes(1025, 0, 0), `"CapacityUnits":1`, `"CapacityUnits":2`)},
		{name: "another partition", src: "service facts V.3.4", op: "UpdateItem", given: given,
			in: update("SET cat = :x"), want: bytes(2048, 2048, 2048)},
		full, over,
	})
}

func TestVectorSearchTexts(t *testing.T) {
	t.Parallel()
	condition := func(index, expression, values string) string {
		return searching(index, 1,
			`,"SearchConditionExpression":"`+expression+`","ExpressionAttributeValues":{`+
				values+`}`)
	}
	vector := func(list string) string {
		return `{"IndexName":"vdot","TopK":1,"SearchVector":[` + list + `]` + inCategory + `}`
	}
	const text, number = `":c":{"S":"a"}`, `":c":{"N":"1"}`
	const detected = "ValidationException: 1 validation error detected: "
	const badVector = "ValidationException: Search vector contains invalid values. All values in the search vector must be a 32-bit floating-point number attribute"
	const shape = "ValidationException: Invalid SearchConditionExpression: SearchConditionExpression "
	given := []string{`{@pk,"cat":{"S":"$k"},` + vectorAttribute(1, "16777217", "0.1", 0) + `}`}
	far := func(k string) string {
		return fmt.Sprintf(
			`{"IndexName":"veuc","TopK":1,"SearchVector":[%s]%s,"ProjectionExpression":"title"}`,
			numberList("-3.4e38", 0, 0, 0), strings.Replace(inCategory, "$k", k, 1))
	}
	run(t, defaults{src: "service facts V.4.4", table: "vectors", op: "SearchVectors"}, []kase{
		{name: "a short name", src: "service facts V.4.2", raw: true,
			in: strings.Replace(searching("ab", 1, ""), `{`, `{"TableName":"@vectors",`, 1),
			err: detected +
				"Value at 'IndexName' failed to satisfy constraint: Member must have length greater than or equal to 3"},
		{name: "an empty vector", src: "service facts V.4.2", raw: true, in: vector(""),
			err: detected +
				"Value at 'SearchVector' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{name: "TopK of 0", src: "service facts V.4.2", raw: true,
			in: searching("vdot", 0, inCategory),
			err: detected +
				"Value at 'TopK' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{name: "no number", src: "service facts V.4.3", in: vector(numberList("NaN")),
			err: badVector},
		{name: "an infinite number", src: "service facts V.4.3",
			in: vector(numberList("Infinity", 0, 0, 0)), err: badVector},
		{name: "a large number", src: "service facts V.4.3", in: vector(numberList("1e39")),
			err: badVector},
		{name: "a text", src: "service facts V.4.3", in: vector(`{"S":"1"}`), err: badVector},
		{name: "a list", src: "service facts V.4.3",
			in: vector(`{"L":[` + numberList(1, 0, 0, 0) + `]}`), err: badVector},
		{name: "another attribute", in: condition("vdot", "cat = :c AND brand = :c", text),
			err: "ValidationException: SearchConditionExpression must not contain any attributes that is not in SearchSchema. Invalid attribute: brand"},
		{name: "another type", in: condition("vdot", "cat = :c", number),
			err: "ValidationException: Type of 'cat' attribute in SearchConditionExpression (N) does not match type in search schema (S)"},
		{name: "another type of a filter",
			in: condition("veuc", "cat = :c AND #y = :c",
				text+`},"ExpressionAttributeNames":{"#y":"year"`),
			err: "ValidationException: Type of 'year' attribute in SearchConditionExpression (S) does not match type in search schema (N)"},
		{name: "an empty text", in: condition("vdot", "cat = :c", `":c":{"S":""}`),
			err: "ValidationException: One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: cat"},
		{name: "an empty filter",
			in:   condition("veuc", "cat = :c AND brand = :e", text+`,":e":{"S":""}`),
			want: `{"SearchResults":[]}`},
		{name: "two conditions", in: condition("vdot", "cat = :c AND cat = :c", text),
			err: shape + "must only contain one condition per attribute"},
		{name: "two conditions of another type",
			in:  condition("vdot", "cat = :c AND cat = :n", text+`,":n":{"N":"1"}`),
			err: shape + "must only contain one condition per attribute"},
		{name: "a nested path", in: condition("vdot", "cat.a = :c", text),
			err: shape + "cannot have conditions on nested attributes"},
		{name: "capacity", src: "service facts V.4.5", raw: true,
			in: strings.Replace(searching("vdot", 1, inCategory), `"IndexName"`,
				`"ReturnConsumedCapacity":"INDEXES","IndexName"`, 1),
			want: `{"ConsumedCapacity":{"VectorSearchRequestBytes":1024,"VectorSearchUnits":1024},"SearchResults":[]}`},
		{name: "a distance beyond 32 bits", src: "service facts V.4.6",
			given: []string{`{@pk,"cat":{"S":"$k"},` + vectorAttribute("3.4e38", 0, 0, 0) + `}`},
			in:    far("$k"),
			want:  `{"SearchResults":[{"Item":{},"Score":3.4028234663852886e+38}]}`},
		{name: "the vector", src: "service facts V.4.7", given: given,
			in: searching("vdot", 1, inCategory+`,"ProjectionExpression":"v"`),
			want: `{"SearchResults":[{"Item":{` +
				vectorAttribute("1.0", "16777216.0", "0.1", "0.0") + `},"Score":1}]}`},
		{name: "a scan", src: "service facts V.5.1", op: "Scan", in: `{"IndexName":"veuc"}`,
			err: "ValidationException: Scan operation not supported on this index type"},
		{name: "a query", src: "service facts V.5.1", op: "Query",
			in:  `{"IndexName":"veuc","KeyConditionExpression":"cat = :c","ExpressionAttributeValues":{` + text + `}}`,
			err: "ValidationException: Query operation not supported on this index type."},
		{name: "a statement", src: "service facts V.5.1", op: "ExecuteStatement",
			in:  statement(`SELECT * FROM "@vectors"."veuc"`),
			err: "ValidationException: Scan operation not supported on this index type"},
	})
}

// TestStrictReaderOfSearches: the columns are those up to which the reader has read.
func TestStrictReaderOfSearches(t *testing.T) {
	t.Parallel()
	runRaw(t, defaults{src: "service facts V.4.1", op: "SearchVectors"}, []rawCase{
		{name: "an index that is null", status: 400,
			in:  `{"TableName":"t","IndexName":null,"SearchVector":[],"TopK":1}`,
			err: "SerializationException: invalid type: null, expected a string at line 1 column 33"},
		{name: "a table that is null", status: 400,
			in:  `{"TableName":null,"IndexName":"vix"}`,
			err: "SerializationException: invalid type: null, expected a string at line 1 column 17"},
		{name: "a vector that is null", status: 400,
			in:  `{"TableName":"t","IndexName":"vix","SearchVector":null}`,
			err: "SerializationException: invalid type: null, expected a sequence at line 1 column 54"},
		{name: "TopK that is null", status: 400,
			in:  `{"TableName":"t","TopK":null}`,
			err: "SerializationException: invalid type: null, expected i32 at line 1 column 28"},
		{name: "a part of TopK", status: 400,
			in:  `{"TableName":"t","IndexName":"vix","SearchVector":[{"N":"1"}],"TopK":3.5}`,
			err: "SerializationException: invalid type: floating point `3.5`, expected i32 at line 1 column 72"},
		{name: "TopK beyond 32 bits", status: 400,
			in:  `{"TableName":"t","IndexName":"vix","SearchVector":[{"N":"1"}],"TopK":3000000000}`,
			err: "SerializationException: invalid value: integer `3000000000`, expected i32 at line 1 column 79"},
		{name: "a number in place of a name", status: 400,
			in:  `{"TableName":5}`,
			err: "SerializationException: invalid type: integer `5`, expected a string at line 1 column 14"},
		{name: "no table", status: 400,
			in:  `{"IndexName":"vix","SearchVector":[{"N":"1"}],"TopK":1}`,
			err: "ValidationException: missing field `TableName` at line 1 column 55"},
		{name: "no table, and a short index", status: 400,
			in:  `{"IndexName":"v","SearchVector":[],"TopK":1}`,
			err: "ValidationException: missing field `TableName` at line 1 column 44"},
		{name: "nothing", status: 400,
			in:  `{}`,
			err: "ValidationException: missing field `TableName` at line 1 column 2"},
		{name: "a line of its own", status: 400, in: "{\n \"TableName\":null}",
			err: "SerializationException: invalid type: null, expected a string at line 2 column 17"},
		{name: "no condition", status: 400, err: noSuchTable,
			in: `{"TableName":"no-such-table","IndexName":"vix","SearchVector":[{"N":"1"}],"TopK":1,"ProjectionExpression":null}`},
	})
}

// TestValuesOfSearches checks the reader of attribute values, and what is judged of them before the
// table.
func TestValuesOfSearches(t *testing.T) {
	t.Parallel()
	vector := func(v string) string {
		return `{"TableName":"no-such-table","IndexName":"vix","SearchVector":[` + v + `],"TopK":1}`
	}
	values := func(v string) string {
		return `{"TableName":"no-such-table","IndexName":"vix","SearchVector":[{"N":"1"}],"TopK":1,"ExpressionAttributeValues":{":v":` + v + `}}`
	}
	member := func(members string) string {
		return `{"IndexName":"vix","SearchVector":[{"N":"1"}],"TopK":1,` + members + `}`
	}
	const useless = "ValidationException: ExpressionAttributeValues can only be specified when using expressions"
	const bad = "ValidationException: Search vector contains invalid values. All values in the search vector must be a 32-bit floating-point number attribute"
	cases := []rawCase{
		{name: "two types", in: values(`{"S":"x","N":"1"}`), body: `{"__type":"com.amazon.coral.service#SerializationException"}`},
		{name: "an unknown type", in: values(`{"Q":"x"}`), err: "SerializationException"},
		{name: "a null in a value", in: `{"SearchVector":[{"N":null}]}`,
			body: `{"__type":"com.amazon.coral.service#SerializationException","message":"invalid type: null, expected a string at line 1 column 26"}`},
		{name: "a number in a value", in: `{"SearchVector":[{"N":1}]}`,
			err: "SerializationException: invalid type: integer `1`, expected a string at line 1 column 23"},
		{name: "a truth value in quotes", in: values(`{"BOOL":"true"}`),
			err: "SerializationException: invalid type: string \"true\", expected a boolean at line 1 column 131"},
		{name: "a list that is none", in: values(`{"L":1}`),
			err: "SerializationException: invalid type: integer `1`, expected a sequence at line 1 column 123"},
		{name: "a map in a list", in: values(`{"L":[{"M":[]}]}`),
			err: "SerializationException: invalid type: sequence, expected a map at line 1 column 128"},
		{name: "a number in a set", in: values(`{"SS":["x",1]}`),
			err: "SerializationException: invalid type: integer `1`, expected a string at line 1 column 129"},

		{name: "the vector first", src: "service facts F.73",
			in: strings.Replace(vector(`{"S":"x"}`), "}],", "}],\"ExpressionAttributeValues\":{\":v\":{\"N\":\"x\"}},", 1), err: bad},
		{name: "a bad number", src: "service facts F.73", in: values(`{"N":"x"}`),
			err: "ValidationException: The parameter cannot be converted to a numeric value: x"},
		{name: "a type of another model", src: "service facts F.73", in: values(`{"INT":"1"}`),
			err: "ValidationException: This type mapping is not supported"},
		{name: "a value for nothing", src: "service facts F.73",
			in: values(`{"N":"1"}`), err: useless},
		{name: "an unknown capacity", src: "service facts F.74",
			in:  member(`"TableName":"t!","ReturnConsumedCapacity":"BAD"`),
			err: "ValidationException: Value 'BAD' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"},
		{name: "a short name", src: "service facts F.76", in: member(`"TableName":"T"`),
			err: "ValidationException: Value 'T' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3"},
		{name: "a malformed name", src: "service facts F.76", in: member(`"TableName":"a b!"`),
			err: "ValidationException: Value 'a b!' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
		{name: "text that is no JSON", src: "service facts F.77", in: `{"TableName":`,
			body: `{"__type":"com.amazon.coral.service#SerializationException"}`},
	}
	for _, v := range []string{`null`, `{}`, `1`, `[]`} {
		cases = append(cases,
			rawCase{name: v + " in the vector", in: vector(v), err: "SerializationException"},
			rawCase{name: v + " as a value", in: values(v), err: "SerializationException"})
	}
	for i := range cases {
		cases[i].status = 400
	}
	runRaw(t, defaults{src: "service facts F.71", op: "SearchVectors"}, cases)
}
