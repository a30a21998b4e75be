// Package s3store keeps the objects of package emulator/bucket in S3, or at any endpoint that
// speaks its protocol.
package s3store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"

	"github.com/kugiri-db/kugiri/emulator/bucket"
)

// New returns the Store of a client.
func New(c *s3.Client) bucket.Store { return &store{c} }

type store struct{ client *s3.Client }

func (s *store) List(ctx context.Context, in bucket.Location) iter.Seq2[bucket.Object, error] {
	return func(yield func(bucket.Object, error) bool) {
		pages := s3.NewListObjectsV2Paginator(s.client, &s3.ListObjectsV2Input{
			Bucket: &in.Bucket, Prefix: &in.Prefix, ExpectedBucketOwner: orNone(in.Owner)})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(bucket.Object{}, asRefusal(err))
				return
			}
			for _, o := range page.Contents {
				if !yield(bucket.Object{
					Key: aws.ToString(o.Key), Size: aws.ToInt64(o.Size),
					Version: aws.ToString(o.ETag),
				}, nil) {
					return
				}
			}
		}
	}
}

func (s *store) Get(ctx context.Context, at bucket.Place) (io.ReadCloser, error) {
	out, err := s.client.GetObject(ctx,
		&s3.GetObjectInput{Bucket: &at.Bucket, Key: &at.Key, ExpectedBucketOwner: orNone(at.Owner)})
	if err != nil {
		return nil, asRefusal(err)
	}
	return out.Body, nil
}

func (s *store) Put(ctx context.Context, at bucket.Place, content []byte,
	as bucket.Encryption) (etag string, err error) {
	in := &s3.PutObjectInput{Bucket: &at.Bucket, Key: &at.Key,
		ExpectedBucketOwner: orNone(at.Owner), Body: bytes.NewReader(content),
		ServerSideEncryption: encryptions[as.Algorithm], SSEKMSKeyId: orNone(as.KMSKeyID)}
	out, err := s.client.PutObject(ctx, in)
	if err != nil {
		return "", asRefusal(err)
	}
	return strings.Trim(aws.ToString(out.ETag), `"`), nil
}

// encryptions are the algorithms of DynamoDB as S3 calls them.
var encryptions = map[string]types.ServerSideEncryption{
	"AES256": types.ServerSideEncryptionAes256,
	"KMS":    types.ServerSideEncryptionAwsKms,
}

// orNone returns nil for an empty text.
func orNone(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// asRefusal returns what S3 refused as the FailureMessage of a job says it, and other errors as
// they are.
func asRefusal(err error) error {
	var refused smithy.APIError
	var response *awshttp.ResponseError
	if !errors.As(err, &refused) || !errors.As(err, &response) {
		return err
	}
	return bucket.Refusal(refused.ErrorCode(), refused.ErrorMessage(), response.HTTPStatusCode())
}
