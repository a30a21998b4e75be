package s3store_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/s3store"
	"github.com/kugiri-db/kugiri/emulator/bucket"
	"github.com/kugiri-db/kugiri/emulator/transfers"
)

// TestAttempts: what another attempt mends is tried three times, as by the SDKs.
func TestAttempts(t *testing.T) {
	const slowDown = `<Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>`
	for name, c := range map[string]struct {
		status   int
		text     string
		attempts int32
		want     string
	}{
		"throttled":        {http.StatusServiceUnavailable, slowDown, 3, "SlowDown: Reduce your request rate."},
		"no XML":           {http.StatusBadGateway, "upstream", 3, "BadGateway: "},
		"denied":           {http.StatusForbidden, `<Error><Code>AccessDenied</Code></Error>`, 1, "AccessDenied: "},
		"another protocol": {http.StatusOK, "<html></html>", 1, "the answer of S3 is no XML that it sends"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var attempts atomic.Int32
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				attempts.Add(1)
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.text)
			}))
			defer s.Close()
			for _, err := range storeAt(t, s.URL).List(t.Context(),
				transfers.Location{Bucket: "b"}) {
				assert.ErrorContains(t, err, c.want)
			}
			assert.Equal(t, c.attempts, attempts.Load())
		})
	}
}

// TestHeaders: requests say what S3 asks for.
func TestHeaders(t *testing.T) {
	var got http.Header
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got = r.Header
	}))
	defer s.Close()
	_, err := storeAt(t, s.URL).Put(t.Context(),
		bucket.Place{Bucket: "b", Key: "k", Owner: "111122223333"}, []byte("123456789"),
		transfers.Encryption{Algorithm: "KMS", KMSKeyID: "alias/a"})
	require.NoError(t, err)
	for name, want := range map[string]string{
		"X-Amz-Expected-Bucket-Owner":                 "111122223333",
		"X-Amz-Server-Side-Encryption":                "aws:kms",
		"X-Amz-Server-Side-Encryption-Aws-Kms-Key-Id": "alias/a",
		"X-Amz-Checksum-Crc32":                        "y/Q5Jg==", // the check value of CRC-32
		"X-Amz-Content-Sha256":                        "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225",
	} {
		assert.Equal(t, want, got.Get(name), name)
	}
	assert.Regexp(t, `^AWS4-HMAC-SHA256 Credential=k/\d{8}/us-east-1/s3/aws4_request, SignedHeaders=`+
		`.*x-amz-checksum-crc32;x-amz-content-sha256`, got.Get("Authorization"))
}

// TestEndpoints: an endpoint that is not S3 itself has its buckets in paths.
func TestEndpoints(t *testing.T) {
	var got string
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got = r.URL.EscapedPath()
	}))
	defer s.Close()
	for _, c := range []struct{ name, at, configured, want string }{
		{"a host", s.URL, "", "/b/a%20b/c"},
		{"a slash", s.URL + "/", "", "/b/a%20b/c"},
		{"a path", s.URL + "/s3", "", "/s3/b/a%20b/c"},
		{"an escaped path", s.URL + "/a%20b/", "", "/a%20b/b/a%20b/c"},
		{"in the configuration", "", s.URL, "/b/a%20b/c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("AWS_ENDPOINT_URL_S3", c.configured)
			t.Setenv("AWS_ACCESS_KEY_ID", "k")
			t.Setenv("AWS_SECRET_ACCESS_KEY", "s")
			cfg, err := config.LoadDefaultConfig(t.Context(), config.WithRegion("us-east-1"),
				config.WithSharedConfigFiles([]string{}))
			require.NoError(t, err)
			store, err := s3store.New(t.Context(), cfg, c.at, http.DefaultClient)
			require.NoError(t, err)
			_, err = store.Put(t.Context(), bucket.Place{Bucket: "b", Key: "a b/c"}, nil,
				transfers.Encryption{})
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
	_, err := s3store.New(t.Context(), testConfig(), "localhost", http.DefaultClient)
	assert.ErrorContains(t, err, `"localhost" is not a URL`)
}
