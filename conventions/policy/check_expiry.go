package policy

// expiry checks in which tables items may expire.
type expiry struct{ *inspection }

// checkExpiry reports a table whose items must not expire.
func (c expiry) checkExpiry() {
	switch {
	case c.table.role == Command || c.table.role == History:
		c.report(RuleExpiry, checkedKey{}, "TTL would delete items of a %s table", c.table.role)
	case c.table.latest != nil:
		c.report(RuleExpiry, checkedKey{},
			"TTL would delete versions and latest items of documents")
	}
}
