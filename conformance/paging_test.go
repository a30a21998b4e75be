package conformance

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pages reads all pages of a Query or Scan, given its members, and returns the items of each page.
func pages(t *testing.T, op, members string) (perPage [][]any) {
	t.Helper()
	start := ""
	for range 1000 {
		answer := call(t, op, `{`+members+start+`}`)
		items, _ := answer["Items"].([]any)
		perPage = append(perPage, items)
		if answer["LastEvaluatedKey"] == nil {
			return perPage
		}
		start = `,"ExclusiveStartKey":` + encode(answer["LastEvaluatedKey"])
	}
	require.Fail(t, "endless pages")
	return nil
}

func sizes(perPage [][]any) []int {
	counts := make([]int, len(perPage))
	for i, page := range perPage {
		counts[i] = len(page)
	}
	return counts
}

func numbered(pk string, n int, more string) []string {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf(`{"pk":{"S":%q},"sk":{"S":"%03d"}%s}`, pk, i, more)
	}
	return items
}

func TestQueryPaging(t *testing.T) { // Developer Guide, Paginating table query results
	t.Parallel()
	load(t, "comp", numbered("paging", 10, "")...)
	condition :=
		`"TableName":"@comp","ConsistentRead":true,"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"paging"}}`
	for _, row := range []struct {
		name, members string
		want          []int
	}{
		{"pages of three", `"Limit":3`, []int{3, 3, 3, 1}},
		{"pages of three backwards", `"Limit":3,"ScanIndexForward":false`, []int{3, 3, 3, 1}},
		{"a limit of what there is leaves a key", `"Limit":10`, []int{10, 0}},
		{"a limit above what there is leaves none", `"Limit":11`, []int{10}},
		{"a page at a time", `"Limit":1`, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := pages(t, "Query", condition+","+row.members)
			assert.Equal(t, row.want, sizes(got))
			seen := map[string]bool{}
			for _, page := range got {
				for _, item := range page {
					seen[textAt(t, item, "sk")] = true
				}
			}
			assert.Len(t, seen, 10)
		})
	}
}

// TestPromisedPages continues from every LastEvaluatedKey of a query, with pages of each length.
func TestPromisedPages(t *testing.T) {
	t.Parallel()
	load(t, "comp", numbered("promised", 10, "")...)
	for condition, want := range map[string]int{
		"sk BETWEEN :a AND :b": 4, "sk <= :b": 7, "sk >= :a": 7, "sk < :b": 6, "sk > :a": 6,
		"sk = :a": 1, "begins_with(sk, :a)": 1,
	} {
		for _, forward := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, forward %t", condition, forward), func(t *testing.T) {
				t.Parallel()
				values := `":p":{"S":"promised"}`
				for name, value := range map[string]string{":a": "003", ":b": "006"} {
					if strings.Contains(condition, name) {
						values += `,"` + name + `":{"S":"` + value + `"}`
					}
				}
				for limit := 1; limit <= want+1; limit++ {
					got := pages(t, "Query",
						fmt.Sprintf(
							`"TableName":"@comp","ConsistentRead":true,"Limit":%d,"ScanIndexForward":%t,"KeyConditionExpression":"pk = :p AND %s","ExpressionAttributeValues":{%s}`, limit, forward, condition, values))
					total := 0
					for _, n := range sizes(got) {
						total += n
					}
					assert.Equal(t, want, total, "with pages of %d", limit)
				}
			})
		}
	}
}

func TestStartKeys(t *testing.T) {
	t.Parallel()
	load(t, "comp", numbered("starting", 10, "")...)
	query := func(start string) string {
		return `{"ConsistentRead":true,"ExclusiveStartKey":` + start +
			`,"KeyConditionExpression":"pk = :p AND sk BETWEEN :a AND :b","ExpressionAttributeValues":{":p":{"S":"starting"},":a":{"S":"003"},":b":{"S":"006"}}}`
	}
	const mismatch = "The provided starting key is invalid: The provided key element does not match the schema"
	const predicate = "ValidationException: The provided starting key does not match the range key predicate"
	item := func(i int) string {
		return fmt.Sprintf(`{"pk":{"S":"starting"},"sk":{"S":"%03d"}}`, i)
	}
	run(t, defaults{
		src: "API Reference, Query, ExclusiveStartKey", table: "comp", op: "Query",
	}, []kase{
		{name: "start key", in: query(item(4)), want: answerOf(item(5), item(6))},
		{name: "start key that is no item", in: query(`{"pk":{"S":"starting"},"sk":{"S":"0045"}}`),
			want: answerOf(item(5), item(6))},
		{name: "start key after the range", in: query(item(9)), err: predicate},
		{name: "start key before the range", in: query(item(1)), err: predicate},
		{name: "start key of another partition", in: query(`{"pk":{"S":"other"},"sk":{"S":"004"}}`),
			src: "service facts 3.9",
			err: "ValidationException: The query can return at most one row and cannot be restarted"},
		{name: "start key without sort key", in: query(`{"pk":{"S":"starting"}}`),
			err: "ValidationException: Exclusive Start Key must have same size as table's key schema || ValidationException: " + mismatch + " || ValidationException: The provided starting key is invalid"},
		{name: "start key with another attribute",
			in:  query(`{"pk":{"S":"starting"},"sk":{"S":"004"},"a":{"S":"x"}}`),
			err: "ValidationException: Exclusive Start Key must have same size as table's key schema || ValidationException: " + mismatch + " || ValidationException: The provided starting key is invalid"},
		{name: "start key of other names", in: query(`{"a":{"S":"starting"},"b":{"S":"004"}}`),
			err: "ValidationException: " + mismatch +
				" || ValidationException: The provided starting key is invalid"},
		{name: "start key of another type", in: query(`{"pk":{"S":"starting"},"sk":{"N":"4"}}`),
			src: "service facts F.13",
			err: "ValidationException: The provided starting key is invalid"},
		{name: "start key of a query for one item",
			in: `{"ExclusiveStartKey":` + item(4) +
				`,"KeyConditionExpression":"pk = :p AND sk = :s","ExpressionAttributeValues":{":p":{"S":"starting"},":s":{"S":"004"}}}`, err: "ValidationException: The query can return at most one row and cannot be restarted"},
		{name: "start key with a bad number", in: query(`{"pk":{"S":"starting"},"sk":{"N":"x"}}`),
			err: "Invalid: The parameter cannot be converted to a numeric value: x || ValidationException: The provided starting key is invalid: The parameter cannot be converted to a numeric value: x"},
	})
}

// TestOneMegabytePages: Developer Guide, Paginating table query results: a page ends when its
// items, before the filter, reach 1 MB.
func TestOneMegabytePages(t *testing.T) {
	t.Parallel()
	const itemSize = 100 << 10
	attributes := itemSize - len("pk") - len("megabyte") - len("sk") - len("000") - len("a")
	for _, item := range numbered("megabyte", 25,
		`,"a":{"S":"`+strings.Repeat("x", attributes)+`"}`) {
		call(t, "PutItem", `{"TableName":"@comp","Item":`+item+`}`)
	}
	condition :=
		`"TableName":"@comp","ConsistentRead":true,"ReturnConsumedCapacity":"TOTAL","KeyConditionExpression":"pk = :p"`
	value := `,"ExpressionAttributeValues":{":p":{"S":"megabyte"}`
	t.Run("query", func(t *testing.T) {
		t.Parallel()
		got := sizes(pages(t, "Query", condition+value+`}`))
		require.Len(t, got, 3)
		assert.Contains(t, []int{10, 11}, got[0],
			"a page ends at 1 MB, with or without the item that crosses it")
		assert.Equal(t, got[0], got[1])
	})
	t.Run("the filter comes after", func(t *testing.T) {
		t.Parallel()
		answer := call(t, "Query",
			`{`+condition+`,"FilterExpression":"a = :a"`+value+`,":a":{"S":"none"}}}`)
		assert.Empty(t, answer["Items"])
		assert.NotNil(t, answer["LastEvaluatedKey"])
		assert.Contains(t, []string{"10", "11"}, encode(answer["ScannedCount"]))
	})
	t.Run("the projection comes after", func(t *testing.T) {
		t.Parallel()
		answer := call(t, "Query", `{`+condition+`,"ProjectionExpression":"sk"`+value+`}}`)
		assert.NotNil(t, answer["LastEvaluatedKey"])
		assert.Contains(t, []int{10, 11}, len(answer["Items"].([]any)))
	})
	t.Run("so does the count", func(t *testing.T) {
		t.Parallel()
		answer := call(t, "Query", `{`+condition+`,"Select":"COUNT"`+value+`}}`)
		assert.NotNil(t, answer["LastEvaluatedKey"])
		assert.Contains(t, []string{"10", "11"}, encode(answer["Count"]))
	})
}

// TestFetchesFillPages: Developer Guide, Local secondary indexes, Read capacity units: if a query
// of an index fetches from the table, each item counts as a multiple of 4 KB towards the 1 MB of a
// page.
func TestFetchesFillPages(t *testing.T) {
	t.Parallel()
	load(t, "local", numbered("fetches", 300, `,"lk":{"S":"a"},"x":{"S":"x"}`)...)
	condition :=
		`"TableName":"@local","IndexName":"lkeys","ConsistentRead":true,"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"fetches"}}`
	assert.Equal(t, []int{300}, sizes(pages(t, "Query", condition)), "without fetches")
	got := sizes(pages(t, "Query", condition+`,"ProjectionExpression":"x"`))
	require.Len(t, got, 2)
	assert.InDelta(t, 255, got[0], 2)
	assert.Equal(t, 300, got[0]+got[1])
}

// TestSDKPaginators uses the SDK's paginators as an application does.
func TestSDKPaginators(t *testing.T) {
	t.Parallel()
	shared := newTable(t, keys("pk:S", "sk:S"))
	for i := range 7 {
		_, err := target.client.PutItem(
			context.Background(),
			&dynamodb.PutItemInput{TableName: &shared.name, Item: map[string]types.AttributeValue{
				"pk":   &types.AttributeValueMemberS{Value: "p"},
				"sk":   &types.AttributeValueMemberS{Value: fmt.Sprint(i)},
				"blob": &types.AttributeValueMemberB{Value: []byte{0, byte(i)}},
			}})
		require.NoError(t, err)
	}
	scanned := 0
	scan := dynamodb.NewScanPaginator(target.client,
		&dynamodb.ScanInput{
			TableName: &shared.name, Limit: aws.Int32(3), ConsistentRead: aws.Bool(true),
		})
	for scan.HasMorePages() {
		page, err := scan.NextPage(context.Background())
		require.NoError(t, err)
		scanned += len(page.Items)
	}
	assert.Equal(t, 7, scanned)
	queried := 0
	query := dynamodb.NewQueryPaginator(
		target.client, &dynamodb.QueryInput{TableName: &shared.name, Limit: aws.Int32(2),
			ConsistentRead:         aws.Bool(true),
			KeyConditionExpression: aws.String("pk = :p"),
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":p": &types.AttributeValueMemberS{Value: "p"},
			}})
	for query.HasMorePages() {
		page, err := query.NextPage(context.Background())
		require.NoError(t, err)
		for _, item := range page.Items {
			assert.Equal(t, &types.AttributeValueMemberB{Value: []byte{0, byte(queried)}},
				item["blob"])
			queried++
		}
	}
	assert.Equal(t, 7, queried)
}
