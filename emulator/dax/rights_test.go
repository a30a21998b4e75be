package dax

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/dax/protocol"
	"github.com/kugiri-db/kugiri/emulator/iam"
)

// twoPrincipals is a directory of an account whose root may do everything, and whose user "writer"
// may write and not read.
func twoPrincipals(t testing.TB) *iam.Directory {
	d, err := iam.Parse([]byte(directoryText))
	require.NoError(t, err)
	return d
}

const directoryText = `{"accessKeys": {
  "test": {"account": "111122223333"},
  "writer": {"account": "111122223333", "user": "writer", "policies": [{"Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Action": "dynamodb:PutItem", "Resource": "*"}]}]}
}}`

// TestNobodyReadsThroughACache: callers with rights of their own have a part of the caches of their
// own, and what they write leaves the caches of others.
func TestNobodyReadsThroughACache(t *testing.T) {
	b := newBench(t, func(c *Config) { c.Nodes = 2 }, emulator.WithIAM(twoPrincipals(t)))
	reader := b.clients[0]
	writer := dial(t, b.addrs[0])
	writer.authorize("writer", "x", time.Now())
	require.Nil(t, writer.put("1", "a"))
	assert.Equal(t, "a", reader.get("1"))
	require.Equal(t, 1, reader.count())
	for _, call := range []struct {
		method    protocol.Method
		arguments []any
	}{
		{protocol.GetItem, []any{table, []byte("1"), nil}}, {protocol.Scan, []any{table, nil}},
	} {
		_, f := writer.call(call.method, 1, call.arguments...)
		require.NotNil(t, f)
		assert.Equal(t, "AccessDeniedException", f.name)
		assert.Equal(t, []int64{4, 37, 38, 42}, f.codes)
	}
	require.Nil(t, writer.put("1", "b"))
	assert.Equal(t, "b", reader.get("1"), "a write takes the item out of others' caches")
	b.putBeside("1", "c")
	assert.Equal(t, "b", reader.get("1"))
	nobody := dial(t, b.addrs[0])
	nobody.authorize("nobody", "x", time.Now())
	_, f := nobody.call(protocol.Endpoints, 1)
	require.NotNil(t, f)
	assert.Equal(t, "UnrecognizedClientException", f.name)
}

// TestNoTenantReadsThroughACache: what one tenant has read, the caches give no other one, nor
// nobody, and nothing that a tenant sends changes another's items there.
func TestNoTenantReadsThroughACache(t *testing.T) {
	engine, err := policy.Compile(policy.Policy{
		Tenants: policy.Tenants{Callers: map[string]string{caller: "operations", "AK1": "one",
			"AK2": "two"}, Privileged: []string{"operations"}},
		Tables: []policy.Table{{Name: "notes", Role: policy.Plain,
			Key: policy.KeySchema{Partition: "id"}}},
	})
	require.NoError(t, err)
	b := newBench(t, nil, emulator.WithPolicy(engine), emulator.WithSharedData(),
		emulator.WithLogger(slog.New(slog.DiscardHandler)))
	as := func(key string) *client {
		c := dial(t, b.addrs[0])
		c.authorize(key, "x", time.Now())
		return c
	}
	two := as("AK2")
	require.Nil(t, two.put("N#two", "secret"))
	for range 2 { // out of the table, and out of the cache
		require.Equal(t, "secret", two.get("N#two"))
		require.Equal(t, "secret", b.clients[0].get("N#two"))
	}
	key := []byte("N#two")
	for name, rule := range map[string]string{"AK1": "tenant-crossing", "AK3": "tenant-caller"} {
		other := as(name)
		for _, call := range []struct {
			method    protocol.Method
			arguments []any
			rule      string
		}{
			{protocol.GetItem, []any{table, key, nil}, rule},
			{protocol.DeleteItem, []any{table, key, nil}, rule},
			{protocol.Scan, []any{table, nil}, "tenant-"},
		} {
			_, f := other.call(call.method, 1, call.arguments...)
			require.NotNil(t, f, name)
			assert.Contains(t, f.message, call.rule, name)
		}
		f := other.put("N#two", "mine")
		require.NotNil(t, f, name)
		assert.Contains(t, f.message, rule, name)
	}
	again := as("AK1") // a connection becomes another caller's
	again.authorize("AK2", "x", time.Now())
	require.Equal(t, "secret", again.get("N#two"))
	again.authorize("AK1", "x", time.Now())
	_, f := again.call(protocol.GetItem, 1, table, key, nil)
	require.NotNil(t, f)
	assert.Contains(t, f.message, "tenant-crossing")
	require.Equal(t, "secret", two.get("N#two"))
}
