package emulator_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
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

// clientFor returns an SDK client for a server.
func clientFor(url string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(url),
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("any", "any", ""),
	})
}

// usersTable returns the definition of a table of users by id.
func usersTable() *dynamodb.CreateTableInput {
	return &dynamodb.CreateTableInput{
		TableName: aws.String("users"),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash},
		},
		BillingMode: types.BillingModePayPerRequest,
	}
}

// An application's test starts a service of its own and points the SDK at it.
func Example() {
	server, err := emulator.New().Start("127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer server.Close()

	client := dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(server.URL),
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("any", "any", ""),
	})
	ctx := context.Background()
	if _, err := client.CreateTable(ctx, usersTable()); err != nil {
		panic(err)
	}
	user := map[string]types.AttributeValue{
		"id":   &types.AttributeValueMemberS{Value: "42"},
		"name": &types.AttributeValueMemberS{Value: "Ada"},
	}
	if _, err := client.PutItem(ctx,
		&dynamodb.PutItemInput{TableName: aws.String("users"), Item: user}); err != nil {
		panic(err)
	}
	got, err := client.GetItem(ctx,
		&dynamodb.GetItemInput{
			TableName: aws.String("users"), Key: map[string]types.AttributeValue{"id": user["id"]},
		})
	if err != nil {
		panic(err)
	}
	fmt.Println(got.Item["name"].(*types.AttributeValueMemberS).Value)
	// Output: Ada
}

// With table delays and a clock of its own, a test sees a table being created without waiting for
// it.
func ExampleWithTableDelays() {
	clock := emulator.NewClock(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	service := emulator.New(
		emulator.WithHeldClock(clock),
		emulator.WithTableDelays(10*time.Second, 0, 0),
	)
	server, err := service.Start("127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer server.Close()

	client, ctx := clientFor(server.URL), context.Background()
	if _, err := client.CreateTable(ctx, usersTable()); err != nil {
		panic(err)
	}
	for range 2 {
		table, err := client.DescribeTable(ctx,
			&dynamodb.DescribeTableInput{TableName: aws.String("users")})
		if err != nil {
			panic(err)
		}
		fmt.Println(table.Table.TableStatus)
		clock.Advance(10 * time.Second)
	}
	// Output:
	// CREATING
	// ACTIVE
}

func TestServersShareTheData(t *testing.T) {
	service := emulator.New()
	var servers [2]*emulator.Server
	for i := range servers {
		s, err := service.Start("127.0.0.1:0")
		require.NoError(t, err)
		defer s.Close()
		servers[i] = s
	}
	_, err := clientFor(servers[0].URL).CreateTable(t.Context(), usersTable())
	require.NoError(t, err)
	tables, err := clientFor(servers[1].URL).ListTables(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"users"}, tables.TableNames)
}

func TestClose(t *testing.T) {
	service := emulator.New()
	s, err := service.Start("127.0.0.1:0")
	require.NoError(t, err)
	_, err = clientFor(s.URL).CreateTable(t.Context(), usersTable())
	require.NoError(t, err)
	require.NoError(t, s.Close())
	assert.NoError(t, s.Close())
	_, err = http.Get(s.URL)
	assert.Error(t, err)

	s, err = service.Start("127.0.0.1:0")
	require.NoError(t, err)
	defer s.Close()
	tables, err := clientFor(s.URL).ListTables(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"users"}, tables.TableNames, "the data outlives a server")
}

func TestStartTwiceAtOneAddress(t *testing.T) {
	s, err := emulator.New().Start("127.0.0.1:0")
	require.NoError(t, err)
	defer s.Close()
	_, err = emulator.New().Start(s.URL[len("http://"):])
	assert.Error(t, err)
}

// head sends the header of a signed call, which announces a body, and returns the connection.
func head(t *testing.T, url, more string) net.Conn {
	conn, err := net.Dial("tcp", url[len("http://"):])
	require.NoError(t, err)
	_, err = io.WriteString(conn,
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n"+
			"X-Amz-Date: 20260102T030405Z\r\nAuthorization: AWS4-HMAC-SHA256 Credential=a/20260102/r/dynamodb/aws4_request, SignedHeaders=host, Signature=a\r\n"+
			more+"\r\n\r\n")
	require.NoError(t, err)
	return conn
}

// halfRequest sends the first half of a request and returns once it is being served.
func halfRequest(t *testing.T, url string) net.Conn {
	conn := head(t, url, "Expect: 100-continue\r\nContent-Length: 2")
	answer := make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n"))
	_, err := io.ReadFull(conn, answer) // the server asks for the body once it wants it
	require.NoError(t, err)
	return conn
}

func TestHugeBodyIsRefusedUnread(t *testing.T) {
	s, err := emulator.New().Start("127.0.0.1:0")
	require.NoError(t, err)
	defer s.Close()
	conn := head(t, s.URL, "Content-Length: 104857600")
	defer conn.Close()
	answer, err := io.ReadAll(conn) // the end is there: the server has closed the connection
	require.NoError(t, err)
	assert.Contains(t, string(answer), "HTTP/1.1 413 ")
	assert.Contains(t, string(answer), "Connection: close")
	assert.Contains(t, string(answer), "RequestEntityTooLargeException")
}

// TestOptionsOfTheServer: net/http does not answer OPTIONS * in place of the service (service facts
// 9.5).
func TestOptionsOfTheServer(t *testing.T) {
	server, err := emulator.New().Start("127.0.0.1:0")
	require.NoError(t, err)
	defer server.Close()
	for name, c := range map[string]struct{ origin, allowed string }{
		"without an origin": {}, "of a script": {"http://example.com", "*"},
	} {
		t.Run(name, func(t *testing.T) {
			req, err := http.NewRequest(http.MethodOptions, server.URL, nil)
			require.NoError(t, err)
			req.URL.Opaque = "*"
			if c.origin != "" {
				req.Header.Set("Origin", c.origin)
			}
			res, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			require.NoError(t, err)
			assert.Equal(t, 404, res.StatusCode)
			assert.Equal(t, "<UnknownOperationException/>\n", string(body))
			assert.Equal(t, c.allowed, res.Header.Get("Access-Control-Allow-Origin"))
			assert.NotEmpty(t, res.Header.Get("X-Amzn-Requestid"))
		})
	}
}

func TestShutdown(t *testing.T) {
	t.Run("waits for requests", func(t *testing.T) {
		s, err := emulator.New().Start("127.0.0.1:0")
		require.NoError(t, err)
		conn := halfRequest(t, s.URL)
		defer conn.Close()
		done := make(chan error)
		go func() { done <- s.Shutdown(context.Background()) }()
		_, err = io.WriteString(conn, "{}")
		require.NoError(t, err)
		answer, err := io.ReadAll(conn)
		require.NoError(t, err)
		assert.Contains(t, string(answer), `{"TableNames":[]}`)
		assert.NoError(t, <-done)
	})
	t.Run("until its context ends", func(t *testing.T) {
		s, err := emulator.New().Start("127.0.0.1:0")
		require.NoError(t, err)
		conn := halfRequest(t, s.URL)
		defer conn.Close()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		assert.ErrorIs(t, s.Shutdown(ctx), context.Canceled)
		_, err = io.ReadAll(conn)
		_ = err // reset or closed, either way it is over
		_, err = http.Get(s.URL)
		assert.Error(t, err)
	})
}
