package policy

import "github.com/kugiri-db/kugiri/storage/item"

// Versions records the versions of one item of a command or history table during a scan, which
// returns them one after another. It can be stored as JSON.
type Versions struct {
	PK    string `json:"pk,omitempty"`
	SK    string `json:"sk,omitempty"` // without the version
	Count int    `json:"count,omitempty"`
	Least int    `json:"least,omitempty"`
	Most  int    `json:"most,omitempty"`
}

// Note records the next item of a scan. When the item is of another sequence of versions, Note
// returns the findings for the sequence before.
func (e *Engine) Note(v *Versions, table string, it item.Item) []Finding {
	c := checker{engine: e, caller: caller{reachable: true}}
	if !c.at(table, 0) || c.table.role != Command && c.table.role != History {
		return nil
	}
	k := c.locate(it)
	_, version, ok := splitVersion(k.sk)
	if !ok {
		return nil // another check reports it
	}
	if v.Count > 0 && v.PK == k.pk && v.SK == k.base {
		v.Count, v.Least, v.Most = v.Count+1, min(v.Least, version), max(v.Most, version)
		return nil
	}
	found := e.CheckVersions(v, table)
	*v = Versions{PK: k.pk, SK: k.base, Count: 1, Least: version, Most: version}
	return found
}

// CheckVersions returns the findings for the last recorded sequence of versions: it begins late or
// has gaps.
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
