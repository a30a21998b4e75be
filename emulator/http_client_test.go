package emulator_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// inProcess is an SDK client without a network.
func inProcess(c aws.HTTPClient, credentials aws.CredentialsProvider) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region:       "eu-west-1",
		BaseEndpoint: aws.String("http://kugiri"),
		HTTPClient:   c,
		Credentials:  credentials,
	})
}

func TestHTTPClientOfAnSDK(t *testing.T) {
	service := emulator.New()
	mine := inProcess(service.HTTPClient("mine", "eu-west-1"), aws.AnonymousCredentials{})
	other := inProcess(service.HTTPClient("other", "eu-west-1"), aws.AnonymousCredentials{})
	signed := inProcess(
		service.HTTPClient("other",
			"eu-west-1"), aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials,
			error) {
			return aws.Credentials{AccessKeyID: "mine", SecretAccessKey: "secret"}, nil
		}))
	_, err := mine.CreateTable(t.Context(), usersTable())
	require.NoError(t, err)
	for _, c := range []struct {
		name   string
		client *dynamodb.Client
		want   []string
	}{
		{"its own tables", mine, []string{"users"}},
		{"not those of another key", other, []string{}},
		{"but those of the key that signs", signed, []string{"users"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := c.client.ListTables(t.Context(), nil)
			require.NoError(t, err)
			assert.Equal(t, c.want, out.TableNames)
		})
	}
	_, err = mine.PutItem(t.Context(),
		&dynamodb.PutItemInput{TableName: aws.String("none"), Item: nil})
	assert.ErrorContains(t, err, "Item")
}

func TestHTTPClientOfNetHTTP(t *testing.T) {
	client := &http.Client{Transport: emulator.New().HTTPClient("key", "us-east-1")}
	res, err := client.Get("http://any.host.at.all")
	require.NoError(t, err)
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	assert.Equal(t, "healthy: dynamodb.us-east-1.amazonaws.com ", string(text))
	assert.Equal(t, "200 OK", res.Status)
	assert.EqualValues(t, len(text), res.ContentLength)

	res, err = client.Post("http://host/", "application/x-amz-json-1.0", strings.NewReader("{}"))
	require.NoError(t, err)
	assert.Equal(t, "400 Bad Request", res.Status)
	require.NoError(t, res.Body.Close())
}

func TestHTTPClientWhoseContextHasEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://host", nil)
	require.NoError(t, err)
	_, err = emulator.New().HTTPClient("key", "us-east-1").Do(r)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestHTTPClientNames(t *testing.T) {
	for _, c := range []struct{ name, accessKey, region string }{
		{"no access key", "", "us-east-1"},
		{"no region", "key", ""},
		{"an access key with a slash", "a/b", "us-east-1"},
		{"a region with a slash", "a", "b/us-east-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Panics(t, func() { emulator.New().HTTPClient(c.accessKey, c.region) })
		})
	}
}

// TestHTTPClientAnswersAsServers: odd requests get the same answers through an HTTPClient as over a
// connection.
func TestHTTPClientAnswersAsServers(t *testing.T) {
	service := emulator.New()
	server, err := service.Start("127.0.0.1:0")
	require.NoError(t, err)
	defer server.Close()
	transports := map[string]http.RoundTripper{
		"in process": service.HTTPClient("key", "us-east-1"),
		"connection": &http.Transport{DisableCompression: true, ExpectContinueTimeout: time.Minute},
	}
	unknownLength := func(body string) io.Reader { return io.NopCloser(strings.NewReader(body)) }
	for _, c := range []struct {
		name, method, path string
		body               io.Reader
		header             string // lines
		status             int
		want               string // a part of the answer
	}{
		{"a call", "POST", "/", strings.NewReader(`{"Limit":1}`), "", 200, "TableNames"},
		{"a call of unknown length", "POST", "", unknownLength(`{"Limit":1}`), "", 200,
			"TableNames"},
		{"a call of no length", "POST", "/", nil, "", 400, "SerializationException"},
		{"a call of no length or type", "POST", "/", nil, "Content-Type:", 400,
			"SerializationException"},
		{"a call of an empty body of unknown length", "POST", "/", unknownLength(""), "", 400,
			"SerializationException"},
		{"an empty body of unknown length, and no type", "POST", "/", unknownLength("{}"),
			"Content-Type:", 404, "Unknown"},
		{"a client that waits", "POST", "/", strings.NewReader(`{"Limit":1}`),
			"Expect: 100-continue", 200, "TableNames"},
		{"a client that waits in vain", "POST", "/", strings.NewReader(`{}`),
			"Expect: 100-continue\nContent-Type: text/xml", 404, "Unknown"},
		{"garbage in gzip", "POST", "/", strings.NewReader(`{}`), "Content-Encoding: gzip", 500,
			"InternalServerError"},
		{"nothing in deflate", "POST", "/", nil, "Content-Encoding: deflate", 500,
			"InternalServerError"},
		{"an unknown target", "POST", "/", strings.NewReader(`{}`), "X-Amz-Target: x", 400,
			"UnknownOperationException"},
		{"a call by GET", "GET", "/", strings.NewReader(`{}`), "", 200, "healthy"},
		{"a call by HEAD", "HEAD", "/", nil, "", 200, ""},
		{"HEAD of nothing", "HEAD", "/x", nil, "", 404, ""},
		{"a call by PUT", "PUT", "/", strings.NewReader(`{}`), "", 404, "Unknown"},
		{"a call by DELETE", "DELETE", "/", nil, "", 404, "Unknown"},
		{"a call by PATCH", "PATCH", "/", strings.NewReader(`{}`), "", 404, "Unknown"},
		{"a call by OPTIONS", "OPTIONS", "/", nil, "", 404, "Unknown"},
		{"a preflight", "OPTIONS", "/", nil,
			"Origin: http://x\nAccess-Control-Request-Method: POST", 200, ""},
		{"a query", "POST", "/?a=b", strings.NewReader(`{}`), "", 200, "TableNames"},
		{"another path", "POST", "/ListTables", strings.NewReader(`{}`), "", 404, "Unknown"},
		{"two slashes", "POST", "//", strings.NewReader(`{}`), "", 404, "Unknown"},
	} {
		var body []byte
		if c.body != nil {
			var err error
			body, err = io.ReadAll(c.body)
			require.NoError(t, err)
		}
		answers := map[string]*http.Response{}
		for kind, transport := range transports {
			t.Run(c.name+" "+kind, func(t *testing.T) {
				var sent io.Reader
				switch c.body.(type) {
				case *strings.Reader:
					sent = strings.NewReader(string(body))
				case io.ReadCloser:
					sent = unknownLength(string(body))
				}
				r, err := http.NewRequest(c.method, server.URL+c.path, sent)
				require.NoError(t, err)
				r.Header.Set("Content-Type", "application/x-amz-json-1.0")
				r.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
				r.Header.Set("X-Amz-Date", "20260102T030405Z")
				r.Header.Set("Authorization",
					"AWS4-HMAC-SHA256 Credential=key/20260102/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=abc")
				for line := range strings.SplitSeq(c.header, "\n") {
					name, value, _ := strings.Cut(line, ":")
					r.Header.Del(name)
					if value != "" {
						r.Header.Set(name, strings.TrimSpace(value))
					}
				}
				res, err := transport.RoundTrip(r)
				require.NoError(t, err)
				defer res.Body.Close()
				text, err := io.ReadAll(res.Body)
				require.NoError(t, err)
				assert.Equal(t, c.status, res.StatusCode, "%s", text)
				assert.Contains(t, string(text), c.want)
				if c.method == "HEAD" {
					assert.Empty(t, text)
				}
				answers[kind] = res
			})
		}
		for name := range answers["in process"].Header {
			if name != "X-Amzn-Requestid" && name != "Connection" {
				assert.Equal(t, answers["connection"].Header.Get(name),
					answers["in process"].Header.Get(name), c.name+" "+name)
			}
		}
		assert.Equal(t, answers["connection"].ContentLength, answers["in process"].ContentLength,
			c.name)
	}
}
