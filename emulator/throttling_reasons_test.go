package emulator_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/stretchr/testify/require"
)

// throttlingReasons is an HTTP client that keeps the body of an error where throttled finds it:
// SDKs of early 2025, the oldest that the tests run with, do not decode ThrottlingReasons.
type throttlingReasons struct{ aws.HTTPClient }

const bodyHeader = "X-Error-Body"

func (c throttlingReasons) Do(r *http.Request) (*http.Response, error) {
	resp, err := c.HTTPClient.Do(r)
	if err != nil || resp.StatusCode != http.StatusBadRequest {
		return resp, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	resp.Header.Set(bodyHeader, string(body))
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// throttled returns the exception and the only reason of a throttled request.
func throttled(t *testing.T, err error) (exception, reason, resource string) {
	t.Helper()
	var answer *smithyhttp.ResponseError
	require.True(t, errors.As(err, &answer), "%v is an answer", err)
	var body struct {
		Type              string `json:"__type"`
		ThrottlingReasons []struct {
			Reason   string `json:"reason"`
			Resource string `json:"resource"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(answer.Response.Header.Get(bodyHeader)), &body))
	require.Len(t, body.ThrottlingReasons, 1)
	_, exception, _ = strings.Cut(body.Type, "#")
	return exception, body.ThrottlingReasons[0].Reason, body.ThrottlingReasons[0].Resource
}
