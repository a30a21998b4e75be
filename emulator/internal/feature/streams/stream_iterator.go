package streams

import (
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// iteratorLife is how long a shard iterator is valid (API Reference, GetShardIterator).
const iteratorLife = 15 * time.Minute

// shardIterator is a position in a shard.
type shardIterator struct {
	arn   string // the stream's ARN
	shard uint64
	next  uint64 // no more than the Seq of the first change to read
	made  time.Time
}

// iteratorBytes is the length of the part after the ARN, before encoding: three numbers and a
// checksum of everything.
const iteratorBytes = 4 * 8

// String returns the iterator in the service's form: the ARN, a version, and an opaque part.
func (it shardIterator) String() string {
	var b [iteratorBytes]byte
	binary.BigEndian.PutUint64(b[0:], it.shard)
	binary.BigEndian.PutUint64(b[8:], it.next)
	binary.BigEndian.PutUint64(b[16:], uint64(it.made.UnixMilli()))
	binary.BigEndian.PutUint64(b[24:], iteratorSum(it.arn, b[:24]))
	return it.arn + serve.IteratorVersion + base64.StdEncoding.EncodeToString(b[:])
}

func iteratorSum(arn string, b []byte) uint64 {
	h := fnv.New64a()
	h.Write([]byte(arn))
	h.Write(b)
	return h.Sum64()
}

// parseShardIterator parses the result of String. Everything else is invalid.
func parseShardIterator(text api.ShardIterator) (it shardIterator, err error) {
	arn, encoded, ok := strings.Cut(string(text), serve.IteratorVersion)
	b, bad := base64.StdEncoding.Strict().DecodeString(encoded)
	if !ok || bad != nil || len(b) != iteratorBytes ||
		iteratorSum(arn, b[:24]) != binary.BigEndian.Uint64(b[24:]) {
		return it, apierr.Invalid("Invalid ShardIterator")
	}
	it.arn = arn
	it.shard = binary.BigEndian.Uint64(b[0:])
	it.next = binary.BigEndian.Uint64(b[8:])
	it.made = time.UnixMilli(int64(binary.BigEndian.Uint64(b[16:])))
	return it, nil
}
