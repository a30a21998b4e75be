package source

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
)

// The reader of policies. An entity of a table is a model whose attributes are the segments of its
// keys. The same entity in a command or history table says that the model has versions. Entities of
// an index are the models with all of their segments.

// versionAttribute is the attribute of a model with versions that ends its key.
const versionAttribute = "version"

func readPolicy(text []byte, table string) (*Draft, error) {
	p, err := policyfile.Parse(text)
	if err != nil {
		return nil, err
	}
	if _, err := policy.Compile(p); err != nil {
		_, err := policyfile.Compile(text) // this error has places
		return nil, err
	}
	d := policyDraft{newDraft(table), tenantAttribute(&p)}
	found := false
	for i := range p.Tables {
		t := &p.Tables[i]
		if t.Open || len(t.Entities) == 0 || table != "" && !matches(t.Name, table) {
			continue
		}
		if !found && table == "" {
			d.Design.Table = tableName(t.Name)
		}
		found = true
		d.policyTable(t)
	}
	if !found {
		return nil, &Error{Message: "no table of the policy has entities"}
	}
	return checked(d.draft)
}

// policyDraft is the draft of a policy, with the attribute of a model that holds its tenant.
type policyDraft struct {
	*draft
	tenant string
}

// tenantAttribute returns a name that no segment has in the keys of entities without a tenant.
func tenantAttribute(p *policy.Policy) string {
	taken := func(name string) bool {
		for i := range p.Tables {
			for _, e := range p.Tables[i].Entities {
				named := func(s policy.Segment) bool { return s.Name == name }
				if !ofTenant(&e) &&
					(slices.ContainsFunc(e.Partition, named) ||
						slices.ContainsFunc(e.Sort, named)) {
					return true
				}
			}
		}
		return false
	}
	if taken("tenant") {
		return free("owner_tenant", taken)
	}
	return "tenant"
}

// ofTenant reports whether the partition key of an entity has a tenant.
func ofTenant(e *policy.Entity) bool {
	return e.Tenant == policy.TenantRequired || e.Tenant == policy.TenantDefault
}

// matches reports whether a policy's table is, or has the pattern of, a table.
func matches(pattern, table string) bool {
	ok, err := path.Match(pattern, table)
	return pattern == table || ok && err == nil
}

// policyTable adds the entities of a table that are not there from another one.
func (d *policyDraft) policyTable(t *policy.Table) {
	versions := t.Role == policy.Command || t.Role == policy.History
	for i := range t.Entities {
		e := &t.Entities[i]
		if len(d.Design.Models) == design.MaxModels {
			d.warn("a design has at most %d models; further entities are left out",
				design.MaxModels)
			return
		}
		if m := d.Design.Model(camel(e.Name)); m != nil {
			d.warn("the entity %s is in several tables, which become one in the design", e.Name)
			if versions {
				d.comment(fmt.Sprintf("models[%d]", d.indexOf(m)),
					"the table %s keeps its versions; with versions: true the design does so in one table", t.Name)
			}
			continue
		}
		d.policyEntity(t, e, versions)
	}
}

// indexOf returns the number of a model of the design.
func (d *policyDraft) indexOf(m *design.Model) int {
	return slices.IndexFunc(d.Design.Models,
		func(other design.Model) bool { return other.Name == m.Name })
}

// policyEntity adds an entity with the patterns of its keys.
func (d *policyDraft) policyEntity(t *policy.Table, e *policy.Entity, versions bool) {
	m := design.Model{Name: e.Name}
	k := keyed{partition: d.segments(&m, e.Partition), sort: d.segments(&m, e.Sort)}
	if ofTenant(e) {
		d.Design.Tenants = &design.Tenants{Attribute: d.tenant}
		k.partition = append([]string{d.tenant}, k.partition...)
	}
	if versions {
		m.Versions = true
		k.sort = append(k.sort, versionAttribute)
		m.Attributes = append(m.Attributes,
			design.Attribute{Name: versionAttribute, Type: design.Number})
	}
	if len(k.attributes()) == 0 {
		k.sort = []string{constantAttribute}
		m.Attributes = append(m.Attributes,
			design.Attribute{
				Name: constantAttribute, Type: design.String,
				Constant: strings.ToLower(camel(e.Name)),
			})
	}
	for _, name := range e.Mutable {
		if m.Attribute(name) == nil {
			m.Attributes = append(m.Attributes,
				design.Attribute{Name: name, Type: design.String, Mutable: true})
		}
	}
	keys := []keyed{k}
	for i := range t.Indexes {
		keys = append(keys, d.policyIndex(t, &t.Indexes[i], e, &m)...)
	}
	path := d.addModel(m, nil, keys...)
	d.addPatterns(path, keys...)
}

// constantAttribute is the attribute of a model whose key has no segment that varies.
const constantAttribute = "type"

// policyIndex returns the keys that an index has for an entity: those of its entities with the same
// name, or that resemble no other entity of the table more.
func (d *policyDraft) policyIndex(t *policy.Table, index *policy.Index, of *policy.Entity,
	m *design.Model) []keyed {
	var keys []keyed
	for i := range index.Entities {
		e := &index.Entities[i]
		if camel(e.Name) != camel(of.Name) && closest(t, e) != of {
			continue
		}
		k := keyed{partition: d.segments(m, e.Partition), sort: d.segments(m, e.Sort)}
		if ofTenant(e) && d.Design.Tenants != nil {
			k.partition = append([]string{d.tenant}, k.partition...)
		}
		keys = append(keys, k)
	}
	return keys
}

// closest returns the entity of a table that an entity of an index resembles most: by the segments
// that both have; those with a type count twice. It is nil if none has any.
func closest(t *policy.Table, in *policy.Entity) *policy.Entity {
	var best *policy.Entity
	most := 0
	for i := range t.Entities {
		e, n := &t.Entities[i], 0
		own := slices.Concat(e.Partition, e.Sort)
		for _, s := range slices.Concat(in.Partition, in.Sort) {
			if s.Type == policy.Literal ||
				!slices.ContainsFunc(own,
					func(o policy.Segment) bool { return o.Name == s.Name && o.Type == s.Type }) {
				continue
			}
			if n++; s.Type != policy.Any {
				n++
			}
		}
		if n > most {
			best, most = e, n
		}
	}
	return best
}

// segments adds the segments of a key to the attributes of a model, and returns their names.
func (d *policyDraft) segments(m *design.Model, segments []policy.Segment) []string {
	var names []string
	for _, s := range segments {
		if s.Type == policy.Literal {
			continue
		}
		names = append(names, s.Name)
		if m.Attribute(s.Name) == nil {
			m.Attributes = append(m.Attributes, segmentAttribute(s))
		}
	}
	return names
}

// segmentAttribute returns a segment of a key as an attribute.
func segmentAttribute(s policy.Segment) design.Attribute {
	a := design.Attribute{Name: s.Name, Type: design.String}
	switch s.Type {
	case policy.ULID:
		a.Format = design.ULID
	case policy.Timestamp:
		a.Format = design.Timestamp
	case policy.Enum:
		a.Values = int64(len(s.Values))
	case policy.Date:
		a.Bytes = len("2006-01-02")
	case policy.Month:
		a.Bytes = len("2006-01")
	case policy.Number:
		a.Type = design.Number
	case policy.Status:
		a.Mutable = true
	}
	return a
}
