package design

import (
	"maps"
	"slices"
	"strings"
)

// Reservation says that each item of a model, a guard, reserves a value of another model's unique
// attributes. Plans add such models, designs do not have them.
type Reservation struct {
	Of     string   // the model with Unique
	Unique []string // the attributes whose values are unique together: the key of the guard
}

// Keeping is how a counter, or a copy, is kept.
type Keeping string

// The ways to keep a counter. The first and the third are also ways to keep a copy.
const (
	// the item and the counter are written by one TransactWriteItems
	ByTransaction Keeping = "transaction"
	// an UpdateItem with ADD follows the put of the item
	ByAdd Keeping = "add"
	// a consumer of the table's stream sends that UpdateItem: a record that it gets twice counts
	// twice
	ByStream Keeping = "stream"
	// the consumer writes, in one TransactWriteItems with that update, an item that says that the
	// record is counted
	ByStreamOnce Keeping = "stream-once"
)

// Never is of copies only: they stay as they are when what they are copies of changes.
const Never Keeping = "never"

// Keepings are all ways to keep a counter, CopyKeepings all ways to keep a copy: with what it is a
// copy of, by a consumer of the stream, or not at all.
var (
	Keepings     = []Keeping{ByTransaction, ByAdd, ByStream, ByStreamOnce}
	CopyKeepings = []Keeping{ByTransaction, ByStream, Never}
)

// streamed reports whether a consumer of the stream keeps a counter.
func (k Keeping) streamed() bool { return k == ByStream || k == ByStreamOnce }

// Transaction is writes that belong together: all of them take place, or none.
type Transaction struct {
	Name    string
	Puts    []Written
	Updates []Written
	Rate    float64 // transactions a second. Its writes come on top of those that the models say
}

// Written says which items of one model a transaction puts or updates.
type Written struct {
	Model string
	Of    []string // the attributes that an update changes; nil is those that are mutable
	Takes []string // numbers that an update lessens, if there is as much as it takes
	Gives []string // numbers that an update gives something back to
	Count int      // how many items; 0 is 1
}

// items returns how many items of a model a transaction writes.
func (w *Written) items() int { return max(w.Count, 1) }

// items returns how many items a transaction writes, without guards and counters.
func (t *Transaction) items() (n int) {
	for _, w := range slices.Concat(t.Puts, t.Updates) {
		n += w.items()
	}
	return n
}

// counted returns the model whose items an attribute counts, sums up or numbers, or "".
func (a *Attribute) counted() string {
	model, _, _ := strings.Cut(a.Counts+a.Sums+a.Numbers, ".")
	return model
}

// addedTo reports whether writes change a number by amounts, so that a key holds it as a number.
func (a *Attribute) addedTo() bool { return a.taken || a.counted() != "" }

// summed returns the attribute that a counter sums up, or "".
func (a *Attribute) summed() string {
	_, name, _ := strings.Cut(a.Sums, ".")
	return name
}

// numbered returns the attribute whose last number an attribute has, or "".
func (a *Attribute) numbered() string {
	_, name, _ := strings.Cut(a.Numbers, ".")
	return name
}

// countedIn returns the field by which an attribute is a counter.
func (a *Attribute) countedIn() string {
	switch {
	case a.Numbers != "":
		return "numbers"
	case a.Sums != "":
		return "sums"
	}
	return "counts"
}

// lastOf returns the model and the attribute whose last value an attribute has, or "".
func (a *Attribute) lastOf() (model, name string) {
	model, name, _ = strings.Cut(a.Last, ".")
	return model, name
}

// depends returns the attributes of what is counted that change, and a counter with them.
func (c *counter) depends() (names []string) {
	for _, name := range append(slices.Sorted(maps.Keys(c.attribute.Where)),
		c.attribute.summed()) {
		if a := c.of.Attribute(name); a != nil && (a.Mutable || c.of.named(name)) {
			names = append(names, name)
		}
	}
	return names
}

// movedBy returns the counters whose numbers a change of a model's items moves.
func (d rules) movedBy(m *Model, changed []string) (all []counter) {
	for _, c := range d.counters() {
		if c.of.Name == m.Name && slices.ContainsFunc(c.depends(),
			func(name string) bool { return slices.Contains(changed, name) }) {
			all = append(all, c)
		}
	}
	return all
}

// isUnique reports whether the samples of an attribute have to differ, because it is the last one
// of those that are unique together.
func (m *Model) isUnique(name string) bool {
	return m.Reserves == nil && slices.ContainsFunc(m.Unique,
		func(unique []string) bool { return unique[len(unique)-1] == name })
}

// valuesOf returns how many values some attributes of a model have together, and whether the design
// says so of each.
func (m *Model) valuesOf(names []string) (known bool, n float64) {
	n = 1
	for _, name := range names {
		switch a := m.Attribute(name); {
		case a == nil || a.Values == 0 && a.Constant == "":
			return false, 0
		case a.Constant == "":
			n *= float64(a.Values)
		}
	}
	return true, n
}

// OnlyCounts reports whether a model has no attributes but its key and counters. Its items are made
// when the first item is counted.
func (m *Model) OnlyCounts() bool {
	return !slices.ContainsFunc(m.Attributes, func(a Attribute) bool {
		return a.counted() == "" && a.Derived == nil && a.Constant == "" &&
			!slices.Contains(m.Key, a.Name)
	})
}

// transactItems is how many items TransactWriteItems writes at most.
const transactItems = 100

// amounts reports whether an update changes numbers by amounts, in place of setting values.
func (w *Written) amounts() bool { return len(w.Takes)+len(w.Gives) > 0 }
