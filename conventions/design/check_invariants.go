package design

import (
	"fmt"
	"slices"
	"strings"
)

// maxTransactions and maxUnique bound the writes of a plan.
const (
	maxTransactions = 100
	maxUnique       = 10
)

// invariants checks what is unique, counted or written together.
func (c *checker) invariants() {
	d := c.design
	models := len(d.Models)
	keptChecker{c}.feeds()
	for i := range d.Models {
		field := fmt.Sprintf("models[%d]", i)
		c.unique(&d.Models[i], field)
		models += len(d.Models[i].Unique)
		if m := &d.Models[i]; m.Reserves != nil || m.Marks != "" || m.Feed != nil {
			c.add(field, "plans add guards, marks and feeds, designs do not")
		}
		for j := range d.Models[i].Attributes {
			at := fmt.Sprintf("%s.attributes[%d]", field, j)
			checkWhere(c, &d.Models[i], &d.Models[i].Attributes[j], at)
			a := &d.Models[i].Attributes[j]
			keptChecker{c}.usesLast(a, at)
			if a.Last != "" {
				keptChecker{c}.last(&d.Models[i], a, at)
				continue
			}
			if a.counted() == "" && a.Of != "" {
				keptChecker{c}.copy(&d.Models[i], a, at)
				continue
			}
			c.counter(&d.Models[i], j, at)
		}
	}
	if len(c.errs) == 0 {
		models += len(rules{d}.markers())
	}
	if models > MaxModels {
		c.add("models", "there are %d with those that keep attributes unique or records counted; want at most %d",
			models, MaxModels)
	}
	if len(d.Transactions) > maxTransactions {
		c.add("transactions", "want at most %d", maxTransactions)
	}
	for i := range d.Transactions {
		c.transaction(i)
	}
	if len(c.errs) == 0 {
		keptChecker{c}.added()
	}
}

// added checks that the patterns which plans add for copies and feeds have names and places of
// their own.
func (c keptChecker) added() {
	with := (rules{c.design}).withInvariants()
	all := with.Patterns
	if len(with.Models) > MaxModels {
		c.add("models", "there are %d with those that plans add; want at most %d",
			len(with.Models), MaxModels)
	}
	if len(all) > MaxPatterns {
		c.add("patterns", "there are %d with those of copies and feeds; want at most %d", len(all),
			MaxPatterns)
		return
	}
	for i := range c.design.Patterns {
		name := c.design.Patterns[i].Name
		for _, p := range all[len(c.design.Patterns):] {
			if p.Name == name {
				c.add(fmt.Sprintf("patterns[%d].name", i),
					"%s is the name of a pattern that copies or feeds take", name)
			}
		}
	}
}

// unique checks the attributes of a model that are unique besides its key.
func (c *checker) unique(m *Model, field string) {
	if len(m.Unique) > maxUnique {
		c.add(field+".unique", "want at most %d", maxUnique)
	}
	if m.Versions && len(m.Unique) > 0 {
		c.add(field+".unique", "%s keeps all versions, which have the same values", m.Name)
	}
	for i := range m.Unique {
		c.uniqueTogether(m, i, fmt.Sprintf("%s.unique[%d]", field, i))
	}
}

// uniqueTogether checks one list of attributes whose values are unique together.
func (c *checker) uniqueTogether(m *Model, i int, field string) {
	unique := m.Unique[i]
	if len(unique) == 0 || len(unique) > MaxEqual {
		c.add(field, "want 1 to %d attributes", MaxEqual)
		return
	}
	own := c.uniqueNames(m, unique, field)
	last := m.Attribute(unique[len(unique)-1])
	many, values := m.valuesOf(unique)
	switch {
	case last == nil:
	case own && within(m.Key, unique):
		c.add(field, "%s is the key of %s, so no two items have the same values anyway",
			strings.Join(m.Key, " and "), m.Name)
	case !own:
		c.add(field, "name an attribute last that is not in the key, not constant and not of another one: %s is not such a one",
			last.Name)
	case last.Values > 0 && last.Values < m.Items && len(unique) == 1:
		c.add(field, "%s has %d values, and %s %d items", last.Name, last.Values, m.Name, m.Items)
	case many && values < float64(m.Items):
		c.add(field, "%s have %.0f values together, and %s %d items",
			strings.Join(unique, " and "), values, m.Name, m.Items)
	case last.skewed():
		c.add(field, "%s has values that are more frequent than others", last.Name)
	}
	for j, other := range m.Unique {
		if j != i && len(other) > 0 && within(other, unique) &&
			(j < i || len(other) < len(unique)) {
			c.add(field, "unique[%d] says so already", j)
		}
	}
}

// uniqueNames checks the names in a list, and reports whether the last one that there is names an
// attribute of the model's own.
func (c *checker) uniqueNames(m *Model, unique []string, field string) (own bool) {
	for j, name := range unique {
		before := len(c.errs)
		c.keyAttribute(field, m, name)
		if len(c.errs) > before {
			continue
		}
		a := m.Attribute(name)
		own = !slices.Contains(m.Key, name) && a.Constant == "" && a.Of == ""
		if slices.Contains(unique[:j], name) {
			c.add(field, "%s is there twice", name)
		}
		if a.counted() != "" {
			c.add(field, "%s is a counter", name)
		}
	}
	return own
}

// within reports whether all names are among others.
func within(names, others []string) bool {
	return !slices.ContainsFunc(names,
		func(name string) bool { return !slices.Contains(others, name) })
}

// counter checks an attribute that counts items of another model.
func (c *checker) counter(m *Model, j int, field string) {
	a := &m.Attributes[j]
	if a.counted() == "" {
		noCounter(c, a, field)
		return
	}
	name := field + "." + a.countedIn()
	of := c.design.Model(a.counted())
	switch {
	case a.Counts != "" && a.Sums != "":
		c.add(name, "%s counts items, too: want one of counts and sums", a.Name)
		return
	case a.Numbers != "" && a.Counts+a.Sums != "":
		c.add(name, "%s counts items, too: want one of counts, sums and numbers", a.Name)
		return
	case of == nil:
		c.noModel(name, a.counted())
		return
	case of == m:
		c.add(name, "%s cannot count its own items", m.Name)
	case a.Type != Number:
		c.add(name, "%s is a %s; want a number", a.Name, a.Type)
	case slices.Contains(m.Key, a.Name):
		c.add(name, "%s is in the key of %s, and the key of an item never changes", a.Name, m.Name)
	case m.named(a.Name):
		c.add(name, "%s changes with what it counts: leave it out of updates", a.Name)
	case of.TTL != "" && len(a.Where) > 0:
		c.add(name, "items of %s expire, and nothing is subtracted then", of.Name)
	case of.TTL != "" && !a.Kept.streamed() && a.Numbers == "":
		c.add(name, "items of %s expire, and nothing is subtracted then: say kept: stream, which shows it",
			of.Name)
	case of.Versions:
		c.add(name, "%s keeps all versions, and would be counted for each", of.Name)
	}
	if a.By != "" {
		c.add(field+".by", "name the attribute in counts, such as Follow.followee")
	}
	if a.Kept != "" && !slices.Contains(Keepings, a.Kept) {
		c.add(field+".kept", "want transaction, add, stream or stream-once")
	}
	if _, by, ok := strings.Cut(a.Counts, "."); ok {
		c.countedAttribute(m, a, of, by, name)
		return
	}
	for _, key := range m.Key {
		switch by := (rules{c.design}).with(of, m.Name+"."+key); {
		case by == "":
			c.add(name, "%s has no attribute that is of %s.%s, so its items are of no %s", of.Name,
				m.Name, key, m.Name)
		case of.Attribute(by).Mutable || of.named(by):
			c.add(name, "%s.%s changes, and the counters would have to change with it", of.Name, by)
		}
	}
	c.summed(of, a, name)
	checkNumbers(c, m, of, a, field)
}

// noCounter checks an attribute that counts nothing.
func noCounter(c *checker, a *Attribute, field string) {
	if a.Kept != "" {
		c.add(field+".kept", "%s counts nothing: say what in counts or sums", a.Name)
	}
	if a.By != "" {
		c.add(field+".by", "%s is no copy: say of what in of", a.Name)
	}
}

// countedAttribute checks the attribute by which a counter counts items of a model, as in
// Follow.followee.
func (c *checker) countedAttribute(m *Model, a *Attribute, of *Model, by, field string) {
	b := of.Attribute(by)
	switch {
	case b == nil:
		c.noAttribute(field, of, by)
	case len(m.Key) != 1 || rootOf(c.design.Models, of.Name, b) !=
		rootOf(c.design.Models, m.Name, m.Attribute(m.Key[0])):
		c.add(field, "%s is not of the only attribute in the key of %s", a.Counts, m.Name)
	case b.Mutable || of.named(by):
		c.add(field, "%s changes, and the counters would have to change with it", a.Counts)
	}
}

// summed checks what a counter sums up.
func (c *checker) summed(of *Model, a *Attribute, field string) {
	if a.Sums == "" {
		return
	}
	switch s := of.Attribute(a.summed()); {
	case !strings.Contains(a.Sums, ".") || s == nil:
		c.add(field, "no attribute is called %s; want MODEL.ATTRIBUTE, and %s has %s", a.Sums,
			of.Name, listed(of.attributeNames()))
	case s.Type != Number:
		c.add(field, "%s is a %s; want a number", a.Sums, s.Type)
	case s.counted() != "":
		c.add(field, "%s is a counter itself, which changes with what it counts", a.Sums)
	}
}

// transaction checks writes that belong together.
func (c *checker) transaction(i int) {
	t, field := &c.design.Transactions[i], fmt.Sprintf("transactions[%d]", i)
	checkRate(c, field+".rate", t.Rate)
	if t.Name == "" {
		c.add(field+".name", "name the transaction, such as place an order")
	}
	c.oneLine(field+".name", t.Name)
	for j := range c.design.Models {
		m := &c.design.Models[j]
		names := []string{"put " + m.Name, "delete " + m.Name}
		for _, unique := range m.Unique {
			names = append(names, changeName(m, unique))
		}
		for _, change := range m.Changes {
			names = append(names, changeName(m, change.Of))
		}
		if slices.Contains(names, t.Name) {
			c.add(field+".name", "%s is the name of a write of %s", t.Name, m.Name)
		}
	}
	for j := range c.design.Transactions[:i] {
		if c.design.Transactions[j].Name == t.Name {
			c.add(field+".name", "there are two transactions %s", t.Name)
		}
	}
	if len(t.Puts)+len(t.Updates) == 0 {
		c.add(field+".puts", "name the models whose items are put, or those that are updated")
	}
	there := map[string]bool{}
	for j := range t.Puts {
		c.written(&t.Puts[j], fmt.Sprintf("%s.puts[%d]", field, j), there)
		if len(t.Puts[j].Of) > 0 {
			c.add(fmt.Sprintf("%s.puts[%d].of", field, j), "a put writes all attributes")
		}
		if t.Puts[j].amounts() {
			c.add(fmt.Sprintf("%s.puts[%d].takes", field, j),
				"only an update takes from what is there, or gives")
		}
	}
	for j := range t.Updates {
		at := fmt.Sprintf("%s.updates[%d]", field, j)
		if c.written(&t.Updates[j], at, there) {
			c.updated(&t.Updates[j], at)
		}
	}
	checkNumbered(c, t, field)
	for _, counter := range (rules{c.design}).counters() {
		if counter.kept() == ByTransaction && there[counter.model.Name] &&
			slices.ContainsFunc(t.Puts,
				func(w Written) bool { return w.Model == counter.of.Name }) {
			c.add(field, "%s writes %s and, because %s %s %s, the same item a second time, which a transaction cannot: put the items of %s in a write of their own%s",
				t.Name, counter.model.Name, counter.attribute.Name, counter.attribute.countedIn(),
				counter.of.Name, counter.of.Name, orAdd(&counter))
		}
	}
	keptChecker{c}.written(t, field, there)
}

// written checks that a transaction which puts an item with a copy does not write its original as
// well, which counts its copies.
func (c keptChecker) written(t *Transaction, field string, there map[string]bool) {
	for _, copied := range (rules{c.design}).copies() {
		if copied.attribute.Kept == ByTransaction && there[copied.of.Name] &&
			slices.ContainsFunc(t.Puts,
				func(w Written) bool { return w.Model == copied.model.Name }) {
			c.add(field, "%s writes %s and, because a transaction keeps %s of %s, the same item a second time, which a transaction cannot: put the items of %s in a write of their own, or say kept: stream",
				t.Name, copied.of.Name, copied.attribute.Name, copied.model.Name,
				copied.model.Name)
		}
	}
}

// written checks what a transaction writes of a model. It returns whether there is the model.
func (c *checker) written(w *Written, field string, there map[string]bool) bool {
	if c.design.Model(w.Model) == nil {
		c.noModel(field, w.Model)
		return false
	}
	if there[w.Model] {
		c.add(field, "%s is there twice: say count: 2 for two items", w.Model)
	}
	there[w.Model] = true
	if w.Count < 0 || w.Count > transactItems {
		c.add(field+".count", "want 1 to %d", transactItems)
	}
	return true
}

// updated checks what an update of a transaction changes.
func (c *checker) updated(w *Written, field string) {
	m := c.design.Model(w.Model)
	checkAmounts(c, w, m, field)
	if len(rules{c.design}.changed(w)) == 0 {
		c.add(field, "say which attributes of %s change, as in {model: %[1]s, of: [%s]}, or that some are mutable",
			w.Model, m.Attributes[len(m.Attributes)-1].Name)
	}
	for i, name := range (rules{c.design}).changed(w) {
		a := m.Attribute(name)
		if a == nil {
			c.noAttribute(field+".of", m, name)
			continue
		}
		by, sum := rules{c.design}.countedBy(m, name)
		switch {
		case i < len(w.Of) && slices.Contains(w.Of[:i], name):
			c.add(field+".of", "%s is there twice", name)
		case by != nil:
			c.add(field+".of", "%s says which %s counts the item, and its counters would have to change with it",
				name, by.Name)
		case sum != nil:
			c.add(field+".of", "%s is summed up by %s, which would have to change with it", name,
				sum.Name)
		case slices.Contains(m.Key, name) || a.Constant != "":
			c.add(field+".of", "%s of %s never changes", name, m.Name)
		case a.counted() != "":
			c.add(field+".of", "%s changes with what it counts", name)
		case numberedBy(rules{c.design}, m, name) != nil:
			c.add(field+".of", "%s is the number of the item, which never changes", name)
		case a.Last != "":
			c.add(field+".of", "%s changes with %s", name, a.Last)
		case slices.ContainsFunc(m.Unique,
			func(u []string) bool { return slices.Contains(u, name) }):
			c.add(field+".of", "%s is unique: a write of its own changes it", name)
		case c.design.Tenants != nil && c.design.Tenants.Attribute == name:
			c.add(field+".of", "%s is the tenant, which never changes", name)
		}
	}
}
