package s3store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/kugiri-db/kugiri/emulator/bucket"
)

// client sends requests in the protocol of S3, and tries again as the SDKs do.
type client struct {
	at          place
	region      string
	credentials aws.CredentialsProvider
	signer      *v4.Signer
	retryer     aws.Retryer
	http        *http.Client
}

// New returns the Store of an endpoint, a URL, or of S3 itself, "", which the AWS configuration
// can name in another place. It has the region, the credentials and the attempts of the AWS
// configuration.
func New(ctx context.Context, cfg aws.Config, endpoint string, h *http.Client) (bucket.Store,
	error) {
	at, err := placeOf(ctx, cfg, endpoint)
	if err != nil {
		return nil, err
	}
	retryer := aws.Retryer(retry.NewStandard(func(o *retry.StandardOptions) {
		if cfg.RetryMaxAttempts > 0 {
			o.MaxAttempts = cfg.RetryMaxAttempts
		}
	}))
	if cfg.Retryer != nil {
		retryer = cfg.Retryer()
	}
	return &store{&client{
		at: at, region: cfg.Region, credentials: cfg.Credentials,
		// a key is signed as it is sent: S3 does not take an escaped path for another one
		signer:  v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true }),
		retryer: retryer, http: h,
	}}, nil
}

// request is a request for a bucket, or for the object of a key.
type request struct {
	method, bucket, key string
	owner               string // the account that the bucket must belong to, "" for any
	query               url.Values
	header              http.Header
	body                []byte
}

// do sends a request until it succeeds, or fails in a way that another attempt does not mend. What
// S3 refuses is a transfers.Error.
func (c *client) do(ctx context.Context, r request) (*http.Response, error) {
	for attempt := 1; ; attempt++ {
		answer, err := c.once(ctx, r)
		if err == nil || attempt >= c.retryer.MaxAttempts() || ctx.Err() != nil ||
			!c.retryer.IsErrorRetryable(err) {
			return answer, asRefusal(err)
		}
		delay, failed := c.retryer.RetryDelay(attempt, err)
		if failed != nil {
			return nil, asRefusal(err)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(delay):
		}
	}
}

func (c *client) once(ctx context.Context, r request) (*http.Response, error) {
	at := c.at.of(r.bucket, r.key)
	at.RawQuery = r.query.Encode()
	h, err := http.NewRequestWithContext(ctx, r.method, at.String(), bytes.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	maps.Copy(h.Header, r.header)
	set(h.Header, "X-Amz-Expected-Bucket-Owner", r.owner)
	if r.method == http.MethodPut {
		h.Header.Set("X-Amz-Checksum-Crc32", checksum(r.body))
	}
	hash := sha256.Sum256(r.body)
	payload := hex.EncodeToString(hash[:])
	h.Header.Set("X-Amz-Content-Sha256", payload)
	who, err := c.credentials.Retrieve(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.signer.SignHTTP(ctx, who, h, payload, "s3", c.region, time.Now()); err != nil {
		return nil, err
	}
	answer, err := c.http.Do(h)
	if err != nil {
		return nil, &smithyhttp.RequestSendError{Err: err}
	}
	if answer.StatusCode != http.StatusOK {
		defer answer.Body.Close()
		return nil, refusalOf(answer)
	}
	return answer, nil
}

// checksum is the CRC-32 of a body as S3 reads it, by which it notices a body that was damaged.
func checksum(body []byte) string {
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body))
	return base64.StdEncoding.EncodeToString(sum)
}

// decode reads a document of XML.
func decode(r io.Reader, into any) error {
	if err := xml.NewDecoder(r).Decode(into); err != nil {
		return fmt.Errorf("the answer of S3 is no XML that it sends: %w", err)
	}
	return nil
}

// refusal is the error of an answer that is none of success. It is a smithy.APIError, and has the
// status by which a retryer decides.
type refusal struct {
	smithy.GenericAPIError
	status int
}

// HTTPStatusCode returns the status of the answer.
func (r *refusal) HTTPStatusCode() int { return r.status }

// mostRefusal is the largest refusal that is read.
const mostRefusal = 1 << 20

// refusalOf reads a refusal. Where it has no code, the status says what happened.
func refusalOf(answer *http.Response) *refusal {
	var said struct{ Code, Message string }
	// an answer that is not XML says nothing
	_ = decode(io.LimitReader(answer.Body, mostRefusal), &said)
	if said.Code == "" {
		said.Code = strings.ReplaceAll(http.StatusText(answer.StatusCode), " ", "")
	}
	return &refusal{
		smithy.GenericAPIError{Code: said.Code, Message: said.Message}, answer.StatusCode,
	}
}

// asRefusal returns what S3 refused as the FailureMessage of a job says it, and other errors as
// they are.
func asRefusal(err error) error {
	if refused, ok := errors.AsType[*refusal](err); ok {
		return bucket.Refusal(refused.Code, refused.Message, refused.status)
	}
	return err
}
