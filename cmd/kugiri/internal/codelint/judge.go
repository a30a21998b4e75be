package codelint

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy"
)

// Rule says how source code should build keys.
type Rule struct {
	ID, Title, Passage string

	inGo, inTypeScript string // what to write instead
}

// The rules.
var (
	keyByHand = &Rule{
		"key-by-hand", "Keys are built by helpers, from prefixes that are constants",
		"Key design patterns, Best practices 1, Use consistent prefixes, and Key helper functions",
		"use the entity's pattern of package conventions, or conventions.PartitionKey, SortKey and SortKeyPrefix",
		"use a key helper, which joins constants and values with KEY_SEPARATOR",
	}
	versionByHand = &Rule{
		"version-by-hand", "Versions are added to sort keys by helpers",
		"Key design patterns, Version management",
		"use conventions.AddVersion", "use addSortKeyVersion",
	}
	idByHand = &Rule{
		"id-by-hand", "Ids are built by helpers, which leave the version out",
		"Key design patterns, Generating keys", "use conventions.ID", "use generateId",
	}
	cutByHand = &Rule{
		"cut-by-hand", "Keys are taken apart by helpers",
		"Key design patterns, Version management, and Extracting the tenant code",
		"use conventions.RemoveVersion, Version or Tenant, or the entity's pattern",
		"use removeSortKeyVersion, getSortKeyVersion or getTenantCode, or split by KEY_SEPARATOR",
	}
	separatorMixed = &Rule{
		"separator-mixed", "The segments of keys have one separator",
		"Key design patterns, Anti-patterns 3, Inconsistent separators",
		"join the segments by the entity's pattern, or conventions.SortKey",
		"join the segments with KEY_SEPARATOR",
	}
	Rules = []*Rule{keyByHand, versionByHand, idByHand, cutByHand, separatorMixed}
)

// Names has the names that tell keys from other texts.
type Names struct {
	// Leads are the first segments of keys. Without a policy (nil) every word of capital letters
	// is one.
	Leads map[string]bool

	// Attributes are the names of key attributes, besides those that end in pk and sk.
	Attributes map[string]bool
}

// NamesOf returns the names that a policy declares.
func NamesOf(p *policy.Policy) Names {
	n := Names{map[string]bool{}, map[string]bool{}}
	for i := range p.Tables {
		t := &p.Tables[i]
		n.add(t.Key, t.Entities)
		for k := range t.Indexes {
			n.add(t.Indexes[k].Key, t.Indexes[k].Entities)
		}
	}
	return n
}

func (n *Names) add(key policy.KeySchema, entities []policy.Entity) {
	for _, name := range [...]string{key.Partition, key.Sort} {
		if name != "" {
			n.Attributes[name] = true
		}
	}
	for i := range entities {
		e := &entities[i]
		if e.Prefix != "" {
			n.Leads[e.Prefix] = true
		} else {
			n.lead(e.Partition)
		}
		n.lead(e.Sort)
	}
}

// lead adds the texts that a pattern begins with.
func (n *Names) lead(segments []policy.Segment) {
	if len(segments) > 0 {
		for _, text := range segments[0].Values {
			n.Leads[text] = true
		}
	}
}

// isLead reports whether keys begin with a segment.
func (n *Names) isLead(segment string) bool {
	if n.Leads != nil {
		return n.Leads[segment]
	}
	capitals := 0
	for i := range len(segment) {
		switch c := segment[i]; {
		case 'A' <= c && c <= 'Z':
			capitals++
		case i == 0 || c != '_' && (c < '0' || '9' < c):
			return false
		}
	}
	return capitals > 1
}

// isKey reports whether something with a name is a key: orderPk, gsi1sk, PK, sortKey.
func (n *Names) isKey(name string) bool {
	if n.Attributes[name] {
		return true
	}
	lower := strings.ToLower(name)
	if plain := strings.ReplaceAll(lower, "_", ""); strings.HasSuffix(plain, "partitionkey") ||
		strings.HasSuffix(plain, "sortkey") {
		return true
	}
	if !strings.HasSuffix(lower, "pk") && !strings.HasSuffix(lower, "sk") {
		return false
	}
	before, end := name[:len(name)-2], name[len(name)-2:]
	if before == "" {
		return true
	}
	switch c := before[len(before)-1]; {
	case c == '_' || '0' <= c && c <= '9':
		return true
	case 'a' <= c && c <= 'z':
		return end[0] == 'P' || end[0] == 'S' // orderPk and orderPK, not task
	}
	return false
}

// judge returns the rule that an expression breaks, nil for none.
func (n *Names) judge(j *join) *Rule {
	if j.Cut {
		if n.isPartKey(j, 0) {
			return cutByHand
		}
		return nil
	}
	named := slices.ContainsFunc(j.Names, n.isKey)
	segments := false
	for i, p := range j.Parts {
		switch {
		case p.Value:
		case strings.Contains(p.Text, conventions.KeySeparator):
			segments = true
			if n.isPartKey(j, i-1) && n.isPartKey(j, i+1) && p.Text == conventions.KeySeparator {
				return idByHand
			}
			named = named || n.isPartKey(j, i-1)
		case strings.HasPrefix(p.Text, conventions.VersionSeparator) && i > 0 &&
			(named || n.isPartKey(j, i-1)):
			return versionByHand
		}
	}
	lead, _, led := strings.Cut(j.lead(), conventions.KeySeparator)
	switch {
	case segments && (named || led && n.isLead(lead)):
		return keyByHand
	case !segments && j.mixesSeparators() && (named || n.Leads[lead[:len(j.Parts[0].Text)-1]]):
		return separatorMixed
	}
	return nil
}

// lead returns the text that the string begins with, or that is appended to it.
func (j *join) lead() string {
	first := j.Parts[0]
	if first.Value && len(j.Parts) > 1 && slices.Contains(j.Names, first.Name) {
		return j.Parts[1].Text
	}
	return first.Text
}

// isPartKey reports whether a part of an expression is a key.
func (n *Names) isPartKey(j *join, part int) bool {
	return 0 <= part && part < len(j.Parts) && j.Parts[part].Value && n.isKey(j.Parts[part].Name)
}
