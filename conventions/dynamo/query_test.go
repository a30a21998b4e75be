package dynamo_test

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/dynamo"
)

const orderID = "01HX7MBJK3V9WQBZ7XNDK5ZT2M"

var orders = conventions.Hierarchical{Prefix: "ORDER", Children: []string{"ORDER_ITEM"}}

// TestGuideQueries has the three forms of the guide's "Query patterns".
func TestGuideQueries(t *testing.T) {
	for _, c := range []struct {
		quote      string
		query      dynamo.Query
		expression string
		values     map[string]types.AttributeValue
		names      map[string]string
	}{
		{"listItemsByPk(`PRODUCT${KEY_SEPARATOR}${tenantCode}`)",
			dynamo.ByPartition("t", "PRODUCT#tenant001"),
			"#pk = :pk", map[string]types.AttributeValue{":pk": text("PRODUCT#tenant001")},
			map[string]string{"#pk": "pk"}},
		{"begins_with(sk, :skPrefix)",
			dynamo.ByPrefix("t", "ORDER#tenant001", "ORDER_ITEM#"+orderID),
			"#pk = :pk AND begins_with(#sk, :skPrefix)",
			map[string]types.AttributeValue{":pk": text("ORDER#tenant001"),
				":skPrefix": text("ORDER_ITEM#" + orderID)},
			map[string]string{"#pk": "pk", "#sk": "sk"}},
		{"sk BETWEEN :start AND :end",
			dynamo.ByRange("t", "ORDER#tenant001", "2024-01-01", "2024-01-31"),
			"#pk = :pk AND #sk BETWEEN :start AND :end",
			map[string]types.AttributeValue{":pk": text("ORDER#tenant001"),
				":start": text("2024-01-01"), ":end": text("2024-01-31")},
			map[string]string{"#pk": "pk", "#sk": "sk"}},
	} {
		t.Run(c.quote, func(t *testing.T) {
			input, err := c.query.Input()
			require.NoError(t, err)
			assert.Equal(t, &dynamodb.QueryInput{
				TableName: aws.String("t"), KeyConditionExpression: aws.String(c.expression),
				ScanIndexForward:         aws.Bool(true),
				ExpressionAttributeNames: c.names, ExpressionAttributeValues: c.values,
			}, input)
		})
	}
}

func TestQuerySettings(t *testing.T) {
	start := map[string]types.AttributeValue{"gpk": text("a")}
	plain := dynamo.ByPrefix("t", "ORDER#tenant001", "ORDER")
	query := plain.Index("byDate", "gpk",
		"gsk").Limit(3).Descending().Consistent().StartAfter(start)
	start["gpk"] = text("changed afterwards")
	input, err := query.Input()
	require.NoError(t, err)
	assert.Equal(t, &dynamodb.QueryInput{
		TableName: aws.String("t"), IndexName: aws.String("byDate"), Limit: aws.Int32(3),
		ScanIndexForward: aws.Bool(false), ConsistentRead: aws.Bool(true),
		KeyConditionExpression:   aws.String("#pk = :pk AND begins_with(#sk, :skPrefix)"),
		ExpressionAttributeNames: map[string]string{"#pk": "gpk", "#sk": "gsk"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":pk": text("ORDER#tenant001"),
			":skPrefix": text("ORDER")},
		ExclusiveStartKey: map[string]types.AttributeValue{"gpk": text("a")},
	}, input)

	input, err = plain.Input()
	require.NoError(t, err)
	assert.Nil(t, input.IndexName, "the query it was made of is as before")
	assert.Nil(t, input.Limit)
}

func TestQueryErrors(t *testing.T) {
	long := strings.Repeat("x", conventions.MaxPartitionKeyBytes+1)
	for _, c := range []struct {
		name  string
		query dynamo.Query
		text  string
	}{
		{"no table", dynamo.ByPartition("", "A#t"), "dynamo: a query needs a table"},
		{"no tenant", dynamo.ByPartition("t", "PRODUCT"),
			`conventions: partition key "PRODUCT" has no tenant`},
		{"no partition key in an index", dynamo.ByPartition("t", "").Index("i", "a", "b"),
			`dynamo: the partition key "" is empty`},
		{"a long partition key in an index", dynamo.ByPartition("t", long).Index("i", "a", "b"),
			`dynamo: the partition key "` + long[:100] + `" is longer than DynamoDB allows`},
		{"no name of the index", dynamo.ByPartition("t", "A#t").Index("", "a", "b"),
			"dynamo: the index has no name"},
		{"no name of the partition key", dynamo.ByPartition("t", "A#t").Attributes("", "b"),
			"dynamo: a key attribute has no name"},
		{"no name of the sort key", dynamo.ByPrefix("t", "A#t", "x").Attributes("a", ""),
			"dynamo: a key attribute has no name"},
		{"a limit of none", dynamo.ByPartition("t", "A#t").Limit(0),
			"dynamo: a limit of 0 items is less than 1"},
		{"no prefix", dynamo.ByPrefix("t", "A#t", ""), `dynamo: the sort key prefix "" is empty`},
		{"a prefix that is not UTF-8", dynamo.ByPrefix("t", "A#t", "\xff"),
			`dynamo: the sort key prefix "\xff" is not UTF-8`},
		{"no start", dynamo.ByRange("t", "A#t", "", "b"),
			`dynamo: the start of the range "" is empty`},
		{"no end", dynamo.ByRange("t", "A#t", "a", ""), `dynamo: the end of the range "" is empty`},
		{"backwards", dynamo.ByRange("t", "A#t", "b", "a"),
			`dynamo: the range starts at "b", after its end "a"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.query.Input()
			require.EqualError(t, err, c.text)
		})
	}
	t.Run("an index without a sort key", func(t *testing.T) {
		_, err := dynamo.ByPartition("t", "post").Index("i", "type", "").Input()
		require.NoError(t, err)
	})
}

// read returns the sort keys that a query finds, and its LastEvaluatedKey.
func read(t *testing.T, client *dynamodb.Client, q dynamo.Query) ([]string,
	map[string]types.AttributeValue) {
	input, err := q.Input()
	require.NoError(t, err)
	out, err := client.Query(t.Context(), input)
	require.NoError(t, err)
	var keys []string
	for _, it := range out.Items {
		keys = append(keys, it["sk"].(*types.AttributeValueMemberS).Value)
	}
	return keys, out.LastEvaluatedKey
}

func put(t *testing.T, client *dynamodb.Client, table string, keys conventions.Keys, err error) {
	require.NoError(t, err)
	_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String(table),
		Item:      map[string]types.AttributeValue{"pk": text(keys.PK), "sk": text(keys.SK)},
	})
	require.NoError(t, err)
}

func TestQueriesFindItems(t *testing.T) {
	client := newClient(t)
	createTable(t, client, "data", "pk", "sk")
	parent, err := orders.BuildParent("tenant001", "1")
	put(t, client, "data", parent, err)
	for _, item := range [][2]string{{"1", "001"}, {"1", "002"}, {"10", "001"}} {
		keys, err := orders.BuildChild("tenant001", "ORDER_ITEM", item[0], item[1])
		put(t, client, "data", keys, err)
	}
	children := conventions.Must(orders.ChildrenPrefix("ORDER_ITEM", "1"))

	all, _ := read(t, client, dynamo.ByPartition("data", parent.PK))
	assert.Equal(t,
		[]string{"ORDER#1", "ORDER_ITEM#1#001", "ORDER_ITEM#1#002", "ORDER_ITEM#10#001"}, all)
	items, _ := read(t, client, dynamo.ByPrefix("data", parent.PK, children).Consistent())
	assert.Equal(t, []string{"ORDER_ITEM#1#001", "ORDER_ITEM#1#002"}, items,
		"and not those of order 10")
	back, _ := read(t, client, dynamo.ByPrefix("data", parent.PK, children).Descending())
	assert.Equal(t, []string{"ORDER_ITEM#1#002", "ORDER_ITEM#1#001"}, back)
	one, _ := read(t, client,
		dynamo.ByRange("data", parent.PK, "ORDER_ITEM#1#002", "ORDER_ITEM#1#999"))
	assert.Equal(t, []string{"ORDER_ITEM#1#002"}, one)

	page, next := read(t, client, dynamo.ByPrefix("data", parent.PK, children).Limit(1))
	assert.Equal(t, []string{"ORDER_ITEM#1#001"}, page)
	rest, _ := read(t, client, dynamo.ByPrefix("data", parent.PK, children).StartAfter(next))
	assert.Equal(t, []string{"ORDER_ITEM#1#002"}, rest)
}

// TestTimeRange: a range of time finds the events of all its months, and no others.
func TestTimeRange(t *testing.T) {
	client := newClient(t)
	createTable(t, client, "data", "pk", "sk")
	logs := conventions.TimeSeries{Prefix: "LOG"}
	from := time.Date(2024, 1, 31, 23, 59, 59, 0, time.UTC)
	to := from.Add(time.Second)
	for i, at := range []time.Time{from.Add(-time.Millisecond), from, to.Add(-time.Millisecond), to,
		to.Add(time.Millisecond)} {
		keys, err := logs.Build("tenant001", at, string(rune('a'+i)))
		put(t, client, "data", keys, err)
	}
	ranges, err := logs.Between("tenant001", from, to)
	require.NoError(t, err)
	var found []string
	for _, r := range ranges {
		keys, _ := read(t, client, dynamo.ByRange("data", r.PK, r.From, r.To))
		found = append(found, keys...)
	}
	assert.Equal(t,
		[]string{"2024-01-31T23:59:59.000Z#b", "2024-01-31T23:59:59.999Z#c",
			"2024-02-01T00:00:00.000Z#d"}, found)
}
