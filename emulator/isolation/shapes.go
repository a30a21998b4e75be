package isolation

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy"
)

// undeclaredPrefix begins keys that no entity declares.
const undeclaredPrefix = "KUGIRIPROOF"

// key is a primary key.
type key struct{ pk, sk string }

// shapesOf returns keys of a tenant that are not as a set of entities declares them, so that the
// tenant is not where it should be. They are those of items that were there before the policy, and
// of items that a policy lets in that lifts a rule. mode is that of a set without entities.
func shapesOf(entities []policy.Entity, mode policy.TenantMode, tenant string) (all []key) {
	if len(entities) == 0 {
		if mode == policy.TenantNone || mode == policy.TenantCommon {
			return nil
		}
		entities = []policy.Entity{{Prefix: "PROOF", Tenant: mode}}
	}
	if !slices.ContainsFunc(entities, hasOwner) {
		return nil // what the set holds is for all tenants to read
	}
	of := func(prefix string) []policy.Entity {
		return slices.DeleteFunc(slices.Clone(entities),
			func(e policy.Entity) bool { return e.Prefix != prefix })
	}
	if len(of("")) == 0 { // otherwise keys without a prefix are declared
		all = append(all, key{undeclaredPrefix, "x1"}, key{undeclaredPrefix + "#", "x1"},
			key{undeclaredPrefix + "#" + tenant, "x1"}, key{undeclaredPrefix, tenant + "#x1"},
			key{"#" + tenant, "x1"}, key{tenant, "x1"})
	}
	seen := map[string]bool{"": true}
	for i := range entities {
		p := entities[i].Prefix
		if seen[p] {
			continue
		}
		seen[p] = true
		if family := of(p); !slices.ContainsFunc(family,
			func(e policy.Entity) bool { return e.Tenant == policy.TenantNone }) {
			all = append(all, key{p, "x1"}, key{p, tenant + "#x1"}, key{p + "#", "x1"},
				key{p + "#", tenant + "#x1"}, key{p + "-" + tenant, "x1"},
				key{p + "#" + tenant + "#x#y#z", "x1"})
		}
	}
	return append(all, shapesOfSegments(entities, tenant)...)
}

// hasOwner reports whether items of an entity are a tenant's.
func hasOwner(e policy.Entity) bool {
	ofTenant := func(s policy.Segment) bool { return s.Type == policy.Tenant }
	return e.Tenant == policy.TenantDefault || e.Tenant == policy.TenantRequired ||
		slices.ContainsFunc(e.Partition, ofTenant) || slices.ContainsFunc(e.Sort, ofTenant)
}

// shapesOfSegments returns sort keys with too few and too many segments of the entities whose sort
// keys name the tenant.
func shapesOfSegments(entities []policy.Entity, tenant string) (all []key) {
	for i := range entities {
		e := &entities[i]
		if !slices.ContainsFunc(e.Sort,
			func(s policy.Segment) bool { return s.Type == policy.Tenant }) {
			continue
		}
		pk, sk, _ := keyOf(e, tenant, 0)
		end := strings.Index(sk, tenant) + len(tenant)
		for _, sort := range []string{sk[:end], sk + "#x#y#z"} {
			if !slices.ContainsFunc(entities, func(o policy.Entity) bool {
				return o.Prefix == e.Prefix && fits(o.Sort, sort)
			}) {
				all = append(all, key{pk, sort})
			}
		}
	}
	return all
}

// fits reports whether a key has as many segments as are declared, and their fixed ones.
func fits(segments []policy.Segment, text string) bool {
	parts := strings.Split(text, conventions.KeySeparator)
	if len(parts) != len(segments) {
		return false
	}
	for i := range segments {
		if s := &segments[i]; len(s.Values) > 0 && !slices.Contains(s.Values, parts[i]) {
			return false
		}
	}
	return true
}

// addShapes adds items of tenant B under keys that are not as they are declared.
func (w *world) addShapes(at *place, entities []policy.Entity, mode policy.TenantMode,
	suffix string) {
	if at.isOpen {
		return
	}
	seen := map[key]bool{}
	for _, k := range shapesOf(entities, mode, w.b) {
		if k.sk += suffix; at.key.Sort == "" {
			k.sk = ""
		}
		if !seen[k] {
			seen[k] = true
			w.addKey(at, k.pk, k.sk, w.b, false)
			w.targets[len(w.targets)-1].odd = true
		}
	}
}

// addShapesIn adds items of tenant B to an index, under such keys of the index.
func (w *world) addShapesIn(in *place, x *policy.Index) {
	if in.isOpen || in.sharesTheKeys {
		return
	}
	for _, k := range shapesOf(x.Entities, x.Tenant, w.b) {
		it, ok := w.itemOf(in.shown, w.b)
		if !ok {
			return
		}
		it[in.key.Partition] = text(k.pk)
		if in.key.Sort != "" {
			it[in.key.Sort] = text(k.sk)
		}
		w.targets = append(w.targets, target{place: in, pk: k.pk, sk: k.sk, item: it, owner: w.b,
			stored: true, odd: true})
	}
}

// few returns of the requests for a key one that gets its item, one for its partition, and one that
// writes it.
func few(plays []play) (all []play) {
	seen := map[string]bool{}
	for _, p := range plays {
		if o := p.operation; !seen[o] && (o == "GetItem" || o == "Query" || o == "PutItem") {
			seen[o] = true
			all = append(all, p)
		}
	}
	return all
}
