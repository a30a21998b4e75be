package conformance

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestKeyDefinitions(t *testing.T) {
	t.Parallel()
	gsi := func(elements ...string) string {
		return onDemand + `,"GlobalSecondaryIndexes":[{"IndexName":"idx","KeySchema":[` +
			strings.Join(elements, ",") + `],"Projection":{"ProjectionType":"ALL"}}]`
	}
	lsi := func(elements ...string) string {
		return strings.Replace(gsi(elements...), "Global", "Local", 1)
	}
	const (
		notDefined = invalidParameters +
			"Some index key attributes are not defined in AttributeDefinitions. "
		noDefinition = "ValidationException: Invalid KeySchema: Some index key attribute have no definition"
		sameName     = "ValidationException: Both the Hash Key and the Range Key element in the KeySchema have the same name"
	)
	run(t, defaults{src: "service facts 6.1", op: "CreateTable"}, []kase{
		{name: "GSI, sort key without definition",
			in: definition("a:S b:S", "a:HASH b:RANGE",
				gsi(element("a", "HASH"), element("c", "RANGE"))),
			err: notDefined + "Keys: [a, c], AttributeDefinitions: [a, b]"},
		{name: "LSI, sort key without definition",
			in: definition("a:S b:S", "a:HASH b:RANGE",
				lsi(element("a", "HASH"), element("c", "RANGE"))),
			err: notDefined + "Keys: [a, c], AttributeDefinitions: [a, b]"},
		{name: "GSI, partition key without definition",
			in: definition("a:S b:S", "a:HASH b:RANGE",
				gsi(element("z", "HASH"), element("b", "RANGE"))),
			err: notDefined + "Keys: [z, b], AttributeDefinitions: [a, b]"},
		{name: "GSI, before the order of HASH and RANGE",
			in: definition("a:S b:S", "a:HASH b:RANGE",
				gsi(element("c", "RANGE"), element("a", "HASH"))),
			err: notDefined + "Keys: [c, a], AttributeDefinitions: [a, b]"},
		{name: "LSI, before the order of HASH and RANGE",
			in: definition("a:S b:S", "a:HASH b:RANGE",
				lsi(element("a", "HASH"), element("c", "HASH"))),
			err: notDefined + "Keys: [a, c], AttributeDefinitions: [a, b]"},
	})
	run(t, defaults{src: "service facts 6.2", op: "CreateTable"}, []kase{
		{name: "fewer definitions than elements",
			in: definition("pk:S", "pk:HASH sk:RANGE", onDemand), err: noDefinition},
		{name: "one other definition for two elements",
			in: definition("x:S", "pk:HASH sk:RANGE", onDemand), err: noDefinition},
		{name: "the same attribute twice with one definition",
			in: definition("pk:S", "pk:HASH pk:RANGE", onDemand), err: noDefinition},
		{name: "another definition", in: definition("b:S", "a:HASH", onDemand),
			err: notDefined + "Keys: [a], AttributeDefinitions: [b]"},
		{name: "sort key without definition among enough",
			in:  definition("a:S x:S", "a:HASH b:RANGE", onDemand),
			err: notDefined + "Keys: [a, b], AttributeDefinitions: [x, a]"},
	})
	run(t, defaults{src: "service facts 6.3", op: "CreateTable"}, []kase{
		{name: "the same attribute as two HASH elements",
			in: definition("a:S b:S", "a:HASH a:HASH", onDemand), err: sameName},
		{name: "LSI, the same attribute as two HASH elements",
			in: definition("a:S b:S", "a:HASH b:RANGE",
				lsi(element("a", "HASH"), element("a", "HASH"))), err: sameName},
		{name: "two HASH elements", in: definition("a:S b:S", "a:HASH b:HASH", onDemand),
			err: "ValidationException: Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"},
	})
	const tooLong = "failed to satisfy constraint: Member must have length less than or equal to 2"
	run(t, defaults{src: "service facts 6.8", op: "CreateTable"}, []kase{
		{name: "LSI of three attributes",
			in: definition("a:S b:S c:S", "a:HASH b:RANGE",
				lsi(element("a", "HASH"), element("b", "RANGE"), element("c", "RANGE"))),
			err: "ValidationException: 1 validation error detected: Value '[*"},
		{name: "an empty list of local indexes", src: "service facts 6.9", raw: true,
			in:  definition("a:S", "a:HASH", onDemand+`,"LocalSecondaryIndexes":[]`),
			err: invalidParameters + "List of LocalSecondaryIndexes is empty"},
	})
	t.Run("three elements, one of them wrong", func(t *testing.T) { // service facts 6.10
		t.Parallel()
		_, err := send("CreateTable",
			definition("a:S b:S c:S", "a:HASH b:RANGE c:SOMETHING", onDemand), false)
		text := errorText(err)
		assert.Contains(t, text, "2 validation errors detected: ")
		assert.Contains(t, text, "at 'keySchema' "+tooLong)
		assert.Contains(t, text,
			"Value 'SOMETHING' at 'keySchema.3.member.keyType' failed to satisfy constraint: Member must satisfy enum value set: [HASH, RANGE]")
	})
}

func TestDefinitionsOfUpdateTable(t *testing.T) {
	t.Parallel()
	attribute := func(name, kind string) string {
		return `{"AttributeName":"` + name + `","AttributeType":"` + kind + `"}`
	}
	creating := func(table, definitions, index string) string {
		return `{"TableName":"` + table + `","AttributeDefinitions":[` + definitions +
			`],"GlobalSecondaryIndexUpdates":[{"Create":` + index + `}]}`
	}
	definitions := func(t *testing.T, table string) any {
		return at(t, describe(t, table), "AttributeDefinitions")
	}
	t.Run("another type for the key of an index", func(t *testing.T) { // service facts 6.5
		t.Parallel()
		table := newTable(t,
			keys("pk:S", "x:S")+`,"GlobalSecondaryIndexes":[`+index("first", "ALL", "x")+`]`).name
		refuse(t, "UpdateTable", creating(table, attribute("x", "N"), index("second", "ALL", "x")),
			invalidParameters+
				"Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. "+
				"Existing schema: Schema:[SchemaElement: key{x:S:HASH}] New schema: Schema:[SchemaElement: key{x:N:HASH}]")
	})
	// service facts 6.6
	t.Run("another type for a key that the new index has not", func(t *testing.T) {
		t.Parallel()
		table := newTable(t,
			keys("pk:S", "x:S")+`,"GlobalSecondaryIndexes":[`+index("first", "ALL", "x")+`]`).name
		call(t, "UpdateTable",
			creating(table, attribute("pk", "N")+`,`+attribute("x", "B")+`,`+attribute("y", "N"),
				index("second", "ALL", "y")))
		waitActive(t, table)
		assert.ElementsMatch(t,
			parseJSON(`[`+attribute("pk", "S")+`,`+attribute("x", "S")+`,`+attribute("y", "N")+`]`),
			definitions(t, table))
	})
	t.Run("a definition that no key uses", func(t *testing.T) { // service facts 6.7
		t.Parallel()
		table := newTable(t, keys("pk:S")).name
		call(t, "UpdateTable",
			creating(table, attribute("y", "N")+`,`+attribute("z", "S"), index("new", "ALL", "y")))
		waitActive(t, table)
		assert.ElementsMatch(t, parseJSON(`[`+attribute("pk", "S")+`,`+attribute("y", "N")+`]`),
			definitions(t, table))
	})
	// service facts D.1
	t.Run("throughput out of bounds of an index that is not there", func(t *testing.T) {
		t.Parallel()
		table := newTable(t,
			`"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},`+
				strings.TrimPrefix(keys("pk:S"), `"BillingMode":"PAY_PER_REQUEST",`)).name
		refuse(t, "UpdateTable",
			`{"TableName":"`+table+
				`","GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"abc","ProvisionedThroughput":{"ReadCapacityUnits":1000000000001,"WriteCapacityUnits":1000000000001}}}]}`,
			"ValidationException: This operation cannot be performed with given input values. Please contact DynamoDB service team for more info: Action Blocked: IndexUpdate")
		refuse(t, "UpdateTable",
			`{"TableName":"`+table+
				`","GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"abc","ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":2}}}]}`,
			"ResourceNotFoundException: Requested resource not found*")
	})
}

// TestTextsOfBadNames: service facts 7.1. The name of a table or an index breaks the constraints of
// a member, whatever the member. The text that begins with "Invalid table/index name" is not the
// service's.
func TestTextsOfBadNames(t *testing.T) {
	t.Parallel()
	const key = `"Key":{"pk":{"S":"a"}}`
	for name, c := range map[string]struct{ op, in string }{
		"a table":            {"DescribeTable", `{"TableName":"%s"}`},
		"a table of an item": {"GetItem", `{"TableName":"%s",` + key + `}`},
		"a table of a batch": {"BatchGetItem",
			`{"RequestItems":{"%s":{"Keys":[{"pk":{"S":"a"}}]}}}`},
		"a table of a transaction": {"TransactWriteItems",
			`{"TransactItems":[{"Delete":{"TableName":"%s",` + key + `}}]}`},
		"a table of a statement": {"ExecuteStatement", `{"Statement":"SELECT * FROM \"%s\""}`},
		"where a list starts":    {"ListTables", `{"ExclusiveStartTableName":"%s"}`},
		"an index":               {"Scan", `{"TableName":"@hash","IndexName":"%s"}`},
		"a new index": {"CreateTable",
			definition("a:S", "a:HASH",
				onDemand+`,"GlobalSecondaryIndexes":[`+index("%s", "ALL", "a")+`]`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			(&kase{src: "service facts 7.1"}).mark(t)
			for _, bad := range []string{"ab", "q!", "my name!", strings.Repeat("a", 256)} {
				_, err := send(c.op, expand(t, strings.Replace(c.in, "%s", bad, 1), ""), true)
				text := errorText(err)
				assert.Regexp(t,
					`^ValidationException: \d validation errors? detected: .* failed to satisfy constraint: `, text)
				assert.NotContains(t, text, "Invalid table/index name")
			}
		})
	}
}

// notFound returns the error of an operation on a table that does not exist. Operations on backups
// have an exception of their own.
func notFound(op string) string {
	if strings.Contains(op, "Backup") {
		return "TableNotFoundException: *"
	}
	return "ResourceNotFoundException: *"
}

// TestAccountsOfARNs: service facts 10.4.
func TestAccountsOfARNs(t *testing.T) {
	t.Parallel()
	const key = `"Key":{"pk":{"S":"a"}}`
	own := fixture(t, "hash").arn
	part := strings.Split(own, ":")
	with := func(i int, text string) string {
		changed := slices.Clone(part)
		changed[i] = text
		return strings.Join(changed, ":")
	}
	const stream = `,"StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/songs"`
	brief := map[string]string{ // the control plane, which does not say why: T.20
		"DescribeTable": `{"TableName":"%s"}`, "DescribeTimeToLive": `{"TableName":"%s"}`,
		"UpdateTable":                        `{"TableName":"%s","DeletionProtectionEnabled":false}`,
		"DeleteTable":                        `{"TableName":"%s"}`,
		"CreateBackup":                       `{"TableName":"%s","BackupName":"backup"}`,
		"DescribeContinuousBackups":          `{"TableName":"%s"}`,
		"DescribeContributorInsights":        `{"TableName":"%s"}`,
		"UpdateContributorInsights":          `{"TableName":"%s","ContributorInsightsAction":"ENABLE"}`,
		"DisableKinesisStreamingDestination": `{"TableName":"%s"` + stream + `}`,
	}
	all := map[string]string{
		"GetItem": `{"TableName":"%s",` + key + `}`,
		"PutItem": `{"TableName":"%s","Item":{"pk":{"S":"a"}}}`, "Scan": `{"TableName":"%s"}`,
		"BatchGetItem":       `{"RequestItems":{"%s":{"Keys":[{"pk":{"S":"a"}}]}}}`,
		"TransactWriteItems": `{"TransactItems":[{"Delete":{"TableName":"%s",` + key + `}}]}`,
		"TagResource":        `{"ResourceArn":"%s","Tags":[{"Key":"a","Value":"b"}]}`,
		"ListTagsOfResource": `{"ResourceArn":"%s"}`,
	}
	maps.Copy(all, brief)
	for op, in := range all {
		denied := "AccessDeniedException: *"
		if brief[op] != "" {
			denied = accessDenied
		}
		const malformed = invalidText + "Invalid TableArn: Invalid ResourceArn provided as input "
		foreign := malformed
		if strings.HasPrefix(in, `{"ResourceArn"`) {
			foreign = invalidParameters + "Provided Arn is not a DynamoDB resource arn: "
		}
		naming := func(arn string) string { return strings.Replace(in, "%s", arn, 1) }
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			run(t, defaults{src: "service facts 10.4", op: op}, []kase{
				{name: "another account", in: naming(with(4, "111122223333")), err: denied},
				{name: "one's own account", in: naming(own + "-x"), err: notFound(op)},
				{name: "cut off", in: naming("arn:aws:dynamodb"),
					err: foreign + "arn:aws:dynamodb"},
				{name: "no number of an account", in: naming(with(4, "1111")),
					err: malformed + with(4, "1111")},
				{name: "another service", in: naming(with(2, "s3")), err: foreign + with(2, "s3")},
			})
		})
	}
}
