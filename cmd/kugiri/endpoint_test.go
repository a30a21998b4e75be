package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
)

// withoutAWS takes the environment's AWS configuration away, with all of its variables. EC2 is
// answered for by a server that fails the test.
func withoutAWS(t *testing.T) {
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "AWS_") {
			t.Setenv(name, value) // the test's end brings it back
			require.NoError(t, os.Unsetenv(name))
		}
	}
	t.Setenv("AWS_CONFIG_FILE", "/nowhere/config")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere/credentials")
	ec2 := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("EC2 is asked for %s", r.URL)
	}))
	t.Cleanup(ec2.Close)
	t.Setenv("AWS_EC2_METADATA_SERVICE_ENDPOINT", ec2.URL)
}

func TestClientOfThisMachineNeedsNoCredentials(t *testing.T) {
	withoutAWS(t)
	url, _ := serving(t)
	client, err := (&endpoint.Endpoint{URL: url}).Client(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "us-east-1", client.Options().Region)
	_, err = client.ListTables(t.Context(), new(dynamodb.ListTablesInput))
	assert.NoError(t, err)
}

// TestCredentialsByHost: a server in another container takes any credentials; what may be DynamoDB
// behind another name does not.
func TestCredentialsByHost(t *testing.T) {
	withoutAWS(t)
	for _, url := range []string{"http://localhost:8000", "http://[::1]:8000",
		"http://dynamodb:8000", "http://host.docker.internal:8000"} {
		client, err := (&endpoint.Endpoint{URL: url}).Client(t.Context())
		require.NoError(t, err, url)
		own, err := client.Options().Credentials.Retrieve(t.Context())
		require.NoError(t, err, url)
		assert.Equal(t, "test", own.AccessKeyID, url)
	}
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	for _, url := range []string{"https://dynamodb.eu-west-1.amazonaws.com",
		"https://db.example.com", "http://10.0.0.1:8000"} {
		_, err := (&endpoint.Endpoint{URL: url}).Client(t.Context())
		assert.ErrorContains(t, err,
			url+" needs credentials, as the AWS CLI finds them; a test server takes any", url)
	}
}

// TestClientCommandsWithoutAWS: an ordinary machine has none of the variables of AWS.
func TestClientCommandsWithoutAWS(t *testing.T) {
	withoutAWS(t)
	url, _ := serving(t)
	definition := filepath.Join(t.TempDir(), "table.json")
	require.NoError(
		t, os.WriteFile(
			definition,
			[]byte(`{"BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}]}`), 0o666))
	const order = `{"pk":{"S":"ORDER#tenant001"},"sk":{"S":"ORDER#1"},"version":{"N":"0"}}`
	policy := policyFile(t)
	for _, c := range []struct {
		name, stdin string
		args        []string
		out         string
	}{
		{"import", order, []string{"--table", "data", "--create", "--definition", definition}, ""},
		{"tables", "", nil, "data   ACTIVE      1"},
		{"export", "", []string{"--table", "data"}, order},
		{"lint", "", []string{"--policy", policy}, "data: 1 item\n0 to be refused"},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Contains(t,
				command(t, c.stdin, append([]string{c.name, "--endpoint", url}, c.args...)...),
				c.out)
		})
	}
}

// TestEndpointOfTheEnvironment: without --endpoint, commands go where the SDKs go.
func TestEndpointOfTheEnvironment(t *testing.T) {
	const own, other = "http://127.0.0.1:1", "http://127.0.0.1:2"
	file := filepath.Join(t.TempDir(), "config")
	require.NoError(t, os.WriteFile(file, []byte("[default]\nendpoint_url = "+own+"\n"), 0o666))
	for _, c := range []struct {
		name        string
		environment map[string]string
		flag        string
		want        string
	}{
		{"nothing", nil, "", endpoint.Default},
		{"an endpoint", map[string]string{"AWS_ENDPOINT_URL": own}, "", own},
		{"one for DynamoDB",
			map[string]string{"AWS_ENDPOINT_URL": other, "AWS_ENDPOINT_URL_DYNAMODB": own}, "",
			own},
		{"one of the configuration file", map[string]string{"AWS_CONFIG_FILE": file}, "", own},
		{"one that is to be ignored",
			map[string]string{"AWS_CONFIG_FILE": file,
				"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true"}, "", endpoint.Default},
		{"a flag", map[string]string{"AWS_ENDPOINT_URL": other}, own, own},
	} {
		t.Run(c.name, func(t *testing.T) {
			withoutAWS(t)
			for name, value := range c.environment {
				t.Setenv(name, value)
			}
			e := endpoint.Endpoint{URL: c.flag}
			client, err := e.Client(t.Context())
			require.NoError(t, err)
			assert.Equal(t, c.want, *client.Options().BaseEndpoint)
			assert.Equal(t, c.want, e.URL)
		})
	}

	withoutAWS(t)
	url, stop := serving(t)
	t.Setenv("AWS_ENDPOINT_URL", url)
	command(t, "", "tables")
	require.NoError(t, stop())
	_, _, err := piped(t.Context(), "", "tables")
	assert.ErrorContains(t, err, "dial tcp "+strings.TrimPrefix(url, "http://"))
	assert.ErrorContains(t, err, "is a server running at "+url+"?")
	t.Setenv("AWS_ENDPOINT_URL", "localhost:8000")
	_, _, err = piped(t.Context(), "", "tables")
	assert.ErrorContains(t, err, `"localhost:8000" is not a URL such as http://localhost:8000`)
}

func TestClientOfDynamoDBItself(t *testing.T) {
	withoutAWS(t)
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("AWS_ENDPOINT_URL", "http://localhost:8000")
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", "http://localhost:8000")
	_, err := (&endpoint.Endpoint{URL: "aws"}).Client(t.Context())
	assert.ErrorContains(t, err, "DynamoDB needs credentials")

	t.Setenv("AWS_ACCESS_KEY_ID", "AKID")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "x")
	client, err := (&endpoint.Endpoint{URL: "aws"}).Client(t.Context())
	require.NoError(t, err)
	assert.Nil(t, client.Options().BaseEndpoint, "the environment's endpoint, where tests go")
}
