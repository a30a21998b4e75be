//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// requestMany sends requests that are answered with an error whose message is long.
func requestMany(t *testing.T, url string, n int) {
	body := `{"TableName":"` + strings.Repeat("x", 8000) + `"}`
	for range n {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/",
			strings.NewReader(body))
		require.NoError(t, err)
		r.Header = http.Header{
			"Content-Type": {"application/x-amz-json-1.0"},
			"X-Amz-Target": {"DynamoDB_20120810.DescribeTable"},
			"X-Amz-Date":   {"20260101T000000Z"},
			"Authorization": {
				"AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
			},
		}
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		answer, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Contains(t, string(answer), "ValidationException")
	}
}

// TestPipeThatNobodyReads: standard output and error are pipes without a reader, full and closed.
// Both are the process's own, so that what Go does about them is in the test, too.
func TestPipeThatNobodyReads(t *testing.T) {
	for _, closed := range []bool{false, true} {
		t.Run(fmt.Sprint("closed ", closed), func(t *testing.T) {
			read, write, err := os.Pipe()
			require.NoError(t, err)
			defer read.Close()
			url, process := started(t, write, "--log-requests")
			write.Close()
			requestMany(t, url, 1)
			if closed {
				require.NoError(t, read.Close())
			}
			requestMany(t, url, 500)
			require.NoError(t, process.Process.Signal(os.Interrupt))
			require.NoError(t, process.Wait(), "its end is a proper one")
		})
	}
}

// TestPipeThatIsReadAgain: the log reports how many lines were dropped.
func TestPipeThatIsReadAgain(t *testing.T) {
	read, write, err := os.Pipe()
	require.NoError(t, err)
	url, process := started(t, write, "--log-requests")
	write.Close()
	const sent = 500 // this many requests log 2 MB of lines
	requestMany(t, url, sent)
	var text []byte
	all := make(chan error, 1)
	go func() {
		var err error
		text, err = io.ReadAll(read)
		all <- err
	}()
	requestMany(t, url, 1)
	require.NoError(t, process.Process.Signal(os.Interrupt))
	require.NoError(t, process.Wait())
	require.NoError(t, <-all)
	_, rest, ok := strings.Cut(string(text),
		`msg="log lines were dropped, because nobody read them" lines=`)
	require.True(t, ok)
	var dropped int
	_, err = fmt.Sscan(rest, &dropped)
	require.NoError(t, err)
	require.Equal(t, sent+1, strings.Count(string(text), `level=INFO msg="DescribeTable `)+dropped)
}
