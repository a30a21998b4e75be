package render

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/policy"
)

// policyTable is a table in the form of package policyfile.
type policyTable struct {
	Name     string         `yaml:"name"`
	Role     string         `yaml:"role"`
	Open     bool           `yaml:"open,omitempty"`
	Key      *policyKey     `yaml:"key,omitempty"`
	Entities []policyEntity `yaml:"entities,omitempty"`
	Indexes  []policyIndex  `yaml:"indexes,omitempty"`
}

type policyIndex struct {
	Name     string         `yaml:"name"`
	Key      *policyKey     `yaml:"key"`
	Entities []policyEntity `yaml:"entities"`
}

type policyKey struct {
	Partition string `yaml:"partition"`
	Sort      string `yaml:"sort,omitempty"`
}

type policyEntity struct {
	Name      string `yaml:"name"`
	Prefix    string `yaml:"prefix"`
	Tenant    string `yaml:"tenant"`
	Partition string `yaml:"partition,omitempty"`
	Sort      string `yaml:"sort,omitempty"`
}

// policy writes what keys the models have. A policy describes keys that are strings: a table with
// others is open, and indexes with others, or with several attributes, are left out.
func (t tables) policy() ([]byte, error) {
	var all []policyTable
	for _, r := range t {
		all = append(all, r.policy())
	}
	of := "The keys of the table "
	if len(t) > 1 {
		of = "The keys of the tables "
	}
	return writeYAML(of+t.names()+", for policies and lint.", map[string]any{"tables": all})
}

// policy returns what a policy says of the table.
func (r *renderer) policy() policyTable {
	table := policyTable{Name: r.plan.Design.Table, Role: "plain"}
	if !r.isText(r.plan.Key) {
		table.Open = true
	} else {
		table.Key = &policyKey{r.plan.Key.Partition, r.plan.Key.Sort}
		table.Entities = r.entities(r.plan.Key, nil)
		for _, index := range r.plan.Indexes {
			if r.isText(index.Key) && !index.Key.Several() {
				key := &policyKey{index.Key.Partition, index.Key.Sort}
				table.Indexes = append(table.Indexes,
					policyIndex{index.Name, key, r.entities(index.Key, index.Models)})
			}
		}
	}
	return table
}

// isText reports whether the attributes of a key are strings.
func (r *renderer) isText(key design.Key) bool {
	return !slices.ContainsFunc(r.plan.Columns, func(c design.Column) bool {
		return (c.Name == key.Partition || c.Name == key.Sort) && c.Type != design.String
	})
}

// entities returns the entities of a key. Models whose keys can be equal are one entity. No models
// are all models.
func (r *renderer) entities(key design.Key, models []string) (all []policyEntity) {
	for i := range r.plan.Entities {
		e := &r.plan.Entities[i]
		if models != nil && !slices.Contains(models, e.Model) {
			continue
		}
		one := policyEntity{Name: e.Model, Tenant: policy.TenantNone.String()}
		for _, s := range e.Keys {
			switch s.Name {
			case key.Partition:
				one.Partition = r.pattern(e.Model, s.Value)
			case key.Sort:
				one.Sort = r.pattern(e.Model, s.Value)
			}
		}
		if first, rest, _ := strings.Cut(one.Partition,
			conventions.KeySeparator); !strings.Contains(first, "{") {
			one.Prefix, one.Partition = first, rest
			r.tenant(&one)
		}
		all = merged(append(all, one))
	}
	return all
}

// tenant takes the tenant out of a partition key with a prefix.
func (r *renderer) tenant(e *policyEntity) {
	if r.plan.Design.Tenants == nil {
		return
	}
	switch first, rest, _ := strings.Cut(e.Partition, conventions.KeySeparator); first {
	case "{" + r.plan.Design.Tenants.Attribute + "}":
		e.Tenant, e.Partition = policy.TenantRequired.String(), rest
	case conventions.TenantCommon:
		e.Tenant, e.Partition = policy.TenantCommon.String(), rest
	}
}

// pattern writes a value as a pattern of package policy.
func (r *renderer) pattern(name string, v design.Value) string {
	m := r.plan.Design.Model(name)
	var segments []string
	var parts design.Value
	for _, part := range v {
		text, _ := strings.CutSuffix(part.Text, conventions.KeySeparator)
		if text != "" || part.Attribute != "" {
			parts = append(parts,
				design.Part{Text: text, Attribute: part.Attribute, Digits: part.Digits})
		}
		if text != part.Text {
			segments = append(segments, segment(m, parts))
			parts = nil
		}
	}
	if parts != nil {
		segments = append(segments, segment(m, parts))
	}
	return strings.Join(segments, conventions.KeySeparator)
}

// segment writes the parts of a segment: a text, a text before one value, or else any text.
func segment(m *design.Model, parts design.Value) string {
	lead, last := "", parts[len(parts)-1]
	if len(parts) > 1 {
		lead = parts[0].Text
	}
	switch {
	case len(parts) > 2 || len(parts) == 2 && lead == "" ||
		strings.ContainsAny(lead+last.Text, "{}#@|"):
		return "{value}"
	case last.Attribute == "":
		return lead + last.Text
	}
	return lead + "{" + strings.Map(func(c rune) rune {
		if strings.ContainsRune("{}#:|", c) {
			return '_'
		}
		return c
	}, last.Attribute) + segmentType(m.Attribute(last.Attribute), last) + "}"
}

// segmentType returns the type of an attribute's values in a pattern; "" is any text.
func segmentType(a *design.Attribute, part design.Part) string {
	switch {
	case part.Digits > 0:
		return ":number"
	case a.Format == design.ULID:
		return ":ulid"
	case a.Format == design.Timestamp:
		return ":timestamp"
	case a.Derived != nil && a.Derived.Period == design.Month:
		return ":month"
	case a.Derived != nil && a.Derived.Period == design.Day:
		return ":date"
	}
	return ""
}

// merged merges the last entity with those that it cannot be told from.
func merged(all []policyEntity) []policyEntity {
	for i := 0; i < len(all)-1; i++ {
		last := all[len(all)-1]
		if all[i].Tenant != last.Tenant || apart(all[i], last) {
			continue
		}
		all[i].Name += "-or-" + last.Name
		all[i].Partition = common(all[i].Partition, last.Partition)
		all[i].Sort = common(all[i].Sort, last.Sort)
		// The merged entity may be like others now: it is the last one.
		one := all[i]
		return merged(append(slices.Delete(all[:len(all)-1], i, i+1), one))
	}
	return all
}

// apart reports whether a policy can have two entities.
func apart(a, b policyEntity) bool {
	entities := make([]policy.Entity, 2)
	for i, e := range []policyEntity{a, b} {
		partition, _ := policy.ParsePattern(e.Partition)
		sort, _ := policy.ParsePattern(e.Sort)
		entities[i] = policy.Entity{
			Name: e.Name, Prefix: e.Prefix, Tenant: tenantMode(e.Tenant), Partition: partition,
			Sort: sort,
		}
	}
	key := policy.KeySchema{Partition: "pk"}
	if a.Sort != "" {
		key.Sort = "sk"
	}
	_, err := policy.Compile(policy.Policy{
		Tables: []policy.Table{{Name: "table", Role: policy.Plain, Key: key, Entities: entities}},
	})
	return err == nil
}

func tenantMode(name string) policy.TenantMode {
	for _, mode := range []policy.TenantMode{policy.TenantRequired, policy.TenantCommon} {
		if mode.String() == name {
			return mode
		}
	}
	return policy.TenantNone
}

// common returns a pattern for what two patterns with as many segments match.
func common(a, b string) string {
	x, y := strings.Split(a, conventions.KeySeparator), strings.Split(b, conventions.KeySeparator)
	for i := range x {
		if x[i] != y[i] {
			x[i] = "{value}"
		}
	}
	return strings.Join(x, conventions.KeySeparator)
}
