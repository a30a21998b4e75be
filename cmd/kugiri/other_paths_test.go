package main

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOtherPaths shows what people get who ask for what the server does not have.
func TestOtherPaths(t *testing.T) {
	url, _ := serving(t)
	signedFor := func(service string) string {
		return "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/" + service +
			"/aws4_request, SignedHeaders=host, Signature=00"
	}
	const only = "this is Kugiri, which is DynamoDB only: the request is signed for "
	for _, c := range []struct {
		name, method, path, service, contentType, target string
		status                                           int
		answer                                           string
	}{
		{"the admin API", "POST", "/_kugiri/forks", "", "application/json", "", 404,
			`{"error":"the admin API is off: start the server with --admin (kugiri serve --admin)"}`},
		{"LocalStack's health", "GET", "/_localstack/health", "", "", "", 200,
			`{"services": {"dynamodb": "running", `},
		{"buckets of S3", "GET", "/", "s3", "", "", 400,
			"<Error><Code>UnknownOperationException</Code><Message>" + only + "s3."},
		{"an object of S3", "PUT", "/bucket/key", "s3", "text/plain", "", 400, only + "s3."},
		{"SQS as JSON", "POST", "/", "sqs", "application/x-amz-json-1.0", "AmazonSQS.SendMessage",
			400, `"com.amazon.coral.service#UnknownOperationException","message":"` + only + "sqs."},
		{"SNS as a form", "POST", "/", "sns", "application/x-www-form-urlencoded", "", 400,
			"<ErrorResponse><Error><Code>UnknownOperationException</Code>"},
		{"Lambda", "GET", "/2015-03-31/functions", "lambda", "", "", 400, `"message":"` + only},
		{"an unknown operation of DynamoDB", "POST", "/", "dynamodb", "application/x-amz-json-1.0",
			"DynamoDB_20120810.Nope", 400,
			`{"__type":"com.amazon.coral.service#UnknownOperationException"}`},
		{"an unknown path of DynamoDB", "GET", "/nope", "dynamodb", "", "", 404,
			"<UnknownOperationException/>"},
		{"nobody's unknown path", "GET", "/nope", "", "", "", 404, "<UnknownOperationException/>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), c.method, url+c.path,
				strings.NewReader("{}"))
			require.NoError(t, err)
			r.Header.Set("Content-Type", c.contentType)
			if c.service != "" {
				r.Header.Set("Authorization", signedFor(c.service))
			}
			if c.target != "" {
				r.Header.Set("X-Amz-Target", c.target)
			}
			res, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			defer res.Body.Close()
			text, err := io.ReadAll(res.Body)
			require.NoError(t, err)
			assert.Equal(t, c.status, res.StatusCode)
			assert.Contains(t, string(text), c.answer)
		})
	}
}

// TestOtherServices: a client of S3 that AWS_ENDPOINT_URL leads to this server shows the sentence.
func TestOtherServices(t *testing.T) {
	url, _ := serving(t)
	client := s3.New(s3.Options{BaseEndpoint: &url, Region: "us-east-1", UsePathStyle: true,
		Credentials: credentials.NewStaticCredentialsProvider("test", "x", "")})
	_, err := client.ListBuckets(t.Context(), nil)
	require.ErrorContains(t, err, "Set AWS_ENDPOINT_URL_DYNAMODB in place of AWS_ENDPOINT_URL")
	_, err = client.PutObject(t.Context(), &s3.PutObjectInput{Bucket: aws.String("bucket"),
		Key: aws.String("key"), Body: strings.NewReader("x")})
	require.ErrorContains(t, err, "this is Kugiri, which is DynamoDB only")
}
