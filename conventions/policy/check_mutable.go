package policy

import (
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// mutables checks that no key holds what changes.
type mutables struct{ *inspection }

// checkMutable finds the values of mutable attributes in a key. It ignores numbers: a short number
// such as 2 is often in the key by coincidence.
func (c mutables) checkMutable(k checkedKey, it item.Item) {
	for _, name := range k.entity.Mutable {
		if text := it.Get(name).Str(); text != "" && k.varies(text) {
			c.report(RuleMutable, k, "the key holds %s, the value of the mutable attribute %s",
				quoteKey(text), name)
		}
	}
}

// checkRepeated finds a status word in an item's key where the write changes an attribute that had
// the word as its value. The key then names a status that the item no longer has.
func (c mutables) checkRepeated(w *request.ImagedWrite) {
	if w.Old == "" || w.New == "" || w.Old == w.New {
		return
	}
	k, _ := c.table.primary.keyOf(w.New)
	if !c.engine.status.isIn(k.pk) && !c.engine.status.isIn(k.sk) {
		return
	}
	if k = c.locate(w.New); k.entity == nil {
		return
	}
	for name, v := range w.Old.All() {
		text := v.Str()
		if c.engine.status.forms[text] && w.New.Get(name) != v && k.varies(text) {
			c.report(RuleMutable, k,
				"the key holds %s, a word of state, and the write changes the attribute %s that has it", quoteKey(text), name)
		}
	}
}
