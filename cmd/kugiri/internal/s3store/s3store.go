// Package s3store keeps the objects of package emulator/bucket in S3, or at any endpoint that
// speaks its protocol.
package s3store

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/emulator/bucket"
	"github.com/kugiri-db/kugiri/emulator/transfers"
)

// store is the Store of a client.
type store struct{ client *s3.Client }

// New returns the Store of an endpoint, a URL, or of S3 itself, "", which the AWS configuration
// can name in another place. It has the region, the credentials and the attempts of the AWS
// configuration. The buckets of an endpoint that is not S3 itself are in paths.
func New(ctx context.Context, cfg aws.Config, at string, h *http.Client) (bucket.Store, error) {
	if at == "" {
		configured, err := endpoint.Configured(ctx, cfg, "S3")
		if err != nil {
			return nil, err
		}
		at = configured
	}
	if u, err := url.Parse(at); at != "" && (err != nil || u.Host == "") {
		return nil, fmt.Errorf("the endpoint %q is not a URL such as %s", at,
			"http://localhost:9000")
	}
	return &store{s3.NewFromConfig(cfg, func(o *s3.Options) {
		o.HTTPClient = limited{h}
		o.DisableLogOutputChecksumValidationSkipped = true
		if at != "" {
			o.BaseEndpoint, o.UsePathStyle = &at, true
		}
	})}, nil
}

// mostRead is how much of an answer other than an object is read. The largest is a list of 1,000
// keys of 1 KB each.
const mostRead = 16 << 20

// limited bounds the answers of a client, but for objects, which their reader bounds.
type limited struct{ *http.Client }

// Do implements s3.HTTPClient.
func (c limited) Do(r *http.Request) (*http.Response, error) {
	answer, err := c.Client.Do(r)
	if err == nil && (answer.StatusCode != http.StatusOK || r.URL.Query().Has("list-type")) {
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(answer.Body, mostRead), answer.Body}
	}
	return answer, err
}

func (s *store) List(ctx context.Context, in transfers.Location) iter.Seq2[bucket.Object, error] {
	return func(yield func(bucket.Object, error) bool) {
		pages := s3.NewListObjectsV2Paginator(s.client, &s3.ListObjectsV2Input{
			Bucket: &in.Bucket, Prefix: &in.Prefix, ExpectedBucketOwner: set(in.Owner),
		}, func(o *s3.ListObjectsV2PaginatorOptions) { o.StopOnDuplicateToken = true })
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err == nil && page.Name == nil { // the client takes any document for an empty list
				err = errors.New("the answer of S3 is no XML that it sends")
			}
			if err != nil {
				yield(bucket.Object{}, asRefusal(err))
				return
			}
			for _, o := range page.Contents {
				if !yield(bucket.Object{Key: aws.ToString(o.Key), Size: aws.ToInt64(o.Size),
					Version: aws.ToString(o.ETag)}, nil) {
					return
				}
			}
		}
	}
}

func (s *store) Get(ctx context.Context, at bucket.Place) (io.ReadCloser, error) {
	out, err := s.client.GetObject(ctx, &s3.GetObjectInput{
		Bucket: &at.Bucket, Key: &at.Key, ExpectedBucketOwner: set(at.Owner),
	})
	if err != nil {
		return nil, asRefusal(err)
	}
	return out.Body, nil
}

func (s *store) Put(ctx context.Context, at bucket.Place, content []byte,
	as transfers.Encryption) (etag string, err error) {
	out, err := s.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &at.Bucket, Key: &at.Key, ExpectedBucketOwner: set(at.Owner),
		Body: bytes.NewReader(content), ChecksumCRC32: aws.String(checksum(content)),
		ServerSideEncryption: encryptions[as.Algorithm], SSEKMSKeyId: set(as.KMSKeyID),
	})
	if err != nil {
		return "", asRefusal(err)
	}
	return strings.Trim(aws.ToString(out.ETag), `"`), nil
}

// encryptions are the algorithms of DynamoDB as S3 calls them.
var encryptions = map[string]types.ServerSideEncryption{
	"AES256": types.ServerSideEncryptionAes256, "KMS": types.ServerSideEncryptionAwsKms,
}

// set returns a member that has a value, or nil.
func set(value string) *string {
	if value == "" {
		return nil
	}
	return &value
}

// checksum is the CRC-32 of a body as S3 reads it. It is given to the client, which else sends it
// behind the body, in a form that not all endpoints read.
func checksum(body []byte) string {
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body))
	return base64.StdEncoding.EncodeToString(sum)
}

// asRefusal returns what S3 refused as the FailureMessage of a job says it, and other errors as
// they are. Where an answer has no code, its status says what happened.
func asRefusal(err error) error {
	answer, ok := errors.AsType[*smithyhttp.ResponseError](err)
	if !ok {
		return err
	}
	status := answer.HTTPStatusCode()
	said, ok := errors.AsType[smithy.APIError](err)
	switch {
	case status < http.StatusMultipleChoices: // there is no answer, or one that cannot be read
		return err
	case ok && said.ErrorCode() != unknownCode:
		return bucket.Refusal(said.ErrorCode(), said.ErrorMessage(), status)
	}
	return bucket.Refusal(strings.ReplaceAll(http.StatusText(status), " ", ""), "", status)
}

// unknownCode is the SDK's name for the code of an error without one.
const unknownCode = "UnknownError"
