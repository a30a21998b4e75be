package design

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Check returns the errors of a Design: each is a conventions.FieldError, joined.
func (d *Design) Check() error {
	c := &checker{design: d}
	if !validTableName(d.Table) {
		c.add("table", "want 3 to 255 of the characters a-z, A-Z, 0-9, _, - and .")
	}
	if strings.Trim(d.separator(), "#_|:/~") != "" || len(d.separator()) != 1 {
		c.add("separator", "want one of # _ | : / ~")
	}
	if d.Indexes < 0 || d.Indexes > maxIndexes {
		c.add("indexes", "want 0 to %d", maxIndexes)
	}
	checkBetween(c, "simplicity", d.Simplicity, maxSimplicity, " USD a month")
	if d.Prefixes != WhereNeeded && d.Prefixes != AlwaysPrefixed {
		c.add("prefixes", "want always, or leave it out")
	}
	switch {
	case d.Keys != ComposedKeys && d.Keys != AttributeKeys:
		c.add("keys", "want attributes, or leave it out")
	case d.Keys == AttributeKeys && d.Tenants != nil:
		c.add("keys", "tenants are kept apart by the text with which keys begin: leave keys out")
	}
	if c.tooMany() {
		return errors.Join(c.errs...)
	}
	c.names()
	if len(d.Models) == 0 {
		c.add("models", "want 1 to %d", MaxModels)
	}
	if len(d.Patterns) == 0 {
		c.add("patterns", "want 1 to %d", MaxPatterns)
	}
	for i := range d.Models {
		c.model(i)
	}
	for i := range d.Patterns {
		c.pattern(i)
	}
	c.tenants()
	tablesChecker{c}.names()
	if len(c.errs) == 0 { // the checks look models and attributes up by their names
		tablesChecker{c}.check()
	}
	if len(c.errs) == 0 {
		c.invariants()
	}
	return errors.Join(c.errs...)
}

// tooMany reports whether there is more of something than the other checks may look at: they
// compare names with each other.
func (c *checker) tooMany() bool {
	d, n := c.design, len(c.errs)
	most := func(field string, there, most int) {
		if there > most {
			c.add(field, "there are %d: want at most %d", there, most)
		}
	}
	most("names", len(d.Names), maxNames)
	most("models", len(d.Models), MaxModels)
	most("patterns", len(d.Patterns), MaxPatterns)
	for i := range d.Models {
		m, field := &d.Models[i], fmt.Sprintf("models[%d]", i)
		most(field+".attributes", len(m.Attributes), maxAttributes)
		most(field+".key", len(m.Key), maxAttributes)
		most(field+".updates", len(m.Changes), maxAttributes)
	}
	for i := range d.Patterns {
		p, field := &d.Patterns[i], fmt.Sprintf("patterns[%d]", i)
		most(field+".models", len(p.Models), MaxTogether)
		most(field+".equal", len(p.Equal), MaxEqual)
		most(field+".where", len(p.Where), maxAttributes)
		most(field+".filter", len(p.Filter), MaxEqual)
		most(field+".in", len(p.In), maxAttributes)
		most(field+".latest", len(p.Latest), maxAttributes)
		most(field+".attributes", len(p.Attributes), maxAttributes)
	}
	return len(c.errs) > n
}

// names checks the names of indexes and columns. Make knows which there are.
func (c *checker) names() {
	d := c.design
	if d.Tenants != nil && d.Tenants.Attribute == "" {
		c.add("tenants.attribute", "name the attribute that holds the tenant, such as tenant")
	}
	if d.Tenants != nil && strings.Contains(d.Tenants.Common, d.separator()) {
		c.add("tenants.common", "a tenant has no %s", d.separator())
	}
	for _, from := range slices.Sorted(maps.Keys(d.Names)) {
		if to := d.Names[from]; to == "" || len(to) > 255 || strings.Trim(to, inTable) != "" {
			c.add("names."+from, "want 1 to 255 of the characters a-z, A-Z, 0-9, _, - and .")
		}
	}
}
