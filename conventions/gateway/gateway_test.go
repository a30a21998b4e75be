package gateway_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/gateway"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/conventions/sigv4"
	"github.com/kugiri-db/kugiri/emulator"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

func engine(t testing.TB) *policy.Engine {
	e, err := policy.Compile(policytest.Orders())
	require.NoError(t, err)
	return e
}

// upstream is an emulator that accepts only the gateway's signatures.
func upstream(t *testing.T) string {
	s, err := emulator.New(
		emulator.WithCredentials(map[string]emulator.Secret{
			"GATEWAY": {Key: "gateway secret", SessionToken: "token"},
		})).Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s.URL
}

func start(t *testing.T, url string, change func(*gateway.Config)) string {
	c := gateway.Config{
		Upstream: url, Policy: engine(t),
		Credentials: credentials.NewStaticCredentialsProvider("GATEWAY", "gateway secret", "token"),
	}
	if change != nil {
		change(&c)
	}
	g, err := gateway.New(c)
	require.NoError(t, err)
	t.Cleanup(g.Close)
	s := httptest.NewServer(g)
	t.Cleanup(s.Close)
	return s.URL
}

func client(url, key, secret string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region: "eu-central-1", BaseEndpoint: aws.String(url), Retryer: aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider(key, secret, ""),
	})
}

func createData(t *testing.T, c *dynamodb.Client) {
	_, err := c.CreateTable(t.Context(), &dynamodb.CreateTableInput{
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

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func order(tenant, id, version string) *dynamodb.PutItemInput {
	return &dynamodb.PutItemInput{TableName: aws.String(
		"data"), Item: map[string]types.AttributeValue{
		"pk": text("ORDER#" + tenant), "sk": text("ORDER#" + id),
		"version": &types.AttributeValueMemberN{Value: version},
	}}
}

// code returns the name of an error, "" for none, and its text.
func code(err error) (string, string) {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode(), api.ErrorMessage()
	}
	if err != nil {
		return "other", err.Error()
	}
	return "", ""
}

func TestThroughTheGateway(t *testing.T) {
	url := start(t, upstream(t), nil)
	one, two, admin := client(url, "AK1", "any"), client(url, "AK2", "any"), client(url, "ADMIN",
		"any")
	createData(t, admin)
	put := func(c *dynamodb.Client, in *dynamodb.PutItemInput) (string, string) {
		_, err := c.PutItem(t.Context(), in)
		return code(err)
	}
	kind, _ := put(one, order("tenant001", "1", "0"))
	require.Empty(t, kind)
	kind, message := put(two, order("tenant001", "1", "0"))
	require.Equal(t, "ValidationException", kind)
	require.Contains(t, message, "tenant-crossing: ")

	t.Run("the database's errors", func(t *testing.T) {
		in := order("tenant001", "1", "0")
		in.ConditionExpression = aws.String("attribute_not_exists(pk)")
		in.ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureAllOld
		_, err := one.PutItem(t.Context(), in)
		var failed *types.ConditionalCheckFailedException
		require.ErrorAs(t, err, &failed)
		require.Equal(t, text("ORDER#1"), failed.Item["sk"])
		_, err = one.GetItem(t.Context(),
			&dynamodb.GetItemInput{
				TableName: aws.String("other"),
				Key:       map[string]types.AttributeValue{"pk": text("a")},
			})
		kind, _ := code(err)
		require.Equal(t, "ResourceNotFoundException", kind)
	})
	t.Run("a transaction", func(t *testing.T) {
		_, err := one.TransactWriteItems(
			t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
				{Put: &types.Put{TableName: aws.String("data"),
					Item: order("tenant001", "2", "0").Item}},
				{Put: &types.Put{TableName: aws.String("data"),
					Item: order("tenant002", "2", "0").Item}},
			}})
		var canceled *types.TransactionCanceledException
		require.ErrorAs(t, err, &canceled)
		require.Len(t, canceled.CancellationReasons, 2)
		require.Equal(t, "None", *canceled.CancellationReasons[0].Code)
		require.Equal(t, "ValidationError", *canceled.CancellationReasons[1].Code)
		require.Contains(t, *canceled.CancellationReasons[1].Message, "tenant-crossing: ")
		out, err := admin.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("data")})
		require.NoError(t, err)
		require.Len(t, out.Items, 1)
	})
}

func TestAmend(t *testing.T) {
	up := upstream(t)
	admin := client(start(t, up, nil), "ADMIN", "any")
	createData(t, admin)
	amending := client(start(t, up, nil), "AK1", "any")
	for _, c := range []struct {
		client  *dynamodb.Client
		version string
		want    string
	}{
		{amending, "0", ""}, {amending, "0", "ConditionalCheckFailedException"},
		{amending, "2", "ConditionalCheckFailedException"},
		{amending, "1", ""},
		{client(start(t, up, func(c *gateway.Config) { c.NoConditions = true }), "AK1", "any"), "2",
			"ValidationException"}, {amending, "2", ""},
	} {
		_, err := c.client.PutItem(t.Context(), order("tenant001", "1", c.version))
		kind, _ := code(err)
		require.Equal(t, c.want, kind, "version %s", c.version)
	}
}

// TestWarnOnly: the gateway reports and forwards a request that breaks the policy, so that a team
// sees what it would refuse.
func TestWarnOnly(t *testing.T) {
	var told []string
	url := start(t, upstream(t), func(c *gateway.Config) {
		c.WarnOnly = true
		c.Found = func(_ context.Context, f policy.Finding, _ request.Caller) {
			told = append(told, f.Severity.String()+" "+f.Rule.ID)
		}
	})
	one := client(url, "AK1", "any")
	createData(t, client(url, "ADMIN", "any"))
	_, err := one.PutItem(t.Context(), order("tenant002", "1", "7"))
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"enforce tenant-crossing"}, told)
	_, err = one.ExecuteStatement(t.Context(),
		&dynamodb.ExecuteStatementInput{Statement: aws.String("SELECT FROM")})
	kind, message := code(err)
	require.Equal(t, "ValidationException", kind)
	require.NotContains(t, message, "conventions", "the database says what is wrong")
}

func TestVerifiedSignatures(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	up := httptest.NewServer(
		http.HandlerFunc(
			func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "{}") }))
	t.Cleanup(up.Close)
	url := start(t, up.URL, func(c *gateway.Config) {
		c.Secrets, c.Now = map[string]string{"AK1": "one"}, func() time.Time { return now }
	})
	const body = `{"TableName":"data","Key":{"pk":{"S":"ORDER#tenant001"},"sk":{"S":"ORDER#1"}}}`
	for _, c := range []struct {
		name   string
		key    sigv4.Credentials
		at     time.Time
		change func(*http.Request)
		want   string
	}{
		{"right", sigv4.Credentials{AccessKey: "AK1", Secret: "one"}, now, nil, ""},
		{"nearly in time", sigv4.Credentials{AccessKey: "AK1", Secret: "one"},
			now.Add(-15 * time.Minute), nil, ""},
		{"another secret", sigv4.Credentials{AccessKey: "AK1", Secret: "two"}, now, nil,
			"InvalidSignatureException"},
		{"an unknown key", sigv4.Credentials{AccessKey: "AK2", Secret: "one"}, now, nil,
			"UnrecognizedClientException"},
		{"too late", sigv4.Credentials{AccessKey: "AK1", Secret: "one"},
			now.Add(-901 * time.Second), nil, "InvalidSignatureException"},
		{"too early", sigv4.Credentials{AccessKey: "AK1", Secret: "one"},
			now.Add(901 * time.Second), nil, "InvalidSignatureException"},
		{"a header changed", sigv4.Credentials{AccessKey: "AK1", Secret: "one"}, now,
			func(r *http.Request) { r.Header.Set("X-Amz-Target", "DynamoDB_20120810.DeleteItem") },
			"InvalidSignatureException"},
		{"a tenant that is not signed", sigv4.Credentials{AccessKey: "AK1", Secret: "one"}, now,
			func(r *http.Request) { r.Header.Set("X-Tenant", "tenant001") },
			"InvalidSignatureException"},
		{"an operation that is not signed", sigv4.Credentials{AccessKey: "AK1", Secret: "one"},
			now, func(r *http.Request) {
				r.Header.Set("Authorization",
					strings.Replace(r.Header.Get("Authorization"), ";x-amz-target", "", 1))
			}, "InvalidSignatureException"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRequest(t, url, "GetItem", body)
			sigv4.Sign(r, []byte(body), c.key, "us-east-1", "dynamodb", c.at)
			if c.change != nil {
				c.change(r)
			}
			got, _ := exchange(t, r)
			if c.want == "" {
				require.Equal(t, "{}", got)
				return
			}
			require.Contains(t, got, `#`+c.want+`"`)
		})
	}
}

func newRequest(t testing.TB, url, operation, body string) *http.Request {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/",
		strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	return r
}

// signed returns a request with the form of a signed one.
func signed(t testing.TB, url, operation, body string) *http.Request {
	r := newRequest(t, url, operation, body)
	r.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential=AK1/20260102/eu-west-3/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	return r
}

// exchange sends a request and returns the answer and its body, without decompression.
func exchange(t testing.TB, r *http.Request) (string, *http.Response) {
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	answer, err := transport.RoundTrip(r)
	require.NoError(t, err)
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	return string(body), answer
}

func TestRefused(t *testing.T) {
	url := start(t, "http://127.0.0.1:1", func(c *gateway.Config) {
		c.DataOnly = true
	})
	for _, c := range []struct {
		name   string
		change func(*http.Request)
		status int
		want   string
	}{
		{"no signature", func(r *http.Request) { r.Header.Del("Authorization") }, 400,
			"MissingAuthenticationTokenException"},
		{"two signatures",
			func(r *http.Request) { r.Header.Add("Authorization", r.Header.Get("Authorization")) },
			400, "MissingAuthenticationTokenException"},
		{"a scope of no region", func(r *http.Request) {
			r.Header.Set("Authorization",
				strings.Replace(r.Header.Get("Authorization"), "eu-west-3", "", 1))
		}, 400, "MissingAuthenticationTokenException"},
		{"no operation", func(r *http.Request) { r.Header.Del("X-Amz-Target") }, 400,
			"UnknownOperationException"},
		{"two operations",
			func(r *http.Request) { r.Header.Add("X-Amz-Target", "DynamoDB_20120810.Scan") }, 400,
			"UnknownOperationException"},
		{"an operation of streams",
			func(r *http.Request) {
				r.Header.Set("X-Amz-Target", "DynamoDBStreams_20120810.GetRecords")
			}, 400, "UnknownOperationException"},
		{"a table's operation",
			func(r *http.Request) { r.Header.Set("X-Amz-Target", "DynamoDB_20120810.DeleteTable") },
			400, "AccessDeniedException"},
		{"settings of a table",
			func(r *http.Request) {
				r.Header.Set("X-Amz-Target", "DynamoDB_20120810.DescribeContinuousBackups")
			}, 400, "AccessDeniedException"},
		{"no such operation",
			func(r *http.Request) { r.Header.Set("X-Amz-Target", "DynamoDB_20120810.FlyItem") },
			400, "AccessDeniedException"},
		{"a search of no index",
			func(r *http.Request) {
				r.Header.Set("X-Amz-Target", "DynamoDB_20120810.SearchVectors")
			}, 400, "ValidationException"},
		{"compressed", func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }, 400,
			"ValidationException"},
		{"a path", func(r *http.Request) { r.URL.Path = "/x" }, 404, "UnknownOperationException"},
		{"presigned", func(r *http.Request) { r.URL.RawQuery = "X-Amz-Credential=a" }, 404,
			"UnknownOperationException"},
		{"a page whose name was made to lead here", func(r *http.Request) { // DNS rebinding
			r.Host = "evil.example"
			r.Header.Set("Origin", "http://evil.example")
		}, 403, "AccessDeniedException"},
		{"a method", func(r *http.Request) { r.Method = http.MethodPut }, 404,
			"UnknownOperationException"},
		{"too large", func(r *http.Request) {
			r.Body, r.ContentLength = io.NopCloser(
				bytes.NewReader(make([]byte, 16<<20+1))), 16<<20+1
		}, 413, "RequestEntityTooLargeException"},
		{"an upstream that is not there", func(r *http.Request) {}, 503, "ServiceUnavailable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := signed(t, url, "DescribeLimits", "{}")
			c.change(r)
			body, answer := exchange(t, r)
			require.Equal(t, c.status, answer.StatusCode)
			require.Contains(t, body, "#"+c.want+`"`)
			require.Equal(t, fmt.Sprint(crc32.ChecksumIEEE([]byte(body))),
				answer.Header.Get("X-Amz-Crc32"))
			require.NotEmpty(t, answer.Header.Get("X-Amzn-Requestid"))
		})
	}
}

// echo keeps requests and sends compressed answers.
type echo struct {
	header http.Header
	body   []byte
}

var zipped = func() []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, `{"Item":{}}`)
	_ = w.Close()
	return b.Bytes()
}()

func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.header = r.Header
	e.body, _ = io.ReadAll(r.Body)
	w.Header().Set("X-Amzn-Requestid", "ID")
	w.Header().Set("X-Amz-Crc32", "123")
	w.Header().Set("Content-Encoding", "gzip")
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(http.StatusTeapot)
	_, _ = w.Write(zipped)
}

func TestHeadersBothWays(t *testing.T) {
	e := &echo{}
	up := httptest.NewServer(e)
	t.Cleanup(up.Close)
	const body = ` {"TableName" : "other", "Key": {"a":{"S":"\u0062"}} }`
	for _, region := range []string{"", "us-west-2"} {
		r := signed(t, start(t, up.URL, func(c *gateway.Config) { c.Region = region }), "GetItem",
			body)
		r.Header.Set("Accept-Encoding", "gzip")
		r.Header.Set("Amz-Sdk-Invocation-Id", "invocation")
		r.Header.Set("User-Agent", "aws-sdk-x")
		got, answer := exchange(t, r)
		assert.Equal(t, body, string(e.body))
		assert.Equal(t, "gzip", e.header.Get("Accept-Encoding"))
		assert.Equal(t, "invocation", e.header.Get("Amz-Sdk-Invocation-Id"))
		assert.Equal(t, "aws-sdk-x", e.header.Get("User-Agent"))
		if region == "" {
			region = "eu-west-3"
		}
		assert.Contains(t, e.header.Get("Authorization"), "/"+region+"/dynamodb/aws4_request")
		assert.Contains(t, e.header.Get("Authorization"), "Credential=GATEWAY/")
		assert.Equal(t, string(zipped), got)
		assert.Equal(t, http.StatusTeapot, answer.StatusCode)
		assert.Equal(t, "123", answer.Header.Get("X-Amz-Crc32"))
		assert.Equal(t, "ID", answer.Header.Get("X-Amzn-Requestid"))
		assert.Equal(t, "gzip", answer.Header.Get("Content-Encoding"))
	}
	r := signed(t, start(t, up.URL, nil), "GetItem", body)
	r.Header.Set("User-Agent", "")
	_, _ = exchange(t, r)
	assert.Empty(t, e.header.Get("Accept-Encoding"), "nothing is asked for that the client has not")
}

// TestHopByHop: the gateway does not forward headers about the connection. With them the upstream
// could read more than one request.
func TestHopByHop(t *testing.T) {
	e := &echo{}
	up := httptest.NewServer(e)
	t.Cleanup(up.Close)
	url := start(t, up.URL, nil)
	for _, c := range []struct{ connection, name, value string }{
		{"Upgrade, HTTP2-Settings", "Upgrade", "h2c"},
		{"Upgrade", "Upgrade", "websocket"},
		{"Te", "Te", "trailers"},
		{"X-Mine", "X-Mine", "x"},
		{"keep-alive", "Keep-Alive", "timeout=5"},
		{"close", "Proxy-Authorization", "Basic x"},
		{"close", "Trailer", "Authorization"},
	} {
		t.Run(c.name+" "+c.value, func(t *testing.T) {
			e.header = nil
			r := signed(t, url, "GetItem", `{"TableName":"other","Key":{"a":{"S":"b"}}}`)
			r.Header.Set("Connection", c.connection)
			r.Header.Set(c.name, c.value)
			_, answer := exchange(t, r)
			require.Equal(t, http.StatusTeapot, answer.StatusCode)
			require.NotNil(t, e.header)
			assert.Empty(t, e.header.Values(c.name))
			assert.Empty(t, e.header.Values("Connection"))
			assert.Equal(t, []string{"DynamoDB_20120810.GetItem"}, e.header.Values("X-Amz-Target"))
		})
	}
	t.Run("the operation named as one of the connection's headers", func(t *testing.T) {
		e.header = nil
		r := signed(t, url, "GetItem", `{"TableName":"other","Key":{"a":{"S":"b"}}}`)
		r.Header.Set("Connection", "X-Amz-Target")
		body, answer := exchange(t, r)
		assert.Equal(t, http.StatusBadRequest, answer.StatusCode)
		assert.Contains(t, body, "#UnknownOperationException")
		assert.Nil(t, e.header)
	})
}

// TestAllowedIsSentAsItIs: an allowed request reaches the upstream unchanged.
func TestAllowedIsSentAsItIs(t *testing.T) {
	e := &echo{}
	up := httptest.NewServer(e)
	t.Cleanup(up.Close)
	for _, plain := range []bool{false, true} {
		url := start(t, up.URL, func(c *gateway.Config) { c.NoConditions = plain })
		rapid.Check(t, func(rt *rapid.T) {
			value := rapid.Custom(func(rt *rapid.T) any {
				return map[string]any{
					rapid.SampledFrom([]string{"S"}).Draw(rt, "type"): rapid.String().Draw(rt,
						"text"),
				}
			})
			item := rapid.MapOfN(rapid.StringN(1, 20, 100), value, 1, 6).Draw(rt, "item")
			item["pk"] = map[string]any{"S": "ORDER#tenant001"}
			item["sk"] = map[string]any{
				"S": "ORDER#" + rapid.StringMatching("[0-9A-Z]{1,5}").Draw(rt, "id"),
			}
			item["version"] = map[string]any{"N": "7"}
			request := map[string]any{
				"Item": item, "TableName": "data", "ConditionExpression": "version = :v",
				"ExpressionAttributeValues": map[string]any{":v": map[string]any{"N": "6"}},
			}
			var b bytes.Buffer
			encoder := json.NewEncoder(&b)
			encoder.SetEscapeHTML(rapid.Bool().Draw(rt, "escape"))
			encoder.SetIndent("", rapid.SampledFrom([]string{"", " ", "\t"}).Draw(rt, "indent"))
			require.NoError(rt, encoder.Encode(request))
			got, answer := exchange(t, signed(t, url, "PutItem", b.String()))
			require.Equal(rt, http.StatusTeapot, answer.StatusCode, got)
			require.Equal(rt, b.String(), string(e.body))
		})
	}
}

func TestFoundAndCounted(t *testing.T) {
	up := upstream(t)
	var told []string
	url := start(t, up, func(c *gateway.Config) {
		c.Found = func(_ context.Context, f policy.Finding, caller request.Caller) {
			told = append(told, caller.AccessKey+" "+f.Rule.ID)
		}
	})
	createData(t, client(url, "ADMIN", "any"))
	for i, c := range []struct {
		key, tenant string
	}{{"AK1", "tenant001"}, {"AK1", "tenant001"}, {"AK2", "tenant002"}} {
		_, err := client(url, c.key, "any").PutItem(t.Context(),
			order(c.tenant, fmt.Sprint(i), "0"))
		require.NoError(t, err)
	}
	require.Equal(t, []string{"AK2 key-unbounded"}, told)
}

// TestAnswerBreaksOff: if an answer breaks off, the client sees that it is incomplete.
func TestAnswerBreaksOff(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, `{"Item":`)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(up.Close)
	failures := make(chan error, 1)
	url := start(t, up.URL,
		func(c *gateway.Config) {
			c.Failed = func(_ context.Context, err error) { failures <- err }
		})
	answer, err := http.DefaultTransport.RoundTrip(
		signed(t, url, "GetItem", `{"TableName":"other","Key":{"a":{"S":"b"}}}`))
	if err == nil { // the headers had arrived
		_, err = io.ReadAll(answer.Body)
		require.NoError(t, answer.Body.Close())
	}
	require.Error(t, err)
	require.ErrorContains(t, <-failures, "unexpected EOF")
}

// TestLarge: requests and answers of megabytes pass completely in both directions.
func TestLarge(t *testing.T) {
	url := start(t, upstream(t), nil)
	admin := client(url, "ADMIN", "any")
	createData(t, admin)
	in := &dynamodb.TransactWriteItemsInput{}
	for i := range 10 {
		put := order("tenant001", fmt.Sprint(i), "0")
		put.Item["pad"] = text(strings.Repeat("é", 190_000))
		in.TransactItems = append(in.TransactItems,
			types.TransactWriteItem{Put: &types.Put{TableName: put.TableName, Item: put.Item}})
	}
	_, err := client(url, "AK1", "any").TransactWriteItems(t.Context(), in)
	require.NoError(t, err)
	keys := []map[string]types.AttributeValue{}
	for i := range 10 {
		keys = append(keys,
			map[string]types.AttributeValue{
				"pk": text("ORDER#tenant001"), "sk": text(fmt.Sprint("ORDER#", i)),
			})
	}
	out, err := client(url, "AK1", "any").BatchGetItem(t.Context(),
		&dynamodb.BatchGetItemInput{
			RequestItems: map[string]types.KeysAndAttributes{"data": {Keys: keys}},
		})
	require.NoError(t, err)
	require.Len(t, out.Responses["data"], 10)
	for _, it := range out.Responses["data"] {
		require.Equal(t, text(strings.Repeat("é", 190_000)), it["pad"])
	}
}

func TestUpstreamGoesAway(t *testing.T) {
	stop := make(chan struct{})
	up := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-stop }))
	t.Cleanup(up.Close)
	t.Cleanup(func() { close(stop) })
	failures := make(chan error, 1)
	url := start(t, up.URL, func(c *gateway.Config) {
		c.Timeout = time.Millisecond
		c.Failed = func(_ context.Context, err error) { failures <- err }
	})
	body, answer := exchange(t, signed(t, url, "DescribeLimits", "{}"))
	require.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
	require.Contains(t, body, "ServiceUnavailable")
	require.ErrorContains(t, <-failures, "timeout")

	url = start(t, up.URL, func(c *gateway.Config) {
		c.Credentials = aws.CredentialsProviderFunc(
			func(context.Context) (aws.Credentials, error) {
				return aws.Credentials{}, errors.New("none today")
			})
		c.Failed = func(_ context.Context, err error) { failures <- err }
	})
	_, answer = exchange(t, signed(t, url, "DescribeLimits", "{}"))
	require.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
	require.ErrorContains(t, <-failures, "none today")
}

func TestHealth(t *testing.T) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		start(t, "http://127.0.0.1:1", nil)+gateway.HealthPath, nil)
	require.NoError(t, err)
	body, answer := exchange(t, r)
	require.Equal(t, http.StatusOK, answer.StatusCode)
	require.Equal(t, "ok\n", body)
}

func TestNewErrors(t *testing.T) {
	keys := credentials.NewStaticCredentialsProvider("a", "b", "")
	for _, c := range []struct {
		name   string
		config gateway.Config
		says   string
	}{
		{"no URL", gateway.Config{Upstream: "dynamodb:8000"}, "is no URL"},
		{"another scheme", gateway.Config{Upstream: "ftp://dynamodb"}, "is no URL"},
		{"a path", gateway.Config{Upstream: "http://dynamodb/x"},
			"has more than scheme, host and port"},
		{"no policy", gateway.Config{Upstream: "http://dynamodb", Credentials: keys},
			"a policy and credentials are needed"},
		{"no credentials", gateway.Config{Upstream: "http://dynamodb/", Policy: engine(t)},
			"a policy and credentials are needed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := gateway.New(c.config)
			require.ErrorContains(t, err, c.says)
		})
	}
}

// recorder keeps the URLs and hosts of requests.
type recorder struct{ urls, hosts []string }

func (r *recorder) RoundTrip(q *http.Request) (*http.Response, error) {
	r.urls, r.hosts = append(r.urls, q.URL.String()), append(r.hosts, q.Host)
	return &http.Response{
		StatusCode: 200, Request: q, Header: http.Header{},
		Body: io.NopCloser(strings.NewReader("{}")),
	}, nil
}

// TestSearchEndpoint: AWS serves SearchVectors at an endpoint of its own.
func TestSearchEndpoint(t *testing.T) {
	var sent recorder
	url := start(t, "https://dynamodb.eu-west-3.amazonaws.com",
		func(c *gateway.Config) { c.Transport = &sent })
	for operation, body := range map[string]string{
		"Scan": `{"TableName":"other"}`, "SearchVectors": `{"TableName":"other","IndexName":"x"}`,
	} {
		_, answer := exchange(t, signed(t, url, operation, body))
		require.Equal(t, 200, answer.StatusCode)
	}
	require.ElementsMatch(t,
		[]string{"https://dynamodb.eu-west-3.amazonaws.com/",
			"https://search-dynamodb.eu-west-3.amazonaws.com/"}, sent.urls)
	require.ElementsMatch(t,
		[]string{"dynamodb.eu-west-3.amazonaws.com", "search-dynamodb.eu-west-3.amazonaws.com"},
		sent.hosts)
}
