package policy

// checkExpiry checks whether items of a table may expire.
func (c *checker) checkExpiry() {
	switch {
	case c.table.role == Command || c.table.role == History:
		c.report(RuleExpiry, checkedKey{}, "TTL would delete items of a %s table", c.table.role)
	case c.table.latest != nil:
		c.report(RuleExpiry, checkedKey{}, "TTL would delete versions and latest items of documents")
	}
}

// CheckExpiry returns what is wrong with enabling TTL in a table, nil if nothing is.
func (e *Engine) CheckExpiry(table string) []Finding {
	c := checker{engine: e}
	if c.at(table, 0) {
		c.checkExpiry()
	}
	return c.findings
}

// KeepsExpired reports whether items of a table stay although they have expired, as RuleExpiry
// demands.
func (e *Engine) KeepsExpired(table string) bool {
	worst := Worst(e.CheckExpiry(table))
	return worst != nil && worst.Severity == Enforce
}
