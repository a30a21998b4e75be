package dax

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/emulator/dax/protocol"
)

// keyCall is a call that a node answers itself, and keyAnswer its answer.
var (
	keyCall   = encode(nil, 1, protocol.DefineKeySchema, table)
	keyAnswer = append([]byte{cbor.Array, cbor.Map | 1}, encode(nil, "id", "S")...)
)

// TestCallsThatArriveTogether: they are answered one by one, in order, whoever answers them.
func TestCallsThatArriveTogether(t *testing.T) {
	b := newBench(t, nil)
	remove := encode(nil, 1, protocol.DeleteItem, table, []byte("1"), nil)
	b.clients[0].send(encoded(remove))
	removed := append(b.clients[0].item(), b.clients[0].item()...)
	text := append(hello(), authorization(caller, "x", "", time.Now())...)
	var want []byte
	for i := range 2000 {
		name := fmt.Sprint("a", i%50)
		text = append(encode(text, 1, protocol.DefineAttributeListID, []any{name}), keyCall...)
		want = append(append(want, encode([]byte{cbor.Array}, b.clients[0].list(name))...),
			keyAnswer...)
		if i%7 == 0 {
			text, want = append(text, remove...), append(want, removed...)
		}
	}
	conn, err := net.Dial("tcp", b.addrs[0])
	require.NoError(t, err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(30 * time.Second))
	go conn.Write(text)
	got := make([]byte, len(want))
	_, err = io.ReadFull(conn, got)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// TestAnswersDoNotWaitForCalls: a call that has not arrived as a whole does not hold up the answer
// to the one before.
func TestAnswersDoNotWaitForCalls(t *testing.T) {
	b := newBench(t, nil)
	for at := 1; at < len(keyCall); at++ {
		c := dial(t, b.addrs[0])
		c.authorize(caller, "x", time.Now())
		c.send(encoded(append(bytes.Clone(keyCall), keyCall[:at]...)))
		assert.Equal(t, keyAnswer, append(c.item(), c.item()...))
		c.send(encoded(keyCall[at:]))
		assert.Equal(t, keyAnswer, append(c.item(), c.item()...))
	}
}

// TestManyCallsTakeFewWrites: the answers to calls that have arrived together share writes.
func TestManyCallsTakeFewWrites(t *testing.T) {
	b := newBench(t, nil)
	near, far := net.Pipe()
	defer near.Close()
	counted := &countedWrites{Conn: pipe{far}}
	go func() {
		serveConn(b.cluster.all()[0], b.cluster.fronts[0], counted)
		far.Close()
	}()
	const n = 5000
	go func() {
		near.Write(append(hello(), authorization(caller, "x", "", time.Now())...))
		near.Write(bytes.Repeat(keyCall, n))
	}()
	got := make([]byte, n*len(keyAnswer))
	_, err := io.ReadFull(near, got)
	require.NoError(t, err)
	require.Equal(t, bytes.Repeat(keyAnswer, n), got)
	assert.Less(t, counted.writes.Load(), int64(n/20))
}

// countedWrites counts the writes to a connection.
type countedWrites struct {
	net.Conn
	writes atomic.Int64
}

func (c *countedWrites) Write(p []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(p)
}
