package servecmd

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/transfers"
)

func TestBucketSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	for _, tc := range []struct {
		settings bucketSettings
		want     string
	}{
		{bucketSettings{dir: file}, "s3-dir: " + file + " is not a directory"},
		{bucketSettings{dir: file + "/missing"},
			"is not a directory (each directory in it is a bucket)"},
		{bucketSettings{endpoint: "nothing"}, `s3-endpoint: the endpoint "nothing" is not a URL`},
	} {
		_, err := tc.settings.options(context.Background())
		assert.ErrorContains(t, err, tc.want)
	}
	assert.ErrorContains(t, (&bucketSettings{dir: "a", endpoint: "b"}).check(), "give one of them")
}

// TestBucketsLeadNowhereElse: an S3 endpoint cannot send the server on, nor be an address of
// metadata that nobody named.
func TestBucketsLeadNowhereElse(t *testing.T) {
	reached := false
	inner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		reached = true
	}))
	defer inner.Close()
	s := httptest.NewServer(http.RedirectHandler(inner.URL, http.StatusTemporaryRedirect))
	defer s.Close()
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	store, err := (&bucketSettings{endpoint: s.URL}).store(t.Context())
	require.NoError(t, err)
	for _, err := range store.List(t.Context(), transfers.Location{Bucket: "b"}) {
		assert.ErrorContains(t, err, "307")
	}
	assert.False(t, reached)
}

// TestBucketOfTrigger: what a trigger gives up goes into a bucket.
func TestBucketOfTrigger(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "failures"), 0o777))
	triggers := triggerSettings{definitions: []string{`orders -> http://localhost:1/ ` +
		`{"DestinationConfig": {"OnFailure": {"Destination": "arn:aws:s3:::failures"}}}`}}
	assert.ErrorContains(t, triggers.check((&bucketSettings{}).put()),
		"arn:aws:s3:::failures is not there: give s3-dir or s3-endpoint")

	buckets := bucketSettings{dir: dir}
	put := buckets.put()
	require.NoError(t, triggers.check(put))
	_, err := buckets.options(t.Context())
	require.NoError(t, err)
	require.NoError(t, put(t.Context(), "failures", "aws/lambda/a", []byte("text")))
	text, err := os.ReadFile(filepath.Join(dir, "failures", "aws", "lambda", "a"))
	require.NoError(t, err)
	assert.Equal(t, "text", string(text))
}
