package dax

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/emulator/dax/protocol"
	"github.com/kugiri-db/kugiri/emulator/fault"
)

// ended asserts that the cluster closes a connection without another answer.
func (c *client) ended() {
	_, err := c.source.AppendItem(nil, 1<<20)
	assert.Error(c.t, err)
	assert.NotErrorIs(c.t, err, os.ErrDeadlineExceeded, "the connection is still open")
}

// TestAuthorization: nobody is in without a signature if signatures are verified.
func TestAuthorization(t *testing.T) {
	b := newBench(t, nil, emulator.WithCredentials(map[string]emulator.Secret{
		caller: {Key: "secret"},
		"temporary": {Key: "other", SessionToken: "token",
			Expires: time.Now().Add(time.Hour)},
		"expired": {Key: "old", SessionToken: "token", Expires: time.Now().Add(-time.Hour)},
	}))
	now := time.Now()
	for _, c := range []struct {
		name string
		send []byte
		want string // the name of the error, "" for none
	}{
		{"signed", authorization(caller, "secret", "", now), ""},
		{"with a token", authorization("temporary", "other", "token", now), ""},
		{"nothing", nil, "MissingAuthenticationTokenException"},
		{"another secret", authorization(caller, "x", "", now), "InvalidSignatureException"},
		{"an unknown access key", authorization("nobody", "secret", "", now),
			"UnrecognizedClientException"},
		{"without its token", authorization("temporary", "other", "", now),
			"UnrecognizedClientException"},
		{"with another token", authorization("temporary", "other", "x", now),
			"UnrecognizedClientException"},
		{"with an expired token", authorization("expired", "old", "token", now),
			"ExpiredTokenException"},
		{"signed long ago", authorization(caller, "secret", "", now.Add(-16*time.Minute)),
			"InvalidSignatureException"},
		{"signed in the future", authorization(caller, "secret", "", now.Add(16*time.Minute)),
			"InvalidSignatureException"},
		{"another text", encode(nil, 1, protocol.AuthorizeConnection, caller, "x", []byte("x"),
			nil, nil), "IncompleteSignatureException"},
		{"no text", encode(nil, 1, protocol.AuthorizeConnection, caller, 1, 2, nil, nil),
			"IncompleteSignatureException"},
		{"a text of another request", otherRequest(now), "InvalidSignatureException"},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn := dial(t, b.addrs[0])
			conn.send(encoded(c.send))
			for _, call := range []struct {
				method    protocol.Method
				arguments []any
			}{
				{protocol.Endpoints, nil},
				{protocol.DefineKeySchema, []any{table}},
				{protocol.DefineAttributeList, []any{1}},
				{protocol.GetItem, []any{table, []byte("1"), nil}},
			} {
				_, f := conn.call(call.method, 1, call.arguments...)
				if c.want == "" {
					if f != nil { // temporary credentials have no tables
						assert.Equal(t, "ResourceNotFoundException", f.name)
					}
					continue
				}
				require.NotNil(t, f)
				assert.Equal(t, c.want, f.name)
				assert.Equal(t, []int64{4, 23, 31}, f.codes[:3])
			}
			conn.send(encoded(authorization(caller, "secret", "", now)))
			_, f := conn.call(protocol.Endpoints, 1)
			assert.Nil(t, f, "the connection can be authorized again")
		})
	}
}

// otherRequest is signed well, but for a request with another host.
func otherRequest(at time.Time) []byte {
	r, claim := connectionRequest(at)
	r.Host = "dynamodb.us-east-1.amazonaws.com"
	return encode(nil, 1, protocol.AuthorizeConnection, caller, claim.Signature(r, nil, "secret"),
		[]byte(textToSign(r, &claim)), nil, nil)
}

// TestWithoutVerification: any credentials work, and decide whose tables they are.
func TestWithoutVerification(t *testing.T) {
	b := newBench(t, nil)
	require.Nil(t, b.clients[0].put("1", "mine"))
	other := dial(t, b.addrs[0])
	other.authorize("other", "y", time.Now().Add(-24*time.Hour))
	_, f := other.call(protocol.GetItem, 1, table, []byte("1"), nil)
	require.NotNil(t, f)
	assert.Equal(t, "ResourceNotFoundException", f.name)
	assert.Equal(t, []int64{4, 37, 38, 39, 41}, f.codes)
	none := dial(t, b.addrs[0])
	_, f = none.call(protocol.Endpoints, 1)
	require.NotNil(t, f)
	assert.Equal(t, []int64{4, 23, 31, 33}, f.codes, "the tables of nobody are no tables")
}

// TestForksAreSeen: a delegate answers for its access key, and has no part of another one's cache.
func TestForksAreSeen(t *testing.T) {
	b := newBench(t, nil)
	require.Nil(t, b.clients[0].put("1", "original"))
	fork := b.server.ForkAs(caller, caller)
	b.server.Delegate(caller, fork)
	assert.Equal(t, "original", b.clients[0].get("1"))
	require.Nil(t, b.clients[0].put("1", "fork"))
	b.server.Delegate(caller, nil)
	assert.Equal(t, "original", b.clients[0].get("1"))
}

func TestEndpoints(t *testing.T) {
	b := newBench(t, func(c *Config) { c.Nodes = 3 })
	roles := func(c *client) (ports, roles []int64) {
		r, f := c.call(protocol.Endpoints, 1)
		require.Nil(t, f)
		require.NoError(t, r.Each(func(int, int) error {
			return r.Pairs(func(int, int) error {
				key, err := r.Int()
				require.NoError(t, err)
				switch key {
				case endpointPort:
					port, err := r.Int()
					ports = append(ports, port)
					return err
				case endpointRole:
					role, err := r.Int()
					roles = append(roles, role)
					return err
				case endpointAddress:
					ip, err := r.Bytes()
					assert.Equal(t, []byte{127, 0, 0, 1}, ip)
					return err
				}
				_, err = r.Item()
				return err
			})
		}))
		return ports, roles
	}
	ports, are := roles(b.clients[1])
	assert.Len(t, ports, 3)
	assert.Equal(t, []int64{1, 2, 2}, are)

	require.NoError(t, b.cluster.FailNode(0))
	b.clients[0].ended()
	after, are := roles(b.clients[1])
	assert.Equal(t, ports[1:], after)
	assert.Equal(t, []int64{1, 2}, are, "the next node leads")
	gone := dial(t, b.addrs[0])
	gone.ended()
	require.NoError(t, b.cluster.RecoverNode(0))
	back := dial(t, b.addrs[0])
	back.authorize(caller, "x", time.Now())
	_, are = roles(back)
	assert.Equal(t, []int64{1, 2, 2}, are)
	assert.Error(t, b.cluster.FailNode(3))
	b.cluster.DropConnections()
	back.ended()
}

// TestFrames: a client that asks for them gets its answers in frames.
func TestFrames(t *testing.T) {
	b := newBench(t, nil)
	conn, err := net.Dial("tcp", b.addrs[0])
	require.NoError(t, err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(30 * time.Second))
	_, err = conn.Write(append(append(encode(nil, magic, 1, nil, pairs{}, 0),
		authorization(caller, "x", "", time.Now())...),
		encode(nil, 1, protocol.DefineKeySchema, table)...))
	require.NoError(t, err)
	head := make([]byte, 8)
	_, err = io.ReadFull(conn, head)
	require.NoError(t, err)
	answer := make([]byte, binary.BigEndian.Uint32(head)-8)
	_, err = io.ReadFull(conn, answer)
	require.NoError(t, err)
	assert.Equal(t, []byte{1, 0, 0, 0}, head[4:])
	assert.Equal(t, append([]byte{cbor.Array, cbor.Map | 1}, encode(nil, "id", "S")...), answer)
}

// TestHostile: bytes that are no calls end a connection, and do no harm to others.
func TestHostile(t *testing.T) {
	b := newBench(t, nil)
	deep := bytes.Repeat([]byte{cbor.Array | 1}, 10_000)
	for name, data := range map[string][]byte{
		"a request of HTTP":  []byte("POST / HTTP/1.1\r\nHost: x\r\n\r\n"),
		"another magic":      encode(nil, "J7yne5H", 0, nil, pairs{}, 0),
		"layers":             encode(nil, magic, 2, nil, pairs{}, 0),
		"a long greeting":    encode(nil, magic, 0, make([]byte, 5000), pairs{}, 0),
		"no agent":           encode(nil, magic, 0, nil, 1, 0),
		"an unknown service": append(hello(), encode(nil, 2, protocol.GetItem)...),
		"an unknown method":  append(hello(), encode(nil, 1, 12345)...),
		"no method":          append(hello(), encode(nil, 1, "x")...),
		"a break":            append(hello(), cbor.Break),
		"a long string": append(hello(), encode(nil, 1, protocol.DefineKeySchema,
			encoded{0x5b, 0, 0, 0, 1, 0, 0, 0, 0})...),
		"a long array": append(hello(), encode(nil, 1, protocol.DefineAttributeListID,
			encoded{0x9b, 0, 0, 0, 1, 0, 0, 0, 0})...),
		"a deep array": append(hello(), encode(nil, 1, protocol.DefineAttributeListID,
			encoded(deep))...),
		"a method of all tables": append(hello(), encode(nil, 1, 1874119219)...),
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", b.addrs[0])
			require.NoError(t, err)
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(30 * time.Second))
			conn.Write(data)
			answer, err := io.ReadAll(conn)
			assert.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the connection is still open")
			assert.Less(t, len(answer), 1000)
			assert.Zero(t, b.cluster.memory.Load())
		})
	}
	assert.Equal(t, "-", b.clients[0].get("1"))
}

// TestMalformedArguments: a call whose arguments are no such ones is refused, and the connection
// goes on.
func TestMalformedArguments(t *testing.T) {
	b := newBench(t, nil)
	c := b.clients[0]
	id := c.list("text")
	for _, x := range []struct {
		name      string
		method    protocol.Method
		arguments []any
	}{
		{"a number for a table", protocol.DefineKeySchema, []any{1}},
		{"a list that is not defined", protocol.DefineAttributeList, []any{12345}},
		{"names that are none", protocol.DefineAttributeListID, []any{[]any{1}}},
		{"a key that is not UTF-8", protocol.GetItem, []any{table, []byte{0xff}, nil}},
		{"an unknown option", protocol.GetItem, []any{table, []byte("1"), pairs{99, 1}}},
		{"an option out of range", protocol.GetItem, []any{table, []byte("1"), pairs{3, 7}}},
		{"options that are none", protocol.GetItem, []any{table, []byte("1"), 7}},
		{"an item of an unknown list", protocol.PutItem, []any{table, []byte("1"),
			encode(nil, 12345, "a"), nil}},
		{"an item with too few values", protocol.PutItem, []any{table, []byte("1"),
			encode(nil, id), nil}},
		{"an item with too many values", protocol.PutItem, []any{table, []byte("1"),
			encode(nil, id, "a", "b"), nil}},
		{"an expression of another format", protocol.DeleteItem, []any{table, []byte("1"),
			pairs{4, encode(nil, []any{2, []any{11, []any{18, "id"}}, []any{}})}}},
		{"an unknown function", protocol.DeleteItem, []any{table, []byte("1"),
			pairs{4, encode(nil, []any{1, []any{99, []any{18, "id"}}, []any{}})}}},
		{"an odd batch", protocol.BatchWriteItem, []any{encoded(encode(encode(
			[]byte{cbor.Map | 1}, "notes"), []any{[]byte("1")})), nil}},
		{"columns of different lengths", protocol.TransactGetItems, []any{[]any{table},
			[]any{[]byte("1"), []byte("2")}, nil, nil}},
		{"a transaction without keys", protocol.TransactGetItems, []any{[]any{table}, nil, nil,
			nil}},
		{"a put without an item", protocol.TransactWriteItems, []any{[]any{2}, []any{table},
			[]any{[]byte("1")}, nil, nil, nil, nil, nil, nil}},
		{"a write of no kind", protocol.TransactWriteItems, []any{[]any{1}, []any{table},
			[]any{[]byte("1")}, nil, nil, nil, nil, nil, nil}},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, f := c.call(x.method, 1, x.arguments...)
			require.NotNil(t, f)
			assert.Equal(t, "SerializationException", f.name)
			assert.Equal(t, []int64{4, 37, 38, 39, 46}, f.codes)
			items, err := b.server.Items(caller, "us-east-1", "notes")
			require.NoError(t, err)
			assert.Empty(t, items)
		})
	}
}

// TestFaultsHold: faults of the emulator reach clients of the accelerator, unless a cache answers.
func TestFaultsHold(t *testing.T) {
	b := newBench(t, nil)
	c := b.clients[0]
	require.Nil(t, c.put("1", "a"))
	b.server.SetFaults(fault.Fault{When: fault.Operation("GetItem"),
		Do: fault.Throttle("")})
	assert.Equal(t, "a", c.get("1"))
	_, f := c.call(protocol.GetItem, 1, table, []byte("2"), nil)
	require.NotNil(t, f)
	assert.Equal(t, []int64{4, 37, 38, 39, 40}, f.codes)
	b.server.SetFaults(fault.Fault{When: fault.Operation("PutItem"),
		Do: fault.LoseResponse()})
	c.send(1, protocol.PutItem, table, []byte("2"), encode(nil, 1), nil)
	c.ended()
	b.server.SetFaults()
	again := dial(t, b.addrs[0])
	again.authorize(caller, "x", time.Now())
	assert.Equal(t, "", again.get("2"), "the write was done")
}

// TestPanicsEndTheirConnection: a panic in one request ends neither the process nor other
// connections.
func TestPanicsEndTheirConnection(t *testing.T) {
	b := newBench(t, nil)
	c, other := b.clients[0], dial(t, b.addrs[0])
	other.authorize(caller, "x", time.Now())
	stop := b.server.Observe(func(*emulator.Event) { panic("a bug of an observer") })
	c.send(1, protocol.GetItem, table, []byte("1"), nil)
	c.ended()
	stop()
	require.Nil(t, other.put("1", "a"))
	assert.Equal(t, "a", other.get("1"))
}

// FuzzCalls sends arbitrary calls: no bytes crash a node, or leave memory behind.
func FuzzCalls(f *testing.F) {
	b := newBench(f, nil)
	id := b.clients[0].list("text")
	for _, call := range [][]byte{
		encode(nil, 1, protocol.Endpoints),
		encode(nil, 1, protocol.GetItem, table, []byte("1"), nil),
		encode(nil, 1, protocol.PutItem, table, []byte("1"), encode(nil, id, "a"), pairs{7, 2}),
		encode(nil, 1, protocol.Scan, table, pairs{13, 1, 10, encode(nil,
			[]any{1, []any{6, []any{0, []any{18, "text"}, []any{17, 0}}, []any{8,
				[]any{12, []any{18, "id"}}}}, []any{"a"}})}),
		encode(nil, 1, protocol.TransactGetItems, []any{table}, []any{[]byte("1")}, nil, nil),
		encode(nil, 1, protocol.BatchGetItem, encoded(encode(encode([]byte{cbor.Map | 1}, "notes"),
			[]any{false, nil, []any{[]byte("1"), []byte("2")}})), nil),
	} {
		f.Add(call)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		near, far := net.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			serveConn(b.cluster.all()[0], b.cluster.fronts[0], pipe{far})
			far.Close()
		}()
		go func() {
			near.Write(append(append(hello(), authorization(caller, "x", "", time.Now())...),
				data...))
			near.Close()
		}()
		io.Copy(io.Discard, near)
		near.Close()
		<-done
		require.Zero(t, b.cluster.memory.Load())
	})
}

// pipe is a connection in memory with addresses of TCP.
type pipe struct{ net.Conn }

func (pipe) LocalAddr() net.Addr  { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }
func (pipe) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }
