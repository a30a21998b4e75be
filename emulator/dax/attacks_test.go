package dax

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/dax/protocol"
)

// attackedPolicy has the tenants one and two, and a table "orders" whose items and parts of an
// index name a tenant. It does not declare the table "notes".
func attackedPolicy(t *testing.T) *policy.Engine {
	engine, err := policy.Compile(policy.Policy{
		Tenants: policy.Tenants{Callers: map[string]string{caller: "operations", "AK1": "one",
			"AK2": "two"}, Privileged: []string{"operations"}},
		Tables: []policy.Table{{Name: "orders", Role: policy.Plain, Indexes: []policy.Index{
			{Name: "by-state", Key: policy.KeySchema{Partition: "gpk", Sort: "gsk"},
				Tenant: policy.TenantRequired}}}},
	})
	require.NoError(t, err)
	return engine
}

func text(value string) types.AttributeValue { return &types.AttributeValueMemberS{Value: value} }

// attackedCluster has two nodes in front of the table of attackedPolicy. Tenant two has items, and
// has read them through both nodes, if rich is true; otherwise it has none.
func attackedCluster(t *testing.T, rich bool) *bench {
	b := newBench(t, func(c *Config) { c.Nodes = 2 }, emulator.WithSharedData(),
		emulator.WithLogger(slog.New(slog.DiscardHandler)))
	schema := func(partition, sort string) []types.KeySchemaElement {
		return []types.KeySchemaElement{{AttributeName: aws.String(partition), KeyType: "HASH"},
			{AttributeName: aws.String(sort), KeyType: "RANGE"}}
	}
	in := &dynamodb.CreateTableInput{TableName: aws.String("orders"),
		BillingMode: types.BillingModePayPerRequest, KeySchema: schema("pk", "sk"),
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: aws.String("by-state"),
			KeySchema:  schema("gpk", "gsk"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}}}
	for _, name := range []string{"pk", "sk", "gpk", "gsk"} {
		in.AttributeDefinitions = append(in.AttributeDefinitions,
			types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: "S"})
	}
	_, err := b.beside.CreateTable(t.Context(), in)
	require.NoError(t, err)
	tenants := map[string]string{"one": "own"}
	if rich {
		tenants["two"] = "secret of two"
	}
	for tenant, secret := range tenants {
		for _, n := range []string{"1", "2"} {
			_, err := b.beside.PutItem(t.Context(), &dynamodb.PutItemInput{
				TableName: aws.String("orders"), Item: map[string]types.AttributeValue{
					"pk": text("ORDER#" + tenant), "sk": text(n), "secret": text(secret),
					"gpk": text("STATE#" + tenant), "gsk": text(n)}})
			require.NoError(t, err)
		}
	}
	b.putBeside("1", "secret of two")
	guarded := b.server.Fork(emulator.WithPolicy(attackedPolicy(t)))
	for _, key := range []string{caller, "AK1", "AK2", "AK3"} {
		b.server.Delegate(key, guarded)
	}
	b.beside = sdk(guarded, caller)
	for _, addr := range b.addrs {
		two := as(t, addr, "AK2")
		if rich {
			two.list("secret", "ofTwo")
		}
		two.call(protocol.GetItem, 1, orders, orderKey("two"), nil)
		two.call(protocol.Query, 1, orders, equal("pk", "ORDER#two"), nil)
		two.call(protocol.Query, 1, orders, equal("gpk", "STATE#two"), pairs{11, "by-state"})
		admin := as(t, addr, caller)
		admin.call(protocol.GetItem, 1, orders, orderKey("two"), nil)
		admin.call(protocol.Scan, 1, orders, nil)
	}
	return b
}

var orders = []byte("orders")

func as(t *testing.T, addr, key string) *client {
	c := dial(t, addr)
	c.authorize(key, "x", time.Now())
	return c
}

// orderKey is the key of an order of a tenant.
func orderKey(tenant string) []byte { return append(encode(nil, "ORDER#"+tenant), '1') }

// equal is the condition that an attribute has a value.
func equal(name, value string) []byte {
	return encode(nil, []any{1, []any{0, []any{18, name}, []any{17, 0}}, []any{value}})
}

// attackByDAX is a call for what is of tenant two.
type attackByDAX struct {
	name      string
	method    protocol.Method
	arguments []any
}

// option is an option of a call, with what it adds to the name.
type option struct {
	name  string
	pairs pairs
}

// attacksByDAX are the calls of each method for items of tenant two. list is the number of the
// names {secret} for the caller.
func attacksByDAX(list int64) (all []attackByDAX) {
	own, theirs := orderKey("one"), orderKey("two")
	exists := encode(nil, []any{1, []any{11, []any{18, "pk"}}, []any{}})
	missing := encode(nil, []any{1, []any{12, []any{18, "pk"}}, []any{}})
	set := encode(nil, []any{1, []any{[]any{19, []any{18, "secret"}, []any{17, 0}}}, []any{"x"}})
	item := encode(nil, list, "x")
	start := encode(nil, pairs{"pk", "ORDER#two", "sk", "1", "gpk", "STATE#two", "gsk", "1"})
	add := func(name string, m protocol.Method, arguments ...any) {
		all = append(all, attackByDAX{name, m, arguments})
	}
	add("get", protocol.GetItem, orders, theirs, nil)
	add("get, strongly", protocol.GetItem, orders, theirs, pairs{2, true})
	add("get with capacity", protocol.GetItem, orders, theirs, pairs{3, 1})
	add("batch of both", protocol.BatchGetItem, pairs{"orders", []any{false, nil,
		[]any{own, theirs}}}, nil)
	add("batch of both, strongly", protocol.BatchGetItem, pairs{"orders", []any{true, nil,
		[]any{own, theirs}}}, nil)
	add("gets of both", protocol.TransactGetItems, []any{orders, orders}, []any{own, theirs}, nil,
		nil)
	for _, x := range []option{{"", nil}, {", strongly", pairs{2, true}},
		{", counted", pairs{15, 3}}, {", backwards", pairs{14, false}}, {", one", pairs{13, 1}},
		{" on from theirs", pairs{9, theirs}}} {
		add("query"+x.name, protocol.Query, orders, equal("pk", "ORDER#two"), x.pairs)
	}
	add("own query on from theirs", protocol.Query, orders, equal("pk", "ORDER#one"),
		pairs{9, theirs})
	for _, x := range []option{{"", nil}, {", counted", pairs{15, 3}},
		{" on from theirs", pairs{9, start}}} {
		add("query of the index"+x.name, protocol.Query, orders, equal("gpk", "STATE#two"),
			append(pairs{11, "by-state"}, x.pairs...))
	}
	add("own query of the index on from theirs", protocol.Query, orders, equal("gpk", "STATE#one"),
		pairs{11, "by-state", 9, start})
	add("scan", protocol.Scan, orders, nil)
	add("scan of the index", protocol.Scan, orders, pairs{11, "by-state"})
	add("scan, counted", protocol.Scan, orders, pairs{15, 3})
	add("scan with a filter", protocol.Scan, orders, pairs{10, equal("pk", "ORDER#one")})
	add("scan on from theirs", protocol.Scan, orders, pairs{9, theirs})
	for segment := range 4 {
		add(fmt.Sprint("segment ", segment), protocol.Scan, orders, pairs{16, segment, 17, 4})
	}
	for _, x := range []option{{"", nil}, {" that returns", pairs{7, 2}},
		{" if it is there", pairs{4, exists}}, {" if it is not", pairs{4, missing}}} {
		add("put"+x.name, protocol.PutItem, orders, theirs, item, x.pairs)
		add("delete"+x.name, protocol.DeleteItem, orders, theirs, x.pairs)
	}
	add("update that returns", protocol.UpdateItem, orders, theirs, pairs{8, set, 7, 2})
	add("update if it is there", protocol.UpdateItem, orders, theirs, pairs{8, set, 4, exists})
	add("batch that puts", protocol.BatchWriteItem, pairs{"orders", []any{theirs, item}}, nil)
	add("batch that deletes", protocol.BatchWriteItem, pairs{"orders", []any{theirs, nil}}, nil)
	transact := func(name string, kind int, it, condition, update any) {
		add("transaction that "+name, protocol.TransactWriteItems, []any{7, kind},
			[]any{orders, orders}, []any{append(own, '9'), theirs}, []any{nil, it}, nil,
			[]any{nil, 2}, []any{nil, condition}, []any{nil, update}, nil)
	}
	transact("puts", 2, item, missing, nil)
	transact("deletes", 7, nil, missing, nil)
	transact("updates", 9, nil, missing, set)
	transact("checks", 12, nil, missing, nil)
	add("key of a table of nobody", protocol.DefineKeySchema, []byte("notes"))
	add("item of a table of nobody", protocol.GetItem, []byte("notes"), []byte("1"), nil)
	add("scan of a table of nobody", protocol.Scan, []byte("notes"), nil)
	return all
}

// TestAttacksByDAX plays each method of the protocol for items of tenant two, as another tenant and
// as nobody, in a world where they are there and in the caches of both nodes, and in one where they
// are not. The answers are equal, show nothing of it, and change nothing.
func TestAttacksByDAX(t *testing.T) {
	rich, poor := attackedCluster(t, true), attackedCluster(t, false)
	all := &dynamodb.ScanInput{TableName: aws.String("orders")}
	before, err := rich.beside.Scan(t.Context(), all)
	require.NoError(t, err)
	require.Len(t, before.Items, 4)
	attacks := 0
	for _, key := range []string{"AK1", "AK3"} {
		for node := range rich.addrs {
			answer := func(b *bench, i int) (attackByDAX, string) {
				c := as(t, b.addrs[node], key)
				a := attacksByDAX(c.list("secret"))[i]
				r, f := c.call(a.method, 1, a.arguments...)
				if f != nil {
					return a, fmt.Sprint(f.codes, f.name, f.message)
				}
				return a, string(r.Rest())
			}
			for i := range attacksByDAX(0) {
				a, got := answer(rich, i)
				_, without := answer(poor, i)
				name := fmt.Sprintf("%s by %s at node %d", a.name, key, node)
				attacks++
				assert.NotContains(t, got, "secret of two", name)
				assert.Contains(t, got, "Exception", name)
				assert.Equal(t, without, got, name)
			}
		}
	}
	after, err := rich.beside.Scan(t.Context(), all)
	require.NoError(t, err)
	assert.ElementsMatch(t, before.Items, after.Items)
	t.Logf("%d attacks", attacks)
}

// TestNumbersOfListsTellNothing: a caller who computes the number of a list from guessed names does
// not learn that another caller uses it.
func TestNumbersOfListsTellNothing(t *testing.T) {
	b := attackedCluster(t, true)
	two := as(t, b.addrs[0], "AK2")
	id := two.list("secret", "ofTwo")
	for _, key := range []string{"AK1", "AK3", caller} {
		_, f := as(t, b.addrs[0], key).call(protocol.DefineAttributeList, 1, id)
		require.NotNil(t, f, key)
		assert.Equal(t, "SerializationException", f.name)
	}
	for _, c := range []*client{two, as(t, b.addrs[1], "AK2")} {
		r, f := c.call(protocol.DefineAttributeList, 1, id)
		require.Nil(t, f)
		assert.Contains(t, string(r.Rest()), "ofTwo")
	}
	one := as(t, b.addrs[0], "AK1")
	assert.NotEqual(t, id, one.list("secret", "ofTwo"))
	one.authorize("AK2", "x", time.Now())
	assert.Equal(t, id, one.list("secret", "ofTwo"), "a connection becomes another caller's")
}
