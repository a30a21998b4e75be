package policyfile

import (
	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions/policy"
)

// The objects of a policy file, with the fields in policy.schema.json.

func (d *decoder) policy(n *yaml.Node, p *policy.Policy) { d.object(field{n, ""}, d.policyFields(p)) }

func (d *decoder) policyFields(p *policy.Policy) map[string]member {
	return map[string]member{
		"tenants":      func(f field) { d.object(f, d.tenantsFields(&p.Tenants)) },
		"status-words": d.texts(&p.StatusWords),
		"severities":   d.severities(&p.Severities),
		"tables":       list(d, &p.Tables, func(f field, t *policy.Table) { d.object(f, d.tableFields(t)) }),
	}
}

func (d *decoder) tenantsFields(t *policy.Tenants) map[string]member {
	return map[string]member{
		"callers": func(f field) {
			t.Callers = map[string]string{}
			d.each(f, func(key string, value field) {
				var tenant string
				d.readText(value, &tenant)
				t.Callers[key] = tenant
			})
		},
		"header":     d.text(&t.Header),
		"privileged": d.texts(&t.Privileged),
		"known":      d.texts(&t.Known),
	}
}

func (d *decoder) severities(into *map[string]policy.Severity) member {
	return func(f field) {
		*into = map[string]policy.Severity{}
		d.each(f, func(rule string, value field) {
			var s policy.Severity
			choice(d, &s, policy.Off, policy.Enforce)(value)
			(*into)[rule] = s
		})
	}
}

func (d *decoder) tableFields(t *policy.Table) map[string]member {
	return map[string]member{
		"name":              d.text(&t.Name),
		"role":              choice(d, &t.Role, policy.Data, policy.Plain),
		"key":               d.key(&t.Key),
		"tenant":            choice(d, &t.Tenant, policy.TenantRequired, policy.TenantNone),
		"open":              d.flag(&t.Open),
		"entities":          d.entities(&t.Entities),
		"indexes":           list(d, &t.Indexes, func(f field, x *policy.Index) { d.object(f, d.indexFields(x)) }),
		"version-attribute": d.text(&t.VersionAttribute),
		"commands":          d.text(&t.Commands),
		"bookkeeping":       d.texts(&t.Bookkeeping),
		"latest": func(f field) {
			t.Latest = &policy.Latest{}
			d.object(f, d.latestFields(t.Latest))
		},
		"severities": d.severities(&t.Severities),
	}
}

func (d *decoder) key(k *policy.KeySchema) member {
	return func(f field) { d.object(f, d.keyFields(k)) }
}

func (d *decoder) keyFields(k *policy.KeySchema) map[string]member {
	return map[string]member{"partition": d.text(&k.Partition), "sort": d.text(&k.Sort)}
}

func (d *decoder) indexFields(x *policy.Index) map[string]member {
	return map[string]member{
		"name":     d.text(&x.Name),
		"key":      d.key(&x.Key),
		"tenant":   choice(d, &x.Tenant, policy.TenantRequired, policy.TenantNone),
		"entities": d.entities(&x.Entities),
		"open":     d.flag(&x.Open),
	}
}

func (d *decoder) entities(into *[]policy.Entity) member {
	return list(d, into, func(f field, e *policy.Entity) { d.object(f, d.entityFields(e)) })
}

func (d *decoder) entityFields(e *policy.Entity) map[string]member {
	return map[string]member{
		"name":           d.text(&e.Name),
		"prefix":         d.text(&e.Prefix),
		"tenant":         choice(d, &e.Tenant, policy.TenantRequired, policy.TenantNone),
		"partition":      d.pattern(&e.Partition),
		"sort":           d.pattern(&e.Sort),
		"mutable":        d.texts(&e.Mutable),
		"max-partitions": d.number(&e.MaxPartitions),
	}
}

func (d *decoder) latestFields(l *policy.Latest) map[string]member {
	return map[string]member{
		"attribute":      d.text(&l.Attribute),
		"pointer":        d.text(&l.Pointer),
		"actual-version": d.text(&l.ActualVersion),
		"content":        d.texts(&l.Content),
		"entity":         d.text(&l.Entity),
	}
}
