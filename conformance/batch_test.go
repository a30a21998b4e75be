package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// times repeats a text, with "%d" replaced by the numbers from 0, separated by commas.
func times(n int, format string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = strings.ReplaceAll(format, "%d", fmt.Sprint(i))
	}
	return strings.Join(parts, ",")
}

func TestBatchGetItem(t *testing.T) {
	t.Parallel()
	const notFound = noSuchTable
	const duplicates = "ValidationException: Provided list of item keys contains duplicates"
	given := []string{`{@pk,"a":{"N":"1"},"b":{"N":"2"}}`, `{"pk":{"S":"$k-2"},"a":{"N":"3"}}`}
	both := `[{@pk},{"pk":{"S":"$k-2"}}]`
	run(t, defaults{src: "API Reference, BatchGetItem", op: "BatchGetItem"}, []kase{
		{name: "two items", table: "hash", given: given,
			in: `{"RequestItems":{"@hash":{"Keys":` + both + `,"ConsistentRead":true}}}`,
			want: `{"Responses":{"@hash":[` + given[0] + `,` + given[1] +
				`]},"UnprocessedKeys":{}}`},
		{name: "missing items are left out", table: "hash", given: given[:1],
			in:   `{"RequestItems":{"@hash":{"Keys":` + both + `,"ConsistentRead":true}}}`,
			want: `{"Responses":{"@hash":[` + given[0] + `]},"UnprocessedKeys":{}}`},
		{name: "no item", in: `{"RequestItems":{"@hash":{"Keys":[{@pk}]}}}`,
			want: `{"Responses":{"@hash":[]},"UnprocessedKeys":{}}`},
		{name: "projection", table: "hash", given: given,
			in: `{"RequestItems":{"@hash":{"Keys":` + both +
				`,"ConsistentRead":true,"ProjectionExpression":"#b","ExpressionAttributeNames":{"#b":"b"}}}}`, want: `{"Responses":{"@hash":[{"b":{"N":"2"}},{}]},"UnprocessedKeys":{}}`},
		{name: "AttributesToGet", table: "hash", given: given,
			in: `{"RequestItems":{"@hash":{"Keys":` + both +
				`,"ConsistentRead":true,"AttributesToGet":["a"]}}}`,
			want: `{"Responses":{"@hash":[{"a":{"N":"1"}},{"a":{"N":"3"}}]},"UnprocessedKeys":{}}`},
		{name: "table by ARN", table: "hash", given: given[:1],
			in:   `{"RequestItems":{"@arn:hash":{"Keys":[{@pk}],"ConsistentRead":true}}}`,
			want: `{"Responses":{"@arn:hash":[` + given[0] + `]},"UnprocessedKeys":{}}`},
		{name: "unknown table", in: `{"RequestItems":{"no-such-table":{"Keys":[{@pk}]}}}`,
			err: notFound},
		{name: "one unknown table of two",
			in:  `{"RequestItems":{"@hash":{"Keys":[{@pk}]},"no-such-table":{"Keys":[{@pk}]}}}`,
			err: notFound},
		{name: "duplicate keys", in: `{"RequestItems":{"@hash":{"Keys":[{@pk},{@pk}]}}}`,
			err: duplicates},
		{name: "number keys that are written differently", src: "service facts H.1",
			table: "hashn", given: []string{`{"pk":{"N":"4242000"}}`},
			in:   `{"RequestItems":{"@hashn":{"Keys":[{"pk":{"N":"4242000"}},{"pk":{"N":"4242e3"}}]}}}`,
			want: `{"Responses":{"@hashn":[{"pk":{"N":"4242000"}}]},"UnprocessedKeys":{}}`},
		{name: "number keys that are written alike", src: "service facts H.1",
			in: `{"RequestItems":{"@hashn":{"Keys":[{"pk":{"N":"1e3"}},` +
				`{"pk":{"N":"2"}},{ "pk" : {"N": "1e3"}}]}}}`, err: duplicates, raw: true},
		{name: "key of another type", in: `{"RequestItems":{"@hash":{"Keys":[{"pk":{"N":"1"}}]}}}`,
			err: wrongKey},
		{name: "missing sort key", in: `{"RequestItems":{"@comp":{"Keys":[{@pk}]}}}`,
			err: "ValidationException: The provided key element does not match the schema || ValidationException: The number of conditions on the keys is invalid"},
		{name: "no tables", raw: true, in: `{"RequestItems":{}}`,
			err: "ValidationException: 1 validation error detected: Value at 'RequestItems' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{name: "no RequestItems", raw: true, in: `{}`,
			err: "ValidationException: 1 validation error detected: Value null at 'requestItems' failed to satisfy constraint: Member must not be null"},
		{name: "no keys", raw: true, in: `{"RequestItems":{"@hash":{"Keys":[]}}}`,
			err: "ValidationException: 1 validation error detected: Value at 'RequestItems.@hash.member.Keys' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{name: "101 keys of a table",
			in:  `{"RequestItems":{"@hash":{"Keys":[` + times(101, `{"pk":{"S":"%d"}}`) + `]}}}`,
			err: "ValidationException: 1 validation error detected: Value at 'RequestItems.@hash.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100"},
		{name: "101 keys of two tables",
			in: `{"RequestItems":{"@hash":{"Keys":[` + times(51, `{"pk":{"S":"%d"}}`) +
				`]},"@hashn":{"Keys":[` + times(50, `{"pk":{"N":"%d"}}`) + `]}}}`,
			err: "ValidationException: Too many items requested for the BatchGetItem call"},
		{name: "both projections",
			in: `{"RequestItems":{"@hash":{"Keys":[{@pk}],"AttributesToGet":["a"],"ProjectionExpression":"a"}}}`, err: "ValidationException: Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}"},
		{name: "bad projection",
			in:  `{"RequestItems":{"@hash":{"Keys":[{@pk}],"ProjectionExpression":"a,"}}}`,
			err: `ValidationException: Invalid ProjectionExpression: Syntax error; token: "<EOF>", near: ","`},
	})
}

// API Reference, BatchGetItem: 100 items, 16 MB, UnprocessedKeys
func TestBatchGetItemLimits(t *testing.T) {
	t.Parallel()
	call(t, "BatchWriteItem",
		`{"RequestItems":{"@hash":[`+
			times(25, `{"PutRequest":{"Item":{"pk":{"S":"many-%d"}}}}`)+`]}}`)
	answer := call(t, "BatchGetItem",
		`{"RequestItems":{"@hash":{"Keys":[`+times(100, `{"pk":{"S":"many-%d"}}`)+
			`],"ConsistentRead":true}}}`)
	assert.Len(t, itemsOf(t, answer, "hash"), 25)

	big := strings.Repeat("x", 390<<10)
	for i := range 45 {
		call(t, "PutItem",
			fmt.Sprintf(`{"TableName":"@hash","Item":{"pk":{"S":"big-%d"},"a":{"S":"%s"}}}`, i,
				big))
	}
	seen, requests := map[string]bool{}, 0
	request := `{"@hash":{"Keys":[` + times(45, `{"pk":{"S":"big-%d"}}`) +
		`],"ConsistentRead":true}}`
	for request != "" && requests < 5 {
		answer := call(t, "BatchGetItem", `{"RequestItems":`+request+`}`)
		requests++
		size := 0
		for _, item := range itemsOf(t, answer, "hash") {
			seen[textAt(t, item, "pk")] = true
			size += len(textAt(t, item, "a"))
		}
		assert.LessOrEqual(t, size, 16<<20, "more than 16 MB in one answer")
		request = ""
		if left, _ := answer["UnprocessedKeys"].(map[string]any); len(left) > 0 {
			require.Contains(t, left, fixture(t, "hash").name)
			request = encode(left)
		}
	}
	assert.Greater(t, requests, 1, "17 MB came in one answer")
	assert.Len(t, seen, 45)
}

// itemsOf returns the items of a table in an answer of BatchGetItem.
func itemsOf(t *testing.T, answer map[string]any, shape string) []any {
	responses, _ := answer["Responses"].(map[string]any)
	items, _ := responses[fixture(t, shape).name].([]any)
	return items
}

func TestBatchWriteItem(t *testing.T) {
	t.Parallel()
	const duplicates = "ValidationException: Provided list of item keys contains duplicates"
	write := func(requests string) string { return `{"RequestItems":{"@hash":[` + requests + `]}}` }
	run(t, defaults{
		src: "API Reference, BatchWriteItem", op: "BatchWriteItem", table: "hash",
	}, []kase{
		{name: "a put", in: write(`{"PutRequest":{"Item":{@pk,"a":{"N":"1"}}}}`),
			want: `{"UnprocessedItems":{}}`, then: `{@pk,"a":{"N":"1"}}`},
		{name: "a put over an item", given: []string{`{@pk,"a":{"N":"1"}}`},
			in: write(`{"PutRequest":{"Item":{@pk,"b":{"N":"2"}}}}`), then: `{@pk,"b":{"N":"2"}}`},
		{name: "a delete", given: []string{`{@pk,"a":{"N":"1"}}`},
			in: write(`{"DeleteRequest":{"Key":{@pk}}}`), want: `{"UnprocessedItems":{}}`,
			then: "none"},
		{name: "a delete of nothing", in: write(`{"DeleteRequest":{"Key":{@pk}}}`),
			want: `{"UnprocessedItems":{}}`},
		{name: "a put and a delete", given: []string{`{@pk,"a":{"N":"1"}}`},
			in: write(`{"PutRequest":{"Item":{"pk":{"S":"$k-2"}}}},{"DeleteRequest":{"Key":{@pk}}}`), then: "none"},
		{name: "25 puts", in: write(times(25, `{"PutRequest":{"Item":{"pk":{"S":"$k-%d"}}}}`)),
			want: `{"UnprocessedItems":{}}`},
		{name: "two tables",
			in: `{"RequestItems":{"@hash":[{"PutRequest":{"Item":{@pk}}}],"@comp":[{"PutRequest":{"Item":{@pk,"sk":{"S":"a"}}}}]}}`, want: `{"UnprocessedItems":{}}`, then: `{@pk}`},
		{name: "table by ARN", in: `{"RequestItems":{"@arn:hash":[{"PutRequest":{"Item":{@pk}}}]}}`,
			want: `{"UnprocessedItems":{}}`, then: `{@pk}`},
		{name: "26 puts of a table",
			in:  write(times(26, `{"PutRequest":{"Item":{"pk":{"S":"$k-%d"}}}}`)),
			err: "ValidationException: 1 validation error detected: Value '{*"},
		{name: "26 puts of two tables",
			in: `{"RequestItems":{"@hash":[` +
				times(13, `{"PutRequest":{"Item":{"pk":{"S":"$k-%d"}}}}`) + `],"@hashn":[` + times(
				13, `{"PutRequest":{"Item":{"pk":{"N":"%d"}}}}`) + `]}}`,
			err: "ValidationException: Too many items requested for the BatchWriteItem call"},
		{name: "two puts of an item",
			in: write(`{"PutRequest":{"Item":{@pk,"a":{"N":"1"}}}},{"PutRequest":{"Item":{@pk,"a":{"N":"2"}}}}`), err: duplicates, then: "none"},
		{name: "a put and a delete of an item",
			in:  write(`{"PutRequest":{"Item":{@pk}}},{"DeleteRequest":{"Key":{@pk}}}`),
			err: duplicates},
		{name: "unknown table",
			in:  `{"RequestItems":{"no-such-table":[{"PutRequest":{"Item":{@pk}}}]}}`,
			err: noSuchTable},
		{name: "one unknown table of two writes nothing",
			in: `{"RequestItems":{"@hash":[{"PutRequest":{"Item":{@pk}}}],"no-such-table":[{"PutRequest":{"Item":{@pk}}}]}}`, err: noSuchTable, then: "none"},
		{name: "an item without its key writes nothing",
			in:   write(`{"PutRequest":{"Item":{@pk}}},{"PutRequest":{"Item":{"a":{"N":"1"}}}}`),
			err:  wrongKey,
			then: "none"},
		{name: "an item with a key of another type", src: "service facts 4.1",
			in:  write(`{"PutRequest":{"Item":{"pk":{"N":"1"}}}}`),
			err: wrongKey},
		{name: "a delete with a key of another type",
			in:  write(`{"DeleteRequest":{"Key":{"pk":{"N":"1"}}}}`),
			err: wrongKey},
		{name: "an item that is too large",
			in: write(`{"PutRequest":{"Item":{@pk,"a":{"S":"` +
				strings.Repeat("x", 400<<10) + `"}}}}`),
			err: tooLargeItem},
		{name: "an item with a bad number",
			in:  write(`{"PutRequest":{"Item":{@pk,"a":{"N":"x"}}}}`),
			err: notNumericFault},
		{name: "no tables", raw: true, in: `{"RequestItems":{}}`,
			err: "ValidationException: The requestItems parameter is required for BatchWriteItem"},
		{name: "no RequestItems", raw: true, in: `{}`,
			err: "ValidationException: 1 validation error detected: Value null at 'requestItems' failed to satisfy constraint: Member must not be null"},
		{name: "no requests", src: "service facts 13.8", raw: true, in: write(``),
			err: one + "Value '{@hash=[]}' at 'requestItems' failed to satisfy constraint: " +
				"Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]"},
		// The texts of these two are not on public record.
		{name: "an empty request", raw: true, in: write(`{}`), err: "ValidationException: Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"},
		{name: "a request of both kinds", raw: true,
			in:  write(`{"PutRequest":{"Item":{@pk}},"DeleteRequest":{"Key":{@pk}}}`),
			err: "ValidationException: Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes", then: "none"},
	})
}
