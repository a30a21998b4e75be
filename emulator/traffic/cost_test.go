package traffic_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/pricing"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/traffic"
)

const gigabyte = 1 << 30

// hour is an hour of traffic for a table with a local and a global index, and what it stores at the
// end. The minutes are those in which the requests come.
func hour() (*traffic.Recorder, traffic.CostOptions) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	r := traffic.NewRecorder(traffic.Pattern{
		Name: "orders of a customer", Table: "orders", Index: "by-customer",
	},
		traffic.Pattern{Name: "cancel an order", Table: "orders", Operation: "DeleteItem"})
	add := func(minute int, e *emulator.Event) {
		e.Time, e.Tables = start.Add(time.Duration(minute)*time.Minute), []string{"orders"}
		r.Observe(e)
	}
	read := func(index string, units float64) []emulator.EventRead {
		return []emulator.EventRead{{Table: "orders", Index: index, Scan: true, Units: units}}
	}
	for minute, units := range []float64{2700, 900} {
		add(minute, &emulator.Event{Operation: "PutItem", Capacity: []emulator.Capacity{
			{Table: "orders", Write: 2 * units},
			{Table: "orders", Index: "by-customer", Write: units}}})
	}
	add(2, &emulator.Event{
		Operation: "GetItem", Capacity: []emulator.Capacity{{Table: "orders", Read: 36_000}},
	})
	add(3, &emulator.Event{Operation: "Scan", Reads: read("by-customer", 18_000),
		Capacity: []emulator.Capacity{{Table: "orders", Index: "by-customer", Read: 18_000}}})
	// and fetches items from the table
	add(4, &emulator.Event{Operation: "Scan", Reads: read("local", 3_600),
		Capacity: []emulator.Capacity{{Table: "orders", Read: 2_400},
			{Table: "orders", Index: "local", Read: 1_200}}})
	for range 10 {
		add(5, &emulator.Event{Operation: "GetRecords"})
	}
	add(5, &emulator.Event{Operation: "GetRecords", Error: "ExpiredIteratorException"})
	return r, traffic.CostOptions{
		Span: time.Hour,
		Tables: []emulator.TableSize{
			{Table: "orders", Bytes: gigabyte, RecoveryBytes: gigabyte},
			{Table: "orders", Index: "by-customer", Kind: emulator.GlobalIndex, Items: 1 << 20},
			{Table: "orders", Index: "local", Kind: emulator.LocalIndex},
		},
		BackupBytes: map[string]int64{"orders": 2 * gigabyte},
	}
}

// Figures of hour, by hand: a month has 730 hours, a million reads cost 0.125, and of writes 0.625.
const (
	tableReads  = 38_400 * 730 * 0.125 / 1e6
	localReads  = 1_200 * 730 * 0.125 / 1e6
	indexReads  = 18_000 * 730 * 0.125 / 1e6
	tableWrites = 7_200 * 730 * 0.625 / 1e6
	indexWrites = 3_600 * 730 * 0.625 / 1e6
	allReads    = 3.504 + 0.1095 + 1.6425
	allWrites   = 3.285 + 1.6425
	stored      = 1 + 100.0/1024           // GB: 2^20 items have an overhead of 100 bytes each
	others      = 0.2 + 0.2 + 0.00146      // recovery, backups and ten GetRecords an hour
	readHours   = (16 + 8) * 730 * 0.00013 // 11 and 5 units per second, of 70 % each
	writeHours  = (3 + 2) * 730 * 0.00065  // 2 and 1
	peakReads   = (620 + 300) * 730 * 0.00013
	peakWrites  = (90 + 45) * 730 * 0.00065
)

func wantModes(t *testing.T, onDemand, provisioned, peak float64, got traffic.Modes) {
	t.Helper()
	assert.InDelta(t, onDemand, got.OnDemand, 1e-9, "on demand")
	assert.InDelta(t, provisioned, got.Provisioned, 1e-9, "provisioned")
	assert.InDelta(t, peak, got.Peak, 1e-9, "for the peak")
}

// TestCost compares an hour of traffic with figures by hand.
func TestCost(t *testing.T) {
	r, o := hour()
	c, err := r.Cost(o)
	require.NoError(t, err)

	m := c.Month.Standard
	wantModes(t, allReads, readHours, peakReads, m.Reads)
	wantModes(t, allWrites, writeHours, peakWrites, m.Writes)
	assert.InDelta(t, stored*0.25, m.Storage, 1e-9)
	assert.InDelta(t, others, m.Recovery+m.Backups+m.Streams, 1e-9)
	rest := stored*0.25 + others
	wantModes(t, 10.1835+rest, readHours+writeHours+rest, peakReads+peakWrites+rest, m.Total)
	assert.InDelta(t, 57_600*730*0.155/1e6+10_800*730*0.78/1e6+stored*0.1+others,
		c.Month.InfrequentAccess.Total.OnDemand, 1e-9)
	assert.InDelta(t, (16+8)*730*0.00016+(3+2)*730*0.00081+stored*0.1+others,
		c.Month.InfrequentAccess.Total.Provisioned, 1e-9)
	wantModes(t, m.Total.OnDemand/730, m.Total.Provisioned/730, m.Total.Peak/730,
		c.Recorded.Standard)
	assert.InDelta(t, c.Month.InfrequentAccess.Total.Peak/730, c.Recorded.InfrequentAccess.Peak,
		1e-9)
	assert.Equal(t, 3600.0, c.Seconds)
	assert.Empty(t, c.Unpriced)
}

// TestCostOfTables: a local index shares the capacity of its table.
func TestCostOfTables(t *testing.T) {
	r, o := hour()
	c, err := r.Cost(o)
	require.NoError(t, err)
	require.Len(t, c.Tables, 3)
	table, index, local := c.Tables[0], c.Tables[1], c.Tables[2]
	assert.Equal(t, &traffic.ProvisionedCapacity{Read: 16, Write: 3, PeakRead: 620, PeakWrite: 90},
		table.Capacity)
	assert.Equal(t, &traffic.ProvisionedCapacity{Read: 8, Write: 2, PeakRead: 300, PeakWrite: 45},
		index.Capacity)
	assert.Nil(t, local.Capacity)
	const perUnit, perPeak = 16 * 730 * 0.00013 / 39_600, 620 * 730 * 0.00013 / 39_600
	wantModes(t, tableReads, 38_400*perUnit, 38_400*perPeak, table.Month.Standard.Reads)
	wantModes(t, localReads, 1_200*perUnit, 1_200*perPeak, local.Month.Standard.Reads)
	wantModes(t, indexReads, 8*730*0.00013, 300*730*0.00013, index.Month.Standard.Reads)
	wantModes(t, tableWrites, 3*730*0.00065, 90*730*0.00065, table.Month.Standard.Writes)
	wantModes(t, indexWrites, 2*730*0.00065, 45*730*0.00065, index.Month.Standard.Writes)
	wantModes(t, 0, 0, 0, local.Month.Standard.Writes)
	assert.Equal(t, int64(10), table.StreamReads)
	assert.Equal(t, 100.0*(1<<20), index.StoredBytes)
}

// TestCostOfPatterns: a pattern has its name, or what its requests have in common. Its writes are
// those of all indexes.
func TestCostOfPatterns(t *testing.T) {
	r, o := hour()
	c, err := r.Cost(o)
	require.NoError(t, err)
	type line struct {
		name, operation, index string
		requests               int64
		read, write            float64
	}
	lines := func(c *traffic.Cost) (list []line) {
		for _, p := range c.Patterns {
			list = append(list,
				line{p.Name, p.Operation, p.Index, p.Requests, p.ReadUnits, p.WriteUnits})
		}
		return list
	}
	assert.Equal(t, []line{
		{"", "PutItem", "", 2, 0, 10_800},
		{"", "GetItem", "", 1, 36_000, 0},
		{"orders of a customer", "", "by-customer", 1, 18_000, 0},
		{"", "Scan", "local", 1, 3_600, 0},
		{"cancel an order", "DeleteItem", "", 0, 0, 0},
	}, lines(c))
	wantModes(t, tableWrites+indexWrites, writeHours, peakWrites,
		c.Patterns[0].Month.Standard.Total)
	wantModes(t, 3_600*730*0.125/1e6, 16*730*0.00013*3_600/39_600, 620*730*0.00013*3_600/39_600,
		c.Patterns[3].Month.Standard.Reads)

	o.Patterns = []traffic.Pattern{{Name: "all", Table: "orders"},
		{Name: "puts", Table: "orders", Operation: "PutItem"}}
	c, err = r.Cost(o)
	require.NoError(t, err)
	assert.Equal(t, []line{
		{"all", "", "", 3, 36_000, 10_800}, // the first that matches
		{"", "Scan", "by-customer", 1, 18_000, 0},
		{"", "Scan", "local", 1, 3_600, 0},
		{"puts", "PutItem", "", 0, 0, 0},
	}, lines(c))
}

// TestCostText: the cost as text is that of testdata/cost.txt, also after JSON.
func TestCostText(t *testing.T) {
	r, o := hour()
	c, err := r.Cost(o)
	require.NoError(t, err)
	want, err := os.ReadFile("testdata/cost.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), c.String())
	encoded, err := json.Marshal(c)
	require.NoError(t, err)
	assert.NotContains(t, string(encoded), "null")
	var decoded traffic.Cost
	require.NoError(t, json.Unmarshal(encoded, &decoded))
	assert.Equal(t, string(want), decoded.String())
}

// TestCostWithout: prices may have none of some, which the cost then says.
func TestCostWithout(t *testing.T) {
	r, o := hour()
	list := pricing.List()
	o.Prices = pricing.Prices{
		Region: "mars", Date: list.Date, Source: "s", Currency: "EUR",
		ClassPrices: list.ClassPrices, Utilization: 1,
	}
	c, err := r.Cost(o)
	require.NoError(t, err)
	assert.Nil(t, c.Month.InfrequentAccess)
	assert.Nil(t, c.Recorded.InfrequentAccess)
	assert.Nil(t, c.Tables[0].Month.InfrequentAccess)
	assert.Equal(t, int64(11), c.Tables[0].Capacity.Read, "11 units per second of 100 %")
	assert.Equal(t, []string{"GetRecords of streams: the prices have no streamReads",
		"point-in-time recovery: the prices have no recoveryGBMonths",
		"backups: the prices have no backupGBMonths"}, c.Unpriced)
	assert.Contains(t, c.String(), "\nNot counted\n  GetRecords of streams")
	assert.NotContains(t, c.String(), "Standard-IA ")
}

// TestCostRefused: traffic without a span, and wrong patterns.
func TestCostRefused(t *testing.T) {
	for _, c := range []struct {
		name, says string
		o          traffic.CostOptions
	}{
		{"no span", "took no time", traffic.CostOptions{}},
		{"a span below 0", "took no time", traffic.CostOptions{Span: -time.Hour}},
		{"a pattern without a table", `"p" has no table`,
			traffic.CostOptions{Span: time.Hour, Patterns: []traffic.Pattern{{Name: "p"}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := traffic.NewRecorder().Cost(c.o)
			require.ErrorContains(t, err, c.says)
		})
	}
}

// TestCostOfShortTraffic: the peak of less than a minute is in all of it, and a table that nobody
// uses has a unit of capacity. A table that is gone has what requests used, and its backups.
func TestCostOfShortTraffic(t *testing.T) {
	r := traffic.NewRecorder()
	r.Observe(&emulator.Event{
		Operation: "GetItem", Tables: []string{"gone"},
		Capacity: []emulator.Capacity{{Table: "gone", Read: 70}},
	})
	c, err := r.Cost(traffic.CostOptions{
		Span: 10 * time.Second, Tables: []emulator.TableSize{{Table: "idle"}},
		BackupBytes: map[string]int64{"old": gigabyte},
	})
	require.NoError(t, err)
	require.Len(t, c.Tables, 3)
	assert.Equal(t, &traffic.ProvisionedCapacity{Read: 10, Write: 1, PeakRead: 7, PeakWrite: 1},
		c.Tables[0].Capacity)
	assert.Equal(t, &traffic.ProvisionedCapacity{Read: 1, Write: 1, PeakRead: 1, PeakWrite: 1},
		c.Tables[1].Capacity)
	wantModes(t, 0, 730*(0.00013+0.00065), 730*(0.00013+0.00065), c.Tables[1].Month.Standard.Total)
	assert.Nil(t, c.Tables[2].Capacity)
	wantModes(t, 0.1, 0.1, 0.1, c.Tables[2].Month.Standard.Total)
}

// TestCostOfVectors: vector indexes are charged by bytes, and have no capacity.
func TestCostOfVectors(t *testing.T) {
	r := traffic.NewRecorder()
	r.Observe(&emulator.Event{Operation: "PutItem",
		Tables: []string{"docs"}, Capacity: []emulator.Capacity{
			{Table: "docs", Write: 1}, {Table: "docs", Index: "near", WriteBytes: gigabyte}}})
	r.Observe(&emulator.Event{Operation: "SearchVectors", Tables: []string{"docs"},
		Capacity: []emulator.Capacity{{Table: "docs", Index: "near", ReadBytes: 2 * gigabyte}},
		Reads:    []emulator.EventRead{{Table: "docs", Index: "near", Scan: true}}})
	c, err := r.Cost(traffic.CostOptions{Span: 730 * time.Hour})
	require.NoError(t, err)
	require.Len(t, c.Tables, 2)
	assert.Equal(t, emulator.VectorIndex, c.Tables[1].Kind)
	assert.Nil(t, c.Tables[1].Capacity)
	wantModes(t, 0.524, 0.524, 0.524, c.Tables[1].Month.Standard.Total)
	require.Len(t, c.Patterns, 2)
	assert.InDelta(t, 0.52, c.Patterns[0].Month.Standard.Vectors, 1e-9)
	assert.InDelta(t, 0.004, c.Patterns[1].Month.Standard.Vectors, 1e-9)
	assert.Equal(t, "SearchVectors", c.Patterns[1].Operation)
}

// TestCostOfManyTables: traffic without rows of its own has its price, too.
func TestCostOfManyTables(t *testing.T) {
	const tables = 2 * traffic.MaxRows
	r := traffic.NewRecorder()
	for i := range tables {
		name := fmt.Sprint("table", i)
		r.Observe(&emulator.Event{
			Operation: "GetItem", Tables: []string{name},
			Capacity: []emulator.Capacity{{Table: name, Read: 1}},
		})
	}
	c, err := r.Cost(traffic.CostOptions{Span: 730 * time.Hour})
	require.NoError(t, err)
	assert.Len(t, c.Tables, traffic.MaxRows)
	assert.Len(t, c.Patterns, traffic.MaxRows)
	var patterns traffic.Modes
	for _, p := range c.Patterns {
		patterns.OnDemand += p.Month.Standard.Total.OnDemand
		patterns.Provisioned += p.Month.Standard.Total.Provisioned
	}
	assert.InDelta(t, tables*0.125/1e6, c.Month.Standard.Total.OnDemand, 1e-9)
	assert.InDelta(t, tables*0.125/1e6, patterns.OnDemand, 1e-9)
	assert.InDelta(t, c.Month.Standard.Reads.Provisioned, patterns.Provisioned, 1e-9)
}

// TestCostIsThatOfItsParts: all units of real requests belong to a pattern, whatever operations
// there are.
func TestCostIsThatOfItsParts(t *testing.T) {
	s := emulatortest.Start(t)
	r := traffic.NewRecorder(declared...)
	s.Emulator.Observe(r.Observe)
	client := s.Client()
	exercise(t.Context(), t, client)
	keyed := map[string]types.AttributeValue{"id": text("o1"), "line": text("0")}
	changed := map[string]types.AttributeValue{
		"id": text("o1"), "line": text("0"), "customer": text("c2"),
	}
	table := aws.String("orders")
	_, err := client.PutItem(t.Context(),
		&dynamodb.PutItemInput{
			TableName: table, Item: changed,
			ConditionExpression: aws.String("attribute_not_exists(id)"),
		})
	require.ErrorContains(t, err, "ConditionalCheckFailed")
	_, err = client.TransactWriteItems(t.Context(),
		&dynamodb.TransactWriteItemsInput{
			TransactItems: []types.TransactWriteItem{
				{Put: &types.Put{TableName: table, Item: changed}},
			},
		})
	require.NoError(t, err)
	_, err = client.TransactGetItems(t.Context(),
		&dynamodb.TransactGetItemsInput{
			TransactItems: []types.TransactGetItem{{Get: &types.Get{TableName: table, Key: keyed}}},
		})
	require.NoError(t, err)
	_, err = client.BatchGetItem(
		t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			"orders": {Keys: []map[string]types.AttributeValue{keyed},
				ConsistentRead: aws.Bool(true)}}})
	require.NoError(t, err)
	const one, some = `SELECT * FROM "orders" WHERE id = 'o1' AND line = '0'`, `SELECT * FROM "orders"."by-customer" WHERE customer = 'c1'`
	for _, statement := range []string{one, some, `SELECT * FROM "orders"`,
		`UPDATE "orders" SET state = 'paid' WHERE id = 'o1' AND line = '0'`} {
		_, err = client.ExecuteStatement(t.Context(),
			&dynamodb.ExecuteStatementInput{Statement: &statement})
		require.NoError(t, err, statement)
	}
	_, err = client.BatchExecuteStatement(t.Context(),
		&dynamodb.BatchExecuteStatementInput{
			Statements: []types.BatchStatementRequest{{Statement: aws.String(one)},
				{Statement: aws.String(strings.Replace(one, "'0'", "'1'", 1))}},
		})
	require.NoError(t, err)
	_, err = client.ExecuteTransaction(t.Context(),
		&dynamodb.ExecuteTransactionInput{
			TransactStatements: []types.ParameterizedStatement{{Statement: aws.String(one)}},
		})
	require.NoError(t, err)

	c, err := r.Cost(traffic.CostOptions{
		Span: time.Minute, Tables: s.Emulator.Inspect().TableSizes()})
	require.NoError(t, err)
	var reads, writes, onDemand, provisioned float64
	for _, p := range c.Patterns {
		reads += p.ReadUnits
		writes += p.WriteUnits
		onDemand += p.Month.Standard.Total.OnDemand
		provisioned += p.Month.Standard.Total.Provisioned
	}
	report := r.Report()
	assert.InDelta(t, report.ReadUnits, reads, 1e-9)
	assert.InDelta(t, report.WriteUnits, writes, 1e-9)
	m := c.Month.Standard
	assert.InDelta(t, m.Reads.OnDemand+m.Writes.OnDemand, onDemand, 1e-9)
	assert.InDelta(t, m.Reads.Provisioned+m.Writes.Provisioned, provisioned, 1e-9)
	for _, u := range report.Undeclared {
		assert.Positive(t, u.Requests, "%v", u)
	}
}
