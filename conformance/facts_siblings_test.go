package conformance

import (
	"strconv"
	"strings"
	"testing"
)

// The tests of this file send, for facts that name one operation, the others that share the rule.
// The pages of facts say which of them are inferred.

const (
	failureValues = "failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, NONE]"
	joinsNothing  = "ConditionalOperator cannot be used without Filter or Expected"
	joinsOne      = "ConditionalOperator can only be used when Filter or Expected has two or more elements"
	mixedWith     = "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {"
	repeats       = "One or more parameter values were invalid: Input collection [b, a, b] contains duplicates."
	repeated      = `{":t":{"SS":["b","a","b"]}}`
)

// atMember is a fault of a member in the old form.
func atMember(value, path, rule string) string {
	return "Value '" + value + "' at '" + path + "' failed to satisfy constraint: Member must " + rule
}

// TestSiblingsOfMembers checks what counts as a fault of a member, and what comes before it.
func TestSiblingsOfMembers(t *testing.T) {
	t.Parallel()
	const unknownOperator = `"Expected":{"a":{"ComparisonOperator":"XX","AttributeValueList":[{"S":"x"}]}}`
	const newValues = `"ReturnValues":"ALL_NEW"`
	const capacity = `"ReturnConsumedCapacity":"X"`
	const nor = `"ConditionalOperator":"NOR"`
	const and = `"ConditionalOperator":"AND"`
	const badItem = `"Item":{"pk":{"N":"x"}}`
	const badKey = `"Key":{"pk":{"N":"x"}}`
	const action = `"AttributeUpdates":{"z":{"Action":"put","Value":{"N":"1"}}}`
	const number = "The parameter cannot be converted to a numeric value: x"
	const nothing = `"ExpressionAttributeValues":{":v":{"S":"x"}}`
	run(t, defaults{src: "service facts F.17", table: "hash", op: "PutItem"}, []kase{
		{name: "of a put beside another enumeration", raw: true,
			in:  `{"Item":{@pk},` + newValues + `,` + capacity + `}`,
			err: detectedOf(oldCapacity, onlyOld)},
		{name: "of a put after a short name", raw: true,
			in:  `{"TableName":"ab","Item":{@pk},` + newValues + `}`,
			err: detectedOf(atMember("ab", "tableName", "have length greater than or equal to 3"), onlyOld)},
		{name: "of a put before values", raw: true,
			in: `{"Item":{@pk},` + newValues + `,` + nothing + `}`, err: one + onlyOld},
		{name: "of a put before an item", raw: true, in: `{` + badItem + `,` + newValues + `}`,
			err: one + onlyOld},
		{name: "of a put before an operator of Expected", raw: true,
			in: `{"Item":{@pk},` + newValues + `,` + unknownOperator + `}`, err: one + onlyOld},
		{name: "of a delete before an operator of Expected", op: "DeleteItem", raw: true,
			in: `{@key,` + newValues + `,` + unknownOperator + `}`, err: one + onlyOld},
		{name: "of a delete before an operator that joins nothing", op: "DeleteItem", raw: true,
			in: `{@key,` + newValues + `,` + nor + `}`, err: one + onlyOld},
		{name: "of a delete beside an operator of Expected and another enumeration",
			op: "DeleteItem", raw: true,
			in:  `{@key,` + newValues + `,` + unknownOperator + `,` + capacity + `}`,
			err: detectedOf(oldCapacity, onlyOld)},
		{name: "of a delete without a table", op: "DeleteItem", raw: true, table: "",
			src: "service facts 0.12, F.16, F.17",
			in:  `{"TableName":null,@key,` + newValues + `}`, err: one + nullTable},

		{name: "an item before an operator of Expected", src: "service facts F.11", raw: true,
			in: `{` + badItem + `,` + unknownOperator + `}`, err: one + number},
		{name: "a key before an operator of Expected", src: "service facts F.11",
			op: "DeleteItem", raw: true, in: `{` + badKey + `,` + unknownOperator + `}`,
			err: one + number},
		{name: "a key before an action", src: "service facts F.10", op: "UpdateItem", raw: true,
			in: `{` + badKey + `,` + action + `}`, err: one + number},
		{name: "a mixture before an action", src: "service facts F.10", op: "UpdateItem",
			raw: true, in: `{@key,` + action + `,"UpdateExpression":"REMOVE a"}`,
			err: one + mixedWith + "AttributeUpdates} Expression parameters: {UpdateExpression}"},
		{name: "values without an expression before an action", src: "service facts F.10",
			op: "UpdateItem", raw: true, in: `{@key,` + action + `,` + nothing + `}`,
			err: one + "ExpressionAttributeValues can only be specified when using expressions"},

		{name: "of a put", src: "service facts F.19", raw: true,
			in:  `{"Item":{@pk},"ReturnValuesOnConditionCheckFailure":"X"}`,
			err: one + "Value 'X' at 'returnValuesOnConditionCheckFailure' " + failureValues},
		{name: "of a delete beside another enumeration", src: "service facts F.19",
			op: "DeleteItem", raw: true,
			in:  `{@key,"ReturnValuesOnConditionCheckFailure":"X",` + capacity + `}`,
			err: detectedOf(oldCapacity, "Value 'X' at 'returnValuesOnConditionCheckFailure' "+failureValues)},
		{name: "of a statement", src: "service facts F.19", op: "ExecuteStatement", raw: true,
			in:  `{"Statement":"SELECT * FROM \"@hash\"","ReturnValuesOnConditionCheckFailure":"X"}`,
			err: one + "Value 'X' at 'returnValuesOnConditionCheckFailure' " + failureValues},
		{name: "of an action", src: "service facts F.19", op: "TransactWriteItems", raw: true,
			in:  `{"TransactItems":[{"Put":{"TableName":"@hash","Item":{@pk},"ReturnValuesOnConditionCheckFailure":"X"}}]}`,
			err: one + "Value 'X' at 'transactItems.1.member.put.returnValuesOnConditionCheckFailure' " + failureValues},
		{name: "of an update with an empty table name", src: "service facts 0.7, F.19",
			op: "UpdateItem", raw: true,
			in:  `{"TableName":"",@key,"ReturnValuesOnConditionCheckFailure":"X"}`,
			err: newEmptyName},

		{name: "a known operator that joins nothing, before an item", src: "service facts F.20",
			raw: true, in: `{` + badItem + `,` + and + `}`, err: one + joinsNothing},
		{name: "an unknown operator that joins nothing, before an item", src: "service facts F.20",
			raw: true, in: `{` + badItem + `,` + nor + `}`, err: one + joinsNothing},
		{name: "a known operator of a delete for one condition, before a key",
			src: "service facts F.20", op: "DeleteItem", raw: true,
			in: `{` + badKey + `,` + and + `,"Expected":{"a":{"Exists":false}}}`, err: one + joinsOne},
		{name: "a known operator of an update that joins nothing, before a key",
			src: "service facts F.20", op: "UpdateItem", raw: true,
			in: `{` + badKey + `,` + and + `}`, err: one + joinsNothing},
		{name: "an operator of a put that joins nothing, after a member", src: "service facts F.20",
			raw: true, in: `{"Item":{@pk},` + nor + `,` + capacity + `}`, err: one + oldCapacity},
		{name: "an operator beside values without an expression", src: "service facts F.20",
			raw: true, in: `{"Item":{@pk},` + nor + `,` + nothing + `}`,
			err: one + "ExpressionAttributeValues can only be specified when using expressions"},
		{name: "an operator of a scan", src: "service facts 0.2, F.20", op: "Scan", raw: true,
			in: `{` + nor + `}`, err: one + oldOperator},
		{name: "a known operator of a scan that joins nothing", src: "service facts F.20",
			op: "Scan", raw: true, in: `{` + and + `}`, err: invalidText + joinsNothing},
		{name: "a known operator of a scan for one condition", src: "service facts F.20",
			op: "Scan", raw: true,
			in:  `{` + and + `,"ScanFilter":{"a":{"ComparisonOperator":"NULL"}}}`,
			err: invalidText + joinsOne},

		{name: "enumerations of a put", src: "service facts 0.9, F.23", raw: true,
			in:  `{"Item":{@pk},` + capacity + `,"ReturnItemCollectionMetrics":"M"}`,
			err: detectedOf(oldCapacity, oldMetrics)},
		{name: "enumerations of a transaction", src: "service facts F.23",
			op: "TransactWriteItems", raw: true,
			in: `{"TransactItems":[{"Put":{"TableName":"@hash","Item":{@pk}}}],` + capacity +
				`,"ReturnItemCollectionMetrics":"M"}`,
			err: detectedOf(oldCapacity, oldMetrics)},
	})
}

// TestSiblingsOfNames checks names with two faults.
func TestSiblingsOfNames(t *testing.T) {
	t.Parallel()
	const keyed = `"KeyConditionExpression":"pk = :v","ExpressionAttributeValues":{":v":{"S":"x"}}`
	const pattern = "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
	const length = "have length greater than or equal to 3"
	long := strings.Repeat("a", 255) + "!"
	run(t, defaults{src: "service facts F.22", op: "GetItem"}, []kase{
		{name: "long and malformed", raw: true, in: `{"TableName":"` + long + `",@key}`,
			err: one + atMember(long, "tableName", "have length less than or equal to 255")},
		{name: "of a get beside an enumeration", raw: true,
			in:  `{"TableName":"a!",@key,"ReturnConsumedCapacity":"X"}`,
			err: detectedOf(oldCapacity, atMember("a!", "tableName", length))},
		{name: "an index of a query", op: "Query", table: "global", raw: true,
			in:  `{"IndexName":"a!",` + keyed + `}`,
			err: one + atMember("a!", "indexName", length)},
		{name: "an index of a scan", op: "Scan", table: "global", raw: true,
			in: `{"IndexName":"a!"}`,
			err: detectedOf(atMember("a!", "indexName", length),
				atMember("a!", "indexName", pattern))},
		{name: "a table of a search", src: "service facts F.22, F.76", op: "SearchVectors",
			raw: true,
			in:  `{"TableName":"a!","IndexName":"vix","SearchVector":[{"N":"1"}],"TopK":1}`,
			err: invalidText + atMember("a!", "tableName", length)},
	})
}

// TestSiblingsOfStages checks the stages of transactions and of other requests with lists.
func TestSiblingsOfStages(t *testing.T) {
	t.Parallel()
	const bad = `{"Put":{"TableName":"my!table","Item":{@pk}}}`
	const twice = "TransactItems can only contain one of Check, Put, Update or Delete"
	const capacity = `,"ReturnConsumedCapacity":"X"`
	const pattern = "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
	write := func(actions, members string) string {
		return `{"TransactItems":[` + actions + `]` + members + `}`
	}
	many := strings.TrimSuffix(strings.Repeat(`{"Delete":{"TableName":"@hash",@key}},`, 101), ",")
	run(t, defaults{src: "service facts F.25", op: "TransactWriteItems"}, []kase{
		{name: "a name and two contents", raw: true,
			in:  write(bad+`,{"Put":{"TableName":"@hash","Item":{@pk}},"Delete":{"TableName":"@hash",@key}}`, ""),
			err: invalidText + twice},
		{name: "two names", raw: true, in: write(bad+`,`+bad, ""),
			err: detectedOf(atMember("my!table", "transactItems.1.member.put.tableName", pattern),
				atMember("my!table", "transactItems.2.member.put.tableName", pattern))},
		{name: "a name and a missing key", raw: true,
			in:  write(bad+`,{"Delete":{"TableName":"@hash"}}`, ""),
			err: one + "Value null at 'transactItems.2.member.delete.key' failed to satisfy constraint: Member must not be null"},
		{name: "a name and a long token", raw: true,
			in:  write(bad, `,"ClientRequestToken":"`+strings.Repeat("t", 37)+`"`),
			err: one + atMember(strings.Repeat("t", 37), "clientRequestToken", "have length less than or equal to 36")},
		{name: "no content and an enumeration", raw: true, in: write(`{}`, capacity),
			err: one + oldCapacity},
		{name: "a name and a syntax error", raw: true,
			in:  write(bad+`,{"Delete":{"TableName":"@hash",@key,"ConditionExpression":"a )"}}`, ""),
			err: one + atMember("my!table", "transactItems.1.member.put.tableName", pattern)},
		{name: "too many actions and an enumeration", raw: true, in: write(many, capacity),
			err: one + "Value '[TransactWriteItem(*"},
		{name: "a name of a batch of writes and an enumeration", src: "service facts 4.6",
			op: "BatchWriteItem", raw: true,
			in:  `{"RequestItems":{"my!table":[{"PutRequest":{"Item":{@pk}}}]}` + capacity + `}`,
			err: one + oldCapacity},

		{name: "an empty key of a check", src: "service facts F.28", raw: true,
			in:  write(`{"ConditionCheck":{"TableName":"@hash","Key":{"pk":{"S":""}},"ConditionExpression":"attribute_exists(a)"}}`, ""),
			err: invalidText + emptyKeyText},
		{name: "an empty key of a get in a batch", src: "service facts F.28", op: "BatchGetItem",
			raw: true, in: `{"RequestItems":{"@hash":{"Keys":[{"pk":{"S":""}}]}}}`,
			err: invalidText + emptyKeyText},
		{name: "an empty key of a get", src: "service facts F.28", op: "GetItem", raw: true,
			in: `{"TableName":"@hash","Key":{"pk":{"S":""}}}`, err: invalidText + emptyKeyText},
		{name: "an empty key of SELECT", src: "service facts F.28", op: "ExecuteTransaction",
			in:  transaction(statement(`SELECT * FROM "@hash" WHERE pk = ''`)),
			err: cancelledFor + "[ValidationError]"},
		{name: "an empty key of the second get", src: "service facts F.28", op: "TransactGetItems",
			in:  write(`{"Get":{"TableName":"@hash",@key}},{"Get":{"TableName":"@hash","Key":{"pk":{"S":""}}}}`, ""),
			err: cancelledFor + "[None, ValidationError]"},
	})
}

const emptyKeyText = "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"

// TestSiblingsOfValues checks that values of expressions are judged before their texts wherever
// there are expressions.
func TestSiblingsOfValues(t *testing.T) {
	t.Parallel()
	const bad = `"ExpressionAttributeValues":` + repeated
	const inside = "ExpressionAttributeValues contains invalid value: " + repeats + " for key :t"
	// the new layer prints the elements in their order: service facts 1.1
	const sorted = `One or more parameter values were invalid: Input collection ["a", "b", "b"] contains duplicates.`
	run(t, defaults{src: "service facts F.29", table: "hash", op: "PutItem"}, []kase{
		{name: "a put", in: `{"Item":{@pk},"ConditionExpression":"s = = :t",` + bad + `}`,
			err: one + sorted},
		{name: "a delete", op: "DeleteItem",
			in: `{@key,"ConditionExpression":"s = = :t",` + bad + `}`, err: one + sorted},
		{name: "an update", op: "UpdateItem",
			in: `{@key,"UpdateExpression":"SET s = = :t",` + bad + `}`, err: one + sorted},
		{name: "the condition of an update", op: "UpdateItem",
			in:  `{@key,"UpdateExpression":"SET s = :t","ConditionExpression":"s = = :t",` + bad + `}`,
			err: one + sorted},
		{name: "a query", op: "Query",
			in: `{"KeyConditionExpression":"pk = = :t",` + bad + `}`, err: invalidText + sorted},
		{name: "a scan", op: "Scan", in: `{"FilterExpression":"s = = :t",` + bad + `}`,
			err: invalidText + inside},
		{name: "an update in a transaction", op: "TransactWriteItems",
			in:  `{"TransactItems":[{"Update":{"TableName":"@hash",@key,"UpdateExpression":"SET s = = :t",` + bad + `}}]}`,
			err: invalidText + inside},
		{name: "a put in a transaction", op: "TransactWriteItems",
			in:  `{"TransactItems":[{"Put":{"TableName":"@hash","Item":{@pk},"ConditionExpression":"s = = :t",` + bad + `}}]}`,
			err: invalidText + inside},
		{name: "a check in a transaction", op: "TransactWriteItems",
			in:  `{"TransactItems":[{"ConditionCheck":{"TableName":"@hash",@key,"ConditionExpression":"s = = :t",` + bad + `}}]}`,
			err: invalidText + inside},
		{name: "a second action does not come first", op: "TransactWriteItems",
			in: `{"TransactItems":[{"Delete":{"TableName":"@hash",@key,"ConditionExpression":"a )"}},` +
				`{"Put":{"TableName":"@hash","Item":{@pk},"ConditionExpression":"s = = :t",` + bad + `}}]}`,
			err: invalidText + `Invalid ConditionExpression: Syntax error; token: ")", near: "a )"`},
		{name: "parameters of a statement", op: "ExecuteStatement",
			in:  `{"Statement":"SELECT * FROM","Parameters":[{"SS":["b","a","b"]}]}`,
			err: invalidText + repeats},
	})
}

// TestSiblingsOfEchoes checks that each echo of a list has values in the same form.
func TestSiblingsOfEchoes(t *testing.T) {
	t.Parallel()
	list := func(n int, element string) string {
		return strings.TrimSuffix(strings.Repeat(element+",", n), ",")
	}
	const value = "AttributeValue(s=a, n=null, b=null, iNT=null, dECIMAL=null, dOUBLE=null, sS=null, nS=null, bS=null, iNTSET=null, dECIMALSET=null, dOUBLESET=null, m=null, l=null, nULL=null, bOOL=null)"
	const key = `{"pk":{"S":"a"}}`
	const statement = `{"Statement":"SELECT 1","Parameters":[{"S":"a"}]}`
	for _, c := range []struct{ name, op, in, member, rule string }{
		{"writes", "BatchWriteItem",
			`{"RequestItems":{"no-such-table":[` + list(26, `{"DeleteRequest":{"Key":`+key+`}}`) + `]}}`,
			"requestItems", "25"},
		{"actions", "TransactWriteItems",
			`{"TransactItems":[` + list(101, `{"Delete":{"TableName":"no-such-table","Key":`+key+`}}`) + `]}`,
			"transactItems", "100"},
		{"gets", "TransactGetItems",
			`{"TransactItems":[` + list(101, `{"Get":{"TableName":"no-such-table","Key":`+key+`}}`) + `]}`,
			"transactItems", "100"},
		{"statements", "BatchExecuteStatement", `{"Statements":[` + list(26, statement) + `]}`,
			"statements", "25"},
		{"statements of a transaction", "ExecuteTransaction",
			`{"TransactStatements":[` + list(101, statement) + `]}`, "transactStatements", "100"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			(&kase{src: "service facts F.31", err: "ValidationException: *"}).mark(t)
			_, err := post(c.op, c.in).answer()
			text := errorText(err)
			if !strings.HasPrefix(text, one+"Value '") || !strings.Contains(text, value) ||
				!strings.Contains(text, c.member) ||
				!strings.HasSuffix(text, "Member must have length less than or equal to "+c.rule) &&
					!strings.Contains(text, "Member must have length less than or equal to "+c.rule+",") {
				t.Error(c.op, len(text), text[:min(len(text), 600)], text[max(0, len(text)-200):])
			}
		})
	}
}

// TestSiblingsOfDefinitions checks where definitions are counted.
func TestSiblingsOfDefinitions(t *testing.T) {
	t.Parallel()
	made := newTable(t, keys("pk:S"))
	const none = invalidText + "Invalid KeySchema: Some index key attribute have no definition"
	global := `"GlobalSecondaryIndexes":[` + index("gix", "ALL", "pk", "m2") + `]`
	run(t, defaults{src: "service facts F.32", op: "CreateTable"}, []kase{
		{name: "a global index", in: `{"TableName":"` + made.name + `-g",` + keys("pk:S") + `,` +
			global + `}`, err: none},
		{name: "a name twice beside a definition that nothing uses", src: "service facts 6.7",
			in: `{"TableName":"` + made.name + `-t",` + keys("pk:S", "m2:S", "unused:S") +
				`,"GlobalSecondaryIndexes":[` + index("gix", "ALL", "m2", "m2") + `]}`,
			err: invalidParameters + "Some AttributeDefinitions are not used. AttributeDefinitions: [m2, unused, pk], keys used: [m2, pk]"},
		{name: "a name twice in UpdateTable", src: "service facts 6.7", op: "UpdateTable",
			in: `{"TableName":"` + made.name + `","AttributeDefinitions":[` +
				`{"AttributeName":"m2","AttributeType":"S"},{"AttributeName":"unused","AttributeType":"S"}],` +
				`"GlobalSecondaryIndexUpdates":[{"Create":` + index("gix", "ALL", "m2", "m2") + `}]}`,
			err: invalidText + "Both the Hash Key and the Range Key element in the KeySchema have the same name"},
		{name: "an import", op: "ImportTable",
			in: `{"ClientToken":"` + newToken() + `","S3BucketSource":{"S3Bucket":"bucket"},"InputFormat":"DYNAMODB_JSON",` +
				`"TableCreationParameters":{"TableName":"` + made.name + `-i",` + keys("pk:S") + `,"BillingMode":"PAY_PER_REQUEST",` +
				global + `}}`, err: none},
	})
}

// TestSiblingsOfTokens checks which requests of several actions are the same.
func TestSiblingsOfTokens(t *testing.T) {
	t.Parallel()
	(&kase{src: "service facts F.34", err: "IdempotentParameterMismatchException"}).mark(t)
	for i, action := range []string{
		`{"Delete":{"TableName":"@hash",@key@failure}}`,
		`{"Put":{"TableName":"@hash","Item":{@pk}@failure}}`,
		`{"Update":{"TableName":"@hash",@key,"UpdateExpression":"REMOVE a"@failure}}`,
		`{"ConditionCheck":{"TableName":"@hash",@key,"ConditionExpression":"attribute_not_exists(a)"@failure}}`,
	} {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			token, key := newToken(), newKey()
			text := func(failure string) string {
				return expand(t, `{"ClientRequestToken":"`+token+`","TransactItems":[`+
					strings.ReplaceAll(action, "@failure", failure)+`]}`, key)
			}
			call(t, "TransactWriteItems", text(`,"ReturnValuesOnConditionCheckFailure":"NONE"`))
			call(t, "TransactWriteItems", text(""))
			refuse(t, "TransactWriteItems", text(`,"ReturnValuesOnConditionCheckFailure":"ALL_OLD"`),
				"IdempotentParameterMismatchException: *")
		})
	}
}

// TestFoundByComparison checks what other implementations agree on, and nothing speaks against.
func TestFoundByComparison(t *testing.T) {
	t.Parallel()
	const values = `"ExpressionAttributeValues":{":v":{"S":"x"}}`
	run(t, defaults{src: "service facts R.10 to R.13", table: "hash", op: "UpdateItem"}, []kase{
		{name: "ADD of a wrong type", table: "global", raw: true,
			in:  `{"Key":{@pk,"sk":{"S":"a"}},"AttributeUpdates":{"gp":{"Action":"ADD","Value":{"N":"1"}}}}`,
			err: invalidParameters + "Type mismatch for Index Key gp Expected: S Actual: N IndexName: gall"},
		{name: "an empty value in a start key", op: "Query", raw: true,
			in:  `{"KeyConditionExpression":"pk = :v",` + values + `,"ExclusiveStartKey":{"pk":{}}}`,
			err: invalidText + "The provided starting key is invalid: " + withoutType},
		{name: "a path below a key", op: "PutItem",
			in:  `{"Item":{@pk},"ConditionExpression":"pk.x = :v",` + values + `}`,
			err: conditionFailed},
		{name: "a reserved word before a second SET",
			in:  `{@key,"UpdateExpression":"SET abort = :v SET b = :v",` + values + `}`,
			err: one + "Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: abort"},
	})
}
