package dax

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/emulator/dax/protocol"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
)

const tooLargeItem = "Item size has exceeded the maximum allowed size"

// tableOf is the argument of a batch for the table of the tests.
func tableOf(content any) encoded {
	return encoded(encode(encode([]byte{cbor.Map | 1}, "notes"), content))
}

// repeated is an array of n equal data items.
func repeated(n int, item byte) encoded {
	return append(cbor.AppendHead(nil, cbor.Array, uint64(n)), bytes.Repeat([]byte{item}, n)...)
}

// TestExpansionIsBounded: what a message refers to counts before it is expanded, and what it has is
// judged while it is decoded. Each case takes little of what the whole would take.
func TestExpansionIsBounded(t *testing.T) {
	b := newBench(t, nil)
	c := b.clients[0]
	names := c.list(strings.Repeat("n", 60_000))
	many := func(n int, put encoded) (list []any) {
		for i := range n {
			list = append(list, []byte(fmt.Sprint(i)), []byte(put))
		}
		return list
	}
	nulls := c.list("nulls")
	for _, x := range []struct {
		name      string
		method    protocol.Method
		arguments []any
		want      string
		most      int // bytes that are allocated
	}{
		{"a name beyond the service's limit", protocol.DefineAttributeListID,
			[]any{[]any{strings.Repeat("n", 65_536)}}, "One or more parameter values were " +
				"invalid: Attribute name must not be longer than 65535 bytes", 4 << 20},
		{"names that no item can have", protocol.DefineAttributeListID,
			[]any{[]any{strings.Repeat("a", 60_000), strings.Repeat("b", 60_000),
				strings.Repeat("c", 60_000), strings.Repeat("d", 60_000),
				strings.Repeat("e", 60_000), strings.Repeat("f", 60_000),
				strings.Repeat("g", 60_000)}}, tooLargeItem, 8 << 20},
		{"empty names", protocol.DefineAttributeListID, []any{repeated(500_000, cbor.Text)},
			tooLargeItem, 48 << 20},
		{"names of many items", protocol.BatchWriteItem,
			[]any{tableOf(many(400, encode(nil, names, nil))), nil}, "Request too large.",
			128 << 20},
		{"many keys", protocol.BatchGetItem, []any{tableOf([]any{false, nil,
			repeated(4_000_000, cbor.Bytes)}), nil},
			"Too many items requested for the BatchGetItem call", 64 << 20},
		{"many writes", protocol.BatchWriteItem, []any{tableOf(many(1001, encode(nil, 1))), nil},
			"Too many items requested for the BatchWriteItem call", 8 << 20},
		{"many tables", protocol.TransactGetItems, []any{encoded(append(cbor.AppendHead(nil,
			cbor.Array, 2000), bytes.Repeat(encode(nil, "notes"), 2000)...)), nil, nil, nil},
			"Request too large.", 8 << 20},
		{"an item of nulls", protocol.PutItem, []any{table, []byte("1"),
			append(encode(nil, nulls), repeated(8_000_000, cbor.Null)...), nil}, tooLargeItem,
			64 << 20},
		{"a value of nulls", protocol.DeleteItem, []any{table, []byte("1"), pairs{4,
			encode(nil, []any{1, []any{0, []any{18, "id"}, []any{17, 0}},
				[]any{repeated(8_000_000, cbor.Null)}})}}, "Request too large.", 256 << 20},
	} {
		t.Run(x.name, func(t *testing.T) {
			call := append([]any{1, x.method}, x.arguments...)
			frame := encode(nil, call...)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, f := c.call(x.method, 1, encoded(frame[len(encode(nil, 1, x.method)):]))
			runtime.ReadMemStats(&after)
			require.NotNil(t, f)
			assert.Equal(t, x.want, f.message)
			made := int(after.TotalAlloc-before.TotalAlloc) - 3*len(frame)
			assert.Less(t, made, x.most)
		})
	}
	require.Nil(t, c.put("1", "still served"))
	assert.Equal(t, "still served", c.get("1"))
	assert.Zero(t, b.cluster.memory.Load())
}

// TestItemsUpToTheLimit: what the service accepts is never refused for its size here.
func TestItemsUpToTheLimit(t *testing.T) {
	c := newBench(t, nil).clients[0]
	const most = 400 << 10
	for _, x := range []struct {
		name  string
		value func(n int) any // a value of n bytes
	}{
		{"text", func(n int) any { return strings.Repeat("x", n) }},
		{"bytes", func(n int) any { return make([]byte, n) }},
		{"nulls", func(n int) any { return repeated((n-3)/2, cbor.Null) }},
		{"empty texts", func(n int) any { return repeated(n-3, cbor.Text) }},
		{"ones", func(n int) any { return repeated((n-3)/3, 1) }},
		{"a set", func(n int) any {
			return encoded(encode(encode(cbor.AppendHead(nil, cbor.Tag, 3321)),
				[]any{"a", strings.Repeat("b", n-1)}))
		}},
	} {
		t.Run(x.name, func(t *testing.T) {
			room := most - len("id") - len("1") - len("a")
			id := c.list("a")
			_, f := c.call(protocol.PutItem, 1, table, []byte("1"), encode(nil, id, x.value(room)),
				nil)
			assert.Nil(t, f)
			_, f = c.call(protocol.PutItem, 1, table, []byte("1"),
				encode(nil, id, x.value(room+3)), nil)
			require.NotNil(t, f)
			assert.Equal(t, tooLargeItem, f.message)
		})
	}
}

// TestListsAreForgotten: lists count against the connection, and leave with it when others need the
// room. Nobody is refused because others have many.
func TestListsAreForgotten(t *testing.T) {
	b := newBench(t, nil)
	l := b.cluster.lists
	l.most = 1 << 20
	mine := b.clients[0].list("text")
	require.Nil(t, b.clients[0].put("1", "mine"))
	greedy := dial(t, b.addrs[0])
	greedy.authorize(caller, "x", time.Now())
	for i := range 40 {
		greedy.list(fmt.Sprint(i, strings.Repeat("n", 50_000)))
	}
	check := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		sum := 0
		for _, a := range l.byID {
			sum += a.size
		}
		assert.Equal(t, sum, l.bytes)
		assert.LessOrEqual(t, l.bytes, l.most)
		assert.Len(t, l.byNames, len(l.byID))
	}
	check()
	assert.Equal(t, mine, b.clients[0].list("text"))
	assert.Equal(t, "mine", b.clients[0].get("1"), "others keep their lists")
	oldest := fmt.Sprint(0, strings.Repeat("n", 50_000))
	_, f := greedy.call(protocol.DefineAttributeList, 1, b.clients[0].list(oldest))
	assert.Nil(t, f, "a list that was forgotten can be defined again")
	greedy.Close()
	for i := range 40 {
		b.clients[0].list(fmt.Sprint(i, strings.Repeat("m", 50_000)))
	}
	check()
	assert.Equal(t, "mine", b.clients[0].get("1"))
}

// TestCallersLoseOnlyTheirOwnLists: a caller whose many connections hold little each pushes out its
// own lists and not the larger one of another caller.
func TestCallersLoseOnlyTheirOwnLists(t *testing.T) {
	type caller struct{ owner, origin, accessKey string }
	for _, c := range []struct {
		name   string
		other  caller
		greedy func(i int) caller
	}{
		{"another access key of the host", caller{"", "10.0.0.1", "mine"},
			func(int) caller { return caller{"", "10.0.0.1", "greedy"} }},
		{"another host with the same access key", caller{"", "10.0.0.1", "test"},
			func(int) caller { return caller{"", "10.0.0.2", "test"} }},
		{"another host with an access key for each connection", caller{"", "10.0.0.1", "test"},
			func(i int) caller { return caller{"", "10.0.0.2", fmt.Sprint(i)} }},
		{"an identity", caller{"AK1", "AK1", "AK1"},
			func(int) caller { return caller{"AK2", "AK2", "AK2"} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLists()
			l.most = 8 << 20
			one := l.hold()
			one.belongs(c.other.owner, c.other.origin, c.other.accessKey)
			mine, err := one.ID([]string{strings.Repeat("m", 100_000)})
			require.NoError(t, err)
			var all []*holding
			for i := range 4096 {
				h, of := l.hold(), c.greedy(i)
				h.belongs(of.owner, of.origin, of.accessKey)
				_, err := h.ID([]string{fmt.Sprint(i, strings.Repeat("n", 16_000))})
				require.NoError(t, err)
				all = append(all, h)
			}
			assert.LessOrEqual(t, l.bytes, l.most)
			assert.Contains(t, l.byID, mine)
			for _, h := range append(all, one) {
				h.release()
			}
			assert.Empty(t, l.shares)
		})
	}
}

// TestListsCountByAccessKey: connections count against the access key that they name.
func TestListsCountByAccessKey(t *testing.T) {
	b := newBench(t, nil)
	l := b.cluster.lists
	l.most = 1 << 20
	mine := b.clients[0].list(strings.Repeat("m", 50_000))
	for i := range 64 {
		greedy := dial(t, b.addrs[0])
		greedy.authorize("greedy", "x", time.Now())
		greedy.list(fmt.Sprint(i, strings.Repeat("n", 16_000)))
	}
	_, f := b.clients[0].call(protocol.DefineAttributeList, 1, mine)
	assert.Nil(t, f, "the list of a caller who holds less was forgotten")
}

// TestCachedItemsOutliveTheirLists: an item or a result whose attribute list is forgotten is read
// again, with a list that clients can ask for.
func TestCachedItemsOutliveTheirLists(t *testing.T) {
	b := newBench(t, nil)
	l := b.cluster.lists
	c := b.clients[0]
	require.Nil(t, c.put("1", "cached"))
	scan := func() int {
		r, f := c.call(protocol.Scan, 1, table, nil)
		require.Nil(t, f)
		return len(r.Rest())
	}
	assert.Equal(t, "cached", c.get("1"))
	size := scan()
	l.mu.Lock()
	for h := range l.holders {
		for h.size() > 0 {
			l.leave(h.dropOldest())
		}
	}
	for l.idle.Len() > 0 {
		l.trim()
	}
	assert.Zero(t, l.bytes)
	l.mu.Unlock()
	assert.Equal(t, size, scan())
	assert.Equal(t, "cached", c.get("1"))
	l.mu.Lock()
	defer l.mu.Unlock()
	assert.NotZero(t, l.bytes)
}

// TestLargeRequestsHoldNothing: a large request that waits for its turn, or has it, holds nothing
// that small ones need, over either protocol, and no more than the turns are decoded at a time.
func TestLargeRequestsHoldNothing(t *testing.T) {
	b := newBench(t, nil)
	small := dial(t, b.addrs[0])
	small.authorize(caller, "x", b.server.Now())
	text := small.list("text")
	require.Nil(t, small.put("1", "small"))

	var done []func() // ends all turns
	for range max(1, runtime.GOMAXPROCS(0)/2) {
		done = append(done, httpd.Turn(httpd.LeastTurn))
	}
	value := strings.Repeat("x", httpd.LeastTurn+1)
	const large = 4
	answers := make(chan error, 2*large)
	for i := range large {
		c := dial(t, b.addrs[0])
		c.authorize(caller, "x", b.server.Now())
		frame := encode(nil, 1, protocol.PutItem, table, []byte(fmt.Sprint("large", i)),
			encode(nil, text, value), nil)
		go func() {
			c.Write(frame)
			_, err := c.source.AppendItem(nil, 1<<24)
			answers <- err
		}()
		go func() {
			_, err := b.beside.PutItem(t.Context(), &dynamodb.PutItemInput{
				TableName: aws.String("notes"), Item: map[string]types.AttributeValue{
					"id":   &types.AttributeValueMemberS{Value: fmt.Sprint("beside", i)},
					"text": &types.AttributeValueMemberS{Value: value},
				}})
			answers <- err
		}()
	}
	waiting := func() int {
		stacks := make([]byte, 1<<20)
		return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "httpd.Turn(")
	}
	for waiting() < 2*large {
		runtime.Gosched()
	}
	require.Nil(t, small.put("2", "written beside"))
	assert.Equal(t, "written beside", small.get("2"))
	assert.Equal(t, "small", small.get("1"))
	_, err := b.beside.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("notes")})
	require.NoError(t, err)
	_, err = b.beside.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{
		TableName: aws.String("notes"), DeletionProtectionEnabled: aws.Bool(true),
	})
	require.NoError(t, err)
	assert.Empty(t, answers, "the large ones still wait")
	for _, d := range done {
		d()
	}
	for range 2 * large {
		require.NoError(t, <-answers)
	}
	assert.Equal(t, value, small.get("large0"))
	assert.Equal(t, value, small.get("beside0"))
}
