package traffic

import (
	"fmt"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/catalog"
)

// Pattern is an access pattern that an application declares.
type Pattern struct {
	Name      string `yaml:"name" json:"name"`
	Table     string `yaml:"table" json:"table"`
	Index     string `yaml:"index" json:"index,omitempty"`         // "" for the table itself
	Operation string `yaml:"operation" json:"operation,omitempty"` // "Query"; "" for any
	// the condition of a Query or SELECT: "pk = ? AND begins_with(sk, ?)", sorted as the key; ""
	// for any
	Key string `yaml:"keyCondition" json:"keyCondition,omitempty"`
}

// matches reports whether an access follows the pattern.
func (p *Pattern) matches(a *Access) bool {
	return p.Table == a.Table && p.Index == a.Index &&
		(p.Operation == "" || p.Operation == a.Operation) &&
		(p.Key == "" || strings.Join(strings.Fields(p.Key), " ") == a.KeyCondition)
}

// CheckPatterns says what is wrong with patterns: each has a name of its own and a table, and its
// operation, if it has one, is one on items.
func CheckPatterns(patterns []Pattern) error {
	names := map[string]bool{}
	for i := range patterns {
		switch p := &patterns[i]; {
		case p.Name == "":
			return fmt.Errorf("access patterns: number %d has no name", i+1)
		case p.Table == "":
			return fmt.Errorf("access patterns: %q has no table", p.Name)
		case names[p.Name]:
			return fmt.Errorf("access patterns: there are two with the name %q", p.Name)
		case p.Operation != "" && catalog.SubjectOf(p.Operation) != catalog.Items:
			return fmt.Errorf("access patterns: %q: %q is no operation on items", p.Name,
				p.Operation)
		default:
			names[p.Name] = true
		}
	}
	return nil
}
