package design

import (
	"fmt"
	"slices"
	"strings"
)

// tablesChecker checks a design of several tables, once models and attributes are there: one
// request reads one table, and what a write keeps is in its table.
type tablesChecker struct{ *checker }

// names checks the tables that models name.
func (c tablesChecker) names() {
	d := c.design
	for i := range d.Models {
		if name := d.Models[i].Table; name != "" && !validTableName(name) {
			c.add(fmt.Sprintf("models[%d].table", i),
				"want 3 to 255 of the characters a-z, A-Z, 0-9, _, - and .")
		}
	}
}

func (c tablesChecker) check() {
	d := c.design
	tables := d.Tables()
	if len(tables) == 1 {
		return
	}
	read := map[string]bool{}
	for i := range d.Patterns {
		read[c.table(d.Patterns[i].models()[0])] = true
	}
	for _, table := range tables {
		switch i := slices.IndexFunc(d.Models,
			func(m Model) bool { return d.tableOf(&m) == table }); {
		case i < 0:
			c.add("table", "no model is in the table %s: leave table out of those that are in it",
				table)
		case !read[table]:
			c.add(fmt.Sprintf("models[%d]", i),
				"no pattern reads the table %s: a table is planned for what it is read for", table)
		}
	}
	for i := range d.Transactions {
		c.transaction(&d.Transactions[i], fmt.Sprintf("transactions[%d]", i))
	}
	for i := range d.Models {
		for j := range d.Models[i].Attributes {
			c.attribute(&d.Models[i], &d.Models[i].Attributes[j],
				fmt.Sprintf("models[%d].attributes[%d]", i, j))
		}
	}
}

// table returns the table of a model, or "" without that model.
func (c tablesChecker) table(model string) string {
	if m := c.design.Model(model); m != nil {
		return c.design.tableOf(m)
	}
	return ""
}

// apart says in which tables two models are, if these are not the same, or returns "".
func (c tablesChecker) apart(a, b string) string {
	if x, y := c.table(a), c.table(b); x != y && x != "" && y != "" {
		return fmt.Sprintf("%s is in the table %s, and %s in %s", a, x, b, y)
	}
	return ""
}

// pattern reports whether a pattern reads one table.
func (c tablesChecker) pattern(p *Pattern, field string) bool {
	n := len(c.errs)
	for j, model := range p.Models {
		if apart := c.apart(p.Models[0], model); apart != "" {
			c.add(fmt.Sprintf("%s.models[%d]", field, j),
				"%s: a request reads one table. Write a pattern for each of the two, which the "+
					"application reads one after the other or at once", apart)
		}
	}
	if apart := c.apart(p.Model, p.Through); apart != "" {
		c.add(field+".through", "%s: a feed has both in one table", apart)
	}
	return n == len(c.errs)
}

func (c tablesChecker) transaction(t *Transaction, field string) {
	all := slices.Concat(t.Puts, t.Updates)
	for _, w := range all {
		if apart := c.apart(all[0].Model, w.Model); apart != "" {
			c.add(field, "%s: the transactions of a design write one table, though "+
				"TransactWriteItems can write several", apart)
			return
		}
	}
}

func (c tablesChecker) attribute(m *Model, a *Attribute, field string) {
	const together = "put both into one table, or leave it to the application"
	if of := a.counted(); of != "" {
		if apart := c.apart(m.Name, of); apart != "" {
			c.add(field+"."+a.countedIn(), "%s: the write of %s that changes %s would write two "+
				"tables; %s", apart, of, a.Name, together)
		}
	}
	if of, _ := a.lastOf(); of != "" {
		if apart := c.apart(m.Name, of); apart != "" {
			c.add(field+".last", "%s: the consumer of a stream writes the table of its stream; %s",
				apart, together)
		}
	}
	of, _, _ := strings.Cut(a.Of, ".")
	apart := c.apart(m.Name, of)
	if apart == "" {
		return
	}
	switch a.Kept {
	case ByTransaction:
		c.add(field+".kept", "%s: a change of %s would write two tables. Say kept: never, or put "+
			"both into one table", apart, a.Of)
	case ByStream:
		c.add(field+".kept", "%s: the consumer of a stream writes the table of its stream. Say "+
			"kept: never, or put both into one table", apart)
	}
}
