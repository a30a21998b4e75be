package dax

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/dax/protocol"
)

// BenchmarkGetItem reads an item of 1 KB over the loopback interface, with as little of a client as
// there can be: through the accelerator, from the cache and past it, and over HTTP.
func BenchmarkGetItem(b *testing.B) {
	bench := newBench(b, nil)
	require.Nil(b, bench.clients[0].put("1", strings.Repeat("lorem ipsum ", 84)))
	ask := func(b *testing.B, addr string, prepare, request []byte) {
		conn, err := net.Dial("tcp", addr)
		require.NoError(b, err)
		defer conn.Close()
		_, err = conn.Write(append(prepare, request...))
		require.NoError(b, err)
		in := make([]byte, 4096)
		size, err := io.ReadAtLeast(bufio.NewReader(conn), in, 1000) // one answer is more
		require.NoError(b, err)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := conn.Write(request); err != nil {
				b.Fatal(err)
			}
			if _, err := io.ReadFull(conn, in[:size]); err != nil {
				b.Fatal(err)
			}
		}
	}
	ready := func() []byte {
		return append(hello(), authorization(caller, "x", "", bench.server.Now())...)
	}
	get := encode(nil, 1, protocol.GetItem, table, []byte("1"), nil)
	b.Run("cached", func(b *testing.B) { ask(b, bench.addrs[0], ready(), get) })
	get = encode(nil, 1, protocol.GetItem, table, []byte("1"), pairs{2, true})
	b.Run("consistent", func(b *testing.B) { ask(b, bench.addrs[0], ready(), get) })
	b.Run("HTTP", func(b *testing.B) {
		server, err := bench.server.Start("127.0.0.1:0")
		require.NoError(b, err)
		defer server.Close()
		body := `{"TableName":"notes","Key":{"id":{"S":"1"}}}`
		request := fmt.Sprintf("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n"+
			"Content-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\n"+
			"X-Amz-Date: 20260102T030405Z\r\nAuthorization: AWS4-HMAC-SHA256 Credential=test/"+
			"20260102/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x\r\n\r\n%s",
			len(body), body)
		ask(b, strings.TrimPrefix(server.URL, "http://"), nil, []byte(request))
	})
}
