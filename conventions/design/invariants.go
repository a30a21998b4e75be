package design

import (
	"slices"
	"strings"
	"unicode"
)

// rules finds what is unique, counted or written together in a design.
type rules struct{ *Design }

// changed returns the attributes that an update of a transaction changes.
func (d rules) changed(w *Written) (names []string) {
	if len(w.Of) > 0 || w.amounts() {
		return slices.Concat(w.Of, w.Takes, w.Gives)
	}
	m := d.Model(w.Model)
	for i := range m.Attributes {
		a := &m.Attributes[i]
		if (a.Mutable || m.named(a.Name)) && a.counted() == "" && a.Last == "" {
			names = append(names, a.Name)
		}
	}
	return names
}

// counter is an attribute that counts items of another model, or sums up an attribute of them.
type counter struct {
	model     *Model     // the model that has it
	attribute *Attribute // the counter
	of        *Model     // the model whose items are counted
	by        []string   // the attributes of counted items that have the key of model
}

// kept returns how a counter is kept.
func (c *counter) kept() Keeping {
	if c.attribute.Kept == "" {
		return ByTransaction
	}
	return c.attribute.Kept
}

// rate returns how often items that are counted come and go in a second. Those that expire do so as
// often as others come, and the stream shows it.
func (c *counter) rate() float64 {
	if c.attribute.Numbers != "" {
		return c.of.Puts
	}
	if c.of.TTL != "" {
		return 2*c.of.Puts + c.of.Deletes
	}
	return c.of.Puts + c.of.Deletes
}

// counters returns the counters of a design.
func (d rules) counters() (all []counter) {
	for i := range d.Models {
		m := &d.Models[i]
		for j := range m.Attributes {
			of := d.Model(m.Attributes[j].counted())
			if of == nil {
				continue
			}
			c := counter{model: m, attribute: &m.Attributes[j], of: of}
			c.by = counterKey(d, &c)
			all = append(all, c)
		}
	}
	return all
}

// counterKey returns the attributes of counted items that have the key of the item that counts
// them: the one that the design names, as in counts: Follow.followee, or those that refer to its
// key.
func counterKey(d rules, c *counter) (by []string) {
	if _, named, ok := strings.Cut(c.attribute.Counts, "."); ok {
		return []string{named}
	}
	for _, name := range c.model.Key {
		by = append(by, d.with(c.of, c.model.Name+"."+name))
	}
	return by
}

// with returns the attribute of a model that has the values of another one, such as Post.id, or "".
func (d rules) with(m *Model, values string) string {
	model, name, _ := strings.Cut(values, ".")
	root := rootOf(d.Models, model, d.Model(model).Attribute(name))
	for i := range m.Attributes {
		a := &m.Attributes[i]
		if a.Of == values || a.Of != "" && rootOf(d.Models, m.Name, a) == root {
			return a.Name
		}
	}
	return ""
}

// withInvariants returns a design in which the writes that keep what is unique, counted or written
// together are those of models: it has a model for each guard, and counters change as often as
// items are counted.
func (d rules) withInvariants() *Design {
	if d.invariants {
		return d.Design
	}
	copied := *d.Design
	all := rules{&copied}
	all.invariants, all.Models = true, slices.Clone(d.Models)
	for i := range all.Models {
		all.Models[i].Changes = slices.Clone(all.Models[i].Changes)
	}
	all.addFeeds()
	all.splitLatest()
	for i := range all.Transactions {
		all.addTransaction(&all.Transactions[i])
	}
	all.addCopies()
	all.addMoves()
	all.addCounters()
	addLasts(all)
	all.keyStrictly()
	guards := all.markers()
	for i := range all.Models {
		changeTogether(&all.Models[i])
		for _, unique := range all.Models[i].Unique {
			guards = append(guards, all.guard(&all.Models[i], unique, guards))
		}
	}
	all.Models = append(all.Models, guards...)
	all.readGuards()
	return all.Design
}

// addTransaction adds the writes of a transaction to those of its models. A transaction of one item
// is a single write, unless the item has guards or counters.
func (d rules) addTransaction(t *Transaction) {
	together := float64(min(1, t.items()-1))
	for i := range t.Puts {
		m, rate := d.Model(t.Puts[i].Model), t.Rate*float64(t.Puts[i].items())
		m.Puts += rate
		m.putTogether += rate * together
	}
	for i := range t.Updates {
		m, rate := d.Model(t.Updates[i].Model), t.Rate*float64(t.Updates[i].items())
		markTaken(m, &t.Updates[i])
		m.Changes = append(m.Changes, Change{Of: d.changed(&t.Updates[i]), Rate: rate})
		m.updatedTogether += rate * together
	}
}

// markTaken marks the numbers that an update changes by amounts.
func markTaken(m *Model, w *Written) {
	if !w.amounts() {
		return
	}
	m.Attributes = slices.Clone(m.Attributes)
	for _, name := range slices.Concat(w.Takes, w.Gives) {
		m.Attribute(name).taken = true
	}
}

// addCounters adds the changes of counters to those of their models.
func (d rules) addCounters() {
	counters := d.counters()
	for i, c := range counters {
		rate := c.rate()
		same := func(other counter) bool { // one update changes both
			return other.model == c.model && other.of == c.of && other.kept() == c.kept() &&
				slices.Equal(other.by, c.by)
		}
		if first := slices.IndexFunc(counters, same); first < i {
			name := counters[first].attribute.Name
			for j := range c.model.Changes {
				if change := &c.model.Changes[j]; change.Of[0] == name {
					change.Of = append(change.Of, c.attribute.Name)
				}
			}
			continue
		}
		for j := range counters[i:] { // one of them may change more often than another
			if same(counters[i+j]) {
				rate = max(rate, counters[i+j].rate())
			}
		}
		c.model.Changes = append(c.model.Changes,
			Change{Of: []string{c.attribute.Name}, Rate: rate})
		switch c.kept() {
		case ByTransaction:
			c.model.updatedTogether += rate
			c.of.alwaysTogether = true
		case ByStreamOnce:
			c.model.updatedTogether += rate
		}
	}
}

// addMoves adds the changes of counters that changes of what is counted cause. Each is a
// transaction of both items.
func (d rules) addMoves() {
	type move struct {
		by   *Model
		what Change
	}
	var moves []move
	for i := range d.Models {
		m := &d.Models[i]
		for _, change := range m.Changes {
			byModel := map[string]int{}
			for _, c := range d.movedBy(m, change.Of) {
				id := c.model.Name + " " + strings.Join(c.by, " ")
				at, there := byModel[id]
				if !there {
					at = len(moves)
					byModel[id] = at
					moves = append(moves, move{c.model, Change{Rate: change.Rate}})
				}
				moves[at].what.Of = append(moves[at].what.Of, c.attribute.Name)
			}
			if len(byModel) > 0 {
				m.updatedTogether += change.Rate
			}
		}
	}
	for _, m := range moves {
		m.by.Changes = append(m.by.Changes, m.what)
		m.by.updatedTogether += m.what.Rate
	}
}

// keyStrictly notes which models must have their own key, and nothing else, as the primary key:
// writes find their items by it, and a put is refused if there is an item with it.
func (d rules) keyStrictly() {
	for i := range d.Models {
		m := &d.Models[i]
		m.strict = m.strict || len(m.Unique) > 0
	}
	for _, c := range d.counters() {
		c.model.strict, c.of.strict = true, true
	}
	for i := range d.Transactions {
		for _, w := range slices.Concat(d.Transactions[i].Puts, d.Transactions[i].Updates) {
			d.Model(w.Model).strict = true
		}
	}
}

// The attributes of the items that say which records are counted. They stay for a day: as long as a
// stream has the record.
const (
	markerKey   = "event"
	markerTTL   = "expires"
	markerBytes = 32 // the id of a record
	markerStays = 24 * 3600
)

// markers returns the models whose items say which records of others are counted.
func (d rules) markers() (all []Model) {
	for _, c := range d.counters() {
		marks := func(m Model) bool { return m.Marks == c.of.Name }
		if c.kept() != ByStreamOnce || slices.ContainsFunc(all, marks) {
			continue
		}
		all = append(all, Model{Name: d.guardName(c.of.Name, []string{"counted"}, all),
			Marks: c.of.Name, Key: []string{markerKey}, TTL: markerTTL, Puts: c.rate(),
			Items: int64(c.rate() * markerStays), Peak: c.of.Peak,
			alwaysTogether: true, strict: true,
			Attributes: []Attribute{{Name: markerKey, Type: String, Bytes: markerBytes},
				{Name: markerTTL, Type: Number}}})
	}
	return all
}

// guard returns the model whose items reserve the values of a model's unique attributes. A change
// of them deletes one guard and puts another one.
func (d rules) guard(m *Model, unique []string, others []Model) Model {
	g := Model{Reserves: &Reservation{Of: m.Name, Unique: unique}, Key: unique, Items: m.Items,
		Puts: m.Puts, Deletes: m.Deletes, TTL: m.TTL, Peak: m.Peak, Recovery: m.Recovery,
		Name: d.guardName(m.Name, unique, others)}
	for _, c := range m.Changes {
		if slices.ContainsFunc(unique,
			func(name string) bool { return slices.Contains(c.Of, name) }) {
			g.Puts += 2 * c.Rate
		}
	}
	g.alwaysTogether, m.alwaysTogether = true, true
	for _, name := range slices.Concat(unique, m.Key, []string{m.TTL, d.tenantOf(m)}) {
		if a := m.Attribute(name); a != nil && g.Attribute(name) == nil {
			of := Attribute{Name: name, Type: a.Type, Format: a.Format, Bytes: a.Bytes,
				Constant: a.Constant, Values: a.Values, Of: m.Name + "." + name}
			g.Attributes = append(g.Attributes, of)
		}
	}
	return g
}

// changeTogether counts the updates that change what is unique: each is a transaction with guards.
func changeTogether(m *Model) {
	for _, c := range m.Changes {
		unique := func(name string) bool {
			return slices.ContainsFunc(m.Unique,
				func(u []string) bool { return slices.Contains(u, name) })
		}
		if slices.ContainsFunc(c.Of, unique) {
			m.updatedTogether += c.Rate
		}
	}
}

// countedBy returns the model that counts items of a model by an attribute of theirs, and the
// counter that sums the attribute up; each may be nil.
func (d rules) countedBy(m *Model, name string) (by *Model, sum *Attribute) {
	for _, c := range d.counters() {
		if c.of.Name == m.Name &&
			(slices.Contains(c.by, name) || c.attribute.Where[name] != "") {
			by = c.model
		}
		if c.of.Name == m.Name && c.attribute.Sums != "" && c.attribute.summed() == name {
			sum = c.attribute
		}
	}
	return by, sum
}

// changes returns the attributes of what is unique that a change of it sets: those that can change.
func (d rules) changes(m *Model, unique []string) (changed []string) {
	for _, name := range unique {
		by, sum := d.countedBy(m, name)
		if !slices.Contains(m.Key, name) && m.Attribute(name).Constant == "" && by == nil &&
			sum == nil && name != d.tenantOf(m) {
			changed = append(changed, name)
		}
	}
	return changed
}

// tenantOf returns the attribute with the tenant of a model, or "".
func (d rules) tenantOf(m *Model) string {
	if d.Tenants == nil || m.Attribute(d.Tenants.Attribute) == nil {
		return ""
	}
	return d.Tenants.Attribute
}

// guardName returns the name of a guard, such as UserEmail: no other model has it.
func (d rules) guardName(model string, unique []string, others []Model) string {
	name := model
	for _, attribute := range unique {
		for _, word := range strings.FieldsFunc(attribute, func(r rune) bool {
			return r >= unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			name += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	taken := func(m Model) bool { return m.Name == name }
	for slices.ContainsFunc(d.Models, taken) || slices.ContainsFunc(others, taken) {
		name += "Guard"
	}
	return name
}

// guards returns the guards of a model.
func (d rules) guards(model string) (all []*Model) {
	for i := range d.Models {
		if g := d.Models[i].Reserves; g != nil && g.Of == model {
			all = append(all, &d.Models[i])
		}
	}
	return all
}

// readGuards has patterns that find an item by what is unique read its guard, where that has all
// attributes of the result: an item and its guards are several items of one model. That takes no
// index, and the read may be strongly consistent.
func (d rules) readGuards() {
	d.Patterns = slices.Clone(d.Patterns)
	for i := range d.Patterns {
		p := &d.Patterns[i]
		for _, g := range d.guards(p.Model) {
			if d.readsGuard(p, g) {
				p.Model = g.Name
				break
			}
		}
	}
}

// readsGuard reports whether a guard serves a pattern of the model whose values it reserves: the
// pattern finds one item by all of the guard's key, and the guard has all that it returns.
func (d rules) readsGuard(p *Pattern, g *Model) bool {
	plain := p.One && p.SortBy() == "" && p.Similar == "" && p.Through == "" && p.Shards <= 1 &&
		len(p.Where)+len(p.In)+len(p.Filter) == 0
	if !plain || len(p.Attributes) == 0 {
		return false
	}
	lacks := func(name string) bool { return g.Attribute(name) == nil }
	beyondKey := func(name string) bool {
		return name != d.tenantOf(g) && !slices.Contains(g.Key, name)
	}
	unknown := func(name string) bool { // the request lacks this value of the key
		return name != d.tenantOf(g) && !slices.Contains(p.Equal, name) &&
			g.Attribute(name).Constant == ""
	}
	return !slices.ContainsFunc(p.Attributes, lacks) &&
		!slices.ContainsFunc(p.Equal, beyondKey) && !slices.ContainsFunc(g.Key, unknown)
}
