package console

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/sigv4"
	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/emulator/dax/protocol"
)

// freePort is a port that was free a moment ago.
func freePort(t *testing.T) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// readThroughDAX reads an order as the clients of DAX do (emulator/docs/dax-protocol.md), so that
// the accelerator caches that it is missing.
func readThroughDAX(t *testing.T, port int, id string) {
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	text := func(dst []byte, texts ...string) []byte {
		for _, s := range texts {
			dst = cbor.AppendText(dst, s)
		}
		return dst
	}
	at := time.Now().UTC()
	r, err := http.NewRequest(http.MethodPost, "https://dax.amazonaws.com/", nil)
	require.NoError(t, err)
	r.Header.Set("X-Amz-Date", at.Format(sigv4.TimeFormat))
	claim := sigv4.Claim{Date: at, Day: at.Format("20060102"), Region: "us-east-1", Service: "dax",
		SignedHeaders: "host;x-amz-date"}
	empty := sha256.Sum256(nil)
	toSign := sigv4.Algorithm + "\n" + at.Format(sigv4.TimeFormat) + "\n" + claim.Scope() + "\n" +
		claim.RequestHash(r, hex.EncodeToString(empty[:]))

	out := cbor.AppendInt(text(nil, "J7yne5G"), 0)
	out = append(cbor.AppendBytes(out, ""), cbor.MapStream, cbor.Break)
	out = cbor.AppendInt(out, 0)
	out = cbor.AppendInt(cbor.AppendInt(out, protocol.Service), int64(protocol.AuthorizeConnection))
	out = text(out, "test", claim.Signature(r, nil, "test"))
	out = append(cbor.AppendBytes(out, []byte(toSign)), cbor.Null, cbor.Null)
	out = cbor.AppendInt(cbor.AppendInt(out, protocol.Service), int64(protocol.GetItem))
	out = cbor.AppendBytes(cbor.AppendBytes(out, []byte("orders")), []byte(id))
	_, err = conn.Write(append(out, cbor.Null))
	require.NoError(t, err)
	answer := make([]byte, 1)
	_, err = io.ReadFull(conn, answer)
	require.NoError(t, err)
	require.Equal(t, protocol.Success(), answer)
}

// TestCache: what the accelerator's caches hold is shown with its age, and a button empties them.
func TestCache(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	s := serve(t, "--clock", "held", "--dax-port", fmt.Sprint(port))
	_, err := s.db.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("orders"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	require.NoError(t, err)
	p := open(t, s, "#/cache")
	p.see("Nothing is cached")
	p.accessible()
	readThroughDAX(t, port, "1")
	p.see("not there")
	s.admin(t, "POST", "clock/advance", `{"by":"90s"}`)
	p.see("90 s")
	p.accessible()
	p.picture("cache")
	p.click("button", "Empty the caches")
	p.see("Nothing is cached")
	p.see("Hits and misses")
}

// TestNoCache: a server without an accelerator says how to have one.
func TestNoCache(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t), "#/cache")
	p.see("No accelerator")
	p.see("--dax-port")
}
