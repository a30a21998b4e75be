package policy

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// CheckRequest returns the findings that the request alone shows, or nil. It skips open tables and,
// if the policy declares no tenants, undeclared tables. state, which may be nil, counts the
// partition keys in use. If Images is not set, a write that exceeds the bound on partition keys is
// a finding; see State.
func (e *Engine) CheckRequest(r *request.Request, state *State) []Finding {
	in := inspection{engine: e, caller: e.resolve(r.Caller)}
	if r.Images {
		state = nil
	}
	if len(r.Reads)+len(r.Writes) == 0 {
		operations{&in}.checkOperation(r)
	}
	for i := range r.Reads {
		if in.admits(r.Reads[i].Table, r.Reads[i].Action) {
			reads{&in}.checkRead(&r.Reads[i])
		}
	}
	for i := range r.Writes {
		if in.admits(r.Writes[i].Table, r.Writes[i].Action) {
			k := writes{&in, r}.checkWrite(&r.Writes[i])
			if kind := r.Writes[i].Kind; kind == request.Put || kind == request.Update {
				bounds{&in}.checkBound(k, state)
			}
		}
	}
	if r.Expires != "" && in.at(r.Expires, 0) {
		expiry{&in}.checkExpiry()
	}
	schema{&in}.checkDefinitions(r.Defines)
	if e.hasLatest && !r.Images {
		checkLatest(&in, len(r.Writes),
			func(i int) request.ImagedWrite { return request.ImagedWrite{Write: &r.Writes[i]} },
			latest{request: r, transaction: r.Transaction})
	}
	return in.findings
}

// writes checks the writes of a request.
type writes struct {
	*inspection
	request *request.Request
}

// checkWrite checks one write and returns its key.
func (c writes) checkWrite(w *request.Write) checkedKey {
	k := keys{c.inspection}.checkAttributes(&c.table.primary, w.Attributes(), w.Item)
	c.checkCaller(k)
	if w.Kind == request.Check {
		tenants{c.inspection}.checkReach(k)
	} else {
		tenants{c.inspection}.checkChange(k)
	}
	if w.Schema != (KeySchema{}) && w.Schema != c.table.primary.key && c.caller.strict {
		schema{c.inspection}.reportSchema(&c.table.primary,
			"the table has the key "+w.Schema.String())
	}
	for _, x := range c.table.indexes {
		c.checkIndexKey(x, w, k)
	}
	switch c.table.role {
	case Command, History:
		switch w.Kind {
		case request.Put:
			versions{c.inspection}.checkVersionAttribute(k, w.Item)
			if !c.request.Images {
				history{c.inspection}.checkRequestHistory(c.request, w, k)
			}
		case request.Update:
			history{c.inspection}.checkUpdateOfVersion(c.request, w, k)
			versions{c.inspection}.checkUpdatedAttribute(c.request, w, k)
		case request.Delete:
			c.report(RuleHistory, k, "an item of a %s table is deleted", c.table.role)
		}
	case Data:
		if w.Kind == request.Delete {
			versions{c.inspection}.checkDeletion(w, k)
		} else if !c.request.Images {
			versions{c.inspection}.checkRequestVersion(c.request, w, k)
		}
	}
	switch {
	case w.Kind == request.Put:
		expiry{c.inspection}.checkTime(k, w.Item)
	case w.Kind == request.Update && !c.request.Images:
		expiry{c.inspection}.checkUpdate(c.request, w, k)
	}
	if w.Update != nil && !c.request.Images { // CheckWrites sees it last, too
		identity{c.inspection}.checkAssignedIdentity(k, w)
	}
	return k
}

// checkIndexKey checks the key that a write gives its item in an index.
func (c writes) checkIndexKey(x *keySet, w *request.Write, of checkedKey) {
	switch {
	case w.Kind == request.Put:
		tenants{c.inspection}.checkItem(x, w.Item, of)
		return
	case w.Kind != request.Update || w.Update == nil:
		return
	}
	if !c.request.Images && c.isHidden(x, w, of) {
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
			if !c.request.Images { // otherwise CheckWrites sees the item
				c.checkIndexPartition(x, partition, of)
			}
			return
		}
		attributes = attributes.With(item.Attribute{Name: x.key.Sort, Value: sort})
	}
	tenants{c.inspection}.checkPlace(keys{c.inspection}.checkAttributes(x, attributes, ""), of)
}

// isHidden reports whether an update gives its item an index key that the request does not show, so
// that the key may be another tenant's.
func (c writes) isHidden(x *keySet, w *request.Write, of checkedKey) bool {
	if !c.caller.isBound() && !c.caller.operator || !x.hasTenants() {
		return false
	}
	partition, sort := w.Update.Sets(x.key.Partition), x.key.Sort != "" && w.Update.Sets(x.key.Sort)
	hidden := partition && w.Update.Assigned(x.key.Partition) == ""
	if c.caller.isBound() && of.tenant() != c.caller.tenant {
		// A shared item may already be in another tenant's part of the index.
		hidden = hidden || sort && !partition
	}
	if slices.ContainsFunc(x.entities, func(e *entity) bool { return hasTenantSegment(e.Sort) }) {
		hidden = hidden || partition != sort || sort && w.Update.Assigned(x.key.Sort) == ""
	}
	if !hidden {
		return false
	}
	f := c.report(RuleTenantCrossing, checkedKey{set: x},
		"the request does not say which key the item gets in the index %s", x.index)
	f.Remedy = "set " + x.key.String() + " to values of the request"
	return true
}

// checkIndexPartition checks a new partition key in an index where the item keeps its sort key.
func (c writes) checkIndexPartition(x *keySet, partition item.Value, of checkedKey) {
	k := checkedKey{set: x}
	var ok bool
	if k.pk, ok = keyText(partition); !ok {
		return
	}
	if len(x.entities) > 0 {
		keys{c.inspection}.checkDeclared(&k)
	} else if x.tenant != TenantNone {
		keys{c.inspection}.checkUndeclaredTenant(&k)
	}
	tenants{c.inspection}.checkPlace(k, of)
}

// CheckDefinitions returns the findings for the keys of a table and its indexes, or nil.
func (e *Engine) CheckDefinitions(keys []request.Definition) []Finding {
	in := inspection{engine: e}
	schema{&in}.checkDefinitions(keys)
	return in.findings
}

// CheckExpiry returns the findings for enabling TTL on a table, or nil.
func (e *Engine) CheckExpiry(table string) []Finding {
	in := inspection{engine: e}
	if in.at(table, 0) {
		expiry{&in}.checkExpiry()
	}
	return in.findings
}

// KeepsExpired reports whether the table keeps its expired items because it enforces RuleExpiry.
func (e *Engine) KeepsExpired(table string) bool {
	worst := Worst(e.CheckExpiry(table))
	return worst != nil && worst.Severity == Enforce
}
