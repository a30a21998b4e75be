package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// ordersTable makes the table of policyFile.
func ordersTable(t *testing.T, client *dynamodb.Client) {
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("data"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: "S"},
			{AttributeName: aws.String("sk"), AttributeType: "S"},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: "HASH"},
			{AttributeName: aws.String("sk"), KeyType: "RANGE"},
		},
	})
	require.NoError(t, err)
}

func putOrder(t *testing.T, client *dynamodb.Client, pk, sk, version string) error {
	_, err := client.PutItem(
		t.Context(), &dynamodb.PutItemInput{TableName: aws.String(
			"data"), Item: map[string]types.AttributeValue{
			"pk":      &types.AttributeValueMemberS{Value: pk},
			"sk":      &types.AttributeValueMemberS{Value: sk},
			"version": &types.AttributeValueMemberN{Value: version},
		}})
	return err
}

func keyed(key, secret string) func(*dynamodb.Options) {
	return func(o *dynamodb.Options) {
		o.Credentials = credentials.NewStaticCredentialsProvider(key, secret, "")
	}
}

func TestGateway(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "GATEWAY")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "its secret")
	t.Setenv("AWS_SESSION_TOKEN", "")
	server, err := emulator.New(
		emulator.WithCredentials(map[string]emulator.Secret{"GATEWAY": {Key: "its secret"}})).Start(
		"127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	secrets := filepath.Join(t.TempDir(), "callers")
	require.NoError(t, os.WriteFile(secrets, []byte("AK1 one\nADMIN all\n"), 0o600))

	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	var log logBuffer
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx,
			[]string{"gateway", "--endpoint", server.URL, "--policy", policyFile(t),
				"--credentials", secrets, "--host", "127.0.0.1", "--port", "0",
				"--data-only=false"}, w, &log)
		w.Close()
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	require.NoError(t, err)
	_, url, ok := strings.Cut(strings.TrimSpace(line), "listening at ")
	require.True(t, ok, line)

	ordersTable(t, sdkClient(url, "", keyed("ADMIN", "all")))
	one := sdkClient(url, "", keyed("AK1", "one"))
	require.NoError(t, putOrder(t, one, "ORDER#tenant001", "ORDER#1", "1"))
	require.ErrorContains(t, putOrder(t, one, "ORDER#tenant001", "ORDER#1", "3"),
		"ConditionalCheckFailedException")
	require.ErrorContains(t, putOrder(t, one, "ORDER#tenant002", "ORDER#1", "1"),
		"ValidationException: tenant-crossing: ")
	require.ErrorContains(t,
		putOrder(t, sdkClient(url, "", keyed("AK1", "two")), "ORDER#tenant001", "ORDER#1", "2"),
		"InvalidSignatureException")

	stop()
	require.NoError(t, <-ended)
	assert.Contains(t, log.String(),
		"msg=refused rule=tenant-crossing table=data key=ORDER#tenant002#ORDER#1 access-key=AK1")
}

// A stop lets requests end that are under way, and takes no more.
func TestGatewayStops(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "GATEWAY")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "its secret")
	arrived, answer := make(chan struct{}), make(chan struct{})
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-answer
		_, _ = io.WriteString(w, `{"TableNames":["t"]}`)
	}))
	t.Cleanup(up.Close)
	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx,
			[]string{"gateway", "--endpoint", up.URL, "--policy", policyFile(t), "--host",
				"127.0.0.1", "--port", "0", "--warn-only"}, w, io.Discard)
		w.Close()
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	require.NoError(t, err)
	_, url, _ := strings.Cut(strings.TrimSpace(line), "listening at ")

	listed := make(chan error, 1)
	go func() {
		out, err := sdkClient(url, "", keyed("AK1", "one")).ListTables(t.Context(),
			&dynamodb.ListTablesInput{})
		if err == nil && !slices.Equal(out.TableNames, []string{"t"}) {
			err = fmt.Errorf("tables %v", out.TableNames)
		}
		listed <- err
	}()
	<-arrived
	stop()
	require.Eventually(t, func() bool { // no more connections are taken
		c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err == nil {
			c.Close()
		}
		return err != nil
	}, time.Minute, time.Millisecond)
	require.Empty(t, ended, "it waits for the request")
	close(answer)
	require.NoError(t, <-listed)
	require.NoError(t, <-ended)
}

func TestGatewayErrors(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "GATEWAY")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "its secret")
	file := policyFile(t)
	temporary := filepath.Join(t.TempDir(), "callers")
	require.NoError(t, os.WriteFile(temporary, []byte("AK1 one token\n"), 0o600))
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(busy.Addr().String())
	require.NoError(t, err)
	defer busy.Close()
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"no upstream", []string{"--policy", file}, "--endpoint and --policy are needed"},
		{"no policy", []string{"--endpoint", "http://localhost:1"},
			"--endpoint and --policy are needed"},
		{"an upstream that is none", []string{"--endpoint", "localhost", "--policy", file},
			"is no URL"},
		{"a policy that is not there",
			[]string{"--endpoint", "http://localhost:1", "--policy", file + "x"}, "no such file"},
		{"temporary credentials",
			[]string{"--endpoint", "http://localhost:1", "--policy", file, "--credentials",
				temporary}, "AK1 has a session token"},
		{"no time",
			[]string{"--endpoint", "http://localhost:1", "--policy", file, "--timeout", "0s"},
			"want a positive duration"},
		{"an address that is none",
			[]string{"--endpoint", "http://localhost:1", "--policy", file, "--host", "256.0.0.1"},
			"listen tcp"},
		{"a port in use",
			[]string{"--endpoint", "http://localhost:1", "--policy", file, "--host", "127.0.0.1",
				"--port", port}, "choose another with --port"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := runs(t, append([]string{"gateway"}, c.args...)...)
			require.ErrorContains(t, err, c.says)
		})
	}
}
