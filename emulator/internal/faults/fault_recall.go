package faults

import (
	"math"

	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/storage"
)

// MissedBy returns how many of the k nearest entries a search with a recall misses. It rounds up. A
// product that is an integer but for its rounding is taken for that integer.
func MissedBy(recall *fault.Injector, k int) int {
	if recall == nil {
		return 0
	}
	return int(math.Ceil((1-recall.Fault.Do.Share)*float64(k) - 1e-9))
}

// Approximate removes some of the k nearest matches. matches has the next nearest behind them.
func Approximate(recall *fault.Injector, matches []storage.VectorMatch,
	k int) []storage.VectorMatch {
	nearest := make([]bool, min(k, len(matches)))
	for i := range nearest {
		nearest[i] = true
	}
	var found []storage.VectorMatch
	misses := recall.Sample(nearest, MissedBy(recall, len(nearest)))
	for i := range matches {
		if i >= len(misses) || !misses[i] {
			found = append(found, matches[i])
		}
	}
	return found[:min(k, len(found))]
}
