package explore

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/explore/search"
	"github.com/kugiri-db/kugiri/emulator/seed"
	"github.com/kugiri-db/kugiri/emulator/trigger"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// newSmall gives the random programs a table with three keys and one item. Two of the keys are in
// one partition.
var newSmall = emulatortest.Template(func(t testing.TB, server *emulatortest.Server) {
	server.SeedTables(t, seed.Table{
		Name:         "small",
		StreamView:   "KEYS_ONLY",
		PartitionKey: seed.Attribute{Name: "p", Type: "S"},
		SortKey:      seed.Attribute{Name: "s", Type: "N"},
		GlobalIndexes: []seed.Index{
			{Name: "byv", PartitionKey: seed.Attribute{Name: "v", Type: "N"}},
		},
		Items: []seed.Item{{"p": "a", "s": 1, "v": 1}},
	})
})

// TestReducedSearchHidesNothing: for random programs, the reduced search finds the same final
// states with the same results of workers as the search of all orders. The log says in how many
// ways the programs end: with -v -rapid.checks 10000 as .ci/full has it.
func TestReducedSearchHidesNothing(t *testing.T) {
	server := newSmall(t)
	programs, ways := 0, map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		p := drawProgram(rt, [][]int{{1, 1}, {2, 2}, {3, 3}, {4, 3}, {1, 1, 1}, {2, 1, 1},
			{2, 2, 1}, {3, 1, 1}, {2, 2, 2}})
		all, reduced := outcomesOf(t, server, p, true), outcomesOf(t, server, p, false)
		require.Equal(rt, all, reduced, "%v", p)
		programs++
		switch n := len(all); {
		case n <= 3:
			ways[fmt.Sprint(n, " ends")]++
		case n <= 10:
			ways["4 to 10 ends"]++
		default:
			ways["more ends"]++
		}
		if strings.Contains(strings.Join(all, ""), "Exception") {
			ways["a worker with an error"]++
		}
	})
	t.Logf("%d programs, of which no end was hidden: %v", programs, ways)
}

// TestReducedSearchHidesNoTable: so it is for tables that a run makes, whose keys the search does
// not know.
func TestReducedSearchHidesNoTable(t *testing.T) {
	server := newSmall(t)
	do := func(kind string, n int) []action { return []action{{kind: kind, key: 1, n: n}} }
	for _, c := range []struct {
		name    string
		program program
	}{
		{"two writes of an item", program{workers: [][]action{do("made", 0), do("made", 1),
			do("create", 0)}}},
		{"a write behind the making", program{workers: [][]action{
			append(do("create", 0), do("made", 1)...), do("made", 2)}}},
		{"two who make it", program{workers: [][]action{do("create", 0), do("create", 0)}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, outcomesOf(t, server, c.program, true),
				outcomesOf(t, server, c.program, false))
		})
	}
}

// TestReducedSearchHidesNoFault: so it is with one fault.
func TestReducedSearchHidesNoFault(t *testing.T) {
	server := newSmall(t)
	rapid.Check(t, func(rt *rapid.T) {
		p := drawProgram(rt, [][]int{{1, 1}, {2, 1}, {2, 2}, {3, 1}, {1, 1, 1}})
		p.mortal = rapid.Bool().Draw(rt, "mortal")
		kind := rapid.SampledFrom(slices.DeleteFunc(slices.Clone(search.AllFaults),
			func(f Fault) bool { return f == Cached })).Draw(rt, "fault") // see below
		all := outcomesOf(t, server, p, true, Faults(1, kind), ClockMoves(time.Hour))
		reduced := outcomesOf(t, server, p, false, Faults(1, kind), ClockMoves(time.Hour))
		require.Equal(rt, all, reduced, "%v %v", p, kind)
	})
}

// TestReducedSearchHidesNoRecord: so it is with a consumer, whose batches are its results, and
// which adds to an item itself. With TEST_FULL=true it is tried with more programs.
func TestReducedSearchHidesNoRecord(t *testing.T) {
	server, left := newSmall(t), 25
	if os.Getenv("TEST_FULL") != "" {
		left = math.MaxInt
	}
	rapid.Check(t, func(rt *rapid.T) {
		if left--; left < 0 {
			return
		}
		p := drawProgram(rt, [][]int{{1, 1}, {2, 1}, {1, 1, 1}})
		p.consumer = rapid.IntRange(1, 2).Draw(rt, "batch")
		var opts []Option
		kind := rapid.SampledFrom([]Fault{"", Redelivered, DiesAfter}).Draw(rt, "fault")
		if kind != "" {
			opts = []Option{Faults(1, kind)}
		}
		all := outcomesOf(t, server, p, true, opts...)
		reduced := outcomesOf(t, server, p, false, opts...)
		require.Equal(rt, all, reduced, "%v %v", p, opts)
	})
}

// TestReducedSearchHidesNoAge: so it is with answers of a cache, of one node or of several, for
// some of the workers or all, also when another fault moves the clock. With TEST_FULL=true it is
// tried with more programs.
func TestReducedSearchHidesNoAge(t *testing.T) {
	server, left, old := newSmall(t), 40, 0
	if os.Getenv("TEST_FULL") != "" {
		left = math.MaxInt
	}
	rapid.Check(t, func(rt *rapid.T) {
		if left--; left < 0 {
			return
		}
		p := drawProgram(rt, [][]int{{1, 1}, {2, 1}, {2, 2}, {3, 1}, {1, 1, 1}, {2, 1, 1}})
		workers := []string{"w0", "w1"}[:rapid.IntRange(0, 2).Draw(rt, "cached")]
		opts := []Option{CachedReads(workers...), Faults(1, Cached)}
		if rapid.Bool().Draw(rt, "nodes") {
			opts = append(opts, CacheLag(time.Second))
		}
		if len(p.workers) == 2 && rapid.Bool().Draw(rt, "two") {
			ttl := rapid.SampledFrom([]time.Duration{time.Minute, 2 * time.Hour}).Draw(rt, "ttl")
			opts = append(opts, Faults(2, Cached, Later), ClockMoves(time.Hour),
				CacheTTLs(ttl, ttl))
		}
		all := outcomesOf(t, server, p, true, opts...)
		reduced := outcomesOf(t, server, p, false, opts...)
		require.Equal(rt, all, reduced, "%v", p)
		for _, text := range all {
			if strings.Contains(text, string(Cached)) {
				old++
			}
		}
	})
	require.Positive(t, old, "answers that were old")
}

// TestReducedSearchHidesNoEntry: what one worker has read or written through a cache, another one
// finds there. These programs show it. Random programs rarely do.
func TestReducedSearchHidesNoEntry(t *testing.T) {
	server := newSmall(t)
	do := func(kinds ...string) (list []action) {
		for _, kind := range kinds {
			list = append(list, action{kind: kind, n: 2})
		}
		return list
	}
	for _, c := range []struct {
		name    string
		program program
		cached  []string
	}{
		{"reads of two workers", program{workers: [][]action{do("get"), do("strong", "get"),
			do("put")}}, []string{"w0", "w1"}},
		{"queries of two workers", program{workers: [][]action{do("query"), do("strong", "query"),
			do("put")}}, []string{"w0", "w1"}},
		{"a write that changes nothing", program{workers: [][]action{do("put"), do("strong", "get"),
			do("put")}}, []string{"w0", "w1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			opts := []Option{CachedReads(c.cached...), Faults(1, Cached)}
			all := outcomesOf(t, server, c.program, true, opts...)
			assert.Equal(t, all, outcomesOf(t, server, c.program, false, opts...))
		})
	}
}

// TestNoClaimOfChance: for random programs in which a worker does a thing or leaves it by chance,
// the search makes no claim that the search of all orders contradicts: if it says that all orders
// were tried, a second one has found the same.
func TestNoClaimOfChance(t *testing.T) {
	server, left, programs, claims := newSmall(t), 60, 0, 0
	if os.Getenv("TEST_FULL") != "" {
		left = math.MaxInt
	}
	rapid.Check(t, func(rt *rapid.T) {
		if left--; left < 0 {
			return
		}
		p := drawProgram(rt, [][]int{{1, 1}, {2, 1}, {2, 2}, {1, 1, 1}})
		p.chance = rapid.Bool().Draw(rt, "chance")
		find := func() (map[string]bool, bool) {
			s := newSearch(t, server, p.define, optionsOf([]Option{Budget(100_000)}))
			s.Unjudged = true
			found := map[string]bool{}
			s.Seen = func(o *search.Outcome) {
				if end, ok := s.End(o); ok {
					found[end] = true
				}
			}
			return found, s.Explore().Complete
		}
		found, complete := find()
		if p.chance {
			programs++
		}
		if p.chance && complete {
			claims++ // it has done the same in each of the runs
		}
		if !p.chance {
			require.True(rt, complete, "%v", p)
			again, _ := find()
			require.Equal(rt, found, again, "%v", p)
		}
	})
	// a coin that falls the same way in eight runs is one in 128
	assert.LessOrEqual(t, claims, 3+programs/64)
	t.Logf("%d programs with a worker by chance, of %d of which something was claimed", programs, claims)
}

// outcomesOf returns the final states of a program, with the results of its workers and the faults
// that they had.
func outcomesOf(t *testing.T, server *emulatortest.Server, p program, naive bool,
	opts ...Option) []string {
	s := newSearch(t, server, p.define, optionsOf(append(opts, Budget(1_000_000))))
	s.Naive, s.Unjudged = naive, true
	found := map[string]bool{}
	s.Seen = func(o *search.Outcome) {
		if end, ok := s.End(o); ok {
			found[end] = true
		}
	}
	require.True(t, s.Explore().Complete)
	return slices.Sorted(maps.Keys(found))
}

// program is a random program: the actions of each worker.
type program struct {
	workers [][]action
	mortal  bool
	chance  bool // the first worker begins with a read, by chance

	consumer int // how many records a consumer gets; 0 without a consumer
}

// action is a request of a random program. Its meaning depends on what its worker has read.
type action struct {
	kind       string
	key, other int
	n          int
}

var kinds = []string{"get", "strong", "put", "insert", "add", "swap", "delete", "query", "range",
	"index", "scan", "transact", "batch", "several", "skip", "clock", "select", "statement",
	"create", "made"}

func drawProgram(rt *rapid.T, shapes [][]int) (p program) {
	shape := rapid.SampledFrom(shapes).Draw(rt, "shape")
	keys := rapid.IntRange(2, 3).Draw(rt, "keys")
	one := rapid.Custom(func(rt *rapid.T) action {
		return action{
			kind:  rapid.SampledFrom(kinds).Draw(rt, "kind"),
			key:   rapid.IntRange(0, keys-1).Draw(rt, "key"),
			other: rapid.IntRange(0, keys-1).Draw(rt, "other"),
			n:     rapid.IntRange(0, 2).Draw(rt, "n"),
		}
	})
	for i, n := range shape {
		p.workers = append(p.workers, rapid.SliceOfN(one, n, n).Draw(rt, fmt.Sprint("worker", i)))
	}
	return p
}

func (p program) define(x *X) {
	for i, actions := range p.workers {
		name := fmt.Sprint("w", i)
		work := func(ctx context.Context, db *dynamodb.Client) error {
			if p.chance && i == 0 && rand.IntN(2) == 0 {
				if err := (&machine{db: db}).do(ctx, action{kind: "scan"}); err != nil {
					return err
				}
			}
			return (&machine{db: db}).run(ctx, actions)
		}
		x.Go(name, work)
		if p.mortal {
			x.Restart(name, work)
		}
	}
	if p.consumer > 0 {
		m := trigger.NewMapping("small")
		m.BatchSize = p.consumer
		x.Consume("consumer", m, consume)
	}
}

var keysOfSmall = regexp.MustCompile(`"p":\{"S":"."\},"s":\{"N":"."\}`)

// consume adds the number of its records to the last item, unless that is among them.
func consume(ctx context.Context, db *dynamodb.Client, event []byte) ([]byte, error) {
	keys := keysOfSmall.FindAllString(string(event), -1)
	Result(ctx, keys)
	if len(keys) == 0 || strings.Contains(fmt.Sprint(keys), `"b"`) {
		return nil, nil
	}
	return nil, (&machine{db: db}).do(ctx, action{"add", 2, 0, len(keys)})
}

func (m *machine) run(ctx context.Context, actions []action) error {
	for _, a := range actions {
		if m.skip {
			m.skip = false
			continue
		}
		if err := m.do(ctx, a); err != nil {
			m.read = 2
			Result(ctx, search.ErrorText(err))
		}
		Result(ctx, m.read)
	}
	return nil
}

// machine is the state of a worker of a random program.
type machine struct {
	db   *dynamodb.Client
	read int // what it has read last
	skip bool
}

func number(n int) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.Itoa(n)}
}

func keyNumber(n int) map[string]types.AttributeValue {
	p := "a"
	if n == 2 {
		p = "b"
	}
	return map[string]types.AttributeValue{
		"p": &types.AttributeValueMemberS{Value: p}, "s": number(n + 1)}
}

func itemNumber(n, v int) map[string]types.AttributeValue {
	it := keyNumber(n)
	it["v"] = number(v % 3)
	return it
}

var table = aws.String("small")

func values(n int) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{":n": number(n)}
}

func (m *machine) do(ctx context.Context, a action) (err error) {
	key := keyNumber(a.key)
	switch a.kind {
	case "get", "strong":
		var out *dynamodb.GetItemOutput
		out, err = m.db.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: key,
			ConsistentRead: aws.Bool(a.kind == "strong")})
		if err == nil {
			m.take([]map[string]types.AttributeValue{out.Item})
		}
	case "put":
		_, err = m.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: table,
			Item: itemNumber(a.key, m.read+a.n)})
	case "insert":
		_, err = m.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: table,
			Item:                itemNumber(a.key, m.read+a.n),
			ConditionExpression: aws.String("attribute_not_exists(p)")})
	case "add":
		_, err = m.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: table, Key: key,
			UpdateExpression: aws.String("ADD v :n"), ExpressionAttributeValues: values(a.n)})
	case "swap":
		v := values(m.read)
		v[":new"] = number(a.n)
		_, err = m.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: table, Key: key,
			UpdateExpression: aws.String("SET v = :new"), ConditionExpression: aws.String("v = :n"),
			ExpressionAttributeValues: v})
	case "delete":
		_, err = m.db.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: table, Key: key})
	case "query", "range", "index":
		err = m.query(ctx, a)
	case "scan":
		var out *dynamodb.ScanOutput
		if out, err = m.db.Scan(ctx, &dynamodb.ScanInput{TableName: table}); err == nil {
			m.take(out.Items)
		}
	case "transact", "batch":
		err = m.several(ctx, a)
	case "several":
		err = m.getSeveral(ctx, a)
	case "skip":
		m.skip = m.read%2 == 1
	case "clock":
		if workersClockMoves {
			m.read = time.Now().Hour() % 3
		}
	case "select", "statement":
		err = m.execute(ctx, a)
	case "create", "made":
		err = m.make(ctx, a)
	}
	return err
}

// make makes a table, or adds to an item of it and reads what that has become.
func (m *machine) make(ctx context.Context, a action) error {
	made, id := aws.String("made"), aws.String("id")
	if a.kind == "create" {
		_, err := m.db.CreateTable(ctx, &dynamodb.CreateTableInput{TableName: made,
			BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{
				{AttributeName: id, AttributeType: types.ScalarAttributeTypeN}},
			KeySchema: []types.KeySchemaElement{
				{AttributeName: id, KeyType: types.KeyTypeHash}}})
		return err
	}
	out, err := m.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: made,
		Key:              map[string]types.AttributeValue{"id": number(a.key)},
		UpdateExpression: aws.String("ADD v :n"), ExpressionAttributeValues: values(a.n),
		ReturnValues: types.ReturnValueAllNew})
	if err == nil {
		m.take([]map[string]types.AttributeValue{out.Attributes})
	}
	return err
}

// execute reads or writes an item in PartiQL.
func (m *machine) execute(ctx context.Context, a action) error {
	key := keyNumber(a.key)
	in := &dynamodb.ExecuteStatementInput{
		Statement:  aws.String(`SELECT * FROM "small" WHERE p = ? AND s = ?`),
		Parameters: []types.AttributeValue{key["p"], key["s"]}}
	if a.kind == "statement" {
		in.Statement = aws.String(`UPDATE "small" SET v = ? WHERE p = ? AND s = ?`)
		in.Parameters = append([]types.AttributeValue{number((m.read + a.n) % 3)}, in.Parameters...)
	}
	out, err := m.db.ExecuteStatement(ctx, in)
	if err == nil && a.kind == "select" {
		m.take(out.Items)
	}
	return err
}

// getSeveral reads two items in a batch. Each has another weight in the value that it notes.
func (m *machine) getSeveral(ctx context.Context, a action) error {
	keys := []map[string]types.AttributeValue{keyNumber(a.key), keyNumber((a.key + 1) % 3)}
	out, err := m.db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
		RequestItems: map[string]types.KeysAndAttributes{"small": {Keys: keys}}})
	if err != nil {
		return err
	}
	read := 0
	for i, key := range keys {
		for _, it := range out.Responses["small"] {
			if reflect.DeepEqual(it["s"], key["s"]) {
				m.take([]map[string]types.AttributeValue{it})
				read = read*(i+2) + m.read
			}
		}
	}
	m.read = read
	return nil
}

func (m *machine) query(ctx context.Context, a action) error {
	in := &dynamodb.QueryInput{TableName: table, KeyConditionExpression: aws.String("p = :p"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":p": keyNumber(a.key)["p"]}}
	switch a.kind {
	case "range":
		in.KeyConditionExpression = aws.String("p = :p AND s > :n")
		in.ExpressionAttributeValues[":n"] = number(a.n)
	case "index":
		in.IndexName = aws.String("byv")
		in.KeyConditionExpression = aws.String("v = :n")
		in.ExpressionAttributeValues = values(m.read % 3)
	}
	out, err := m.db.Query(ctx, in)
	if err == nil {
		m.take(out.Items)
	}
	return err
}

func (m *machine) several(ctx context.Context, a action) error {
	other := (a.key + 1 + a.other%2) % 3
	if a.kind == "batch" {
		_, err := m.db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]types.WriteRequest{"small": {
				{PutRequest: &types.PutRequest{Item: itemNumber(a.key, m.read)}},
				{DeleteRequest: &types.DeleteRequest{Key: keyNumber(other)}},
			}}})
		return err
	}
	_, err := m.db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: table, Item: itemNumber(a.key, m.read+a.n)}},
			{ConditionCheck: &types.ConditionCheck{TableName: table, Key: keyNumber(other),
				ConditionExpression: aws.String("attribute_exists(p)")}},
		}})
	return err
}

// take reads items into a number.
func (m *machine) take(items []map[string]types.AttributeValue) {
	m.read = len(items)
	for _, it := range items {
		if v, ok := it["v"].(*types.AttributeValueMemberN); ok {
			n, _ := strconv.Atoi(v.Value)
			m.read += n
		}
	}
}
