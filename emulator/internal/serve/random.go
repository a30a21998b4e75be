package serve

import (
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
)

// random generates the ids of the service.
type random struct {
	mu  sync.Mutex
	rng *rand.ChaCha8
}

func (r *random) Seed(from io.Reader) {
	var seed [32]byte
	if _, err := io.ReadFull(from, seed[:]); err != nil {
		panic(fmt.Sprintf("emulator: no randomness: %v", err))
	}
	r.rng = rand.NewChaCha8(seed)
}

// Fork makes r generate the same ids as from, from now on.
func (r *random) Fork(from *random) {
	from.mu.Lock()
	defer from.mu.Unlock()
	rng := *from.rng
	r.rng = &rng
}

// AppendRequestID appends an id in the service's form: 26 random characters of base32's extended
// hex alphabet, and 26 constant ones.
func (r *random) AppendRequestID(dst []byte) []byte {
	const (
		alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUV"
		common   = "VV4KQNSO5AEMVJF66Q9ASUAAJG"
		perWord  = 12 // characters of 5 bits
	)
	r.mu.Lock()
	words := [...]uint64{r.rng.Uint64(), r.rng.Uint64(), r.rng.Uint64()}
	r.mu.Unlock()
	for i := range len(common) {
		dst = append(dst, alphabet[words[i/perWord]>>(5*(i%perWord))&31])
	}
	return append(dst, common...)
}

// uuid returns a random UUID (RFC 9562, version 4).
func (r *random) uuid() string {
	var b [16]byte
	r.mu.Lock()
	r.rng.Read(b[:])
	r.mu.Unlock()
	return FormatUUID(b)
}

// FormatUUID returns the UUID of version 4 with the given bits.
func FormatUUID(b [16]byte) string {
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
