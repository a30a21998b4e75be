package metering

import (
	"math/bits"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage"
)

// minVectorBytes is the least that a write is charged for each entry of a vector index, and that a
// search is charged (service facts V.3.3).
const minVectorBytes = 1024

// floatBytes is the size of an element of a vector.
const floatBytes = 4

// VectorUsage counts what a request consumes of a vector index.
type VectorUsage struct {
	Index *storage.VectorIndex
	Bytes float64
}

// addVectors counts what a write of the item at a key writes to vector indexes: the bytes of each
// entry that changes, with the name of its vector. An entry that moves to another partition is
// deleted and put again, which is charged twice (service facts V.3.3, V.3.4).
func (u *Usage) addVectors(tx *storage.Tx, t *storage.Table, k storage.Key) {
	for _, e := range tx.Vectors().Effects(t, k) {
		charged := func(bytes int) float64 {
			return float64(max(minVectorBytes, bytes+len(e.Index.Attribute)))
		}
		if e.Moved {
			u.addVector(e.Index, charged(e.Old)+charged(e.New))
		} else {
			u.addVector(e.Index, charged(max(e.Old, e.New)))
		}
	}
}

func (u *Usage) addVector(ix *storage.VectorIndex, bytes float64) {
	for i := range u.Vectors {
		if u.Vectors[i].Index == ix {
			u.Vectors[i].Bytes += bytes
			return
		}
	}
	u.Vectors = append(u.Vectors, VectorUsage{ix, bytes})
}

// reportVectors returns the answer's capacity of vector indexes.
func (u *Usage) reportVectors() (report api.Map[api.VectorCapacity]) {
	for _, v := range u.Vectors {
		report = append(report,
			api.Entry[api.VectorCapacity]{
				Key:   v.Index.Name,
				Value: api.VectorCapacity{VectorWriteRequestBytes: api.Ref(v.Bytes)},
			})
	}
	return report
}

// SearchBytes returns what a search for the k nearest among n entries is charged: the vectors that
// an approximate search examines, and the bytes that it returns. The service does not say how many
// vectors these are, only that twice the entries add a small constant (Developer Guide, "Monitoring
// vector index capacity"). Here they are k, and one more for each doubling of the entries from k
// on.
func SearchBytes(dimensions, k, n, returned int) float64 {
	examined := n
	if n > k {
		examined = k + bits.Len(uint(n/k)) - 1
	}
	return float64(max(minVectorBytes, examined*dimensions*floatBytes+returned))
}
