package design

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
)

// MakeTables plans each table of a design, in the order of Tables, by a function such as Make. What
// that gets is a design of one table. Errors name the fields of the whole design.
func MakeTables(d *Design, plan func(*Design) (*Plan, error)) ([]*Plan, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	parts := partsOf(d)
	if len(parts) == 1 {
		one, err := plan(d)
		return []*Plan{one}, err
	}
	var all []*Plan
	var errs []error
	for _, p := range parts {
		one, err := plan(p.design)
		if err != nil {
			errs = append(errs, p.place(err)...)
			continue
		}
		all = append(all, one)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Names)) {
		if !slices.ContainsFunc(all,
			func(p *Plan) bool { return !slices.Contains(p.unnamed, name) }) {
			return nil, conventions.FieldErrorf("names."+name,
				"no table has an index or an attribute of this name")
		}
	}
	return all, nil
}

// part is the design of one of several tables.
type part struct {
	design *Design
	// the numbers that they have in the whole design
	models, patterns, transactions []int
}

// partsOf returns the designs of a design's tables. The design has passed its check, by which no
// pattern and no write is about two of them.
func partsOf(d *Design) (all []part) {
	tables := d.Tables()
	if len(tables) == 1 {
		return []part{{design: d}}
	}
	whole := d.withValues()
	for _, table := range tables {
		one := *whole
		p := part{design: &one}
		one.Table, one.From, one.part = table, "", true
		one.Models, one.Patterns, one.Transactions = nil, nil, nil
		in := func(model string) bool { return d.tableOf(d.Model(model)) == table }
		for i, m := range whole.Models {
			if in(m.Name) {
				m.Table = ""
				one.Models, p.models = append(one.Models, m), append(p.models, i)
			}
		}
		for i := range whole.Patterns {
			if in(whole.Patterns[i].models()[0]) {
				one.Patterns = append(one.Patterns, whole.Patterns[i])
				p.patterns = append(p.patterns, i)
			}
		}
		for i := range whole.Transactions {
			t := &whole.Transactions[i]
			if in(slices.Concat(t.Puts, t.Updates)[0].Model) {
				one.Transactions = append(one.Transactions, *t)
				p.transactions = append(p.transactions, i)
			}
		}
		p.refer(whole)
		all = append(all, p)
	}
	return all
}

// refer has attributes of a part name the attribute whose values they have in the end, where the
// one that they name is in another table, and notes the models of those.
func (p *part) refer(whole *Design) {
	d := p.design
	for i := range d.Models {
		m := &d.Models[i]
		for j := range m.Attributes {
			a := &m.Attributes[j]
			for a.Of != "" {
				model, name, _ := strings.Cut(a.Of, ".")
				if d.Model(model) != nil {
					break
				}
				of := whole.Model(model)
				next := of.Attribute(name).Of
				if next == "" || next == a.Of { // one may name itself
					p.elsewhere(whole, of, name)
					break
				}
				a.Of, a.Kept, a.By = next, "", "" // it is no copy of that one
			}
		}
	}
}

// elsewhere notes a model of another table, with its key and an attribute.
func (p *part) elsewhere(whole *Design, m *Model, name string) {
	d := p.design
	i := slices.IndexFunc(d.Elsewhere, func(e Model) bool { return e.Name == m.Name })
	if i < 0 {
		i = len(d.Elsewhere)
		d.Elsewhere = append(d.Elsewhere, Model{Name: m.Name, Table: whole.tableOf(m), Key: m.Key,
			Items: m.Items})
	}
	e := &d.Elsewhere[i]
	for _, name := range append(slices.Clone(m.Key), name) {
		if e.Attribute(name) != nil {
			continue
		}
		a := m.Attribute(name)
		e.Attributes = append(e.Attributes, Attribute{Name: a.Name, Type: a.Type, Format: a.Format,
			Bytes: a.Bytes, Values: a.Values, Decimals: a.Decimals, Negative: a.Negative,
			Constant: a.Constant,
			Mutable:  a.Mutable || m.named(name) || a.counted() != "" || a.Last != ""})
	}
}

// place gives errors of a part the fields of the whole design.
func (p *part) place(err error) (all []error) {
	var list interface{ Unwrap() []error }
	if errors.As(err, &list) {
		for _, e := range list.Unwrap() {
			all = append(all, p.place(e)...)
		}
		return all
	}
	var in interface {
		FieldMessage() (field, message string)
	}
	if !errors.As(err, &in) {
		return []error{fmt.Errorf("the table %s: %w", p.design.Table, err)}
	}
	field, message := in.FieldMessage()
	for list, numbers := range map[string][]int{
		"models": p.models, "patterns": p.patterns, "transactions": p.transactions,
	} {
		if rest, is := strings.CutPrefix(field, list+"["); is {
			at, rest, _ := strings.Cut(rest, "]")
			if n, err := strconv.Atoi(at); err == nil && n < len(numbers) {
				return []error{conventions.FieldErrorf(
					fmt.Sprintf("%s[%d]%s", list, numbers[n], rest), "%s", message)}
			}
		}
	}
	return []error{conventions.FieldErrorf(field, "the table %s: %s", p.design.Table, message)}
}

// checkOneTable refuses a design of several tables.
func checkOneTable(d *Design) error {
	tables := d.Tables()
	if len(tables) == 1 {
		return nil
	}
	i := slices.IndexFunc(d.Models, func(m Model) bool { return d.tableOf(&m) != tables[0] })
	return conventions.FieldErrorf(fmt.Sprintf("models[%d].table", i),
		"here one table is planned, and the design has %d: %s. \"kugiri design\" plans all of them",
		len(tables), strings.Join(tables, ", "))
}
