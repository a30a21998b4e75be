package policy

import (
	"fmt"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// checker collects the findings of one request, commit or item.
type checker struct {
	engine   *Engine
	caller   caller
	state    *State // nil: partition keys are not counted
	findings []Finding

	// The table and action that the checker checks now.
	table  *table
	name   string // name of the table
	action int
}

// at moves the checker to an action and its table. It reports whether the rules apply to the table:
// the policy declares it, and it is not open.
func (c *checker) at(table string, action int) bool {
	if c.table == nil || c.name != table {
		c.table, c.name = c.engine.table(table), table
	}
	c.action = action
	return c.table != nil
}

// off reports whether a rule is off for the table.
func (c *checker) off(r *Rule) bool { return c.table.severities[r.index] == Off }

// enforces reports whether the table enforces a rule: a request that breaks it is rejected.
func (c *checker) enforces(r *Rule) bool { return c.table.severities[r.index] == Enforce }

// checkedKey is a primary key, or the known part of one, with what the checker found out about it.
type checkedKey struct {
	set    *keySet
	pk, sk string  // sk with its version
	base   string  // sk without its version
	entity *entity // nil if no entity matches
}

// tenant returns the tenant that the key names, or "" if it names none.
func (k *checkedKey) tenant() string {
	mode := k.set.tenant
	if k.entity != nil {
		mode = k.entity.Tenant
	} else if f := k.set.family(k.pk); f != nil {
		mode = f.tenant
	}
	return tenantOf(mode, k.pk)
}

// report adds a finding, unless its rule is off. It returns the finding so that the caller can
// complete it. If the rule is off, the caller completes a finding that nobody sees.
func (c *checker) report(r *Rule, k checkedKey, format string, args ...any) *Finding {
	f := Finding{
		Rule: r, Severity: c.table.severities[r.index], Table: c.name, Action: c.action,
		Key: joinKey(k.pk, k.sk), Message: fmt.Sprintf(format, args...), Remedy: r.Remedy,
	}
	if k.set != nil {
		f.Index, f.Tenant = k.set.index, k.tenant()
	}
	if k.entity != nil {
		f.Entity = k.entity.Name
	}
	if f.Severity == Off {
		return &f
	}
	c.findings = append(c.findings, f)
	return &c.findings[len(c.findings)-1]
}

// keyText returns the text of a key attribute. ok is false if the attribute is absent or not a
// string: the conventions cover strings only.
func keyText(v item.Value) (text string, ok bool) {
	if v.Type() != item.S {
		return "", false
	}
	return v.Str(), true
}

// keyOf returns the key of the set that the attributes hold. ok is false if a key attribute is
// absent or not a string.
func (s *keySet) keyOf(attributes item.Item) (k checkedKey, ok bool) {
	k.set = s
	if k.pk, ok = keyText(attributes.Get(s.key.Partition)); !ok || s.key.Sort == "" {
		return k, ok
	}
	k.sk, ok = keyText(attributes.Get(s.key.Sort))
	return k, ok
}

func (c *checker) matcher(set *keySet) matcher {
	m := matcher{engine: c.engine, set: set}
	if c.table.latest != nil && set.index == "" {
		m.pointer = c.table.latest.Pointer
	}
	return m
}

// checkAttributes checks the key of the table or an index in the attributes of a request or item.
// An item without the key of an index is not in the index. it is the known part of the item.
func (c *checker) checkAttributes(set *keySet, attributes, it item.Item) checkedKey {
	k, ok := set.keyOf(attributes)
	if ok {
		c.checkKey(&k, it)
		return k
	}
	if c.isStrange(set, attributes) {
		c.reportStrange(set, attributes)
		return checkedKey{set: set}
	}
	partition, sort := attributes.Get(set.key.Partition), attributes.Get(set.key.Sort)
	isOther := func(v item.Value) bool { return v != "" && v.Type() != item.S }
	if len(set.entities) == 0 || !isOther(partition) && !isOther(sort) {
		return k // the database itself rejects a missing key
	}
	k.pk = partition.Str()
	c.report(RuleUndeclaredPrefix, k, "the keys of %s are strings, and this is none", setName(set))
	return k
}

func setName(set *keySet) string {
	if set.index != "" {
		return "the index " + set.index
	}
	return "the table"
}

// checkKey checks the form of a key and finds its entity.
func (c *checker) checkKey(k *checkedKey, it item.Item) {
	versioned := false
	k.base = k.sk
	if c.table.role != Plain && k.set.index == "" {
		k.base, _, versioned = splitVersion(k.sk)
	}
	m := c.matcher(k.set)
	if len(k.set.entities) > 0 {
		if k.entity = m.match(k.pk, k.base); k.entity == nil {
			*k = c.diagnose(*k, it)
		} else {
			c.checkTimes(*k)
		}
	} else if k.set.tenant != TenantNone {
		c.checkUndeclaredTenant(k)
	}
	if k.set.index == "" {
		c.checkKeyVersion(k, versioned)
	}
	if it != "" && k.set.index == "" {
		c.checkIdentity(*k, it)
	}
	if k.entity == nil {
		return
	}
	switch {
	case k.entity.tenantInSort():
		c.report(RuleTenantInSortKey, *k, "the keys of %s name the tenant in the sort key only", k.entity.Name)
	case k.entity.isFixed() && k.set.key.Sort != "" && k.set.index == "":
		c.report(RuleFixedPartition, *k, "all items of %s are in the one partition %s", k.entity.Name, quoteKey(k.pk))
	}
	if k.entity.status != "" && k.set.index == "" {
		f := c.report(RuleMutable, *k, "the keys of %s hold the state of the item, %s", k.entity.Name, k.entity.status)
		f.Remedy = "keep the state in an attribute, and in the key of an index where items are found by it"
	}
	if it != "" {
		c.checkMutable(*k, it)
	}
}

// checkTimes compares the month or day in a partition key with the time in the sort key.
func (c *checker) checkTimes(k checkedKey) {
	t := k.entity.times
	if t == nil {
		return
	}
	span := strings.TrimPrefix(segmentAt(k.pk, t.partition), t.span.Lead)
	at := strings.TrimPrefix(segmentAt(k.base, t.sort), t.at.Lead)
	if strings.HasPrefix(at, span) || at == c.matcher(k.set).pointer {
		return
	}
	f := c.report(RuleValue, k, "the %s %s in the partition key is not that of %s in the sort key", t.span.Type, quoteKey(span), quoteKey(at))
	f.Remedy = "build both keys from one time"
}

// withoutVersion removes the version from a sort key, if the keys of the set can have one.
func (c *checker) withoutVersion(set *keySet, sk string) string {
	if c.table.role != Plain && set.index == "" {
		sk, _, _ = splitVersion(sk)
	}
	return sk
}

// checkUndeclaredTenant checks the tenant in a partition key of a table without entities.
func (c *checker) checkUndeclaredTenant(k *checkedKey) {
	tenant, _ := conventions.Tenant(k.pk)
	if (&matcher{engine: c.engine, set: k.set}).isTenant(k.set.tenant, tenant) {
		return
	}
	before := len(c.findings)
	c.reportTenant(k, k.set.tenant, tenant)
	for i := range c.findings[before:] {
		c.findings[before+i].Remedy += ", or declare " + setName(k.set) + " with tenant: none"
	}
}

// checkKeyVersion checks that a sort key has a version if and only if the role of its table
// requires one.
func (c *checker) checkKeyVersion(k *checkedKey, versioned bool) {
	switch c.table.role {
	case Data:
		if versioned || looksVersioned(k.sk) {
			c.report(RuleVersionInDataKey, *k, "the sort key %s of a data table ends in a version", quoteKey(k.sk))
		}
	case Command, History:
		if !versioned {
			c.report(RuleVersionMissing, *k, "the sort key %s of a %s table ends in no version", quoteKey(k.sk), c.table.role)
		}
	}
}

// checkMutable finds the values of mutable attributes in a key. It ignores numbers: a short number
// such as 2 is often in the key by coincidence.
func (c *checker) checkMutable(k checkedKey, it item.Item) {
	for _, name := range k.entity.Mutable {
		if text := it.Get(name).Str(); text != "" && k.varies(text) {
			c.report(RuleMutable, k, "the key holds %s, the value of the mutable attribute %s", quoteKey(text), name)
		}
	}
}

// checkRepeated finds a status word in an item's key where the write changes an attribute that had
// the word as its value. The key then names a status that the item no longer has.
func (c *checker) checkRepeated(w *request.ImagedWrite) {
	if w.Old == "" || w.New == "" || w.Old == w.New {
		return
	}
	k, _ := c.table.primary.keyOf(w.New)
	if !c.engine.holdsStatus(k.pk) && !c.engine.holdsStatus(k.sk) {
		return
	}
	if k = c.locate(w.New); k.entity == nil {
		return
	}
	for name, v := range w.Old.All() {
		text := v.Str()
		if c.engine.status[text] && w.New.Get(name) != v && k.varies(text) {
			c.report(RuleMutable, k, "the key holds %s, a word of state, and the write changes the attribute %s that has it", quoteKey(text), name)
		}
	}
}

// holdsStatus reports whether a segment of a key is exactly a status word, with no fixed text
// before it and no version after it.
func (e *Engine) holdsStatus(key string) bool {
	for more := true; more; {
		var segment string
		segment, key, more = nextSegment(key)
		if len(segment) <= e.longestStatus && e.status[segment] {
			return true
		}
	}
	return false
}

// varies reports whether text is the value of a segment of the type Any in the key.
func (k *checkedKey) varies(text string) bool {
	rest := k.pk
	for range k.entity.before() {
		_, rest, _ = nextSegment(rest)
	}
	return holds(k.entity.Partition, rest, text) || holds(k.entity.Sort, k.base, text)
}

// before returns the number of segments in front of those of Partition.
func (e *entity) before() (n int) {
	if e.Prefix != "" {
		n++
	}
	if e.Tenant != TenantNone {
		n++
	}
	return n
}

func holds(segments []Segment, key, text string) bool {
	for i := range segments {
		var segment string
		segment, key, _ = nextSegment(key)
		if s := &segments[i]; s.Type == Any && len(segment) == len(s.Lead)+len(text) && segment[len(s.Lead):] == text {
			return true
		}
	}
	return false
}
