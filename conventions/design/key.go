package design

import (
	"slices"
	"strings"
)

// key is a pair of lists of attributes of one model: the parts of its partition key and of its sort
// key.
type key struct {
	partition, sort []string
	together        int    // 1 + the pattern over several models that alone reads by it, or 0
	where           string // the attribute that only some items have, or ""
	some            string // the optional attributes, as in a+b, or ""
	exact           bool   // the sort key has no further attributes
	inIndex         bool   // a wanted key is in an index, even if the primary key would serve
}

// String writes a key as notes do: (a+b, c) has the partition key a+b and the sort key c.
func (k key) String() string {
	if len(k.sort) == 0 {
		return "(" + strings.Join(k.partition, "+") + ")"
	}
	return "(" + strings.Join(k.partition, "+") + ", " + strings.Join(k.sort, "+") + ")"
}

// equal reports whether keys have the same attributes, and the same pattern that alone reads by
// them.
func (k key) equal(o key) bool {
	return slices.Equal(k.partition, o.partition) && slices.Equal(k.sort, o.sort) &&
		k.together == o.together
}

// serves reports whether items in the order of k can be read as if they were in the order of w.
func (k key) serves(w key) bool {
	if k.together != w.together || k.where != w.where || k.some != w.some ||
		w.exact && len(k.sort) > len(w.sort) {
		return false
	}
	return slices.Equal(k.partition, w.partition) && len(w.sort) <= len(k.sort) &&
		slices.Equal(k.sort[:len(w.sort)], w.sort)
}

// addKey adds a key to a list, unless one of the list serves all that it would serve. It replaces
// one that it serves in full.
func addKey(list []key, k key) []key {
	for i, other := range list {
		if other.serves(k) {
			list[i].exact = other.exact || k.exact
			return list
		}
		if k.serves(other) {
			list[i] = k
			return list
		}
	}
	return append(list, k)
}

// madeUnique returns a key with the unique attributes of a model joined to its sort key.
func madeUnique(k key, unique []string) key {
	k.sort = slices.Clone(k.sort)
	for _, a := range unique {
		if !slices.Contains(k.partition, a) && !slices.Contains(k.sort, a) {
			k.sort = append(k.sort, a)
		}
	}
	return k
}

// misplacesVersion reports whether a key cannot be the primary key of a model because that has
// versions, and the key does not end in the version.
func (m *Model) misplacesVersion(k key) bool {
	return m.Versions && (len(k.sort) < 2 || !m.isVersion(k.sort[len(k.sort)-1]))
}

// rest returns the unique attributes of a model that a partition key does not have. If it has all
// of them, it returns all.
func (m *Model) rest(partition []string) []string {
	var others []string
	for _, name := range m.Key {
		if !slices.Contains(partition, name) {
			others = append(others, name)
		}
	}
	if others == nil {
		return m.Key
	}
	return others
}

// inOrder returns those keys in which the results of several values can be merged by their sort
// keys: one that begins with the value would have them in its order first.
func (p *Pattern) inOrder(keys []key) []key {
	name, _ := p.in()
	if name == "" || p.SortBy() == "" {
		return keys
	}
	return slices.DeleteFunc(keys, func(k key) bool { return slices.Contains(k.sort, name) })
}

// sortsByNumber reports whether a sort key is one number.
func sortsByNumber(m *Model, k key) bool {
	return len(k.sort) == 1 && m.Attribute(k.sort[0]).Type == Number
}

// sortsByCounter reports whether a sort key is a counter.
func sortsByCounter(m *Model, k key) bool {
	return sortsByNumber(m, k) && m.Attribute(k.sort[0]).addedTo()
}

// joinsCounters reports whether a key has a counter, or a last value, beside other values.
func joinsCounters(m *Model, keys []key) bool {
	counter := func(name string) bool { return m.Attribute(name).addedTo() }
	lasting := func(name string) bool { return m.Attribute(name).Last != "" }
	return slices.ContainsFunc(keys, func(k key) bool {
		return len(k.sort) > 1 && slices.ContainsFunc(k.sort, counter) ||
			slices.ContainsFunc(k.partition, counter) ||
			len(k.sort) > 1 && slices.ContainsFunc(k.sort, lasting) ||
			len(k.partition) > 1 && slices.ContainsFunc(k.partition, lasting)
	})
}
