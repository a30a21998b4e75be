package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/policy"
)

// Report holds the findings in tables.
type Report struct {
	Items  map[string]int64 `json:"items"` // checked items by table
	Groups []*Group         `json:"findings"`
	Notes  []string         `json:"notes,omitempty"` // what the run could not check
}

// Group is the findings with the same rule, table, index, entity and tenant.
type Group struct {
	Rule     string    `json:"rule"`
	Severity string    `json:"severity"`
	Table    string    `json:"table"`
	Index    string    `json:"index,omitempty"`
	Entity   string    `json:"entity,omitempty"`
	Tenant   string    `json:"tenant,omitempty"`
	Count    int64     `json:"count"` // number of items
	Remedy   string    `json:"remedy"`
	Examples []Example `json:"examples"`
}

// Example is one finding of a Group. A finding on a whole table has no key.
type Example struct {
	Key     string `json:"key"`            // the key in the table, or in the Group's index
	Item    string `json:"item,omitempty"` // key in the table, if Key is that of an index
	Message string `json:"message"`
}

// String returns the key and the message.
func (e Example) String() string {
	key := cmp.Or(e.Item, e.Key)
	if key == "" {
		return e.Message
	}
	return fmt.Sprintf("%q: %s", key, e.Message)
}

const (
	maxExamples = 5
	maxGroups   = 10_000 // tenants are no longer told apart after so many
	otherTenant = "(others)"
)

func (g *Group) id() string {
	quoted := []string{g.Rule, g.Table, g.Index, g.Entity, g.Tenant}
	for i := range quoted {
		quoted[i] = strconv.Quote(quoted[i])
	}
	return strings.Join(quoted, " ")
}

// gathering builds a Report.
type gathering struct{ groups map[string]*Group }

// add adds the findings in one item. In each group the item counts once. key is its primary key.
func (a *gathering) add(findings []policy.Finding, key string) {
	var counted []*Group
	for i := range findings {
		f := &findings[i]
		g := a.group(f)
		if slices.Contains(counted, g) {
			continue
		}
		counted = append(counted, g)
		g.Count++
		if len(g.Examples) < maxExamples {
			e := Example{Key: f.Key, Message: f.Message}
			if f.Index != "" {
				e.Item = key
			}
			g.Examples = append(g.Examples, e)
		}
	}
}

// group returns the group of a finding. It makes a missing group.
func (a *gathering) group(f *policy.Finding) *Group {
	g := &Group{
		Rule: f.Rule.ID, Severity: f.Severity.String(), Table: f.Table, Index: f.Index,
		Entity: f.Entity, Tenant: f.Tenant, Remedy: f.Remedy,
	}
	if a.groups[g.id()] == nil && len(a.groups) >= maxGroups {
		g.Tenant = otherTenant
	}
	id := g.id()
	if a.groups[id] == nil {
		a.groups[id] = g
	}
	return a.groups[id]
}

// sorted returns the groups in descending order of severity, then of the number of items.
func (a *gathering) sorted() []*Group {
	groups := make([]*Group, 0, len(a.groups))
	for _, g := range a.groups {
		slices.SortFunc(g.Examples, func(a, b Example) int {
			return cmp.Or(strings.Compare(a.Key, b.Key), strings.Compare(a.Item, b.Item),
				strings.Compare(a.Message, b.Message))
		})
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b *Group) int {
		return cmp.Or(strings.Compare(a.Severity, b.Severity), cmp.Compare(b.Count, a.Count),
			strings.Compare(a.Table, b.Table), strings.Compare(a.Rule, b.Rule),
			strings.Compare(a.Index, b.Index), strings.Compare(a.Entity, b.Entity),
			strings.Compare(a.Tenant, b.Tenant))
	})
	return groups
}

// Count returns the number of findings with a severity.
func (r *Report) Count(s policy.Severity) (n int64) {
	for _, g := range r.Groups {
		if g.Severity == s.String() {
			n += g.Count
		}
	}
	return n
}
