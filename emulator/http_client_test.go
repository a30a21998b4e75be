package emulator_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

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
	signed := inProcess(service.HTTPClient("other", "eu-west-1"), aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
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
	_, err = mine.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("none"), Item: nil})
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
