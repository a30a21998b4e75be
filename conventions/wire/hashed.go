package wire

import (
	"cmp"
	"slices"
)

// Hashed returns names in the order of a java.util.HashMap that was made for their number, or for
// more: least is the lowest number of its slots, 2 or 16. Names of one slot keep their order. The
// service lists attributes in its messages so (ack-api-quirks, DDB-TABLE-127, and the lists that
// users of AWS CloudFormation have reported: [my-string, my-int, my-hash] is one of three, in 4
// slots).
func Hashed(names []string, least int) []string {
	slots := least
	for 4*len(names) > 3*slots { // the load factor of Java's maps is 0.75
		slots *= 2
	}
	listed := slices.Clone(names)
	slices.SortStableFunc(listed,
		func(a, b string) int { return cmp.Compare(javaSlot(a, slots), javaSlot(b, slots)) })
	return listed
}
