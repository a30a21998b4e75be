package design

import (
	"errors"
	"maps"
	"slices"
	"strings"
)

// Check returns the errors of a Design: FieldErrors, joined.
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
	c.notNegative("simplicity", d.Simplicity)
	c.names()
	if len(d.Models) == 0 || len(d.Models) > MaxModels {
		c.add("models", "want 1 to %d", MaxModels)
	}
	if len(d.Patterns) == 0 || len(d.Patterns) > MaxPatterns {
		c.add("patterns", "want 1 to %d", MaxPatterns)
	}
	for i := range d.Models {
		c.model(i)
	}
	for i := range d.Patterns {
		c.pattern(i)
	}
	c.tenants()
	return errors.Join(c.errs...)
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
	if len(d.Names) > maxNames {
		c.add("names", "want at most %d", maxNames)
	}
	for _, from := range slices.Sorted(maps.Keys(d.Names)) {
		if to := d.Names[from]; to == "" || len(to) > 255 || strings.Trim(to, inTable) != "" {
			c.add("names."+from, "want 1 to 255 of the characters a-z, A-Z, 0-9, _, - and .")
		}
	}
}
