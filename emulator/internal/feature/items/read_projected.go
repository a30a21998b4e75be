package items

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf16"
)

// hashSetOrder puts names into the order in which a HashSet of Java lists them, which is that of
// the service where it lists attributes: service facts A.21, [a, b] and [zz, aa, mm].
func hashSetOrder(names []string) string {
	buckets := 16
	for len(names)*4 > buckets*3 {
		buckets *= 2
	}
	bucket := func(name string) int {
		h := uint32(0)
		for _, r := range utf16.Encode([]rune(name)) {
			h = 31*h + uint32(r)
		}
		return int(h^h>>16) & (buckets - 1)
	}
	sorted := slices.Clone(names)
	slices.SortStableFunc(sorted,
		func(a, b string) int { return cmp.Compare(bucket(a), bucket(b)) })
	return strings.Join(sorted, ", ")
}
