package policy

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// expiry checks in which tables items may expire.
type expiry struct{ *inspection }

// checkTime reports an item of an entity that expires, without the time at which it does.
func (c expiry) checkTime(k checkedKey, it item.Item) {
	if k.entity == nil || k.entity.Expires == "" || it == "" {
		return
	}
	if v := it.Get(k.entity.Expires); v.Num() == "" {
		c.report(RuleExpiryMissing, k, "an item of %s has, for %s, %s", k.entity.Name,
			k.entity.Expires, versionText(v))
	}
}

// checkUpdate reports an update that may leave such an item without its time, as far as the request
// shows it.
func (c expiry) checkUpdate(r *request.Request, w *request.Write, k checkedKey) {
	if k.entity == nil || k.entity.Expires == "" || w.Update == nil {
		return
	}
	name := k.entity.Expires
	by, _ := w.Update.Increment(name)
	switch written := w.Update.Assigned(name); {
	case written != "" && written.Num() == "",
		written == "" && by == "" && w.Update.Sets(name),
		slices.Contains(w.Update.Attributes(), name) && !w.Update.Sets(name) && by == "":
		c.report(RuleExpiryMissing, k, "the update may leave an item of %s without a number as %s",
			k.entity.Name, name)
	case written == "" && by == "" && w.MayCreate() && (!r.Amends || w.Fixed):
		c.report(RuleExpiryMissing, k, "the update may make an item of %s without %s",
			k.entity.Name, name)
	}
}

// checkExpiry reports a table whose items must not expire.
func (c expiry) checkExpiry() {
	switch {
	case c.table.role == Command || c.table.role == History:
		c.report(RuleExpiry, checkedKey{}, "TTL would delete items of a %s table", c.table.role)
	case c.table.latest != nil:
		c.report(RuleExpiry, checkedKey{},
			"TTL would delete versions and latest items of documents")
	}
}
