package conformance

import (
	"fmt"
	"strings"
	"testing"
)

// definition writes a CreateTable request that must be refused.
func definition(attributes, schema, more string) string {
	var defs, elements []string
	for _, term := range strings.Fields(attributes) {
		name, kind, _ := strings.Cut(term, ":")
		defs = append(defs, fmt.Sprintf(`{"AttributeName":%q,"AttributeType":%q}`, name, kind))
	}
	for _, term := range strings.Fields(schema) {
		name, kind, _ := strings.Cut(term, ":")
		elements = append(elements, fmt.Sprintf(`{"AttributeName":%q,"KeyType":%q}`, name, kind))
	}
	return `{"TableName":"kugiri-conformance-refused","AttributeDefinitions":[` +
		strings.Join(defs, ",") + `],"KeySchema":[` + strings.Join(elements, ",") + `]` + more + `}`
}

const onDemand = `,"BillingMode":"PAY_PER_REQUEST"`

func TestCreateTableRules(t *testing.T) {
	t.Parallel()
	const invalid = "ValidationException: One or more parameter values were invalid: "
	const detected = "ValidationException: 1 validation error detected: "
	const undefined = "ValidationException: Invalid KeySchema: Some index key attribute have no definition"
	run(t, defaults{
		src: "API Reference, CreateTable, KeySchema and AttributeDefinitions", op: "CreateTable",
	}, []kase{
		{name: "RANGE first", in: definition("pk:S sk:S", "pk:RANGE sk:HASH", onDemand),
			err: "ValidationException: Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{name: "RANGE alone", in: definition("pk:S", "pk:RANGE", onDemand),
			err: "ValidationException: Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{name: "two HASH", in: definition("pk:S sk:S", "pk:HASH sk:HASH", onDemand),
			err: "ValidationException: Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"},
		{name: "the same attribute twice",
			in:  definition("pk:S sk:S", "pk:HASH pk:RANGE", onDemand),
			err: "ValidationException: Both the Hash Key and the Range Key element in the KeySchema have the same name"},
		// worded as a model constraint until key schemas of more than two came
		{name: "three elements",
			in:  definition("pk:S sk:S x:S", "pk:HASH sk:RANGE x:RANGE", onDemand),
			err: "ValidationException: *"},
		{name: "no elements", raw: true, in: definition("pk:S", "", onDemand),
			err: detected +
				"Value '[]' at 'keySchema' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{name: "an attribute without definition", in: definition("x:S", "pk:HASH", onDemand),
			err: invalid +
				"Some index key attributes are not defined in AttributeDefinitions. Keys: [pk], AttributeDefinitions: [x]"},
		{name: "a sort key without definition",
			in: definition("pk:S", "pk:HASH sk:RANGE", onDemand), err: undefined},
		{name: "a definition without use", in: definition("pk:S x:S", "pk:HASH", onDemand),
			err: invalid +
				"Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions"},
		{name: "a definition without use beside an index",
			in: definition("pk:S g:S x:S", "pk:HASH",
				onDemand+`,"GlobalSecondaryIndexes":[`+index("byg", "ALL", "g")+`]`),
			err: invalid + "Some AttributeDefinitions are not used. AttributeDefinitions: [*"},
		{name: "two definitions of an attribute", in: definition("pk:S pk:N", "pk:HASH", onDemand),
			err: "ValidationException: Attribute Name is duplicated: pk"},
		{name: "unknown attribute type", in: definition("pk:SS", "pk:HASH", onDemand),
			err: detected +
				"Value 'SS' at 'attributeDefinitions.1.member.attributeType' failed to satisfy constraint: Member must satisfy enum value set: [B, N, S]"},
		{name: "unknown key type", in: definition("pk:S", "pk:PRIMARY", onDemand),
			err: detected +
				"Value 'PRIMARY' at 'keySchema.1.member.keyType' failed to satisfy constraint: Member must satisfy enum value set: [HASH, RANGE]"},
		{name: "second attribute definition",
			in: definition("pk:S sk:X", "pk:HASH sk:RANGE", onDemand),
			err: detected +
				"Value 'X' at 'attributeDefinitions.2.member.attributeType' failed to satisfy constraint: Member must satisfy enum value set: [B, N, S]"},
		{name: "two violations", in: definition("pk:X", "pk:Y", onDemand),
			err: "ValidationException: 2 validation errors detected: Value 'Y' at 'keySchema.1.member.keyType' failed to satisfy constraint: Member must satisfy enum value set: [HASH, RANGE]; Value 'X' at 'attributeDefinitions.1.member.attributeType' failed to satisfy constraint: Member must satisfy enum value set: [B, N, S]"},
		{name: "attribute without name", raw: true,
			in: `{"TableName":"kugiri-conformance-refused","AttributeDefinitions":[{"AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`, err: detected + "Value null at 'attributeDefinitions.1.member.attributeName' failed to satisfy constraint: Member must not be null"},
		{name: "key without type", raw: true,
			in: `{"TableName":"kugiri-conformance-refused","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk"}],"BillingMode":"PAY_PER_REQUEST"}`, err: detected + "Value null at 'keySchema.1.member.keyType' failed to satisfy constraint: Member must not be null"},
		// the order of its two violations is not on record
		{name: "key name that is too long",
			in: definition(strings.Repeat("k", 256)+":S", strings.Repeat("k", 256)+":HASH",
				onDemand), err: "ValidationException: *"},
		// optional in the model since 2025, yet needed
		{name: "no keys at all", raw: true,
			in:  `{"TableName":"kugiri-conformance-refused","BillingMode":"PAY_PER_REQUEST"}`,
			err: "ValidationException: 2 validation errors detected: Value null at 'attributeDefinitions' failed to satisfy constraint: Member must not be null; Value null at 'keySchema' failed to satisfy constraint: Member must not be null"},
		{name: "ARN for a name",
			in: strings.Replace(definition("pk:S", "pk:HASH", onDemand),
				"kugiri-conformance-refused",
				"arn:aws:dynamodb:us-east-1:000000000000:table/refused", 1),
			err: "ValidationException: 1 validation error detected: Value 'arn:aws:dynamodb:us-east-1:000000000000:table/refused' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
	})
	provisioned := func(units string) string {
		return definition("pk:S", "pk:HASH", units)
	}
	run(t, defaults{
		src: "API Reference, CreateTable, BillingMode and ProvisionedThroughput", op: "CreateTable",
	}, []kase{
		{name: "no throughput", in: provisioned(``),
			err: invalid +
				"ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"},
		{name: "PROVISIONED without throughput", in: provisioned(`,"BillingMode":"PROVISIONED"`),
			err: invalid +
				"ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"},
		{name: "PAY_PER_REQUEST with throughput",
			in: provisioned(onDemand +
				`,"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}`),
			err: invalid +
				"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"},
		{name: "throughput of zero",
			in: provisioned(
				`,"ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":1}`),
			err: detected +
				"Value '0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{name: "throughput of zero twice",
			in: provisioned(
				`,"ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0}`),
			err: "ValidationException: 2 validation errors detected: Value '0' at 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must have value greater than or equal to 1; Value '0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{name: "throughput without one of its halves", raw: true,
			in: provisioned(`,"ProvisionedThroughput":{"ReadCapacityUnits":1}`),
			err: detected +
				"Value null at 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must not be null"},
		{name: "unknown billing mode", in: provisioned(`,"BillingMode":"FREE"`),
			err: detected +
				"Value 'FREE' at 'billingMode' failed to satisfy constraint: Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]"},
		{name: "throughput of an index on demand",
			in: definition("pk:S g:S", "pk:HASH",
				onDemand+`,"GlobalSecondaryIndexes":[`+
					strings.TrimSuffix(index("byg", "ALL", "g"), "}")+
					`,"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}]`),
			err: invalid +
				"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST || " + invalid + "ProvisionedThroughput should not be specified for index: byg when BillingMode is PAY_PER_REQUEST"},
		{name: "index without throughput",
			in: definition("pk:S g:S", "pk:HASH",
				`,"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},"GlobalSecondaryIndexes":[`+index("byg", "ALL", "g")+`]`), err: invalid + "ProvisionedThroughput is not specified for index: byg"},
		{name: "on-demand throughput of a provisioned table",
			in: provisioned(
				`,"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},"OnDemandThroughput":{"MaxReadRequestUnits":1}`), err: invalid + "MaxReadRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED."},
		{name: "unknown table class", in: provisioned(onDemand + `,"TableClass":"GLACIER"`),
			src: "ack-api-quirks, DDB-TABLE-442",
			err: "ValidationException: Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, STANDARD_INFREQUENT_ACCESS]."},
		{name: "stream without a view type",
			in: provisioned(onDemand + `,"StreamSpecification":{"StreamEnabled":true}`),
			err: invalid +
				"Table is being created with a stream enabled, UpdateViewType is required"},
		{name: "no stream with a view type",
			in: provisioned(onDemand +
				`,"StreamSpecification":{"StreamEnabled":false,"StreamViewType":"KEYS_ONLY"}`),
			err: invalid +
				"Table is being created with a stream disabled, UpdateViewType should not be specified"},
		{name: "unknown view type",
			in: provisioned(onDemand +
				`,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"ALL"}`),
			err: detected +
				"Value 'ALL' at 'streamSpecification.streamViewType' failed to satisfy constraint: Member must satisfy enum value set: [OLD_IMAGE, KEYS_ONLY, NEW_AND_OLD_IMAGES, NEW_IMAGE]"},
	})
}

func TestIndexRules(t *testing.T) {
	t.Parallel()
	const invalid = "ValidationException: One or more parameter values were invalid: "
	const detected = "ValidationException: 1 validation error detected: "
	local := func(indexes ...string) string {
		return definition("pk:S sk:S l:S", "pk:HASH sk:RANGE",
			onDemand+`,"LocalSecondaryIndexes":[`+strings.Join(indexes, ",")+`]`)
	}
	global := func(indexes ...string) string {
		return definition("pk:S g:S", "pk:HASH",
			onDemand+`,"GlobalSecondaryIndexes":[`+strings.Join(indexes, ",")+`]`)
	}
	many := func(n int, attributes ...string) []string {
		indexes := make([]string, n)
		for i := range indexes {
			indexes[i] = index(fmt.Sprintf("index-%d", i), "KEYS_ONLY", attributes...)
		}
		return indexes
	}
	wide := func(n int) string {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("attribute%d", i)
		}
		return "INCLUDE " + strings.Join(names, ",")
	}
	run(t, defaults{
		src: "API Reference, CreateTable, LocalSecondaryIndexes and GlobalSecondaryIndexes",
		op:  "CreateTable",
	}, []kase{
		{name: "local index of a table without sort key",
			in: definition("pk:S l:S", "pk:HASH",
				onDemand+`,"LocalSecondaryIndexes":[`+index("byl", "ALL", "pk", "l")+`]`),
			err: invalid +
				"Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex"},
		{name: "local index without sort key",
			in: definition("pk:S sk:S", "pk:HASH sk:RANGE",
				onDemand+`,"LocalSecondaryIndexes":[`+index("byl", "ALL", "pk")+`]`),
			err: invalid + "Index KeySchema does not have a range key for index: byl"},
		{name: "local index of another partition key", in: local(index("byl", "ALL", "l", "sk")),
			err: invalid +
				"Index KeySchema does not have the same leading hash key as table KeySchema for index: byl. index hash key: l, table hash key: pk"},
		{name: "six local indexes", in: local(many(6, "pk", "l")...),
			err: "LimitExceededException: * || ValidationException: One or more parameter values were invalid: Number of LocalSecondaryIndexes exceeds per-table limit of 5"},
		{name: "21 global indexes", in: global(many(21, "g")...),
			err: "LimitExceededException: * || " + invalid +
				"GlobalSecondaryIndex count exceeds the per-table limit of 20 || ValidationException: One or more parameter values were invalid: Number of GlobalSecondaryIndexes exceeds per-table limit of 20*"},
		{name: "no local indexes in the list", raw: true, in: local(),
			err: invalid + "List of LocalSecondaryIndexes is empty"},
		{name: "no global indexes in the list", raw: true, in: global(),
			err: invalid + "List of GlobalSecondaryIndexes is empty"},
		{name: "two indexes of a name",
			in:  global(index("same", "ALL", "g"), index("same", "ALL", "g")),
			err: invalid + "Duplicate index name: same"},
		{name: "local and global index of a name",
			in: definition("pk:S sk:S l:S", "pk:HASH sk:RANGE",
				onDemand+`,"LocalSecondaryIndexes":[`+index("same", "ALL", "pk", "l")+
					`],"GlobalSecondaryIndexes":[`+index("same", "ALL", "l")+`]`),
			err: invalid + "Duplicate index name: same"},
		{name: "index key without definition", in: global(index("byg", "ALL", "nope")),
			err: invalid +
				"Some index key attributes are not defined in AttributeDefinitions. Keys: [nope], AttributeDefinitions: [*"},
		{name: "index name of two characters", in: global(index("ab", "ALL", "g")),
			err: detected +
				"Value 'ab' at 'globalSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must have length greater than or equal to 3"},
		{name: "index name with other characters", in: global(index("a b!", "ALL", "g")),
			err: detected +
				"Value 'a b!' at 'globalSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
		{name: "no projection", raw: true,
			in: global(`{"IndexName":"byg","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}`),
			err: detected +
				"Value null at 'globalSecondaryIndexes.1.member.projection' failed to satisfy constraint: Member must not be null"},
		{name: "no projection type",
			in: global(
				`{"IndexName":"byg","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{}}`), err: invalid + "Unknown ProjectionType: null"},
		{name: "unknown projection type", in: global(index("byg", "SOME", "g")),
			err: detected +
				"Value 'SOME' at 'globalSecondaryIndexes.1.member.projection.projectionType' failed to satisfy constraint: Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]"},
		{name: "ALL with attributes", in: global(index("byg", "ALL x", "g")),
			err: invalid + "ProjectionType is ALL, but NonKeyAttributes is specified"},
		{name: "KEYS_ONLY with attributes", in: global(index("byg", "KEYS_ONLY x", "g")),
			err: invalid + "ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified"},
		{name: "INCLUDE without attributes", in: global(index("byg", "INCLUDE", "g")),
			err: invalid + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"},
		{name: "INCLUDE of none", raw: true,
			in: global(
				`{"IndexName":"byg","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":[]}}`), err: detected + "Value '[]' at 'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{name: "INCLUDE of 21",
			src: "Developer Guide, Constraints, Projected secondary index attributes per table",
			in:  global(index("byg", wide(21), "g")), err: "ValidationException: *"},
		{name: "more than 100 included in all",
			src: "Developer Guide, Constraints, Projected secondary index attributes per table",
			in: global(index("in1", wide(20), "g"), index("in2", wide(20), "g"),
				index("in3", wide(20), "g"), index("in4", wide(20), "g"),
				index("in5", wide(20), "g"), index("in6", wide(20), "g")),
			err: "ValidationException: *"},
		{name: "global index with RANGE first",
			in: global(
				`{"IndexName":"byg","KeySchema":[{"AttributeName":"g","KeyType":"RANGE"},{"AttributeName":"pk","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}`), err: "ValidationException: Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{name: "local index of two HASH attributes",
			src: "Developer Guide, Global secondary indexes, Multi-attribute keys",
			in: local(
				`{"IndexName":"byl","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"l","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}`), err: "ValidationException: Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"},
		{name: "five HASH attributes",
			src: "Developer Guide, Global secondary indexes, Multi-attribute keys",
			in: definition("pk:S a:S b:S c:S d:S e:S", "pk:HASH",
				onDemand+`,"GlobalSecondaryIndexes":[{"IndexName":"five","KeySchema":[`+
					strings.Join(
						[]string{element("a", "HASH"), element("b", "HASH"), element("c", "HASH"),
							element("d", "HASH"), element("e", "HASH")}, ",")+
					`],"Projection":{"ProjectionType":"ALL"}}]`), err: "ValidationException: *"},
		{name: "five RANGE attributes",
			src: "Developer Guide, Global secondary indexes, Multi-attribute keys",
			in: definition("pk:S a:S b:S c:S d:S e:S", "pk:HASH",
				onDemand+`,"GlobalSecondaryIndexes":[{"IndexName":"five","KeySchema":[`+
					strings.Join(
						[]string{element("pk", "HASH"), element("a", "RANGE"),
							element("b", "RANGE"), element("c", "RANGE"), element("d", "RANGE"),
							element("e", "RANGE")}, ",")+
					`],"Projection":{"ProjectionType":"ALL"}}]`), err: "ValidationException: *"},
		{name: "HASH after RANGE",
			src: "Developer Guide, Global secondary indexes, Multi-attribute keys",
			in: definition("pk:S a:S b:S", "pk:HASH",
				onDemand+`,"GlobalSecondaryIndexes":[{"IndexName":"mixed","KeySchema":[`+
					element("pk", "HASH")+`,`+element("a", "RANGE")+`,`+element("b", "HASH")+
					`],"Projection":{"ProjectionType":"ALL"}}]`), err: "ValidationException: *"},
	})
	t.Run("four HASH and four RANGE attributes", func(t *testing.T) {
		t.Parallel()
		newTable(t,
			keys("pk:S", "a:S", "b:N", "c:B", "d:S", "e:S", "f:N", "g:B", "h:S")+
				`,"GlobalSecondaryIndexes":[{"IndexName":"eight","KeySchema":[`+
				strings.Join(
					[]string{element("a", "HASH"), element("b", "HASH"), element("c", "HASH"),
						element("d", "HASH"), element("e", "RANGE"), element("f", "RANGE"),
						element("g", "RANGE"), element("h", "RANGE")}, ",")+
				`],"Projection":{"ProjectionType":"ALL"}}]`)
	})
	t.Run("5 local and 20 global indexes", func(t *testing.T) {
		t.Parallel()
		var globals []string
		for i := range 20 {
			globals = append(globals, index(fmt.Sprintf("global-%d", i), "KEYS_ONLY", "l"))
		}
		newTable(t,
			keys("pk:S", "sk:S", "l:S")+`,"LocalSecondaryIndexes":[`+
				strings.Join(many(5, "pk", "l"), ",")+`],"GlobalSecondaryIndexes":[`+
				strings.Join(globals, ",")+`]`)
	})
}

// element writes an element of a key schema.
func element(name, kind string) string {
	return `{"AttributeName":"` + name + `","KeyType":"` + kind + `"}`
}
