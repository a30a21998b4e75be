package console

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/policy"
)

// Entity is an entity that a policy declares for a table, as the page recognizes its items.
type Entity struct {
	Table  string `json:"table"` // a name, or a pattern
	Name   string `json:"name"`
	Prefix string `json:"prefix"` // the prefix of the partition key
	Sort   string `json:"sort"`   // how the sort key begins, "" if the policy leaves that open
}

// Entities returns the entities of a policy, for each table those with the longest beginning of a
// sort key first, as it tells the most.
func Entities(p policy.Policy) (list []Entity) {
	for _, t := range p.Tables {
		first := len(list)
		for _, e := range t.Entities {
			own := Entity{t.Name, e.Name, e.Prefix, beginning(e.Sort)}
			at := first
			for at < len(list) && len(list[at].Sort) >= len(own.Sort) {
				at++
			}
			list = append(list[:at], append([]Entity{own}, list[at:]...)...)
		}
	}
	return list
}

// beginning returns the fixed text with which keys of a pattern begin.
func beginning(pattern []policy.Segment) string {
	var fixed strings.Builder
	for i, s := range pattern {
		if i > 0 {
			fixed.WriteString("#")
		}
		if s.Type != policy.Literal {
			fixed.WriteString(s.Lead)
			break
		}
		fixed.WriteString(s.Values[0])
	}
	return fixed.String()
}
