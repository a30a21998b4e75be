package traffic_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/traffic"
)

func TestExplain(t *testing.T) {
	s := emulatortest.Start(t)
	exercise(t.Context(), t, s.Client())
	for _, c := range []struct {
		name, operation, request string
		want                     string
	}{
		{"a get", "GetItem", `{"TableName":"orders","Key":{"id":{"S":"o1"},"line":{"S":"3"}}}`, `
GetItem: 0.5 read units, 0 write units; items: 1 read, 1 returned, 0 written

Capacity
  OPERATION  OF      READ  WRITE
  GetItem    orders  0.5   0

Hottest partition keys
  OF      KEY   UNITS  SHARE
  orders  "o1"  0.5    100 %
`},
		{"a query with a filter",
			"Query", `{"TableName":"orders","Limit":4,"ConsistentRead":true,"KeyConditionExpression":"id = :o AND line > :o",
			"FilterExpression":"amount = :o","ExpressionAttributeValues":{":o":{"S":"o1"}}}`, `
Query: 1 read units, 0 write units; items: 0 read, 0 returned, 0 written

Capacity
  OPERATION  OF      READ  WRITE
  Query      orders  1     0

Queries and scans
  OPERATION  OF      BY                                    PAGES  EVALUATED  RETURNED  UNITS  WHY
  Query      orders  id = ? AND line > ? (filter: amount)  1      0          0         1

Hottest partition keys
  OF      KEY   UNITS  SHARE
  orders  "o1"  1      100 %

Why
  orders: a strongly consistent read consumes twice the units
`},
		{"a scan that goes on", "Scan",
			`{"TableName":"orders","IndexName":"by-customer","Limit":4}`, `
Scan: 0.5 read units, 0 write units; items: 4 read, 4 returned, 0 written

Capacity
  OPERATION  OF                  READ  WRITE
  Scan       orders/by-customer  0.5   0

Queries and scans
  OPERATION  OF                  BY  PAGES  EVALUATED  RETURNED  UNITS  WHY
  Scan       orders/by-customer  -   1      4          4         0.5    no partition key is given: all items are read

Why
  orders/by-customer: no partition key is given: all items are read
  orders/by-customer: there is more to read: the page ends at its Limit of 4 items
`},
		{"a transaction", "TransactWriteItems",
			`{"TransactItems":[{"Delete":{"TableName":"orders","Key":{"id":{"S":"o1"},"line":{"S":"3"}}}}]}`, `
TransactWriteItems: 0 read units, 4 write units; items: 0 read, 0 returned, 1 written

Capacity
  OPERATION           OF                  READ  WRITE
  TransactWriteItems  orders              0     2
  TransactWriteItems  orders/by-customer  0     1
  TransactWriteItems  orders/local        0     1

Hottest partition keys
  OF                  KEY   UNITS  SHARE
  orders              "o1"  2      100 %
  orders/by-customer  "c1"  1      100 %
  orders/local        "o1"  1      100 %

Why
  a transaction consumes twice the units of the table
  the index by-customer of orders is written, too: 1 of the write units
  the index local of orders is written, too: 1 of the write units
`},
		{"a refusal", "PutItem", `{"TableName":"ordres","Item":{"id":{"S":"o1"}}}`, `
PutItem: 0 read units, 0 write units; items: 0 read, 0 returned, 0 written
refused: ResourceNotFoundException: Requested resource not found
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := traffic.ExplainRequest(s.Emulator,
				&traffic.Request{
					AccessKey: "test", Region: "us-east-1", Operation: c.operation,
					Body: []byte(c.request),
				})
			require.NoError(t, err)
			assert.Equal(t, c.want, "\n"+plan.String())
			assert.Equal(t, strings.Contains(c.want, "there is more to read"), plan.More)
			encoded, err := json.Marshal(plan)
			require.NoError(t, err)
			assert.NotContains(t, string(encoded), "null")
		})
	}
	assert.Len(t, s.Items(t, "orders"), 10, "nothing is written")
}

// TestExplainDisturbsNothing: neither faults nor observers know of what is explained.
func TestExplainDisturbsNothing(t *testing.T) {
	var seen []string
	observer := emulator.WithObserver(
		func(ev *emulator.Event) { seen = append(seen, ev.Operation) })
	held := emulator.WithTransactionHook(
		func(string) { t.Error("a transaction of a plan is held open") })
	s := emulatortest.Start(t, emulatortest.WithEmulator(observer, held))
	exercise(t.Context(), t, s.Client())
	seen = nil
	f := s.AddFault(t, fault.Fault{When: fault.First(1), Do: fault.InternalServerError()})
	body := `{"TransactItems":[{"Delete":{"TableName":"orders","Key":{"id":{"S":"o1"},"line":{"S":"3"}}}}]}`
	for range 3 {
		plan, err := traffic.ExplainRequest(s.Emulator,
			&traffic.Request{
				AccessKey: "test", Region: "us-east-1", Operation: "TransactWriteItems",
				Body: []byte(body),
			})
		require.NoError(t, err)
		assert.Empty(t, plan.Error)
	}
	assert.Empty(t, seen)
	assert.Zero(t, f.Hits())
	assert.Len(t, s.Items(t, "orders"), 10)
}

func TestExplainRefuses(t *testing.T) {
	e := emulator.New()
	for _, c := range []struct {
		name string
		in   traffic.Request
		says string
	}{
		{"no operation", traffic.Request{AccessKey: "a", Region: "r", Operation: "PutItems"},
			`traffic: "PutItems" is no operation on items`},
		{"an operation on tables",
			traffic.Request{AccessKey: "a", Region: "r", Operation: "ListTables"},
			`traffic: "ListTables" is no operation on items`},
		{"no access key", traffic.Request{Region: "r", Operation: "Scan"},
			`traffic: "" is no access key or region`},
		{"no region", traffic.Request{AccessKey: "a", Region: "r/s", Operation: "Scan"},
			`traffic: "r/s" is no access key or region`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := traffic.ExplainRequest(e, &c.in)
			assert.EqualError(t, err, c.says)
		})
	}
	for _, n := range []int{0, 2} {
		_, err := traffic.Explain(e, func(rehearsal *emulator.Emulator) {
			for range n {
				emulatortest.NewClient(rehearsal).ListTables(t.Context(), nil)
			}
		})
		assert.EqualError(t, err,
			fmt.Sprintf("traffic: a plan is of one request, and %d were sent", n))
	}
}

// A plan says what a request would cost, and why.
func ExampleExplain() {
	ctx, e := context.Background(), emulator.New()
	client := emulatortest.NewClient(e)
	client.CreateTable(ctx, orders())
	client.PutItem(ctx,
		&dynamodb.PutItemInput{
			TableName: aws.String("orders"),
			Item:      map[string]types.AttributeValue{"id": text("o1"), "line": text("1")},
		})

	plan, err := traffic.Explain(e, func(rehearsal *emulator.Emulator) {
		emulatortest.NewClient(rehearsal).Scan(ctx,
			&dynamodb.ScanInput{TableName: aws.String("orders")})
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(plan.ReadUnits, plan.Why)
	// Output: 2 [orders: no partition key is given: all items are read]
}
