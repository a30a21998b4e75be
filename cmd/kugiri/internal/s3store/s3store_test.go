package s3store_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/s3store"
	"github.com/kugiri-db/kugiri/emulator/bucket"
	"github.com/kugiri-db/kugiri/emulator/transfers"
)

// newStore returns a Store with the bucket "bucket", in memory.
func newStore(t *testing.T) bucket.Store {
	server := httptest.NewServer(gofakes3.New(s3mem.New()).Server())
	t.Cleanup(server.Close)
	cfg := testConfig()
	client := s3.NewFromConfig(cfg, func(o *s3.Options) {
		o.BaseEndpoint, o.UsePathStyle = &server.URL, true
	})
	_, err := client.CreateBucket(context.Background(),
		&s3.CreateBucketInput{Bucket: aws.String("bucket")})
	require.NoError(t, err)
	return storeAt(t, server.URL)
}

// testConfig has credentials, and three attempts without a pause.
func testConfig() aws.Config {
	return aws.Config{
		Region: "us-east-1", Credentials: credentials.NewStaticCredentialsProvider("k", "s", ""),
		Retryer: func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) {
				o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) {
					return 0, nil
				})
			})
		},
	}
}

// storeAt returns the Store of an endpoint.
func storeAt(t *testing.T, url string) bucket.Store {
	s, err := s3store.New(t.Context(), testConfig(), url, http.DefaultClient)
	require.NoError(t, err)
	return s
}

func TestStore(t *testing.T) {
	s, ctx := newStore(t), context.Background()
	for _, key := range []string{"in/2", "in/1", "out/3"} {
		etag, err := s.Put(ctx, bucket.Place{Bucket: "bucket", Key: key}, []byte("object "+key),
			transfers.Encryption{Algorithm: "AES256"})
		require.NoError(t, err)
		assert.Regexp(t, `^[0-9a-f]{32}$`, etag)
	}
	var listed []string
	for o, err := range s.List(ctx, transfers.Location{Bucket: "bucket", Prefix: "in/"}) {
		require.NoError(t, err)
		listed = append(listed, fmt.Sprint(o.Key, " ", o.Size))
	}
	assert.Equal(t, []string{"in/1 11", "in/2 11"}, listed)
	in, err := s.Get(ctx, bucket.Place{Bucket: "bucket", Key: "in/1"})
	require.NoError(t, err)
	defer in.Close()
	text, err := io.ReadAll(in)
	require.NoError(t, err)
	assert.Equal(t, "object in/1", string(text))
}

func TestRefusals(t *testing.T) {
	s, ctx := newStore(t), context.Background()
	const noBucket = "NoSuchBucket: The specified bucket does not exist (Service: Amazon S3; Status Code: 404; Error Code: NoSuchBucket)"
	_, err := s.Put(ctx, bucket.Place{Bucket: "none", Key: "k"}, nil, transfers.Encryption{})
	assert.EqualError(t, err, noBucket)
	_, err = s.Get(ctx, bucket.Place{Bucket: "bucket", Key: "none"})
	var refused *transfers.Error
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "NoSuchKey", refused.Code)
	for _, err := range s.List(ctx, transfers.Location{Bucket: "none"}) {
		assert.EqualError(t, err, noBucket)
	}
}

// TestManyObjects: a list has more than one page.
func TestManyObjects(t *testing.T) {
	s, ctx := newStore(t), context.Background()
	const count = 1100
	for n := range count {
		_, err := s.Put(ctx, bucket.Place{Bucket: "bucket", Key: fmt.Sprintf("%05d", n)}, nil,
			transfers.Encryption{})
		require.NoError(t, err)
	}
	n := 0
	for o, err := range s.List(ctx, transfers.Location{Bucket: "bucket"}) {
		require.NoError(t, err)
		assert.Equal(t, fmt.Sprintf("%05d", n), o.Key)
		n++
	}
	assert.Equal(t, count, n)
}

// TestKeys: a key is the same one for the SDK, whatever is in it.
func TestKeys(t *testing.T) {
	server := httptest.NewServer(gofakes3.New(s3mem.New()).Server())
	defer server.Close()
	client := s3.NewFromConfig(testConfig(), func(o *s3.Options) {
		o.BaseEndpoint, o.UsePathStyle = &server.URL, true
	})
	_, err := client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("bucket")})
	require.NoError(t, err)
	s := storeAt(t, server.URL)
	for _, key := range []string{"a b+c", "100%", "%2F", "a//b", "a/../b", "ü/日本", "q?x=1&y#z",
		"~!*'()"} {
		t.Run(key, func(t *testing.T) {
			_, err := s.Put(t.Context(), bucket.Place{Bucket: "bucket", Key: key}, []byte(key),
				transfers.Encryption{})
			require.NoError(t, err)
			out, err := client.GetObject(t.Context(),
				&s3.GetObjectInput{Bucket: aws.String("bucket"), Key: &key})
			require.NoError(t, err)
			defer out.Body.Close()
			text, err := io.ReadAll(out.Body)
			require.NoError(t, err)
			assert.Equal(t, key, string(text))
		})
	}
}
