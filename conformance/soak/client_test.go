package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/stretchr/testify/require"
)

// The headers of every request, except for the operation.
const (
	contentType   = "application/x-amz-json-1.0"
	authorization = "AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0"
	date          = "20260101T000000Z"
)

// target returns the X-Amz-Target of an operation.
func target(operation string) string {
	if strings.Contains("DescribeStream GetShardIterator GetRecords ListStreams", operation) {
		return "DynamoDBStreams_20120810." + operation
	}
	return "DynamoDB_20120810." + operation
}

// client sends requests in JSON.
type client struct {
	http interface {
		Do(*http.Request) (*http.Response, error)
	}
	url string
}

// refusal is an error that the service returned.
type refusal string

func (r refusal) Error() string { return string(r) }

// send returns the answer to a request.
func (c *client) send(ctx context.Context, operation, body string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/", strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header = http.Header{
		"Content-Type": {contentType}, "X-Amz-Target": {target(operation)},
		"Authorization": {authorization}, "X-Amz-Date": {date},
	}
	res, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = refusal(answer)
	}
	return answer, err
}

// call sends a request past all listeners that drop connections, and decodes the answer. The
// request must succeed.
func (s *soak) call(operation string, answer any, format string, args ...any) {
	s.Helper()
	text, err := s.direct.send(context.Background(), operation, fmt.Sprintf(format, args...))
	require.NoError(s, err)
	if answer != nil {
		require.NoError(s, json.Unmarshal(text, answer))
	}
}
