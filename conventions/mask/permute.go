package mask

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math/big"
	"math/bits"
)

// key makes permutations.
type key struct {
	secret []byte
}

// derive returns a key for a purpose.
func (k key) derive(purpose string) key { return key{k.sum([]byte(purpose))} }

func (k key) mac() hash.Hash { return hmac.New(sha256.New, k.secret) }

// sum returns 32 pseudorandom bytes for a text.
func (k key) sum(text []byte) []byte {
	m := k.mac()
	m.Write(text)
	return m.Sum(nil)
}

// maxSmall is the largest domain that is shuffled.
const maxSmall = 1 << 32

// permute replaces digits of a number with mixed radices. tweak selects the permutation.
func (k key) permute(digits, radices []int, tweak []byte) {
	size := uint64(1)
	for _, r := range radices {
		high, low := bits.Mul64(size, uint64(r))
		if size = low; high != 0 || low > maxSmall {
			k.feistel(digits, radices, tweak)
			return
		}
	}
	n := uint64(0)
	for i, d := range digits {
		n = n*uint64(radices[i]) + uint64(d)
	}
	n = k.shuffle(n, size, tweak)
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = int(n % uint64(radices[i]))
		n /= uint64(radices[i])
	}
}

// shuffle returns the place of n after a swap-or-not shuffle of the numbers below size.
func (k key) shuffle(n, size uint64, tweak []byte) uint64 {
	if size < 2 {
		return n
	}
	block := k.block(tweak, size)
	rounds := 8*bits.Len64(size) + 16
	for round := range rounds {
		partner := block.number(uint64(round), ^uint64(0), size) + size - n
		if partner >= size {
			partner -= size
		}
		if block.number(uint64(round), max(n, partner), 2) == 1 {
			n = partner
		}
	}
	return n
}

// block is a pseudorandom function of two numbers.
type block struct{ cipher.Block }

func (k key) block(tweak []byte, size uint64) block {
	m := k.mac()
	var text [8]byte
	binary.BigEndian.PutUint64(text[:], size)
	m.Write(text[:])
	m.Write(tweak)
	b, err := aes.NewCipher(m.Sum(nil)[:16])
	if err != nil {
		panic(err) // the key has the right size
	}
	return block{b}
}

// number returns a pseudorandom number below size, which is at most maxSmall.
func (b block) number(round, x, size uint64) uint64 {
	var text [16]byte
	binary.BigEndian.PutUint64(text[:8], round)
	binary.BigEndian.PutUint64(text[8:], x)
	b.Encrypt(text[:], text[:])
	return binary.BigEndian.Uint64(text[:8]) % size
}

// feistelRounds is how often each half of a number is changed, times two.
const feistelRounds = 10

// feistel replaces the digits by an alternating Feistel network: each half is added to by a
// function of the other one.
func (k key) feistel(digits, radices []int, tweak []byte) {
	middle := len(digits) / 2
	halves := [2]half{newHalf(digits[:middle], radices[:middle]),
		newHalf(digits[middle:], radices[middle:])}
	for round := range feistelRounds {
		to, from := &halves[round%2], &halves[1-round%2]
		to.value.Add(&to.value, k.number(byte(round), tweak, &from.value, &to.modulus))
		to.value.Mod(&to.value, &to.modulus)
	}
	halves[0].digits(digits[:middle], radices[:middle])
	halves[1].digits(digits[middle:], radices[middle:])
}

// half is a number below a modulus.
type half struct{ value, modulus big.Int }

func newHalf(digits, radices []int) (h half) {
	h.modulus.SetInt64(1)
	var radix, digit big.Int
	for i, r := range radices {
		radix.SetInt64(int64(r))
		h.modulus.Mul(&h.modulus, &radix)
		h.value.Mul(&h.value, &radix)
		h.value.Add(&h.value, digit.SetInt64(int64(digits[i])))
	}
	return h
}

func (h *half) digits(digits, radices []int) {
	var radix, digit big.Int
	for i := len(digits) - 1; i >= 0; i-- {
		h.value.DivMod(&h.value, radix.SetInt64(int64(radices[i])), &digit)
		digits[i] = int(digit.Int64())
	}
}

// number returns a pseudorandom number below a modulus: so many bits more than it has that all are
// about as probable.
func (k key) number(round byte, tweak []byte, x, modulus *big.Int) *big.Int {
	m := k.mac()
	m.Write([]byte{round})
	m.Write(k.sum(tweak))
	m.Write(modulus.Bytes())
	m.Write([]byte{0})
	m.Write(x.Bytes())
	seed := key{m.Sum(nil)}
	var text []byte
	for i := byte(0); len(text) < len(modulus.Bytes())+16; i++ {
		text = append(text, seed.sum([]byte{i})...)
	}
	n := new(big.Int).SetBytes(text)
	return n.Mod(n, modulus)
}
