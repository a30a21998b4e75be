package explore

import (
	"encoding/binary"
	"encoding/hex"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"sync"
	"time"
)

// Rand is a source of random numbers and ids that begins anew in each run, so that a program which
// uses it does the same in each. It is a rand.Source of math/rand/v2 and an io.Reader, as
// uuid.NewRandomFromReader and ulid.New take it. Several goroutines may use it.
type Rand struct {
	mu  sync.Mutex
	src *rand.ChaCha8
}

// Rand returns the source of a worker in this run: the same numbers in every run, others for other
// workers. A worker should not use that of another one: the order of the requests would decide who
// gets which numbers.
func (x *X) Rand(worker string) *Rand {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.rands == nil {
		x.rands = map[string]*Rand{}
	}
	if x.rands[worker] == nil {
		h := fnv.New64a()
		_, _ = h.Write([]byte(worker))
		var seed [32]byte
		binary.LittleEndian.PutUint64(seed[:], h.Sum64())
		x.rands[worker] = &Rand{src: rand.NewChaCha8(seed)}
	}
	return x.rands[worker]
}

// Uint64 returns a random number.
func (r *Rand) Uint64() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.src.Uint64()
}

// Read fills p with random bytes. It never fails.
func (r *Rand) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.src.Read(p)
}

// UUID returns a random UUID (RFC 9562, version 4).
func (r *Rand) UUID() string {
	var id [16]byte
	_, _ = r.Read(id[:]) // never fails
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	text := hex.EncodeToString(id[:])
	return strings.Join([]string{text[:8], text[8:12], text[12:16], text[16:20], text[20:]}, "-")
}

// crockford has the digits of a ULID.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// ULID returns a ULID of a time, such as time.Now(), whose rest is random.
func (r *Rand) ULID(at time.Time) string {
	var id [26]byte
	ms := uint64(at.UnixMilli())
	for i := 9; i >= 0; i-- {
		id[i], ms = crockford[ms%32], ms/32
	}
	for i := 10; i < len(id); i++ {
		id[i] = crockford[r.Uint64()%32]
	}
	return string(id[:])
}
