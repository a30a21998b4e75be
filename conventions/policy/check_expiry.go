package policy

// checkExpiry reports a table whose items must not expire.
func (c *checker) checkExpiry() {
	switch {
	case c.table.role == Command || c.table.role == History:
		c.report(RuleExpiry, checkedKey{}, "TTL would delete items of a %s table", c.table.role)
	case c.table.latest != nil:
		c.report(RuleExpiry, checkedKey{}, "TTL would delete versions and latest items of documents")
	}
}

// CheckExpiry returns the findings for enabling TTL on a table, or nil if there are none.
func (e *Engine) CheckExpiry(table string) []Finding {
	c := checker{engine: e}
	if c.at(table, 0) {
		c.checkExpiry()
	}
	return c.findings
}

// KeepsExpired reports whether the table keeps its expired items because it enforces RuleExpiry.
func (e *Engine) KeepsExpired(table string) bool {
	worst := Worst(e.CheckExpiry(table))
	return worst != nil && worst.Severity == Enforce
}
