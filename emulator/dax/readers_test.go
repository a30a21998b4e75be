package dax

import (
	"bytes"
	"io"
	"net"
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/emulator/dax/protocol"
	"github.com/kugiri-db/kugiri/storage/growth"
)

// TestReadersCostWhatTheyRead: no call of a node costs more than it weighs.
func TestReadersCostWhatTheyRead(t *testing.T) {
	b := newBench(t, nil)
	b.clients[0].list("text")
	growth.Weigh(t, []growth.Reader{{Name: "calls of DAX", Inputs: callInputs(b.clients[0]),
		Packages: []string{"emulator/dax", "emulator/dax/cbor", "emulator/dax/protocol"},
		Read: func(call []byte) {
			near, far := net.Pipe()
			done := make(chan struct{})
			go func() {
				defer close(done)
				serveConn(b.cluster.all()[0], b.cluster.fronts[0], pipe{far})
				far.Close()
			}()
			go func() {
				near.Write(append(hello(), authorization(caller, "x", "", time.Now())...))
				near.Write(call)
				near.Close()
			}()
			io.Copy(io.Discard, near)
			near.Close()
			<-done
		}}})
}

// callInputs returns calls, each with a part that may be long.
func callInputs(c *client) []growth.Input {
	text := c.list("text")
	of := func(name string, make func(n int) []byte) growth.Input {
		return growth.Input{Name: name, Of: func(bytes int) []byte { return make(bytes - 1024) }}
	}
	key := []byte("1")
	var list []growth.Input
	for _, x := range []struct {
		name string
		item byte
	}{{"nulls", cbor.Null}, {"empty lists", cbor.Array}, {"empty maps", cbor.Map},
		{"empty texts", cbor.Text}, {"numbers", 1}} {
		item := x.item
		list = append(list,
			of("an item of "+x.name, func(n int) []byte {
				return encode(nil, 1, protocol.PutItem, table, key,
					encode(encode(nil, text), repeated(n, item)), nil)
			}),
			of("names of "+x.name, func(n int) []byte {
				return encode(nil, 1, protocol.DefineAttributeListID, repeated(n, item))
			}),
			of("keys of "+x.name, func(n int) []byte {
				return encode(nil, 1, protocol.BatchGetItem,
					tableOf([]any{false, nil, repeated(n, item)}), nil)
			}),
			of("writes of "+x.name, func(n int) []byte {
				return encode(nil, 1, protocol.BatchWriteItem, tableOf(repeated(n, item)), nil)
			}),
			of("tables of "+x.name, func(n int) []byte {
				return encode(nil, 1, protocol.TransactGetItems, repeated(n, item), nil, nil, nil)
			}),
			of("a condition with "+x.name, func(n int) []byte {
				return encode(nil, 1, protocol.DeleteItem, table, key, pairs{4,
					encode(nil, []any{1, []any{0, []any{18, "id"}, []any{17, 0}},
						[]any{repeated(n, item)}})})
			}),
			of("a scan of "+x.name, func(n int) []byte {
				return encode(nil, 1, protocol.Scan, table, repeated(n, item))
			}),
		)
	}
	return append(list,
		of("lists in lists", func(n int) []byte {
			return encode(nil, 1, protocol.PutItem, table, key,
				encoded(bytes.Repeat([]byte{cbor.Array | 1}, n)), nil)
		}),
		of("an endless list", func(n int) []byte {
			return encode(nil, 1, protocol.PutItem, table, key,
				encoded(append([]byte{cbor.Array | 31}, make([]byte, n)...)), nil)
		}),
		of("a long text", func(n int) []byte {
			return encode(nil, 1, protocol.PutItem, table, key,
				encode(nil, text, string(make([]byte, n))), nil)
		}),
		of("a long key", func(n int) []byte {
			return encode(nil, 1, protocol.GetItem, table, make([]byte, n), nil)
		}),
		of("a long name of a table", func(n int) []byte {
			return encode(nil, 1, protocol.GetItem, make([]byte, n), key, nil)
		}),
		// The rule of a second is about one call. A connection sends as many as it likes, in turns
		// with other connections: 16 MB of calls that a node answers itself take about a second,
		// and calls of operations what the operations take, about 8 µs for each, of 15 bytes at
		// least. The row has a quarter of the bytes and shows that work grows with them.
		of("calls", func(n int) []byte {
			call := encode(nil, 1, protocol.Endpoints)
			return bytes.Repeat(call, n/4/len(call))
		}),
	)
}
