package conformance

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// assertHas checks that an answer has all given members. It may have others too.
func assertHas(t assert.TestingT, want string, got any) {
	var missing []string
	lacks("", normal(parseJSON(want)), normal(got), &missing)
	assert.Empty(t, missing, "in %s", encode(got))
}

func lacks(path string, want, got any, missing *[]string) {
	switch want := want.(type) {
	case map[string]any:
		members, _ := got.(map[string]any)
		for name, member := range want {
			lacks(path+"."+name, member, members[name], missing)
		}
	case []any:
		elements, _ := got.([]any)
		if len(elements) != len(want) {
			*missing = append(*missing,
				fmt.Sprintf("%s: want %s, got %s", path, encode(want), encode(got)))
			return
		}
		for i := range want {
			lacks(fmt.Sprintf("%s[%d]", path, i), want[i], elements[i], missing)
		}
	default:
		if want != got {
			*missing = append(*missing,
				fmt.Sprintf("%s: want %s, got %s", path, encode(want), encode(got)))
		}
	}
}

// describe gives the TableDescription of a table.
func describe(t testing.TB, name string) map[string]any {
	return at(t, call(t, "DescribeTable", `{"TableName":"`+name+`"}`), "Table").(map[string]any)
}

func TestCreateTable(t *testing.T) { // API Reference, CreateTable and TableDescription
	t.Parallel()
	hash := `"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]`
	rows := []struct {
		name, definition, want string
		absent                 []string
	}{
		{"on demand",
			keys("pk:S",
				"sk:N"), `{"TableStatus":"ACTIVE","ItemCount":0,"TableSizeBytes":0,"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0,"NumberOfDecreasesToday":0},
			"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"}],"DeletionProtectionEnabled":false}`,
			[]string{"GlobalSecondaryIndexes", "LocalSecondaryIndexes", "StreamSpecification",
				"LatestStreamArn", "SSEDescription", "TableClassSummary", "OnDemandThroughput",
				"Replicas"}},
		{"provisioned",
			hash + `,"ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":2}`,
			`{"ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":2,"NumberOfDecreasesToday":0}}`, []string{"BillingModeSummary"}},
		{"provisioned by name",
			hash + `,"BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}`, `{"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}`, nil},
		// AWS CLI Command Reference, create-table, GameScores
		{"definitions are sorted",
			`"AttributeDefinitions":[{"AttributeName":"UserId","AttributeType":"S"},{"AttributeName":"GameTitle","AttributeType":"S"}],"KeySchema":[{"AttributeName":"UserId","KeyType":"HASH"},{"AttributeName":"GameTitle","KeyType":"RANGE"}]` + onDemand, `{"AttributeDefinitions":[{"AttributeName":"GameTitle","AttributeType":"S"},{"AttributeName":"UserId","AttributeType":"S"}]}`, nil},
		{"binary key", keys("pk:B"),
			`{"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"B"}]}`, nil},
		{"global index",
			keys("pk:S", "g:S") + `,"GlobalSecondaryIndexes":[` +
				index("byg", "INCLUDE x,y", "g",
					"pk") + `]`,
			`{"GlobalSecondaryIndexes":[{"IndexName":"byg","IndexStatus":"ACTIVE","ItemCount":0,"IndexSizeBytes":0,"ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0,"NumberOfDecreasesToday":0},
			"KeySchema":[{"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"pk","KeyType":"RANGE"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x","y"]}}]}`, nil},
		{"provisioned global index",
			`"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},
			"GlobalSecondaryIndexes":[{"IndexName":"byg","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},"ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":3}}]`, `{"GlobalSecondaryIndexes":[{"ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":3}}]}`, nil},
		{"local index",
			keys("pk:S", "sk:S", "l:N") + `,"LocalSecondaryIndexes":[` +
				index("byl", "KEYS_ONLY", "pk", "l") + `]`,
			`{"LocalSecondaryIndexes":[{"IndexName":"byl","ItemCount":0,"IndexSizeBytes":0,"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]}`, nil},
		{"stream",
			keys("pk:S") +
				`,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}`, `{"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}`, nil},
		{"table class", keys("pk:S") + `,"TableClass":"STANDARD_INFREQUENT_ACCESS"`,
			`{"TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"}}`, nil},
		{"on-demand throughput",
			keys("pk:S") +
				`,"OnDemandThroughput":{"MaxReadRequestUnits":10,"MaxWriteRequestUnits":20}`,
			`{"OnDemandThroughput":{"MaxReadRequestUnits":10,"MaxWriteRequestUnits":20}}`, nil},
		// Developer Guide, Warm throughput
		{"warm throughput of on-demand tables", keys("pk:S"),
			`{"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}`, nil},
		{"encryption", keys("pk:S") + `,"SSESpecification":{"Enabled":true,"SSEType":"KMS"}`,
			`{"SSEDescription":{"Status":"ENABLED","SSEType":"KMS"}}`, nil},
		{"encryption by the service's own key",
			keys("pk:S") + `,"SSESpecification":{"Enabled":false}`, `{}`,
			[]string{"SSEDescription"}},
		{"multi-attribute keys", shapes["multi"],
			`{"GlobalSecondaryIndexes":[{"KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"HASH"},{"AttributeName":"c","KeyType":"RANGE"},{"AttributeName":"d","KeyType":"RANGE"}]}]}`, nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			created := newTable(t, row.definition)
			table := describe(t, created.name)
			assertHas(t, row.want, table)
			for _, name := range row.absent {
				assert.NotContains(t, table, name)
			}
			assert.Equal(t, created.name, table["TableName"])
			assert.Regexp(t,
				regexp.MustCompile(`^arn:aws[a-z-]*:dynamodb:`+
					target.region+`:\d{12}:table/`+regexp.QuoteMeta(created.name)+`$`),
				table["TableArn"])
			assert.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`,
				table["TableId"])
			assert.Contains(t, table, "CreationDateTime")
			byARN := at(t, call(t, "DescribeTable", `{"TableName":"`+created.arn+`"}`), "Table")
			assert.Equal(t, table, byARN)
			refuse(t, "CreateTable", `{"TableName":"`+created.name+`",`+keys("pk:S")+`}`,
				"ResourceInUseException: Table already exists: "+created.name)
		})
	}
}

func TestStreamAndIndexARNs(t *testing.T) { // API Reference, TableDescription
	t.Parallel()
	created := newTable(t,
		keys("pk:S", "sk:S", "g:S")+`,"GlobalSecondaryIndexes":[`+index("byg", "ALL", "g")+
			`],"LocalSecondaryIndexes":[`+index("byl", "ALL", "pk", "g")+
			`],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}`)
	table := describe(t, created.name)
	assert.Equal(t, created.arn+"/index/byg",
		at(t, table["GlobalSecondaryIndexes"].([]any)[0], "IndexArn"))
	assert.Equal(t, created.arn+"/index/byl",
		at(t, table["LocalSecondaryIndexes"].([]any)[0], "IndexArn"))
	assert.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$`, table["LatestStreamLabel"])
	assert.Equal(t, created.arn+"/stream/"+fmt.Sprint(table["LatestStreamLabel"]),
		table["LatestStreamArn"])
}

func TestDeleteTable(t *testing.T) { // API Reference, DeleteTable
	t.Parallel()
	t.Run("by name", func(t *testing.T) {
		t.Parallel()
		created := newTable(t, keys("pk:S"))
		answer := call(t, "DeleteTable", `{"TableName":"`+created.name+`"}`)
		assertHas(t,
			`{"TableDescription":{"TableName":"`+created.name+`","TableStatus":"DELETING"}}`,
			answer)
	})
	t.Run("by ARN", func(t *testing.T) {
		t.Parallel()
		created := newTable(t, keys("pk:S"))
		call(t, "DeleteTable", `{"TableName":"`+created.arn+`"}`)
	})
	t.Run("and make it anew", func(t *testing.T) {
		t.Parallel()
		if target.aws {
			return // takes minutes on AWS, and shows nothing more
		}
		created := newTable(t, keys("pk:S"))
		call(t, "PutItem", `{"TableName":"`+created.name+`","Item":{"pk":{"S":"a"}}}`)
		first := describe(t, created.name)["TableId"]
		call(t, "DeleteTable", `{"TableName":"`+created.name+`"}`)
		refuse(t, "DescribeTable", `{"TableName":"`+created.name+`"}`,
			"ResourceNotFoundException: Requested resource not found: Table: "+
				created.name+" not found")
		refuse(t, "GetItem", `{"TableName":"`+created.name+`","Key":{"pk":{"S":"a"}}}`,
			noSuchTable)
		create(t, created.name, keys("pk:S"))
		assert.NotEqual(t, first, describe(t, created.name)["TableId"])
		assert.Empty(t,
			call(t, "GetItem", `{"TableName":"`+created.name+`","Key":{"pk":{"S":"a"}}}`))
	})
	t.Run("protected", func(t *testing.T) { // Developer Guide, Using deletion protection
		t.Parallel()
		created := newTable(t, keys("pk:S")+`,"DeletionProtectionEnabled":true`)
		assert.Equal(t, true, describe(t, created.name)["DeletionProtectionEnabled"])
		refuse(t, "DeleteTable", `{"TableName":"`+created.name+`"}`,
			"ValidationException: Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
		call(t, "UpdateTable", `{"TableName":"`+created.name+`","DeletionProtectionEnabled":false}`)
		waitActive(t, created.name)
		call(t, "DeleteTable", `{"TableName":"`+created.name+`"}`)
	})
	run(t, defaults{src: "API Reference, DeleteTable, Errors"}, []kase{
		{name: "unknown table", op: "DeleteTable", in: `{"TableName":"no-such-table"}`,
			err: noSuchTableNamed},
		{name: "describe an unknown table", op: "DescribeTable",
			in:  `{"TableName":"no-such-table"}`,
			err: noSuchTableNamed},
		{name: "update an unknown table", op: "UpdateTable",
			in:  `{"TableName":"no-such-table","BillingMode":"PAY_PER_REQUEST"}`,
			err: "ResourceNotFoundException: Requested resource not found: Table: no-such-table not found || ResourceNotFoundException: Requested resource not found"},
	})
}

// TestTableNames: Developer Guide, Naming rules and data types, Naming rules.
func TestTableNames(t *testing.T) {
	t.Parallel()
	const detected = "ValidationException: 1 validation error detected: Value '"
	const failed = "' at 'tableName' failed to satisfy constraint: Member must "
	short := detected + "ab" + failed + "have length greater than or equal to 3"
	long := detected + strings.Repeat("a", 256) + failed + "have length less than or equal to 255"
	pattern := detected + "a b!" + failed + "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
	both := "ValidationException: 2 validation errors detected: Value 'q!" + failed +
		"satisfy regular expression pattern: [a-zA-Z0-9_.-]+; " +
		"Value 'q!" + failed + "have length greater than or equal to 3"
	missing := func(op string) string {
		if strings.HasSuffix(op, "Table") {
			return "ValidationException: The parameter 'TableName' is required but was not present in the request"
		}
		return "ValidationException: 1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null"
	}
	empty := func(op string) string {
		switch op {
		case "PutItem", "UpdateItem", "DeleteItem", "GetItem", "Query":
			return "ValidationException: 1 validation error detected: Value at 'TableName' failed to satisfy constraint: Member must have length greater than or equal to 1"
		}
		if op == "Scan" {
			return detected + failed + "have length greater than or equal to 1"
		}
		return "ValidationException: 2 validation errors detected: Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3; " +
			"Value '' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+" // ack-api-quirks, DDB-TABLE-457
	}
	requests := map[string]string{
		"CreateTable": keys("pk:S"), "DescribeTable": "", "DeleteTable": "",
		"UpdateTable": `"BillingMode":"PAY_PER_REQUEST"`,
		"GetItem":     `"Key":{"pk":{"S":"a"}}`, "PutItem": `"Item":{"pk":{"S":"a"}}`,
		"UpdateItem": `"Key":{"pk":{"S":"a"}}`, "DeleteItem": `"Key":{"pk":{"S":"a"}}`,
		"Scan":  "",
		"Query": `"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"a"}}`,
	}
	for op, members := range requests {
		body := func(name string) string {
			if members == "" {
				return strings.TrimSuffix(`{"TableName":"`+name, `,`) + `"}`
			}
			return `{"TableName":"` + name + `",` + members + `}`
		}
		both := both
		switch op {
		case "GetItem", "PutItem", "DeleteItem", "Query": // service facts F.22
			both = one +
				"Value 'q!' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3"
		}
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			run(t, defaults{src: "service facts 0.7, 7.2, 7.3, 7.4", op: op}, []kase{
				{name: "too short", in: body("ab"), raw: true, err: short},
				{name: "too long", in: body(strings.Repeat("a", 256)), raw: true, err: long},
				{name: "other characters", in: body("a b!"), raw: true, err: pattern},
				{name: "too short, other characters", in: body("q!"), raw: true, err: both},
				{name: "empty", in: body(""), raw: true, err: empty(op)},
				{name: "missing", in: `{` + members + `}`, raw: true, err: missing(op)},
				{name: "null", in: strings.Replace(body("x"), `"x"`, `null`, 1), raw: true,
					err: missing(op)},
			})
		})
	}
	t.Run("all characters that are allowed", func(t *testing.T) {
		t.Parallel()
		name := runID + "_.-AZaz09" + newKey()
		create(t, name, keys("pk:S"))
		call(t, "PutItem", `{"TableName":"`+name+`","Item":{"pk":{"S":"a"}}}`)
	})
	t.Run("names have case", func(t *testing.T) {
		t.Parallel()
		created := newTable(t, keys("pk:S"))
		other := strings.ToUpper(created.name)
		refuse(t, "DescribeTable", `{"TableName":"`+other+`"}`,
			"ResourceNotFoundException: Requested resource not found: Table: "+other+" not found")
	})
}

func TestListTables(t *testing.T) { // API Reference, ListTables
	t.Parallel()
	var want []string
	prefix := runID + "-listed" + newKey()
	for i := range 5 {
		name := fmt.Sprintf("%s-%d", prefix, i)
		create(t, name, keys("pk:S"))
		want = append(want, name)
	}
	// The names of tables that other tests make at the same time sort before or after these.
	answer := call(t, "ListTables", `{"ExclusiveStartTableName":"`+prefix+`","Limit":3}`)
	assertHas(t, `{"TableNames":`+encode(want[:3])+`,"LastEvaluatedTableName":"`+want[2]+`"}`,
		answer)
	answer = call(t, "ListTables", `{"ExclusiveStartTableName":"`+want[2]+`","Limit":2}`)
	assertHas(t, `{"TableNames":`+encode(want[3:])+`}`, answer)
	all, start := map[string]bool{}, ""
	for range 100 {
		answer := call(t, "ListTables", `{"Limit":100`+start+`}`)
		for _, name := range answer["TableNames"].([]any) {
			all[name.(string)] = true
		}
		if answer["LastEvaluatedTableName"] == nil {
			break
		}
		start = `,"ExclusiveStartTableName":` + encode(answer["LastEvaluatedTableName"])
	}
	for _, name := range want {
		assert.True(t, all[name], "%s is not listed", name)
	}
	run(t, defaults{src: "API Reference, ListTables", op: "ListTables"}, []kase{
		{name: "limit of zero", in: `{"Limit":0}`,
			err: "ValidationException: 1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{name: "limit of 101", in: `{"Limit":101}`,
			err: "ValidationException: 1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100"},
		{name: "start after all", in: `{"ExclusiveStartTableName":"zzzzzzzzzzzzzzzzzzzz"}`,
			want: `{"TableNames":[]}`},
		{name: "start name that is too short", raw: true, in: `{"ExclusiveStartTableName":"ab"}`,
			err: "ValidationException: 1 validation error detected: Value 'ab' at 'exclusiveStartTableName' failed to satisfy constraint: Member must have length greater than or equal to 3"},
		{name: "start name with other characters", raw: true,
			in:  `{"ExclusiveStartTableName":"a b!"}`,
			err: "ValidationException: 1 validation error detected: Value 'a b!' at 'exclusiveStartTableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
		{name: "two violations in one message", raw: true,
			in:  `{"ExclusiveStartTableName":"a!","Limit":0}`,
			err: "ValidationException: 3 validation errors detected: Value 'a!' at 'exclusiveStartTableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value 'a!' at 'exclusiveStartTableName' failed to satisfy constraint: Member must have length greater than or equal to 3; Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"},
	})
}

// API Reference, TableDescription, ItemCount: updated every six hours by the service
func TestCountsAndSizes(t *testing.T) {
	t.Parallel()
	if target.aws {
		return
	}
	created := newTable(t,
		keys("pk:S", "g:S")+`,"GlobalSecondaryIndexes":[`+index("byg", "KEYS_ONLY", "g")+`]`)
	put := func(item string) {
		call(t, "PutItem", `{"TableName":"`+created.name+`","Item":{`+item+`}}`)
	}
	put(`"pk":{"S":"a"},"g":{"S":"g"},"x":{"S":"12345"}`) // 3 + 2 + 6
	put(`"pk":{"S":"b"}`)                                 // 3
	assertHas(t,
		`{"ItemCount":2,"TableSizeBytes":14,"GlobalSecondaryIndexes":[{"ItemCount":1,"IndexSizeBytes":5}]}`, describe(t, created.name))
	call(t, "DeleteItem", `{"TableName":"`+created.name+`","Key":{"pk":{"S":"a"}}}`)
	assertHas(t,
		`{"ItemCount":1,"TableSizeBytes":3,"GlobalSecondaryIndexes":[{"ItemCount":0,"IndexSizeBytes":0}]}`, describe(t, created.name))
}

func TestLimitsAndEndpoints(t *testing.T) {
	t.Parallel()
	limits := call(t, "DescribeLimits", `{}`) // API Reference, DescribeLimits
	for _, name := range []string{"AccountMaxReadCapacityUnits", "AccountMaxWriteCapacityUnits",
		"TableMaxReadCapacityUnits", "TableMaxWriteCapacityUnits"} {
		require.Contains(t, limits, name)
	}
	// the values of a new account: Developer Guide, Constraints, Throughput default quotas
	if !target.aws {
		assertHas(t,
			`{"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,"TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000}`, limits)
	}
	endpoints := call(t, "DescribeEndpoints", `{}`) // API Reference, DescribeEndpoints
	assertHas(t, `{"Endpoints":[{"CachePeriodInMinutes":1440}]}`, endpoints)
	assert.NotEmpty(t, at(t, endpoints["Endpoints"].([]any)[0], "Address"))
}
