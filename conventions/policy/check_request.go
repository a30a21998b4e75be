package policy

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// CheckRequest returns the findings that the request alone shows, or nil if there are none. It
// skips open tables and, if the policy declares no tenants, undeclared tables. state, which may be
// nil, counts the partition keys in use. If Images is not set, a write that exceeds the bound on
// partition keys is a finding; see State.
func (e *Engine) CheckRequest(r *request.Request, state *State) []Finding {
	c := checker{engine: e, caller: e.resolve(r.Caller)}
	if !r.Images {
		c.state = state
	}
	if len(r.Reads)+len(r.Writes) == 0 {
		c.checkOperation(r)
	}
	for i := range r.Reads {
		if c.admits(r.Reads[i].Table, r.Reads[i].Action) {
			c.checkRead(&r.Reads[i])
		}
	}
	for i := range r.Writes {
		if c.admits(r.Writes[i].Table, r.Writes[i].Action) {
			c.checkWrite(r, &r.Writes[i])
		}
	}
	if r.Expires != "" && c.at(r.Expires, 0) {
		c.checkExpiry()
	}
	if e.hasLatest && !r.Images {
		c.checkLatestOf(len(r.Writes), func(i int) request.ImagedWrite { return request.ImagedWrite{Write: &r.Writes[i]} },
			latestChecker{request: r, transaction: r.Transaction})
	}
	return c.findings
}

// checkWrite checks one write of a request.
func (c *checker) checkWrite(r *request.Request, w *request.Write) {
	k := c.checkAttributes(&c.table.primary, w.Attributes(), w.Item)
	if w.Update != nil && !r.Images {
		c.checkAssignedIdentity(k, w)
	}
	c.checkCaller(k)
	c.checkReach(k)
	if w.Schema != (KeySchema{}) && w.Schema != c.table.primary.key && c.caller.strict {
		c.reportSchema(&c.table.primary, "the table has the key "+w.Schema.String())
	}
	for _, x := range c.table.indexes {
		c.checkIndexKey(x, w, k, r.Images)
	}
	switch c.table.role {
	case Command, History:
		switch w.Kind {
		case request.Put:
			c.checkVersionAttribute(k, w.Item)
			if !r.Images {
				c.checkRequestHistory(r, w, k)
			}
		case request.Update:
			c.checkUpdateOfVersion(r, w, k)
		case request.Delete:
			c.report(RuleHistory, k, "an item of a %s table is deleted", c.table.role)
		}
	case Data:
		if w.Kind == request.Delete {
			c.checkDeletion(w, k)
		} else if !r.Images {
			c.checkRequestVersion(r, w, k)
		}
	}
	if w.Kind == request.Put || w.Kind == request.Update {
		c.checkBound(k)
	}
}

// checkIndexKey checks the key that a write gives its item in an index.
func (c *checker) checkIndexKey(x *keySet, w *request.Write, of checkedKey, images bool) {
	switch {
	case w.Kind == request.Put:
		c.checkReach(c.checkAttributes(x, w.Item, w.Item))
		return
	case w.Kind != request.Update || w.Update == nil:
		return
	}
	if !images && c.isHidden(x, w, of) {
		return
	}
	partition := w.Update.Assigned(x.key.Partition)
	if partition == "" {
		return
	}
	attributes := item.New(item.Attribute{Name: x.key.Partition, Value: partition})
	if x.key.Sort != "" {
		sort := w.Update.Assigned(x.key.Sort)
		if sort == "" {
			if !images { // otherwise CheckWrites sees the item
				c.checkIndexPartition(x, partition)
			}
			return
		}
		attributes = attributes.With(item.Attribute{Name: x.key.Sort, Value: sort})
	}
	c.checkReach(c.checkAttributes(x, attributes, ""))
}

// isHidden reports whether an update gives its item an index key that the request does not show, so
// that the key may be another tenant's.
func (c *checker) isHidden(x *keySet, w *request.Write, of checkedKey) bool {
	if !c.caller.isBound() || !x.hasTenants() {
		return false
	}
	partition, sort := w.Update.Sets(x.key.Partition), x.key.Sort != "" && w.Update.Sets(x.key.Sort)
	hidden := partition && w.Update.Assigned(x.key.Partition) == ""
	if of.tenant() != c.caller.tenant {
		// A shared item may already be in another tenant's part of the index.
		hidden = hidden || sort && !partition
	}
	if slices.ContainsFunc(x.entities, func(e *entity) bool { return hasTenantSegment(e.Sort) }) {
		hidden = hidden || partition != sort || sort && w.Update.Assigned(x.key.Sort) == ""
	}
	if !hidden {
		return false
	}
	f := c.report(RuleTenantCrossing, checkedKey{set: x}, "the request does not say which key the item gets in the index %s", x.index)
	f.Remedy = "set " + x.key.String() + " to values of the request"
	return true
}

// checkIndexPartition checks a new partition key in an index where the item keeps its sort key.
func (c *checker) checkIndexPartition(x *keySet, partition item.Value) {
	k := checkedKey{set: x}
	var ok bool
	if k.pk, ok = keyText(partition); !ok {
		return
	}
	if len(x.entities) > 0 {
		c.checkDeclared(&k)
	} else if x.tenant != TenantNone {
		c.checkUndeclaredTenant(&k)
	}
	c.checkReach(k)
}
