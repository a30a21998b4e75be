package dax

import (
	"bufio"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/sigv4"
	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/emulator/dax/protocol"
)

// The official clients run in conformance/clients. This one is for what they cannot be made to send
// and for what a held clock shows: it writes the messages of emulator/docs/dax-protocol.md by hand.

// client is a connection of a test.
type client struct {
	t testing.TB
	net.Conn
	source *cbor.Source
}

// encoded is a data item that is encoded already.
type encoded []byte

// pairs is a map of unknown length: keys and values by turns.
type pairs []any

// encode appends data items: text, []byte for bytes, numbers, bool, nil, []any, pairs, encoded.
func encode(dst []byte, items ...any) []byte {
	for _, it := range items {
		switch v := it.(type) {
		case nil:
			dst = append(dst, cbor.Null)
		case encoded:
			dst = append(dst, v...)
		case string:
			dst = cbor.AppendText(dst, v)
		case []byte:
			dst = cbor.AppendBytes(dst, v)
		case int:
			dst = cbor.AppendInt(dst, int64(v))
		case int64:
			dst = cbor.AppendInt(dst, v)
		case protocol.Method:
			dst = cbor.AppendInt(dst, int64(v))
		case bool:
			head := byte(cbor.False)
			if v {
				head = cbor.True
			}
			dst = append(dst, head)
		case []any:
			dst = encode(cbor.AppendHead(dst, cbor.Array, uint64(len(v))), v...)
		case pairs:
			dst = append(encode(append(dst, cbor.MapStream), v...), cbor.Break)
		default:
			panic("no data item")
		}
	}
	return dst
}

// hello returns the bytes that a client sends first.
func hello() []byte {
	return encode(nil, magic, 0, []byte("session"), pairs{"UserAgent", "test"}, 0)
}

// dial opens a connection to a node, without authorizing it.
func dial(t testing.TB, addr string) *client {
	conn, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	return over(t, conn)
}

// over greets a node over a connection.
func over(t testing.TB, conn net.Conn) *client {
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(30 * time.Second))
	c := &client{t, conn, cbor.NewSource(bufio.NewReader(conn), func(int) bool { return true })}
	c.send(encoded(hello()))
	return c
}

func (c *client) send(items ...any) {
	_, err := c.Write(encode(nil, items...))
	require.NoError(c.t, err)
}

// authorize authorizes the connection for an access key in us-east-1.
func (c *client) authorize(accessKey, secret string, at time.Time) {
	c.send(encoded(authorization(accessKey, secret, "", at)))
}

// authorization is a call of authorizeConnection.
func authorization(accessKey, secret, token string, at time.Time) []byte {
	signature, toSign := sign(secret, at)
	var tokenItem any
	if token != "" {
		tokenItem = token
	}
	return encode(nil, 1, protocol.AuthorizeConnection, accessKey, signature, []byte(toSign),
		tokenItem, "test")
}

// item reads a data item.
func (c *client) item() []byte {
	data, err := c.source.AppendItem(nil, 1<<24)
	require.NoError(c.t, err)
	return data
}

// failure is an error as the client got it.
type failure struct {
	codes         []int64
	message, name string
}

// call calls a method and returns its answer, which has a number of data items, or its error.
func (c *client) call(m protocol.Method, answers int, arguments ...any) (*cbor.Reader, *failure) {
	c.send(append([]any{1, m}, arguments...)...)
	head := c.item()
	if len(head) == 1 && head[0] == cbor.Array {
		var all []byte
		for range answers {
			all = append(all, c.item()...)
		}
		return cbor.NewReader(all), nil
	}
	f := new(failure)
	r := cbor.NewReader(head)
	require.NoError(c.t, r.Each(func(int, int) error {
		code, err := r.Int()
		f.codes = append(f.codes, code)
		return err
	}))
	message, err := cbor.NewReader(c.item()).Text()
	require.NoError(c.t, err)
	f.message = string(message)
	r = cbor.NewReader(c.item())
	if !r.Is(cbor.Null) {
		require.NoError(c.t, r.Each(func(i, _ int) error {
			if i == 1 {
				name, err := r.Name()
				f.name = name
				return err
			}
			_, err := r.Item()
			return err
		}))
	}
	return nil, f
}

// connectionRequest is the request that a client in us-east-1 signs, and that is never sent.
func connectionRequest(at time.Time) (*http.Request, sigv4.Claim) {
	r, err := http.NewRequest(http.MethodPost, "https://dax.amazonaws.com/", nil)
	if err != nil {
		panic(err)
	}
	r.Header.Set("X-Amz-Date", at.UTC().Format(sigv4.TimeFormat))
	return r, sigv4.Claim{Date: at, Day: at.UTC().Format("20060102"), Region: "us-east-1",
		Service: "dax", SignedHeaders: "host;x-amz-date"}
}

// emptyHash is the SHA-256 of nothing.
const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func textToSign(r *http.Request, c *sigv4.Claim) string {
	return sigv4.Algorithm + "\n" + c.Date.UTC().Format(sigv4.TimeFormat) + "\n" + c.Scope() +
		"\n" + c.RequestHash(r, emptyHash)
}

func sign(secret string, at time.Time) (signature, toSign string) {
	r, claim := connectionRequest(at)
	return claim.Signature(r, nil, secret), textToSign(r, &claim)
}
