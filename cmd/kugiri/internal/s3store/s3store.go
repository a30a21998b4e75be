// Package s3store keeps the objects of package emulator/bucket in S3, or at any endpoint that
// speaks its protocol.
package s3store

import (
	"context"
	"encoding/xml"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/bucket"
	"github.com/kugiri-db/kugiri/emulator/transfers"
)

// store is the Store of a client. It makes three requests in place of the SDK's client, which the
// first build compiles for 16 s and each process initializes, in a binary that is 1 MB larger.
type store struct{ client *client }

// mostListed is the largest answer to ListObjectsV2 that is read: it has 1,000 keys of 1 KB each.
const mostListed = 16 << 20

func (s *store) List(ctx context.Context, in transfers.Location) iter.Seq2[bucket.Object, error] {
	return func(yield func(bucket.Object, error) bool) {
		for token, more := "", true; more; {
			page, err := s.page(ctx, in, token)
			if err != nil {
				yield(bucket.Object{}, err)
				return
			}
			for _, o := range page.Contents {
				if !yield(bucket.Object{Key: o.Key, Size: o.Size, Version: o.ETag}, nil) {
					return
				}
			}
			more = page.IsTruncated && page.NextContinuationToken != token
			token = page.NextContinuationToken
		}
	}
}

// page is an answer to ListObjectsV2.
type page struct {
	XMLName  xml.Name `xml:"ListBucketResult"`
	Contents []struct {
		Key  string
		Size int64
		ETag string
	}
	IsTruncated           bool
	NextContinuationToken string
}

// page reads the page of a list that begins at a token, "" for the first.
func (s *store) page(ctx context.Context, in transfers.Location, token string) (*page, error) {
	query := url.Values{"list-type": {"2"}, "prefix": {in.Prefix}}
	if token != "" {
		query.Set("continuation-token", token)
	}
	answer, err := s.client.do(ctx, request{
		method: http.MethodGet, bucket: in.Bucket, query: query, owner: in.Owner,
	})
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	out := new(page)
	return out, decode(io.LimitReader(answer.Body, mostListed), out)
}

func (s *store) Get(ctx context.Context, at bucket.Place) (io.ReadCloser, error) {
	answer, err := s.client.do(ctx, request{
		method: http.MethodGet, bucket: at.Bucket, key: at.Key, owner: at.Owner,
	})
	if err != nil {
		return nil, err
	}
	return answer.Body, nil
}

func (s *store) Put(ctx context.Context, at bucket.Place, content []byte,
	as transfers.Encryption) (etag string, err error) {
	header := http.Header{}
	set(header, "X-Amz-Server-Side-Encryption", encryptions[as.Algorithm])
	set(header, "X-Amz-Server-Side-Encryption-Aws-Kms-Key-Id", as.KMSKeyID)
	answer, err := s.client.do(ctx, request{
		method: http.MethodPut, bucket: at.Bucket, key: at.Key, owner: at.Owner,
		header: header, body: content,
	})
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	return strings.Trim(answer.Header.Get("ETag"), `"`), nil
}

// encryptions are the algorithms of DynamoDB as S3 calls them.
var encryptions = map[string]string{"AES256": "AES256", "KMS": "aws:kms"}

// set sets a header that has a value.
func set(header http.Header, name, value string) {
	if value != "" {
		header.Set(name, value)
	}
}
