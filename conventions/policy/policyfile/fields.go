package policyfile

import (
	"github.com/kugiri-db/kugiri/conventions/internal/fields"
	"github.com/kugiri-db/kugiri/conventions/policy"
)

// The objects of a policy file, with the fields in policy.schema.json.

func (d file) policy(root fields.Field, p *policy.Policy) { d.Object(root, d.policyFields(p)) }

func (d file) policyFields(p *policy.Policy) map[string]fields.Member {
	return map[string]fields.Member{
		"tenants":      func(f fields.Field) { d.Object(f, d.tenantsFields(&p.Tenants)) },
		"status-words": d.Texts(&p.StatusWords),
		"severities":   d.severities(&p.Severities),
		"tables": fields.List(d.Decoder, &p.Tables,
			func(f fields.Field, t *policy.Table) { d.Object(f, d.tableFields(t)) }),
	}
}

func (d file) tenantsFields(t *policy.Tenants) map[string]fields.Member {
	return map[string]fields.Member{
		"callers": func(f fields.Field) {
			t.Callers = map[string]string{}
			d.Each(f, func(key string, value fields.Field) {
				var tenant string
				d.ReadText(value, &tenant)
				t.Callers[key] = tenant
			})
		},
		"header":     d.Text(&t.Header),
		"privileged": d.Texts(&t.Privileged),
		"known":      d.Texts(&t.Known),
		"isolation": fields.Choice(d.Decoder, &t.Isolation, policy.IsolationFull,
			policy.IsolationSingle),
	}
}

func (d file) severities(into *map[string]policy.Severity) fields.Member {
	return func(f fields.Field) {
		*into = map[string]policy.Severity{}
		d.Each(f, func(rule string, value fields.Field) {
			var s policy.Severity
			fields.Choice(d.Decoder, &s, policy.Off, policy.Enforce)(value)
			(*into)[rule] = s
		})
	}
}

func (d file) tableFields(t *policy.Table) map[string]fields.Member {
	return map[string]fields.Member{
		"name": d.Text(&t.Name),
		"role": fields.Choice(d.Decoder, &t.Role, policy.Data, policy.Plain),
		"key":  d.key(&t.Key),
		"tenant": fields.Choice(d.Decoder, &t.Tenant, policy.TenantRequired,
			policy.TenantNone),
		"writable": d.Flag(&t.Writable),
		"open":     d.Flag(&t.Open),
		"entities": d.entities(&t.Entities),
		"indexes": fields.List(d.Decoder, &t.Indexes,
			func(f fields.Field, x *policy.Index) { d.Object(f, d.indexFields(x)) }),
		"version-attribute": d.Text(&t.VersionAttribute),
		"commands":          d.Text(&t.Commands),
		"bookkeeping":       d.Texts(&t.Bookkeeping),
		"latest": func(f fields.Field) {
			t.Latest = &policy.Latest{}
			d.Object(f, d.latestFields(t.Latest))
		},
		"severities": d.severities(&t.Severities),
	}
}

func (d file) key(k *policy.KeySchema) fields.Member {
	return func(f fields.Field) { d.Object(f, d.keyFields(k)) }
}

func (d file) keyFields(k *policy.KeySchema) map[string]fields.Member {
	return map[string]fields.Member{"partition": d.Text(&k.Partition), "sort": d.Text(&k.Sort)}
}

func (d file) indexFields(x *policy.Index) map[string]fields.Member {
	return map[string]fields.Member{
		"name":     d.Text(&x.Name),
		"key":      d.key(&x.Key),
		"tenant":   fields.Choice(d.Decoder, &x.Tenant, policy.TenantRequired, policy.TenantNone),
		"entities": d.entities(&x.Entities),
		"open":     d.Flag(&x.Open),
	}
}

func (d file) entities(into *[]policy.Entity) fields.Member {
	return fields.List(d.Decoder, into,
		func(f fields.Field, e *policy.Entity) { d.Object(f, d.entityFields(e)) })
}

func (d file) entityFields(e *policy.Entity) map[string]fields.Member {
	return map[string]fields.Member{
		"name":   d.Text(&e.Name),
		"prefix": d.Text(&e.Prefix),
		"tenant": fields.Choice(d.Decoder, &e.Tenant, policy.TenantRequired,
			policy.TenantNone),
		"partition":      d.pattern(&e.Partition),
		"sort":           d.pattern(&e.Sort),
		"mutable":        d.Texts(&e.Mutable),
		"expires":        d.Text(&e.Expires),
		"parent":         d.Text(&e.Parent),
		"writable":       d.Flag(&e.Writable),
		"max-partitions": d.Number(&e.MaxPartitions),
	}
}

func (d file) latestFields(l *policy.Latest) map[string]fields.Member {
	return map[string]fields.Member{
		"attribute":      d.Text(&l.Attribute),
		"pointer":        d.Text(&l.Pointer),
		"actual-version": d.Text(&l.ActualVersion),
		"content":        d.Texts(&l.Content),
		"entity":         d.Text(&l.Entity),
	}
}

func (d file) pattern(into *[]policy.Segment) fields.Member {
	return func(f fields.Field) {
		if !d.IsText(f) {
			return
		}
		segments, err := policy.ParsePattern(f.Value)
		if err != nil {
			d.Fail(f, "%v", err)
		}
		*into = segments
	}
}
