package dax

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/emulator/dax/protocol"
)

// caller is the access key of the tests.
const caller = "test"

// bench is a cluster in front of an emulator with a held clock and the table "notes", whose key is
// id.
type bench struct {
	t       testing.TB
	server  *emulator.Emulator
	cluster *Cluster
	addrs   []string
	beside  *dynamodb.Client // past the accelerator
	clients []*client        // a client of each node
}

// sdk returns a client of an emulator without an accelerator.
func sdk(e *emulator.Emulator, accessKey string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{BaseEndpoint: aws.String("http://kugiri/"),
		Region: "us-east-1", HTTPClient: e.HTTPClient(accessKey, "us-east-1"),
		Credentials: aws.AnonymousCredentials{}})
}

func newBench(t testing.TB, change func(*Config), opts ...emulator.Option) *bench {
	server := emulator.New(opts...)
	b := &bench{t: t, server: server, beside: sdk(server, caller)}
	_, err := b.beside.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("notes"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: "S"},
		},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: "HASH"}},
	})
	require.NoError(t, err)
	config := DefaultConfig()
	if change != nil {
		change(&config)
	}
	b.cluster, err = New(server, config)
	require.NoError(t, err)
	t.Cleanup(func() { b.cluster.Close() })
	_, err = b.cluster.Listen("127.0.0.1:0", nil)
	require.NoError(t, err)
	for i := range config.Nodes {
		addr := b.cluster.fronts[0].listeners[i].Addr().String()
		c := dial(t, addr)
		c.authorize(caller, "x", server.Now())
		b.addrs, b.clients = append(b.addrs, addr), append(b.clients, c)
	}
	return b
}

var table = []byte("notes")

// text is the number of the attribute list with "text" alone.
func (c *client) list(names ...string) int64 {
	list := make([]any, len(names))
	for i := range names {
		list[i] = names[i]
	}
	r, f := c.call(protocol.DefineAttributeListID, 1, list)
	require.Nil(c.t, f)
	id, err := r.Int()
	require.NoError(c.t, err)
	return id
}

// put writes a note, and returns what went wrong.
func (c *client) put(id, text string, options ...any) *failure {
	item := encode(nil, c.list("text"), text)
	_, f := c.call(protocol.PutItem, 1, table, []byte(id), item, pairs(options))
	return f
}

// get returns the text of a note, or "-" without one.
func (c *client) get(id string, options ...any) string {
	r, f := c.call(protocol.GetItem, 1, table, []byte(id), pairs(options))
	require.Nil(c.t, f)
	return noteOf(c.t, r)
}

// noteOf reads the text of a note from the answer to a GetItem.
func noteOf(t testing.TB, r *cbor.Reader) string {
	text := "-"
	require.NoError(t, r.Pairs(func(int, int) error {
		part, err := r.Int()
		require.NoError(t, err)
		data, err := r.Item()
		if part != 0 || err != nil {
			return err
		}
		in := cbor.NewReader(data)
		stored, err := in.Bytes()
		require.NoError(t, err)
		in = cbor.NewReader(stored)
		_, err = in.Int()
		require.NoError(t, err)
		text = ""
		if !in.Done() {
			value, err := in.Text()
			require.NoError(t, err)
			text = string(value)
		}
		return nil
	}))
	return text
}

// putBeside writes a note past the accelerator.
func (b *bench) putBeside(id, text string) {
	_, err := b.beside.PutItem(b.t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String("notes"), Item: map[string]types.AttributeValue{
			"id":   &types.AttributeValueMemberS{Value: id},
			"text": &types.AttributeValueMemberS{Value: text},
		}})
	require.NoError(b.t, err)
}

func (b *bench) advance(d time.Duration) { b.server.Clock().Advance(d) }

// held starts a bench whose clock is held.
func held(t testing.TB, change func(*Config)) *bench {
	return newBench(t, change,
		emulator.WithHeldClock(emulator.NewClock(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))))
}

// count counts the notes of a scan.
func (c *client) count(options ...any) int {
	r, f := c.call(protocol.Scan, 1, table, pairs(options))
	require.Nil(c.t, f)
	n := -1
	require.NoError(c.t, r.Pairs(func(int, int) error {
		part, err := r.Int()
		require.NoError(c.t, err)
		if part == 8 {
			count, err := r.Int()
			n = int(count)
			return err
		}
		_, err = r.Item()
		return err
	}))
	return n
}

// TestRules holds the rules of the Developer Guide, "DAX and DynamoDB consistency models" and "DAX:
// How it works", named by their sections.
func TestRules(t *testing.T) {
	t.Run("Consistency of reads: a hit does not read DynamoDB until the TTL is over",
		func(t *testing.T) {
			b := held(t, nil)
			c := b.clients[0]
			b.putBeside("1", "old")
			assert.Equal(t, "old", c.get("1"))
			b.putBeside("1", "new")
			b.advance(5*time.Minute - time.Nanosecond)
			assert.Equal(t, "old", c.get("1"))
			b.advance(time.Nanosecond)
			assert.Equal(t, "new", c.get("1"))
		})
	t.Run("Item cache: the TTL is that of the cluster", func(t *testing.T) {
		b := held(t, func(c *Config) { c.ItemTTL = time.Second })
		b.putBeside("1", "old")
		b.clients[0].get("1")
		b.putBeside("1", "new")
		b.advance(time.Second)
		assert.Equal(t, "new", b.clients[0].get("1"))
	})
	t.Run("Item cache: with a TTL of 0 an item stays", func(t *testing.T) {
		b := held(t, func(c *Config) { c.ItemTTL = 0 })
		b.putBeside("1", "old")
		b.clients[0].get("1")
		b.putBeside("1", "new")
		b.advance(1000 * time.Hour)
		assert.Equal(t, "old", b.clients[0].get("1"))
	})
	t.Run("Item cache: LRU", func(t *testing.T) {
		b := held(t, func(c *Config) { c.CacheBytes = 3 * (entryCost + 100) })
		for _, id := range []string{"1", "2", "3", "1", "4"} {
			b.putBeside(id, "old")
			b.clients[0].get(id)
		}
		for _, id := range []string{"1", "2"} {
			b.putBeside(id, "new")
		}
		assert.Equal(t, "old", b.clients[0].get("1"))
		assert.Equal(t, "new", b.clients[0].get("2"))
		assert.EqualValues(t, 2, b.cluster.Stats()[0].ItemEvictions)
	})
	t.Run("How DAX processes writes: a write is in the item cache at once, with a new TTL",
		func(t *testing.T) {
			b := held(t, nil)
			c := b.clients[0]
			require.Nil(t, c.put("1", "a"))
			b.advance(4 * time.Minute)
			require.Nil(t, c.put("1", "b"))
			b.putBeside("1", "c")
			b.advance(4 * time.Minute)
			assert.Equal(t, "b", c.get("1"))
			b.advance(time.Minute)
			assert.Equal(t, "c", c.get("1"))
		})
	t.Run("How DAX processes writes: a deletion is, too", func(t *testing.T) {
		b := held(t, nil)
		c := b.clients[0]
		require.Nil(t, c.put("1", "a"))
		_, f := c.call(protocol.DeleteItem, 1, table, []byte("1"), nil)
		require.Nil(t, f)
		b.putBeside("1", "b")
		assert.Equal(t, "-", c.get("1"))
	})
	t.Run("How DAX processes writes: what fails is not cached", func(t *testing.T) {
		b := held(t, nil)
		c := b.clients[0]
		require.Nil(t, c.put("1", "a"))
		// attribute_not_exists(id)
		condition := encode(nil, []any{1, []any{12, []any{18, "id"}}, []any{}})
		f := c.put("1", "b", 4, condition)
		require.NotNil(t, f)
		assert.Equal(t, []int64{4, 37, 38, 39, 43}, f.codes)
		assert.Equal(t, "ConditionalCheckFailedException", f.name)
		assert.Equal(t, "The conditional request failed", f.message)
		assert.Equal(t, "a", c.get("1"))
	})
	t.Run("DAX query cache behavior: writes do not change results, nor do results fill the item cache",
		func(t *testing.T) {
			b := held(t, nil)
			c := b.clients[0]
			b.putBeside("1", "a")
			assert.Equal(t, 1, c.count())
			require.Nil(t, c.put("2", "b"))
			assert.Equal(t, 1, c.count())
			assert.Equal(t, 2, c.count(13, 10), "other parameters are another result")
			b.putBeside("1", "new")
			assert.Equal(t, "new", c.get("1"))
			b.advance(5 * time.Minute)
			assert.Equal(t, 2, c.count())
		})
	t.Run("Query cache: with a TTL of 0 nothing is kept", func(t *testing.T) {
		b := held(t, func(c *Config) { c.QueryTTL = 0 })
		assert.Equal(t, 0, b.clients[0].count())
		b.putBeside("1", "a")
		assert.Equal(t, 1, b.clients[0].count())
	})
	t.Run("Strongly consistent and transactional reads: they pass by and leave no trace",
		func(t *testing.T) {
			b := held(t, nil)
			c := b.clients[0]
			b.putBeside("1", "a")
			assert.Equal(t, "a", c.get("1"))
			b.putBeside("1", "b")
			assert.Equal(t, "b", c.get("1", 2, true))
			assert.Equal(t, "a", c.get("1"))
			assert.Equal(t, 1, c.count())
			b.putBeside("2", "a")
			assert.Equal(t, 2, c.count(2, 1))
			assert.Equal(t, 1, c.count())
			r, f := c.call(protocol.TransactGetItems, 1, []any{table}, []any{[]byte("1")}, nil, nil)
			require.Nil(t, f)
			assert.Contains(t, string(r.Rest()), "b")
			assert.Equal(t, "a", c.get("1"))
		})
	t.Run("Negative caching: what is not there is cached as such", func(t *testing.T) {
		b := held(t, nil)
		c := b.clients[0]
		assert.Equal(t, "-", c.get("1"))
		assert.Equal(t, 0, c.count())
		b.putBeside("1", "a")
		assert.Equal(t, "-", c.get("1"))
		assert.Equal(t, 0, c.count())
		require.Nil(t, c.put("1", "b"))
		assert.Equal(t, "b", c.get("1"), "until a write through DAX")
	})
	t.Run("Consistency among DAX cluster nodes: each hears of others late", func(t *testing.T) {
		b := held(t, func(c *Config) { c.Nodes, c.ReplicationLag = 3, time.Second })
		require.Nil(t, b.clients[0].put("1", "a"))
		b.advance(time.Second)
		for _, c := range b.clients {
			assert.Equal(t, "a", c.get("1"))
		}
		require.Nil(t, b.clients[0].put("1", "b"))
		assert.Equal(t, "b", b.clients[0].get("1"))
		assert.Equal(t, "a", b.clients[1].get("1"), "two reads disagree")
		b.advance(time.Second)
		assert.Equal(t, "b", b.clients[2].get("1"))
	})
	t.Run("Troubleshooting: an item larger than the cache is not kept", func(t *testing.T) {
		b := held(t, func(c *Config) { c.CacheBytes = entryCost + 50 })
		require.Nil(t, b.clients[0].put("1", string(make([]byte, 100))))
		b.putBeside("1", "new")
		assert.Equal(t, "new", b.clients[0].get("1"))
	})
}

// TestUpdatesAreCachedAsTheyBecame: whatever they return.
func TestUpdatesAreCachedAsTheyBecame(t *testing.T) {
	for _, returned := range []int{1, 2, 3, 4, 5} {
		b := held(t, nil)
		c := b.clients[0]
		require.Nil(t, c.put("1", "a"))
		// SET text = :0
		update := encode(nil, []any{1, []any{[]any{19, []any{18, "text"}, []any{17, 0}}},
			[]any{"b"}})
		_, f := c.call(protocol.UpdateItem, 1, table, []byte("1"), pairs{8, update, 7, returned})
		require.Nil(t, f)
		b.putBeside("1", "c")
		assert.Equal(t, "b", c.get("1"), returned)
	}
}
