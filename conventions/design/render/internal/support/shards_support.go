package support

import (
	"fmt"
	"hash/fnv"
	"strconv"
)

// shard returns the number of an item's shard: a hash of the model's key.
func shard(shards uint32, key ...any) string {
	h := fnv.New32a()
	for _, v := range key {
		fmt.Fprintf(h, "%v\x00", v)
	}
	return strconv.FormatUint(uint64(h.Sum32()%shards), 10)
}

// shards returns the numbers of all shards.
func shards(n int) (all []string) {
	for i := range n {
		all = append(all, strconv.Itoa(i))
	}
	return all
}
