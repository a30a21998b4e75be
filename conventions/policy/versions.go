package policy

import "github.com/kugiri-db/kugiri/storage/item"

// Versions is what is seen of the versions of one item of a command or history table, of which a
// scan finds all together. It can be kept as JSON.
type Versions struct {
	PK    string `json:"pk,omitempty"`
	SK    string `json:"sk,omitempty"` // without the version
	Count int    `json:"count,omitempty"`
	Least int    `json:"least,omitempty"`
	Most  int    `json:"most,omitempty"`
}

// Note notes one more item of a table in the order of a scan. It returns what is wrong with the
// versions of the item before, once another one begins.
func (e *Engine) Note(v *Versions, table string, it item.Item) []Finding {
	c := checker{engine: e, caller: caller{reachable: true}}
	if !c.at(table, 0) || c.table.role != Command && c.table.role != History {
		return nil
	}
	k := c.locate(it)
	_, version, ok := splitVersion(k.sk)
	if !ok {
		return nil // which is a finding of its own
	}
	if v.Count > 0 && v.PK == k.pk && v.SK == k.base {
		v.Count, v.Least, v.Most = v.Count+1, min(v.Least, version), max(v.Most, version)
		return nil
	}
	found := e.CheckVersions(v, table)
	*v = Versions{PK: k.pk, SK: k.base, Count: 1, Least: version, Most: version}
	return found
}

// CheckVersions returns what is wrong with the versions of the item that was noted last: which
// begin late or have gaps.
func (e *Engine) CheckVersions(v *Versions, table string) []Finding {
	c := checker{engine: e, caller: caller{reachable: true}}
	if v.Count == 0 || !c.at(table, 0) {
		return nil
	}
	names := c.table.primary.key
	k := c.locate(item.New(item.Attribute{Name: names.Partition, Value: item.String(v.PK)}, item.Attribute{Name: names.Sort, Value: item.String(v.SK)}))
	switch {
	case !isFirst(int64(v.Least)):
		c.report(RuleVersionSequence, k, "the versions begin with %d", v.Least)
	case v.Count <= v.Most-v.Least:
		c.report(RuleVersionSequence, k, "of the versions %d to %d there are only %d", v.Least, v.Most, v.Count)
	}
	return c.findings
}
