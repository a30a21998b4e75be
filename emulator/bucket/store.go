package bucket

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"net/http"

	"github.com/kugiri-db/kugiri/emulator/transfers"
)

// Store holds objects in buckets. Its errors are *Errors where S3 itself refuses
// something.
type Store interface {
	// List yields the objects of a bucket whose keys begin with a prefix, in the order of the keys.
	// It ends with the first error.
	List(ctx context.Context, in transfers.Location) iter.Seq2[Object, error]

	// Get opens an object.
	Get(ctx context.Context, at Place) (io.ReadCloser, error)

	// Put writes a whole object and returns its ETag, without quotes. Nobody sees a part of it.
	Put(ctx context.Context, at Place, content []byte, as transfers.Encryption) (etag string,
		err error)
}

// Place is the place of an object.
type Place struct {
	Bucket string
	Owner  string // the account that must own the bucket; "" is any
	Key    string
}

// Object is an object of a list.
type Object struct {
	Key     string
	Size    int64
	Version string // another text if the object has changed; "" if that is not known
}

// NoSuchBucket returns the error for a bucket that does not exist (Developer Guide, "Import format
// quotas and validation", "The specified bucket does not exist", without its request IDs).
func NoSuchBucket() error {
	return Refusal("NoSuchBucket", "The specified bucket does not exist", http.StatusNotFound)
}

// NoSuchKey returns the error for an object that does not exist.
func NoSuchKey() error {
	return Refusal("NoSuchKey", "The specified key does not exist.", http.StatusNotFound)
}

// Refusal returns an error of S3 in the words of a FailureMessage.
func Refusal(code, message string, status int) error {
	return &transfers.Error{Code: code,
		Message: fmt.Sprintf("%s (Service: Amazon S3; Status Code: %d; Error Code: %s)", message,
			status, code)}
}

// etagOf returns the ETag of an object that is uploaded in one part, as the service does: the
// digest of the part's digest, and the number of parts.
func etagOf(content []byte) string {
	part := md5.Sum(content)
	whole := md5.Sum(part[:])
	return hex.EncodeToString(whole[:]) + "-1"
}
