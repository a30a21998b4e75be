package kinesissink

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// TestRegionsOfStreamsLeadToAWS: the region in the ARN of a stream, which a request names, is a
// part of the host if the endpoint is that of AWS.
func TestRegionsOfStreamsLeadToAWS(t *testing.T) {
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(t.TempDir(), "none"))
	t.Setenv("AWS_PROFILE", "")
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	sink, err := (&Settings{Endpoint: "aws"}).Sink(t.Context())
	require.NoError(t, err)
	for _, region := range []string{"local", "", "evil.example/", "x@evil.example#", "a.b"} {
		err := sink.CheckStream(t.Context(), "arn:aws:kinesis:"+region+":000000000000:stream/s")
		assert.ErrorIs(t, err, emulator.ErrNoKinesisStream, region)
	}
}

// TestRedirectsOfKinesis: an endpoint cannot send the records elsewhere.
func TestRedirectsOfKinesis(t *testing.T) {
	reached := false
	inner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		reached = true
	}))
	defer inner.Close()
	s := httptest.NewServer(http.RedirectHandler(inner.URL, http.StatusTemporaryRedirect))
	defer s.Close()
	sink, err := (&Settings{Endpoint: s.URL}).Sink(t.Context())
	require.NoError(t, err)
	const stream = "arn:aws:kinesis:us-east-1:000000000000:stream/s"
	_, err = sink.PutRecords(t.Context(), stream,
		[]emulator.KinesisRecord{{Data: []byte("{}"), PartitionKey: "p"}})
	assert.ErrorContains(t, err, "307")
	assert.False(t, reached)
}
