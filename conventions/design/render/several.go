package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// byValues says that a request gives several values of an attribute.
func byValues(s design.Spread) bool { return s.Values > 0 }

// severalOf returns the attribute with several values in a request, or "".
func severalOf(q *design.Query) string {
	if i := slices.IndexFunc(q.Spread, byValues); i >= 0 {
		return q.Spread[i].Attribute
	}
	return ""
}

// mergedRequests returns how many requests in a row have to be merged, as an expression: those of
// all shards, and of all values of the parameter for several ones.
func mergedRequests(q *design.Query, values func(attribute string) string) string {
	shards := 1
	for _, s := range q.Spread {
		shards *= max(s.Shards, 1)
	}
	switch name := severalOf(q); {
	case name == "":
		return strconv.Itoa(shards)
	case shards == 1:
		return values(name)
	default:
		return fmt.Sprintf("%d * %s", shards, values(name))
	}
}

// filtering returns the filter of a query's items, or "".
func filtering(q *design.Query) string {
	var conditions []string
	for i := range q.Filters {
		conditions = append(conditions, fmt.Sprintf("#f%d = :f%[1]d", i))
	}
	return strings.Join(conditions, " AND ")
}
