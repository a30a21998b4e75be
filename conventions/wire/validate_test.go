package wire

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/api"
)

// validated decodes a request of shape In and returns the violations in the old wording.
func validated[In any](body string) (string, error) {
	in := new(In)
	if err := Decode(body, in, nil); err != nil {
		return "", err
	}
	var texts []string
	for _, v := range Validate(in) {
		texts = append(texts,
			"Value "+v.Java()+" at '"+v.Path+"' failed to satisfy constraint: "+v.Rule)
	}
	return strings.Join(texts, "; "), nil
}

// hash matches the part of a printed attribute value without meaning.
var hash = regexp.MustCompile(`AttributeValue@[0-9a-f]+`)

// TestLongValues: a message quotes a part of a long value.
// A request without violations allocates no paths.
func TestValidateAllocatesNothing(t *testing.T) {
	var in api.BatchWriteItemInput
	require.NoError(t,
		Decode(`{"RequestItems":{"table":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"b"}}}}]}}`, &in, nil))
	require.Empty(t, Validate(&in))
	assert.Zero(t, testing.AllocsPerRun(100, func() { Validate(&in) }))
}

func TestLongValues(t *testing.T) {
	for name, body := range map[string]string{
		"a list": `{"TransactItems":[` + strings.Repeat("{},", 1<<20) + `{}]}`,
		"a text": `{"TransactItems":[{}],"ReturnConsumedCapacity":"` +
			strings.Repeat("é", longestQuoted) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			got, err := validated[api.TransactWriteItemsInput](body)
			require.NoError(t, err)
			assert.Less(t, len(got), longestQuoted+1000)
			assert.Contains(t, got, "…' at '")
			assert.True(t, utf8.ValidString(got))
		})
	}
}

func TestValidate(t *testing.T) {
	const fail = " failed to satisfy constraint: "
	get, put, query, create :=
		validated[api.GetItemInput], validated[api.PutItemInput], validated[api.QueryInput],
		validated[api.CreateTableInput]
	batchGet, batchWrite := validated[api.BatchGetItemInput], validated[api.BatchWriteItemInput]
	long := "arn:" + strings.Repeat("x", 1021)
	for _, c := range []struct {
		name, body string
		validate   decodeFunc
		want       []string // violations
	}{
		{"nothing wrong", `{"TableName":"tab","Key":{"k":{"S":"v"}}}`, get, nil},
		{"an empty map is not null", `{"TableName":"tab","Key":{}}`, get, nil},
		{"one required member", `{"TableName":"tab"}`, get,
			[]string{"Value null at 'key'" + fail + "Member must not be null"}},
		{"all required members", `{}`, put, []string{
			"Value null at 'item'" + fail + "Member must not be null",
			"Value null at 'tableName'" + fail + "Member must not be null"}},

		{"too short", `{"TableName":"","Key":{}}`, get,
			[]string{"Value '' at 'tableName'" + fail +
				"Member must have length greater than or equal to 1"}},
		{"too long", `{"TableName":"` + long + `","Key":{}}`, get,
			[]string{"Value '" + long + "' at 'tableName'" + fail +
				"Member must have length less than or equal to 1024"}},
		{"as long as can be", `{"TableName":"` + long[:1024] + `","Key":{}}`, get, nil},
		{"length in UTF-16", `{"TableName":"arn:` + strings.Repeat("😀", 510) + `","Key":{}}`, get,
			nil},
		{"length in UTF-16, too long",
			`{"TableName":"arn:` + strings.Repeat("😀", 511) + `","Key":{}}`, get,
			[]string{"Value 'arn:" + strings.Repeat("😀", 511) + "' at 'tableName'" + fail +
				"Member must have length less than or equal to 1024"}},
		{"pattern", `{"TableName":"tab","IndexName":"a b"}`, query,
			[]string{"Value 'a b' at 'indexName'" + fail +
				"Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"}},
		{"pattern and length", `{"TableName":"tab","IndexName":""}`, query, []string{
			"Value '' at 'indexName'" + fail + "Member must have length greater than or equal to 3",
			"Value '' at 'indexName'" + fail +
				"Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"}},
		{"enum", `{"TableName":"tab","Item":{},"ReturnValues":"x"}`, put,
			[]string{"Value 'x' at 'returnValues'" + fail +
				"Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"}},
		{"enum in small letters", `{"TableName":"tab","ConditionalOperator":"and"}`, query,
			[]string{"Value 'and' at 'conditionalOperator'" + fail +
				"Member must satisfy enum value set: [OR, AND]"}},
		{"enum with two values in a slot",
			`{"TableName":"tab","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"x"}}`,
			create, []string{
				"Value 'x' at 'streamSpecification.streamViewType'" + fail +
					"Member must satisfy enum value set: [OLD_IMAGE, KEYS_ONLY, NEW_AND_OLD_IMAGES, NEW_IMAGE]"}},
		{"the member that is checked first",
			`{"TableName":"tab","ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0}}`, create, []string{
				"Value '0' at 'provisionedThroughput.writeCapacityUnits'" + fail +
					"Member must have value greater than or equal to 1",
				"Value '0' at 'provisionedThroughput.readCapacityUnits'" + fail +
					"Member must have value greater than or equal to 1"}},
		{"number too small", `{"TableName":"tab","Limit":0}`, query,
			[]string{"Value '0' at 'limit'" + fail +
				"Member must have value greater than or equal to 1"}},
		{"number too large", `{"Limit":101}`, validated[api.ListTablesInput],
			[]string{"Value '101' at 'limit'" + fail +
				"Member must have value less than or equal to 100"}},
		{"number that may be 0", `{"TableName":"tab","Segment":0,"TotalSegments":1}`,
			validated[api.ScanInput], nil},
		{"negative number", `{"TableName":"tab","Segment":-1}`, validated[api.ScanInput],
			[]string{"Value '-1' at 'segment'" + fail +
				"Member must have value greater than or equal to 0"}},
		{"empty list", `{"TableName":"tab","Key":{},"AttributesToGet":[]}`, get,
			[]string{"Value '[]' at 'attributesToGet'" + fail +
				"Member must have length greater than or equal to 1"}},

		{"members of list elements",
			`{"TableName":"tab","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"KeyType":"SORT"}]}`, create, []string{
				"Value null at 'keySchema.2.member.attributeName'" + fail +
					"Member must not be null",
				"Value 'SORT' at 'keySchema.2.member.keyType'" + fail +
					"Member must satisfy enum value set: [HASH, RANGE]"}},
		{"deep members",
			`{"TableName":"tab","GlobalSecondaryIndexes":[{"IndexName":"abc","KeySchema":[],"Projection":{"ProjectionType":"x"}}]}`, create, []string{
				"Value '[]' at 'globalSecondaryIndexes.1.member.keySchema'" + fail +
					"Member must have length greater than or equal to 1",
				"Value 'x' at 'globalSecondaryIndexes.1.member.projection.projectionType'" + fail +
					"Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]"}},
		{"scalars of a list",
			`{"TableName":"tab","AttributesToGet":["a","` + strings.Repeat("b", 65_536) + `"]}`,
			query, []string{
				"Value '[a, " + strings.Repeat("b", 65_536) + "]' at 'attributesToGet'" + fail +
					"Member must satisfy constraint: [Member must have length less than or equal to 65535]"}},
		{"members of map entries", `{"RequestItems":{"a.b":{}}}`, batchGet,
			[]string{"Value null at 'requestItems.a.b.member.keys'" + fail +
				"Member must not be null"}},
		{"lists in maps", `{"RequestItems":{"tab":{"Keys":[]}}}`, batchGet,
			[]string{"Value '[]' at 'requestItems.tab.member.keys'" + fail +
				"Member must have length greater than or equal to 1"}},
		{"members of lists in maps", `{"RequestItems":{"tab":[{"PutRequest":{}}]}}`, batchWrite,
			[]string{"Value null at 'requestItems.tab.member.1.member.putRequest.item'" + fail +
				"Member must not be null"}},
		{"null among keys", `{"RequestItems":{"tab":{"Keys":[{},null]}}}`, batchGet,
			[]string{"Value null at 'requestItems.tab.member.keys.2.member'" + fail +
				"Member must not be null"}},
		{"null among values",
			`{"TableName":"tab","KeyConditions":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[null]}}}`, query,
			[]string{"Value null at 'keyConditions.a.member.attributeValueList.1.member'" + fail +
				"Member must not be null"}},
		{"null among structures", `{"TableName":"tab","KeySchema":[null]}`, create, []string{
			"Value null at 'keySchema.1.member.attributeName'" + fail + "Member must not be null",
			"Value null at 'keySchema.1.member.keyType'" + fail + "Member must not be null"}},
		{"empty map", `{"RequestItems":{}}`, batchWrite,
			[]string{"Value '{}' at 'requestItems'" + fail +
				"Member must have length greater than or equal to 1"}},
		{"values of a map",
			`{"RequestItems":{"tab":[],"uvw":[{"DeleteRequest":{"Key":{"a":{"S":"b"},"c":{"N":"1"}}}}]}}`, batchWrite, []string{
				"Value '{tab=[], uvw=[WriteRequest(putRequest=null, deleteRequest=DeleteRequest(key={" +
					"a=AttributeValue(s=b, n=null, b=null, iNT=null, dECIMAL=null, dOUBLE=null, sS=null, nS=null, bS=null, iNTSET=null, dECIMALSET=null, dOUBLESET=null, m=null, l=null, nULL=null, bOOL=null), " +
					"c=AttributeValue(s=null, n=1, b=null, iNT=null, dECIMAL=null, dOUBLE=null, sS=null, nS=null, bS=null, iNTSET=null, dECIMALSET=null, dOUBLESET=null, m=null, l=null, nULL=null, bOOL=null)}, workloadProfileName=null))]}' at 'requestItems'" + fail +
					"Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]"}},
		{"keys of a map", `{"RequestItems":{"":[{"PutRequest":{"Item":{}}}]}}`,
			batchWrite, []string{
				"Value '{=[WriteRequest(putRequest=PutRequest(item={}, workloadProfileName=null), deleteRequest=null)]}' at 'requestItems'" + fail +
					"Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"}},
		{"at most ten", `{"TableName":"tab","AttributeDefinitions":[{},{},{},{},{},{}]}`,
			create, []string{
				"Value null at 'attributeDefinitions.1.member.attributeType'" + fail +
					"Member must not be null",
				"Value null at 'attributeDefinitions.1.member.attributeName'" + fail +
					"Member must not be null",
				"Value null at 'attributeDefinitions.2.member.attributeType'" + fail +
					"Member must not be null",
				"Value null at 'attributeDefinitions.2.member.attributeName'" + fail +
					"Member must not be null",
				"Value null at 'attributeDefinitions.3.member.attributeType'" + fail +
					"Member must not be null",
				"Value null at 'attributeDefinitions.3.member.attributeName'" + fail +
					"Member must not be null",
				"Value null at 'attributeDefinitions.4.member.attributeType'" + fail +
					"Member must not be null",
				"Value null at 'attributeDefinitions.4.member.attributeName'" + fail +
					"Member must not be null",
				"Value null at 'attributeDefinitions.5.member.attributeType'" + fail +
					"Member must not be null",
				"Value null at 'attributeDefinitions.5.member.attributeName'" + fail +
					"Member must not be null",
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.validate(c.body)
			require.NoError(t, err)
			assert.Equal(t, strings.Join(c.want, "; "),
				hash.ReplaceAllString(got, "AttributeValue@"))
		})
	}
}

func TestEnumAsPrinted(t *testing.T) {
	for printed, of := range map[string]reflect.Type{ // all of them as users have reported them
		"AFTER_SEQUENCE_NUMBER, LATEST, AT_TIMESTAMP, AT_SEQUENCE_NUMBER, TRIM_HORIZON":            reflect.TypeFor[api.ShardIteratorType](),
		"IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS": reflect.TypeFor[api.ComparisonOperator](),
		"ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW":                                         reflect.TypeFor[api.ReturnValue](),
		"SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES":                     reflect.TypeFor[api.Select](),
		"INDEXES, TOTAL, NONE": reflect.TypeFor[api.ReturnConsumedCapacity](),
		"B, N, S":              reflect.TypeFor[api.ScalarAttributeType](),
		// service facts V.1.9
		"DOT_PRODUCT, COSINE, EUCLIDEAN": reflect.TypeFor[api.VectorDistanceFunction](),
	} {
		t.Run(printed, func(t *testing.T) {
			c, ok := api.ConstraintOf(of)
			require.True(t, ok)
			assert.Equal(t, printed, strings.Join(asPrinted(c.Enum), ", "))
		})
	}
}

func TestJavaString(t *testing.T) {
	var in api.CreateTableInput
	require.NoError(
		t, Decode(`{"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"Tags":[{"Key":"a","Value":"b"},{"Key":"c"}],
		"ProvisionedThroughput":{"ReadCapacityUnits":5},"StreamSpecification":{"StreamEnabled":true}}`, &in, nil))
	for _, c := range []struct{ name, got, want string }{
		{"a list of structures", printed(&in.Tags),
			"[Tag(key=a, value=b), Tag(key=c, value=null)]"},
		{"a list of opaque structures", printed(&in.KeySchema),
			"[com.amazonaws.dynamodb.v20120810.KeySchemaElement@cba22b04]"},
		{"numbers", printed(in.ProvisionedThroughput),
			"ProvisionedThroughput(readCapacityUnits=5, writeCapacityUnits=null)"},
		{"booleans", printed(in.StreamSpecification),
			"StreamSpecification(streamEnabled=true, streamViewType=null)"},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, c.got) })
	}
}

func printed(v any) string {
	p, pl := open(v)
	return javaString(pl, p)
}

func TestGoPattern(t *testing.T) {
	for _, test := range []struct {
		pattern, text string
		want          bool
	}{
		{`\p{Print}+`, "a b~", true},
		{`\p{Print}+`, "a\n", false},
		{`[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\r\n\t]*`, "é😀\n", true},
		{`[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\r\n\t]*`, "\x00", false},
	} {
		assert.Equal(t, test.want, matcher(test.pattern)(test.text), "%q %q", test.pattern,
			test.text)
	}
}
