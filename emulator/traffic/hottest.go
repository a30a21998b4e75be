package traffic

import (
	"cmp"

	"github.com/kugiri-db/kugiri/emulator/internal/topk"
)

// MaxPartitions is how many partition keys a recorder tracks. It always tracks a key with a share
// of more than 1/MaxPartitions of all units.
const MaxPartitions = 512

type partitionKey struct{ table, index, key string }

func newPartitions() *topk.Keys[partitionKey] { return topk.New[partitionKey](MaxPartitions) }

func comparePartitions(a, b partitionKey) int {
	return cmp.Or(cmp.Compare(a.table, b.table), cmp.Compare(a.index, b.index),
		cmp.Compare(a.key, b.key))
}
