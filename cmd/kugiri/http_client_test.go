package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
)

// early is a transport that looks for the end of a request's body, as net/http does, when the
// answer is already read.
type early struct{ end error }

func (e *early) Do(r *http.Request) (*http.Response, error) {
	if _, err := io.CopyN(io.Discard, r.Body, r.ContentLength); err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{},
		Body: &answerOf{strings.NewReader("{}"), e, r}, Request: r,
	}, nil
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
		{"in one piece", func(c aws.HTTPClient) aws.HTTPClient { return endpoint.InOnePiece(c) },
			nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &early{}
			at := endpoint.Endpoint{URL: "http://localhost:1"}
			client, err := at.Client(t.Context())
			require.NoError(t, err)
			_, err = client.ListTables(t.Context(), &dynamodb.ListTablesInput{},
				func(o *dynamodb.Options) { o.HTTPClient = c.wrap(e) })
			require.NoError(t, err)
			require.Equal(t, c.end, e.end)
		})
	}
}

// unreachable is a transport without a server, which counts how often one is looked for.
type unreachable struct {
	err   error
	dials int
}

func (u *unreachable) Do(*http.Request) (*http.Response, error) {
	u.dials++
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: u.err}
}

func TestNothingListens(t *testing.T) {
	for _, c := range []struct {
		name  string
		err   error
		dials int
	}{
		{"a connection that is refused", os.NewSyscallError("connect", syscall.ECONNREFUSED), 1},
		{"no route", os.NewSyscallError("connect", syscall.EHOSTUNREACH), 1},
		{"a name that cannot be looked up just now", &net.DNSError{IsTemporary: true}, 3},
		{"no answer in time", os.ErrDeadlineExceeded, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			withoutAWS(t)
			u := &unreachable{err: c.err}
			at := endpoint.Endpoint{URL: "http://localhost:1"}
			client, err := at.Client(t.Context())
			require.NoError(t, err)
			_, err = client.ListTables(t.Context(),
				&dynamodb.ListTablesInput{}, func(o *dynamodb.Options) {
					o.HTTPClient = endpoint.InOnePiece(u)
					o.Retryer = retry.AddWithMaxBackoffDelay(o.Retryer, time.Nanosecond)
				})
			require.ErrorIs(t, err, c.err)
			require.Equal(t, c.dials, u.dials)
		})
	}
}
