package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// withoutAWS takes the environment's AWS configuration away. EC2 is answered for by a server that fails the test.
func withoutAWS(t *testing.T) {
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION",
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_WEB_IDENTITY_TOKEN_FILE"} {
		t.Setenv(name, "")
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
	client, err := (&endpoint{url: url}).client(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "us-east-1", client.Options().Region)
	_, err = client.ListTables(t.Context(), new(dynamodb.ListTablesInput))
	assert.NoError(t, err)
}

func TestClientOfDynamoDBItself(t *testing.T) {
	withoutAWS(t)
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("AWS_ENDPOINT_URL", "http://localhost:8000")
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", "http://localhost:8000")
	_, err := (&endpoint{url: "aws"}).client(t.Context())
	assert.ErrorContains(t, err, "DynamoDB needs credentials")

	t.Setenv("AWS_ACCESS_KEY_ID", "AKID")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "x")
	client, err := (&endpoint{url: "aws"}).client(t.Context())
	require.NoError(t, err)
	assert.Nil(t, client.Options().BaseEndpoint, "the environment's endpoint, where tests go")
}
