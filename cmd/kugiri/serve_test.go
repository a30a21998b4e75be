package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
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
)

// logBuffer holds what a server logs. It can be read meanwhile.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// sdkClient is a client with a secret.
func sdkClient(url, secret string, edit ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{BaseEndpoint: &url, Region: "us-east-1",
		Retryer:     aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider("AKID", secret, "")}, edit...)
}

// songs is the definition of a table with an index.
func songs() *dynamodb.CreateTableInput {
	key := func(name string) []types.KeySchemaElement {
		return []types.KeySchemaElement{
			{AttributeName: aws.String(name), KeyType: types.KeyTypeHash},
		}
	}
	return &dynamodb.CreateTableInput{
		TableName: aws.String("songs"), BillingMode: types.BillingModePayPerRequest,
		KeySchema: key("id"),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("artist"), AttributeType: types.ScalarAttributeTypeS}},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: aws.String("by-artist"),
			KeySchema:  key("artist"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}},
	}
}

func song(id string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}}
}

func TestServeErrors(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer busy.Close()
	_, port, _ := net.SplitHostPort(busy.Addr().String())
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"a port in use", []string{"--host", "127.0.0.1", "--port", port},
			"choose another with --port"},
		{"a log format", []string{"--log-format", "xml"}, "want text or json"},
		{"a log level", []string{"--log-level", "loud"}, "want debug, info"},
		{"verification without credentials", []string{"--verify-signatures"}, "go together"},
		{"credentials for nothing", []string{"--credentials", "x"}, "go together"},
		{"accounts without a file", []string{"--iam", "/nowhere/x"}, "/nowhere/x"},
		{"accounts with a typo", []string{"--iam", written(t, "iam.json", "{\n\"accessKey\":{}}")},
			"iam.json: line 2: accessKey: unknown member: did you mean accessKeys?"},
		{"accounts of shared tables", []string{"--iam", "x", "--shared"}, "belong to accounts"},
		{"credentials that are not there",
			[]string{"--verify-signatures", "--credentials", "/nowhere/x"}, "/nowhere/x"},
		{"a certificate without a key", []string{"--tls-cert", "x"}, "go together"},
		{"two certificates", []string{"--tls-cert", "x", "--tls-key", "x", "--tls-self-signed"},
			"cannot both"},
		{"a certificate to write that is not made", []string{"--tls-out", "x"}, "tls-self-signed"},
		{"a certificate that is not there",
			[]string{"--tls-cert", "/nowhere/x", "--tls-key", "/nowhere/y"}, "/nowhere/x"},
		{"a policy that is not there", []string{"--policy", "/nowhere/x"},
			"policy: open /nowhere/x"},
		{"a policy that is none",
			[]string{"--policy", written(t, "policy.yaml", "tables: [{name: data, role: other}]")},
			"policy.yaml: line 1: tables[0].role"},
		{"a data directory that is a file", []string{"--data-dir", written(t, "data", "")},
			"data-dir: "},
		{"seeds that are not there", []string{"--seed", "/nowhere/x"}, "seed: stat /nowhere/x"},
		{"profiles at a port in use", []string{"--pprof", busy.Addr().String()}, "pprof:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := runs(t, append([]string{"serve"}, c.args...)...)
			assert.ErrorContains(t, err, c.says)
		})
	}
}

func TestServeLogsRequests(t *testing.T) {
	var log logBuffer
	url, stop := servingLogged(t, &log, "--log-requests", "--log-format", "json")
	_, err := sdkClient(url, "x").DescribeTable(t.Context(),
		&dynamodb.DescribeTableInput{TableName: aws.String("songs")})
	require.Error(t, err)
	require.NoError(t, stop())
	var line map[string]any
	require.NoError(t, json.Unmarshal([]byte(log.String()), &line), log.String())
	assert.Equal(t,
		[]any{"INFO", "DescribeTable", "songs", 400.0, "ResourceNotFoundException", "AKID"},
		[]any{line["level"], line["operation"], line["table"], line["status"], line["error"],
			line["key"]})
	assert.Len(t, line["id"], 52)

	log = logBuffer{}
	url, stop = servingLogged(t, &log)
	_, err = sdkClient(url, "x").ListTables(t.Context(), nil)
	require.NoError(t, err)
	require.NoError(t, stop())
	assert.Empty(t, log.String(), "nothing is logged unless asked for")
}

func TestServeMetrics(t *testing.T) {
	for arg, want := range map[string]int{"--metrics=true": 200, "--metrics=false": 404} {
		url, stop := serving(t, arg)
		_, err := sdkClient(url, "x").ListTables(t.Context(), nil)
		require.NoError(t, err)
		answer, err := http.Get(url + "/metrics")
		require.NoError(t, err)
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		answer.Body.Close()
		assert.Equal(t, want, answer.StatusCode, arg)
		assert.Equal(t, want == 200,
			strings.Contains(string(text),
				`kugiri_requests_total{operation="ListTables",table="",code="OK"} 1`), "%s: %s",
			arg, text)
		require.NoError(t, stop())
	}
}

func TestServePolicy(t *testing.T) {
	t.Setenv("KUGIRI_POLICY",
		written(t, "policy.yaml",
			"tables: [{name: songs, role: plain, key: {partition: id, sort: \"\"}, entities: [{name: song, prefix: SONG}]}]"))
	var log logBuffer
	url, stop := servingLogged(t, &log)
	client := sdkClient(url, "x")
	_, err := client.CreateTable(t.Context(), songs())
	require.NoError(t, err)
	_, err = client.PutItem(t.Context(),
		&dynamodb.PutItemInput{TableName: aws.String("songs"), Item: song("SONG#tenant001")})
	require.NoError(t, err)
	_, err = client.PutItem(t.Context(),
		&dynamodb.PutItemInput{TableName: aws.String("songs"), Item: song("TUNE#tenant001")})
	assert.ErrorContains(t, err, "ValidationException: key-undeclared-prefix: ")
	require.NoError(t, stop())
}

func TestServeVerifiesSignatures(t *testing.T) {
	url, _ := serving(t, "--verify-signatures", "--credentials", written(t, "c", "AKID right"))
	_, err := sdkClient(url, "right").ListTables(t.Context(), nil)
	assert.NoError(t, err)
	_, err = sdkClient(url, "wrong").ListTables(t.Context(), nil)
	assert.ErrorContains(t, err, "InvalidSignatureException")
}

// logged waits until what matches an expression was logged, which may be after the server listens,
// and returns it.
func logged(t *testing.T, log *logBuffer, expression string) (found string) {
	pattern := regexp.MustCompile(expression)
	require.Eventually(t, func() bool {
		found = pattern.FindString(log.String())
		return found != ""
	}, time.Minute, time.Millisecond, expression)
	return found
}

func TestServeTLS(t *testing.T) {
	out := filepath.Join(t.TempDir(), "cert.pem")
	var log logBuffer
	url, stop := servingLogged(t, &log, "--tls-self-signed", "--tls-out", out)
	logged(t, &log, `sha256=[0-9A-F]{64}`)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	roots := x509.NewCertPool()
	require.True(t, roots.AppendCertsFromPEM(text))
	trusting := &http.Client{
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}},
	}
	_, err = sdkClient(url, "x",
		func(o *dynamodb.Options) { o.HTTPClient = trusting }).CreateTable(t.Context(), songs())
	assert.NoError(t, err)

	_, _, err = runs(t, "healthcheck", "--endpoint", url)
	assert.ErrorContains(t, err, "certificate")
	assert.ErrorContains(t, err, "--insecure trusts any")
	_, _, err = runs(t, "healthcheck", "--endpoint", url, "--insecure")
	assert.NoError(t, err)
	assert.NoError(t, stop())
}

func TestServePprof(t *testing.T) {
	var log logBuffer
	url, stop := servingLogged(t, &log, "--pprof", "127.0.0.1:0")
	profiles := logged(t, &log, `http://[0-9.:]+/debug/pprof/`)
	for path, want := range map[string]int{
		profiles + "heap": 200, profiles + "cmdline": 404, url + "/debug/pprof/": 404,
	} {
		res, err := http.Get(path)
		require.NoError(t, err)
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
		assert.Equal(t, want, res.StatusCode, path)
	}
	require.NoError(t, stop())
	_, err := http.Get(profiles)
	assert.Error(t, err)
}

// TestStopReleasesTransactions: a transaction that would be open for an hour ends with the server.
func TestStopReleasesTransactions(t *testing.T) {
	url, stop := serving(t, "--transaction-delay", "1h")
	db := sdkClient(url, "x")
	_, err := db.CreateTable(t.Context(), songs())
	require.NoError(t, err)
	written := make(chan error)
	go func() {
		_, err := db.TransactWriteItems(
			context.Background(),
			&dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
				{Put: &types.Put{TableName: aws.String("songs"), Item: song("a")}}}})
		written <- err
	}()
	for { // the transaction is open at the end
		_, err := db.PutItem(t.Context(),
			&dynamodb.PutItemInput{TableName: aws.String("songs"), Item: song("a")})
		if err != nil {
			require.ErrorContains(t, err, "TransactionConflictException")
			break
		}
	}
	require.NoError(t, stop())
	assert.NoError(t, <-written)
}

func TestTables(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "AKID")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "x")
	t.Setenv("AWS_REGION", "us-east-1")
	url, stop := serving(t)
	out, _, err := runs(t, "tables", "--endpoint", url, "--format", "json")
	require.NoError(t, err)
	assert.Equal(t, "[]\n", out)
	out, errs, err := runs(t, "tables", "--endpoint", url)
	require.NoError(t, err)
	assert.Empty(t, out)
	assert.Equal(t, "no tables of the access key AKID in us-east-1\n", errs)

	db := sdkClient(url, "x")
	_, err = db.CreateTable(t.Context(), songs())
	require.NoError(t, err)
	_, err = db.PutItem(t.Context(),
		&dynamodb.PutItemInput{TableName: aws.String("songs"), Item: song("a")})
	require.NoError(t, err)
	out, _, err = runs(t, "tables", "--endpoint", url, "--format", "json")
	require.NoError(t, err)
	assert.JSONEq(t,
		`[{"name":"songs","status":"ACTIVE","items":1,"bytes":3,"indexes":["by-artist"]}]`, out)
	out, _, err = runs(t, "tables", "--endpoint", url)
	require.NoError(t, err)
	assert.Equal(t, []string{"songs", "ACTIVE", "1", "3", "by-artist"},
		strings.Fields(strings.Split(out, "\n")[1]))

	require.NoError(t, stop())
	t.Setenv("AWS_MAX_ATTEMPTS", "1")
	_, _, err = runs(t, "tables", "--endpoint", url)
	assert.ErrorContains(t, err, "is a server running at "+url)
}

// Tenants that have access keys of their own reach the same tables only with --shared.
func TestServePolicyOfTenants(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		warn bool
	}{
		{"alone", nil, true},
		{"shared", []string{"--shared"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log logBuffer
			_, stop := servingLogged(t, &log, append(c.args, "--policy", policyFile(t))...)
			require.NoError(t, stop())
			assert.Equal(t, c.warn,
				strings.Contains(log.String(), "with --shared they have the same"), log.String())
		})
	}
}

// TestLAN: other machines do not reach a server that was not told where to listen; a client that
// takes localhost for either address does.
func TestLAN(t *testing.T) {
	url, _ := running(t, io.Discard, "--port", "0")
	_, port, err := net.SplitHostPort(strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	addresses, err := net.InterfaceAddrs()
	require.NoError(t, err)
	for _, a := range addresses {
		ip := a.(*net.IPNet).IP
		if ip.IsLinkLocalUnicast() {
			continue // not without naming the interface
		}
		conn, err := net.Dial("tcp", net.JoinHostPort(ip.String(), port))
		if ip.Equal(net.IPv4(127, 0, 0, 1)) || ip.Equal(net.IPv6loopback) {
			require.NoError(t, err, ip)
			conn.Close()
			continue
		}
		assert.Error(t, err, ip)
	}

	t.Setenv("KUGIRI_HOST", "0.0.0.0") // the image sets it so
	url, _ = running(t, io.Discard, "--port", "0")
	_, port, err = net.SplitHostPort(strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	for _, a := range addresses {
		if ip := a.(*net.IPNet).IP; !ip.IsLinkLocalUnicast() {
			conn, err := net.Dial("tcp", net.JoinHostPort(ip.String(), port))
			require.NoError(t, err, ip)
			conn.Close()
		}
	}
}

func TestServeErrorsAtOneAddressOfLocalhost(t *testing.T) {
	busy, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("there is no IPv6")
	}
	defer busy.Close()
	_, port, _ := net.SplitHostPort(busy.Addr().String())
	_, _, err = runs(t, "--port", port)
	assert.ErrorContains(t, err, "choose another with --port")
}

// TestServeAllowedHosts: DNS rebinding is refused unless all pages are welcome.
func TestServeAllowedHosts(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want map[string]int
	}{
		{"by default", nil, map[string]int{"evil.example": 403, "dynamodb": 200}},
		{"all origins", []string{"--cors", "*"},
			map[string]int{"evil.example": 200, "dynamodb": 200}},
		{"an origin", []string{"--cors", "http://localhost:3000"},
			map[string]int{"evil.example": 403, "dynamodb:8000": 200, "localhost": 200}},
		{"no origin", []string{"--cors="},
			map[string]int{"evil.example": 403, "dynamodb:8000": 200}},
		{"admin", []string{"--admin"}, map[string]int{"evil.example": 403, "dynamodb:8000": 200}},
		{"a name", []string{"--allowed-hosts", "db.example.com,db.example.org"},
			map[string]int{"evil.example": 403, "db.example.org:1": 200}},
		{"any name", []string{"--admin", "--allowed-hosts", "*"},
			map[string]int{"evil.example": 200}},
	} {
		t.Run(c.name, func(t *testing.T) {
			url, _ := serving(t, c.args...)
			for host, want := range c.want {
				r, err := http.NewRequest(http.MethodGet, url, nil)
				require.NoError(t, err)
				r.Host = host
				res, err := http.DefaultClient.Do(r)
				require.NoError(t, err)
				res.Body.Close()
				assert.Equal(t, want, res.StatusCode, host)
			}
		})
	}
}
