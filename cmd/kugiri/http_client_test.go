package main

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"
)

// early is a transport that looks for the end of a request's body, as net/http does, when the answer is already read.
type early struct{ end error }

func (e *early) Do(r *http.Request) (*http.Response, error) {
	if _, err := io.CopyN(io.Discard, r.Body, r.ContentLength); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: &answerOf{strings.NewReader("{}"), e, r}, Request: r}, nil
}

type answerOf struct {
	io.Reader
	e *early
	r *http.Request
}

func (a *answerOf) Close() error {
	_, a.e.end = io.Copy(io.Discard, a.r.Body)
	return a.r.Body.Close()
}

func TestAnswerBeforeTheRequestsEnd(t *testing.T) {
	for _, c := range []struct {
		name string
		wrap func(aws.HTTPClient) aws.HTTPClient
		end  error
	}{
		{"the SDK by itself", func(c aws.HTTPClient) aws.HTTPClient { return c }, io.EOF},
		{"in one piece", func(c aws.HTTPClient) aws.HTTPClient { return inOnePiece{c} }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &early{}
			at := endpoint{url: "http://localhost:1"}
			client, err := at.client(t.Context())
			require.NoError(t, err)
			_, err = client.ListTables(t.Context(), &dynamodb.ListTablesInput{}, func(o *dynamodb.Options) { o.HTTPClient = c.wrap(e) })
			require.NoError(t, err)
			require.Equal(t, c.end, e.end)
		})
	}
}
