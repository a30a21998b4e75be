package lint

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/policy"
)

// Report is what is wrong with tables.
type Report struct {
	Items  map[string]int64 `json:"items"` // looked at, by table
	Groups []*Group         `json:"findings"`
	Notes  []string         `json:"notes,omitempty"` // what could not be looked at
}

// Group is findings that have in common what they are of.
type Group struct {
	Rule     string    `json:"rule"`
	Severity string    `json:"severity"`
	Table    string    `json:"table"`
	Index    string    `json:"index,omitempty"`
	Entity   string    `json:"entity,omitempty"`
	Tenant   string    `json:"tenant,omitempty"`
	Count    int64     `json:"count"`
	Remedy   string    `json:"remedy"`
	Examples []Example `json:"examples"`
}

// Example is one of a Group's findings.
type Example struct {
	Key     string `json:"key"`
	Message string `json:"message"`
}

const (
	maxExamples = 5
	maxGroups   = 10_000 // then tenants are no longer told apart
	otherTenant = "(others)"
)

func (g *Group) id() string {
	quoted := []string{g.Rule, g.Table, g.Index, g.Entity, g.Tenant}
	for i := range quoted {
		quoted[i] = strconv.Quote(quoted[i])
	}
	return strings.Join(quoted, " ")
}

// gathering is a Report in the making.
type gathering struct{ groups map[string]*Group }

func (a *gathering) add(f *policy.Finding) {
	g := &Group{Rule: f.Rule.ID, Severity: f.Severity.String(), Table: f.Table, Index: f.Index, Entity: f.Entity, Tenant: f.Tenant, Remedy: f.Remedy}
	if a.groups[g.id()] == nil && len(a.groups) >= maxGroups {
		g.Tenant = otherTenant
	}
	if known := a.groups[g.id()]; known != nil {
		g = known
	} else {
		a.groups[g.id()] = g
	}
	g.Count++
	if len(g.Examples) < maxExamples {
		g.Examples = append(g.Examples, Example{f.Key, f.Message})
	}
}

// sorted are the groups, the gravest first.
func (a *gathering) sorted() []*Group {
	groups := make([]*Group, 0, len(a.groups))
	for _, g := range a.groups {
		slices.SortFunc(g.Examples, func(a, b Example) int {
			return cmp.Or(strings.Compare(a.Key, b.Key), strings.Compare(a.Message, b.Message))
		})
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b *Group) int {
		return cmp.Or(strings.Compare(a.Severity, b.Severity), strings.Compare(a.Table, b.Table), strings.Compare(a.Rule, b.Rule),
			strings.Compare(a.Index, b.Index), strings.Compare(a.Entity, b.Entity), strings.Compare(a.Tenant, b.Tenant))
	})
	return groups
}

// Count is how many findings there are of a severity.
func (r *Report) Count(s policy.Severity) (n int64) {
	for _, g := range r.Groups {
		if g.Severity == s.String() {
			n += g.Count
		}
	}
	return n
}
