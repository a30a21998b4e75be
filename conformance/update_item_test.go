package conformance

import "testing"

func TestUpdateItem(t *testing.T) {
	t.Parallel()
	run(t, defaults{src: "API Reference, UpdateItem", table: "hash", op: "UpdateItem"}, []kase{
		{name: "no update creates an item of its key", in: `{@key}`, want: `{}`, then: `{@pk}`},
		{name: "no update leaves an item", given: []string{`{@pk,"a":{"N":"1"}}`}, in: `{@key}`,
			want: `{}`, then: `{@pk,"a":{"N":"1"}}`},
		{name: "table by ARN",
			in: `{"TableName":"@arn:hash",@key,"UpdateExpression":"SET a = :a","ExpressionAttributeValues":{":a":{"N":"1"}}}`, want: `{}`, then: `{@pk,"a":{"N":"1"}}`},
		{name: "unknown table", in: `{"TableName":"no-such-table",@key}`,
			err: noSuchTable},
		{name: "key of another type", in: `{"Key":{"pk":{"N":"1"}}}`,
			err: wrongKey},
		{name: "sort key cannot be updated", table: "comp",
			in: `{"Key":{@pk,"sk":{"S":"a"}},"UpdateExpression":"SET sk = :a","ExpressionAttributeValues":{":a":{"S":"b"}}}`, err: "ValidationException: One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key"},
		{name: "condition that holds", given: []string{`{@pk,"a":{"N":"1"}}`},
			in: `{@key,"UpdateExpression":"SET a = :b","ConditionExpression":"a = :a","ExpressionAttributeValues":{":a":{"N":"1"},":b":{"N":"2"}}}`, want: `{}`, then: `{@pk,"a":{"N":"2"}}`},
		{name: "condition that fails", given: []string{`{@pk,"a":{"N":"1"}}`},
			in: `{@key,"UpdateExpression":"SET a = :b","ConditionExpression":"a = :b","ExpressionAttributeValues":{":b":{"N":"2"}}}`, err: conditionFailed, then: `{@pk,"a":{"N":"1"}}`},
		{name: "empty index key", table: "global",
			in: `{"Key":{@pk,"sk":{"S":"a"}},"UpdateExpression":"SET gp = :n","ExpressionAttributeValues":{":n":{"S":""}}}`, err: "ValidationException: One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value."},
		{name: "path into the key",
			in: `{@key,"UpdateExpression":"SET pk.a = :n","ExpressionAttributeValues":{":n":{"S":"x"}}}`, err: "ValidationException: One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key || ValidationException: Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk"},
		{name: "path into an index key", table: "global",
			in: `{"Key":{@pk,"sk":{"S":"a"}},"UpdateExpression":"SET gp.a = :n","ExpressionAttributeValues":{":n":{"S":"x"}}}`, err: "ValidationException: Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: gp"},
		{name: "condition on a path into the key",
			src: "service facts B.13",
			in:  `{@key,"ConditionExpression":"attribute_exists(pk.a)"}`, err: conditionFailed},
		{name: "expression errors come before the key",
			in:  `{"Key":{"pk":{"N":"1"}},"UpdateExpression":"SET"}`,
			err: `Invalid: Invalid UpdateExpression: Syntax error; token: "<EOF>", near: "SET"`},
		{name: "condition before update errors", given: []string{`{@pk,"a":{"N":"1"}}`},
			in:  `{@key,"UpdateExpression":"SET b = c","ConditionExpression":"attribute_exists(x)"}`,
			err: conditionFailed},
		{name: "condition that fails on no item creates none",
			in: `{@key,"UpdateExpression":"SET a = :b","ConditionExpression":"attribute_exists(pk)","ExpressionAttributeValues":{":b":{"N":"2"}}}`, err: conditionFailed, then: "none"},
		{name: "index key of another type", table: "global",
			in: `{"Key":{@pk,"sk":{"S":"a"}},"UpdateExpression":"SET gp = :n","ExpressionAttributeValues":{":n":{"N":"1"}}}`, err: "ValidationException: The update expression attempted to update the secondary index key to unsupported type || ValidationException: One or more parameter values were invalid: Type mismatch for Index Key gp Expected: S Actual: N IndexName: gall || ValidationException: One or more parameter values were invalid: Type mismatch for Index Key gp Expected: S Actual: N IndexName: gkeys || ValidationException: One or more parameter values were invalid: Type mismatch for Index Key gp Expected: S Actual: N IndexName: ginc"},
	})
}

func TestUpdateItemReturnValues(t *testing.T) {
	t.Parallel()
	item := []string{
		`{@pk,"a":{"N":"1"},"b":{"S":"x"},"m":{"M":{"p":{"N":"1"},"q":{"N":"2"}}},"l":{"L":[{"N":"1"},{"N":"2"},{"N":"3"}]}}`,
	}
	set := func(expr, values, returns string) string {
		in := `{@key,"UpdateExpression":"` + expr + `","ReturnValues":"` + returns + `"`
		if values != "" {
			in += `,"ExpressionAttributeValues":{` + values + `}`
		}
		return in + `}`
	}
	run(t, defaults{
		src: "API Reference, UpdateItem, ReturnValues", table: "hash", op: "UpdateItem",
	}, []kase{
		{name: "NONE", given: item, in: set("SET a = :v", `":v":{"N":"2"}`, "NONE"), want: `{}`},
		{name: "ALL_OLD", given: []string{`{@pk,"a":{"N":"1"}}`},
			in:   set("SET a = :v", `":v":{"N":"2"}`, "ALL_OLD"),
			want: `{"Attributes":{@pk,"a":{"N":"1"}}}`},
		{name: "ALL_OLD of a new item", in: set("SET a = :v", `":v":{"N":"2"}`, "ALL_OLD"),
			want: `{}`},
		{name: "ALL_NEW", given: []string{`{@pk,"a":{"N":"1"}}`},
			in:   set("SET b = :v", `":v":{"N":"2"}`, "ALL_NEW"),
			want: `{"Attributes":{@pk,"a":{"N":"1"},"b":{"N":"2"}}}`},
		{name: "ALL_NEW of a new item", in: set("SET a = :v", `":v":{"N":"2"}`, "ALL_NEW"),
			want: `{"Attributes":{@pk,"a":{"N":"2"}}}`},
		{name: "ALL_NEW without an update", in: `{@key,"ReturnValues":"ALL_NEW"}`,
			want: `{"Attributes":{@pk}}`},
		{name: "UPDATED_OLD", given: item,
			in:   set("SET a = :v, c = :v", `":v":{"N":"2"}`, "UPDATED_OLD"),
			want: `{"Attributes":{"a":{"N":"1"}}}`},
		{name: "UPDATED_NEW", given: item,
			in:   set("SET a = :v, c = :v", `":v":{"N":"2"}`, "UPDATED_NEW"),
			want: `{"Attributes":{"a":{"N":"2"},"c":{"N":"2"}}}`},
		{name: "UPDATED_NEW of the same value", given: item,
			in:   set("SET a = :v", `":v":{"N":"1"}`, "UPDATED_NEW"),
			want: `{"Attributes":{"a":{"N":"1"}}}`},
		{name: "UPDATED_OLD of a new item", in: set("SET a = :v", `":v":{"N":"2"}`, "UPDATED_OLD"),
			want: `{}`},
		{name: "UPDATED_NEW of a new item", in: set("SET a = :v", `":v":{"N":"2"}`, "UPDATED_NEW"),
			want: `{"Attributes":{"a":{"N":"2"}}}`},
		{name: "UPDATED_OLD of a removed attribute", given: item,
			in: set("REMOVE a", "", "UPDATED_OLD"), want: `{"Attributes":{"a":{"N":"1"}}}`},
		{name: "UPDATED_NEW of a removed attribute", given: item,
			in: set("REMOVE a", "", "UPDATED_NEW"), want: `{}`},
		{name: "UPDATED_NEW of a path", given: item,
			in:   set("SET m.p = :v", `":v":{"N":"9"}`, "UPDATED_NEW"),
			want: `{"Attributes":{"m":{"M":{"p":{"N":"9"}}}}}`},
		{name: "UPDATED_OLD of a path", given: item,
			in:   set("SET m.p = :v", `":v":{"N":"9"}`, "UPDATED_OLD"),
			want: `{"Attributes":{"m":{"M":{"p":{"N":"1"}}}}}`},
		{name: "UPDATED_NEW of a list element", given: item,
			in:   set("SET l[1] = :v", `":v":{"N":"9"}`, "UPDATED_NEW"),
			want: `{"Attributes":{"l":{"L":[{"N":"9"}]}}}`},
		{name: "UPDATED_OLD of list elements", given: item,
			in:   set("SET l[2] = :v, l[0] = :v", `":v":{"N":"9"}`, "UPDATED_OLD"),
			want: `{"Attributes":{"l":{"L":[{"N":"1"},{"N":"3"}]}}}`},
		{name: "UPDATED_NEW of ADD", given: item,
			in:   set("ADD a :v", `":v":{"N":"9"}`, "UPDATED_NEW"),
			want: `{"Attributes":{"a":{"N":"10"}}}`},
		{name: "UPDATED_NEW without an update", given: item,
			in: `{@key,"ReturnValues":"UPDATED_NEW"}`, want: `{}`},
		{name: "unknown value", in: `{@key,"ReturnValues":"x"}`,
			err: "ValidationException: 1 validation error detected: Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]"},
	})
}

// failedItem checks the item that a failed condition returns. The SDK has it in the exception, so
// the test compares the raw answer.
func TestReturnValuesOnConditionCheckFailure(t *testing.T) {
	t.Parallel()
	const src = "API Reference, PutItem, ReturnValuesOnConditionCheckFailure"
	given := []string{`{@pk,"a":{"N":"1"}}`}
	key := map[string]string{"PutItem": `"Item":{@pk}`, "UpdateItem": `@key`, "DeleteItem": `@key`}
	for op, key := range key {
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			run(t, defaults{src: src, table: "hash", op: op}, []kase{
				{name: "ALL_OLD", given: given,
					in: `{` + key +
						`,"ConditionExpression":"attribute_not_exists(pk)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`, err: conditionFailed, then: given[0]},
				{name: "NONE", given: given,
					in: `{` + key +
						`,"ConditionExpression":"attribute_not_exists(pk)","ReturnValuesOnConditionCheckFailure":"NONE"}`, err: conditionFailed, then: given[0]},
				{name: "unknown value",
					in:  `{` + key + `,"ReturnValuesOnConditionCheckFailure":"x"}`,
					err: envelopeOf(op) + "Value 'x' at 'returnValuesOnConditionCheckFailure' failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, NONE]"},
			})
			for name, want := range map[string]string{
				"ALL_OLD": `"Item":{@pk,"a":{"N":"1"}},"Message"`, "NONE": `"message"`,
			} {
				t.Run("answer with "+name, func(t *testing.T) {
					k := newKey()
					call(t, "PutItem", expand(t, `{"TableName":"@hash","Item":`+given[0]+`}`, k))
					body := expand(t,
						`{"TableName":"@hash",`+key+
							`,"ConditionExpression":"attribute_not_exists(pk)","ReturnValuesOnConditionCheckFailure":"`+name+`"}`, k)
					assertBody(t, post(op, body), 400,
						expand(t, `{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",`+want+`:"The conditional request failed"}`, k))
				})
			}
			t.Run("answer with ALL_OLD for no item", func(t *testing.T) {
				body := expand(t,
					`{"TableName":"@hash",`+key+
						`,"ConditionExpression":"attribute_exists(pk)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`, newKey())
				assertBody(t, post(op, body), 400,
					`{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed"}`)
			})
		})
	}
}

// envelopeOf begins the error of an unknown ReturnValuesOnConditionCheckFailure (service facts
// F.19).
func envelopeOf(op string) string {
	if op == "UpdateItem" {
		return invalidText
	}
	return one
}
