package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPutItem(t *testing.T) {
	t.Parallel()
	run(t, defaults{src: "API Reference, PutItem", table: "hash", op: "PutItem"}, []kase{
		{name: "creates an item", in: `{"Item":{@pk,"a":{"N":"1"}}}`, want: `{}`,
			then: `{@pk,"a":{"N":"1"}}`},
		{name: "replaces the whole item", given: []string{`{@pk,"a":{"N":"1"},"b":{"S":"x"}}`},
			in: `{"Item":{@pk,"c":{"S":"y"}}}`, want: `{}`, then: `{@pk,"c":{"S":"y"}}`},
		{name: "only the key", in: `{"Item":{@pk}}`, want: `{}`, then: `{@pk}`},
		{name: "all types",
			in: `{"Item":{@pk,"s":{"S":"ü€😀"},"n":{"N":"-1.5"},"b":{"B":"AAEC"},"t":{"BOOL":true},"f":{"BOOL":false},"z":{"NULL":true},
			"ss":{"SS":["b","a"]},"ns":{"NS":["2","1"]},"bs":{"BS":["Ag==","AQ=="]},"l":{"L":[{"S":"a"},{"N":"1"},{"L":[]}]},"m":{"M":{"k":{"M":{}}}}}}`, want: `{}`,
			then: `{@pk,"s":{"S":"ü€😀"},"n":{"N":"-1.5"},"b":{"B":"AAEC"},"t":{"BOOL":true},"f":{"BOOL":false},"z":{"NULL":true},
			"ss":{"SS":["b","a"]},"ns":{"NS":["2","1"]},"bs":{"BS":["Ag==","AQ=="]},"l":{"L":[{"S":"a"},{"N":"1"},{"L":[]}]},"m":{"M":{"k":{"M":{}}}}}`},
		{name: "names and strings that JSON escapes",
			in: `{"Item":{@pk,"q\"\\\n\u0001\u2028":{"S":"\"\\/\b\f\n\r\t\u0000<>&"}}}`, want: `{}`,
			then: `{@pk,"q\"\\\n\u0001\u2028":{"S":"\"\\/\b\f\n\r\t\u0000<>&"}}`},
		{name: "attribute names with any character",
			in: `{"Item":{@pk," ":{"S":"blank"},"a.b":{"S":"dot"},"a[0]":{"S":"index"},"#":{"S":"hash"}}}`, want: `{}`, then: `{@pk," ":{"S":"blank"},"a.b":{"S":"dot"},"a[0]":{"S":"index"},"#":{"S":"hash"}}`},
		{name: "attribute names differ by case", in: `{"Item":{@pk,"A":{"N":"1"},"a":{"N":"2"}}}`,
			then: `{@pk,"A":{"N":"1"},"a":{"N":"2"}}`},
		{name: "table by ARN", in: `{"TableName":"@arn:hash","Item":{@pk,"a":{"N":"1"}}}`,
			want: `{}`, then: `{@pk,"a":{"N":"1"}}`},
		{name: "unknown table", in: `{"TableName":"no-such-table","Item":{@pk}}`,
			err: noSuchTable},
		{name: "missing partition key", in: `{"Item":{"a":{"S":"x"}}}`,
			err: "ValidationException: One or more parameter values were invalid: Missing the key pk in the item"},
		{name: "empty item", in: `{"Item":{}}`,
			err: "ValidationException: One or more parameter values were invalid: Missing the key pk in the item"},
		{name: "missing sort key", table: "comp", in: `{"Item":{@pk}}`,
			err: "ValidationException: One or more parameter values were invalid: Missing the key sk in the item"},
		{name: "partition key of another type", in: `{"Item":{"pk":{"N":"1"}}}`,
			err: "ValidationException: One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N"},
		{name: "sort key of another type", table: "compn", in: `{"Item":{@pk,"sk":{"S":"1"}}}`,
			err: "ValidationException: One or more parameter values were invalid: Type mismatch for key sk expected: N actual: S"},
		{name: "key of a list", in: `{"Item":{"pk":{"L":[]}}}`,
			err: "ValidationException: One or more parameter values were invalid: Type mismatch for key pk expected: S actual: L"},
		{name: "key of null", in: `{"Item":{"pk":{"NULL":true}}}`,
			err: "ValidationException: One or more parameter values were invalid: Type mismatch for key pk expected: S actual: NULL"},
		{name: "key of a boolean", in: `{"Item":{"pk":{"BOOL":true}}}`,
			err: "ValidationException: One or more parameter values were invalid: Type mismatch for key pk expected: S actual: BOOL"},
		{name: "key of a map", in: `{"Item":{"pk":{"M":{}}}}`,
			err: "ValidationException: One or more parameter values were invalid: Type mismatch for key pk expected: S actual: M"},
		{name: "key of a set", in: `{"Item":{"pk":{"SS":["a"]}}}`,
			err: "ValidationException: One or more parameter values were invalid: Type mismatch for key pk expected: S actual: SS"},
		{name: "a refused put changes nothing", given: []string{`{@pk,"a":{"N":"1"}}`},
			in:   `{"Item":{@pk,"a":{"N":"2"}},"ConditionExpression":"attribute_not_exists(pk)"}`,
			err:  conditionFailed,
			then: `{@pk,"a":{"N":"1"}}`},
	})
}

func TestPutItemReturnValues(t *testing.T) {
	t.Parallel()
	run(t, defaults{
		src: "API Reference, PutItem, ReturnValues", table: "hash", op: "PutItem",
	}, []kase{
		{name: "NONE", given: []string{`{@pk,"a":{"N":"1"}}`},
			in: `{"Item":{@pk},"ReturnValues":"NONE"}`, want: `{}`},
		{name: "ALL_OLD of a replaced item", given: []string{`{@pk,"a":{"N":"1"}}`},
			in:   `{"Item":{@pk},"ReturnValues":"ALL_OLD"}`,
			want: `{"Attributes":{@pk,"a":{"N":"1"}}}`},
		{name: "ALL_OLD of a new item", in: `{"Item":{@pk},"ReturnValues":"ALL_OLD"}`, want: `{}`},
		{name: "ALL_NEW", in: `{"Item":{@pk},"ReturnValues":"ALL_NEW"}`,
			err: "Invalid: ReturnValues can only be ALL_OLD or NONE", then: "none"},
		{name: "UPDATED_OLD", in: `{"Item":{@pk},"ReturnValues":"UPDATED_OLD"}`,
			err: "Invalid: ReturnValues can only be ALL_OLD or NONE"},
		{name: "UPDATED_NEW", in: `{"Item":{@pk},"ReturnValues":"UPDATED_NEW"}`,
			err: "Invalid: ReturnValues can only be ALL_OLD or NONE"},
		{name: "is checked before the table",
			in:  `{"TableName":"no-such-table","Item":{@pk},"ReturnValues":"ALL_NEW"}`,
			err: "Invalid: ReturnValues can only be ALL_OLD or NONE"},
		{name: "an unknown value", in: `{"Item":{@pk},"ReturnValues":"SOME"}`,
			err: "ValidationException: 1 validation error detected: Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]"},
	})
}

func TestGetItem(t *testing.T) {
	t.Parallel()
	const mismatch = wrongKey
	const count = mismatch +
		" || ValidationException: The number of conditions on the keys is invalid"
	run(t, defaults{src: "API Reference, GetItem", table: "hash", op: "GetItem"}, []kase{
		{name: "an item", given: []string{`{@pk,"a":{"N":"1"}}`},
			in: `{@key,"ConsistentRead":true}`, want: `{"Item":{@pk,"a":{"N":"1"}}}`},
		{name: "no item", in: `{@key}`, want: `{}`},
		{name: "no item with a projection", in: `{@key,"ProjectionExpression":"a"}`, want: `{}`},
		{name: "table by ARN", given: []string{`{@pk}`},
			in: `{"TableName":"@arn:hash",@key,"ConsistentRead":true}`, want: `{"Item":{@pk}}`},
		{name: "unknown table", in: `{"TableName":"no-such-table",@key}`,
			err: noSuchTable},
		{name: "unknown table with a bad key",
			in:  `{"TableName":"no-such-table","Key":{"pk":{"N":"1"}}}`,
			err: noSuchTable},
		{name: "key of another type", in: `{"Key":{"pk":{"N":"1"}}}`, err: mismatch},
		{name: "key of another name", in: `{"Key":{"x":{"S":"1"}}}`, err: mismatch},
		{name: "empty key", in: `{"Key":{}}`, err: count},
		{name: "superfluous attribute", in: `{"Key":{@pk,"x":{"S":"1"}}}`, err: count},
		{name: "missing sort key", table: "comp", in: `{@key}`, err: count},
		{name: "sort key of another name", table: "comp", in: `{"Key":{@pk,"x":{"S":"1"}}}`,
			err: mismatch},
		{name: "sort key of another type", table: "comp", in: `{"Key":{@pk,"sk":{"B":"AA=="}}}`,
			err: mismatch},
		{name: "empty string as the key", in: `{"Key":{"pk":{"S":""}}}`,
			err: "ValidationException: One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"},
		{name: "empty binary as the key", table: "hashb", in: `{"Key":{"pk":{"B":""}}}`,
			err: "ValidationException: One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty binary value. Key: pk"},
		{name: "number key by another notation", table: "hashn", op: "GetItem",
			in: `{"Key":{"pk":{"N":"1e3"}},"ConsistentRead":true}`, want: `{}`},
		{name: "bad number as the key", table: "hashn", in: `{"Key":{"pk":{"N":"abc"}}}`,
			err: "Invalid: The parameter cannot be converted to a numeric value: abc"},
		{name: "bad number in the key of an unknown table",
			in:  `{"TableName":"no-such-table","Key":{"pk":{"N":"abc"}}}`,
			err: "Invalid: The parameter cannot be converted to a numeric value: abc"},
	})
}

// Developer Guide, Naming rules and data types, Number
func TestNumberKeysAreEqualByValue(t *testing.T) {
	t.Parallel()
	call(t, "PutItem", `{"TableName":"@hashn","Item":{"pk":{"N":"1500"},"a":{"S":"x"}}}`)
	for _, same := range []string{"1500", "1.5e3", "1500.00", "+1500", "001500", "15E2"} {
		answer := call(t, "GetItem",
			`{"TableName":"@hashn","Key":{"pk":{"N":"`+same+`"}},"ConsistentRead":true}`)
		assert.Equal(t, normal(parseJSON(`{"Item":{"pk":{"N":"1500"},"a":{"S":"x"}}}`)),
			normal(answer), "by %s", same)
	}
}

func TestDeleteItem(t *testing.T) {
	t.Parallel()
	run(t, defaults{src: "API Reference, DeleteItem", table: "hash", op: "DeleteItem"}, []kase{
		{name: "an item", given: []string{`{@pk,"a":{"N":"1"}}`}, in: `{@key}`, want: `{}`,
			then: "none"},
		{name: "is idempotent", in: `{@key}`, want: `{}`, then: "none"},
		{name: "ALL_OLD", given: []string{`{@pk,"a":{"N":"1"}}`},
			in: `{@key,"ReturnValues":"ALL_OLD"}`, want: `{"Attributes":{@pk,"a":{"N":"1"}}}`,
			then: "none"},
		{name: "ALL_OLD of nothing", in: `{@key,"ReturnValues":"ALL_OLD"}`, want: `{}`},
		{name: "ALL_NEW", given: []string{`{@pk}`}, in: `{@key,"ReturnValues":"ALL_NEW"}`,
			err: "Invalid: ReturnValues can only be ALL_OLD or NONE", then: `{@pk}`},
		{name: "UPDATED_NEW", in: `{@key,"ReturnValues":"UPDATED_NEW"}`,
			err: "Invalid: ReturnValues can only be ALL_OLD or NONE"},
		{name: "condition that holds", given: []string{`{@pk,"a":{"N":"1"}}`},
			in: `{@key,"ConditionExpression":"a = :a","ExpressionAttributeValues":{":a":{"N":"1"}}}`, want: `{}`, then: "none"},
		{name: "condition that fails", given: []string{`{@pk,"a":{"N":"1"}}`},
			in: `{@key,"ConditionExpression":"a = :a","ExpressionAttributeValues":{":a":{"N":"2"}}}`, err: conditionFailed, then: `{@pk,"a":{"N":"1"}}`},
		{name: "condition on nothing", in: `{@key,"ConditionExpression":"attribute_exists(pk)"}`,
			err: conditionFailed},
		{name: "key of another type", in: `{"Key":{"pk":{"N":"1"}}}`,
			err: wrongKey},
		{name: "unknown table", in: `{"TableName":"no-such-table",@key}`,
			err: noSuchTable},
		{name: "table by ARN", given: []string{`{@pk}`}, in: `{"TableName":"@arn:hash",@key}`,
			want: `{}`, then: "none"},
	})
}

// Developer Guide, Constraints, "Partition key length" and "Sort key length".
func TestKeyLengths(t *testing.T) {
	t.Parallel()
	item := func(pk, sk int) string {
		return fmt.Sprintf(`{"Item":{"pk":{"S":"%s"},"sk":{"S":"%s"}}}`, strings.Repeat("p", pk),
			strings.Repeat("s", sk))
	}
	key := func(pk, sk int) string { return strings.Replace(item(pk, sk), "Item", "Key", 1) }
	const hashSize = "ValidationException: One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes"
	const rangeSize = "ValidationException: One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
	run(t, defaults{
		src: "Developer Guide, Constraints, Partition keys and sort keys", table: "comp",
	}, []kase{
		{name: "partition key of 2048 bytes", op: "PutItem", in: item(2048, 1), want: `{}`},
		{name: "partition key of 2049 bytes", op: "PutItem", in: item(2049, 1), err: hashSize},
		{name: "sort key of 1024 bytes", op: "PutItem", in: item(1, 1024), want: `{}`},
		{name: "sort key of 1025 bytes", op: "PutItem", in: item(1, 1025), err: rangeSize},
		{name: "get by a key of 2048 bytes", op: "GetItem", in: key(2048, 2), want: `{}`},
		{name: "get by a key of 2049 bytes", op: "GetItem", in: key(2049, 1), err: hashSize},
		{name: "get by a sort key of 1025 bytes", op: "GetItem", in: key(1, 1025), err: rangeSize},
		{name: "delete by a key of 2049 bytes", op: "DeleteItem", in: key(2049, 1), err: hashSize},
		{name: "length is counted in bytes", op: "PutItem",
			in: fmt.Sprintf(`{"Item":{"pk":{"S":"%s"},"sk":{"S":"s"}}}`,
				strings.Repeat("é", 1025)),
			err: hashSize},
		{name: "binary key of 2049 bytes", table: "hashb", op: "PutItem",
			in: `{"Item":{"pk":{"B":"` + strings.Repeat("AAAA", 683) + `"}}}`, err: hashSize},
		{name: "binary key of 2046 bytes", table: "hashb", op: "PutItem",
			in: `{"Item":{"pk":{"B":"` + strings.Repeat("AAAA", 682) + `"}}}`, want: `{}`},
	})
}

// Developer Guide, Constraints, "Empty values": empty strings and binaries are allowed, except in
// keys.
func TestEmptyValues(t *testing.T) {
	t.Parallel()
	const emptyString = "ValidationException: One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: "
	const emptyBinary = "ValidationException: One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty binary value. Key: "
	const indexKey = "ValidationException: One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. "
	run(t, defaults{
		src: "Developer Guide, Naming rules and data types, Scalar types", table: "hash",
		op: "PutItem",
	}, []kase{
		{name: "empty string", in: `{"Item":{@pk,"a":{"S":""}}}`, then: `{@pk,"a":{"S":""}}`},
		{name: "empty binary", in: `{"Item":{@pk,"a":{"B":""}}}`, then: `{@pk,"a":{"B":""}}`},
		{name: "empty list and map", in: `{"Item":{@pk,"a":{"L":[]},"b":{"M":{}}}}`,
			then: `{@pk,"a":{"L":[]},"b":{"M":{}}}`},
		{name: "empty string in a list", in: `{"Item":{@pk,"a":{"L":[{"S":""}]}}}`,
			then: `{@pk,"a":{"L":[{"S":""}]}}`},
		{name: "empty string in a set", in: `{"Item":{@pk,"a":{"SS":["","b"]}}}`,
			then: `{@pk,"a":{"SS":["","b"]}}`},
		{name: "empty partition key", in: `{"Item":{"pk":{"S":""}}}`, err: emptyString + "pk"},
		{name: "empty sort key", table: "comp", in: `{"Item":{@pk,"sk":{"S":""}}}`,
			err: emptyString + "sk"},
		{name: "empty binary key", table: "hashb", in: `{"Item":{"pk":{"B":""}}}`,
			err: emptyBinary + "pk"},
		{name: "empty index key", table: "global",
			in: `{"Item":{@pk,"sk":{"S":"a"},"gb":{"B":""}}}`,
			err: strings.Replace(indexKey, "string", "binary", 1) +
				"IndexName: gbin, IndexKey: gb"},
		{name: "empty local index key", table: "local",
			in: `{"Item":{@pk,"sk":{"S":"a"},"lk":{"S":""}}}`,
			err: indexKey + "IndexName: lall, IndexKey: lk || " + indexKey +
				"IndexName: lkeys, IndexKey: lk"},
	})
}
