package emulator_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// TestInterruptedClient shows why httpd.AwaitClient is the most that a server can do for the AWS
// SDK for Go, and that what docs/go-sdk-2737.md tells its users helps. The client is interrupted
// for as long as it takes, between handing the last byte of its request to the kernel and seeing
// the request's end: nothing that it sends afterwards could tell the server that it goes on.
func TestInterruptedClient(t *testing.T) {
	server, err := emulator.New().Start("127.0.0.1:0")
	require.NoError(t, err)
	defer server.Close()
	client := func(c aws.HTTPClient) *dynamodb.Client {
		return dynamodb.New(dynamodb.Options{BaseEndpoint: &server.URL, Region: "us-east-1",
			Retryer: aws.NopRetryer{}, HTTPClient: c,
			Credentials: credentials.NewStaticCredentialsProvider("AKID", "x", "")})
	}
	_, err = client(nil).CreateTable(t.Context(), usersTable())
	require.NoError(t, err)
	for _, id := range []string{"a", "b", "c"} {
		long := userItem(id)
		long["text"] = &types.AttributeValueMemberS{Value: strings.Repeat("x", 300<<10)}
		_, err = client(nil).PutItem(t.Context(),
			&dynamodb.PutItemInput{TableName: aws.String("users"), Item: long})
		require.NoError(t, err)
	}
	scan := &dynamodb.ScanInput{TableName: aws.String("users")}

	x := newInterrupted()
	x.untilClosed = true
	_, err = client(x).Scan(t.Context(), scan)
	assert.ErrorContains(t, err, "use of closed network connection",
		"if the SDK is mended, awaitClient is of no use any more")

	x = newInterrupted()
	x.client.Transport = wholeBodies{x.client.Transport}
	out, err := client(x).Scan(t.Context(), scan)
	require.NoError(t, err)
	assert.Len(t, out.Items, 3)
}

// wholeBodies is the transport of docs/go-sdk-2737.md.
type wholeBodies struct{ http.RoundTripper }

func (t wholeBodies) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			return nil, err
		}
		r = r.Clone(r.Context())
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	return t.RoundTripper.RoundTrip(r)
}

// interrupted is an HTTP client whose connections are interrupted after a request's body until
// somebody reads the answer's.
type interrupted struct {
	client      http.Client
	untilClosed bool // the answer is not read before the connection is closed

	read, closed chan struct{}
	reads, ends  sync.Once
}

func newInterrupted() *interrupted {
	x := &interrupted{read: make(chan struct{}), closed: make(chan struct{})}
	x.client.Transport = &http.Transport{DisableKeepAlives: true,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := new(net.Dialer).DialContext(ctx, network, addr)
			return &interruptedConn{c, x}, err
		}}
	return x
}

func (x *interrupted) Do(r *http.Request) (*http.Response, error) {
	res, err := x.client.Do(r)
	if err == nil {
		res.Body = &interruptedBody{res.Body, x}
	}
	return res, err
}

type interruptedConn struct {
	net.Conn
	x *interrupted
}

func (c *interruptedConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	if bytes.HasSuffix(b, []byte("}")) {
		<-c.x.read
	}
	return n, err
}

func (c *interruptedConn) Close() error {
	c.x.ends.Do(func() { close(c.x.closed) })
	return c.Conn.Close()
}

type interruptedBody struct {
	io.ReadCloser
	x *interrupted
}

func (b *interruptedBody) Read(p []byte) (int, error) {
	b.x.reads.Do(func() {
		close(b.x.read)
		if b.x.untilClosed {
			select {
			case <-b.x.closed:
			case <-time.After(time.Minute):
			}
		}
	})
	return b.ReadCloser.Read(p)
}
