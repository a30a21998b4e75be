package emulator_test

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// TestTLS serves an SDK over TLS with the certificate of net/http/httptest, answers of all sizes
// included.
func TestTLS(t *testing.T) {
	lender := httptest.NewTLSServer(nil)
	defer lender.Close()
	s, err := emulator.New().StartTLS("127.0.0.1:0",
		&tls.Config{Certificates: lender.TLS.Certificates, NextProtos: []string{"h2"}})
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(s.URL, "https://127.0.0.1:"), s.URL)
	client := dynamodb.New(dynamodb.Options{BaseEndpoint: &s.URL, Region: "us-east-1",
		HTTPClient:  lender.Client(),
		Credentials: credentials.NewStaticCredentialsProvider("any", "any", "")})
	_, err = client.CreateTable(t.Context(), usersTable())
	require.NoError(t, err)
	for _, size := range []int{1, 4000, 4096, 5000, 16 << 10, 300 << 10} {
		user := userItem("42")
		text := strings.Repeat("x", size)
		user["text"] = &types.AttributeValueMemberS{Value: text}
		_, err = client.PutItem(t.Context(),
			&dynamodb.PutItemInput{TableName: aws.String("users"), Item: user})
		require.NoError(t, err)
		got, err := client.GetItem(t.Context(),
			&dynamodb.GetItemInput{TableName: aws.String("users"), Key: userItem("42")})
		require.NoError(t, err)
		assert.Equal(t, text, got.Item["text"].(*types.AttributeValueMemberS).Value)
	}

	plain := s.URL[len("https://"):]
	h2 := &tls.Config{NextProtos: []string{"h2", "http/1.1"}, InsecureSkipVerify: true}
	c, err := tls.Dial("tcp", plain, h2)
	require.NoError(t, err)
	assert.Equal(t, "http/1.1", c.ConnectionState().NegotiatedProtocol)
	require.NoError(t, c.Close())
	res, err := http.Get("http://" + plain)
	require.NoError(t, err)
	res.Body.Close()
	assert.Equal(t, 400, res.StatusCode, "without TLS")
	assert.NoError(t, s.Shutdown(context.Background()))
}
