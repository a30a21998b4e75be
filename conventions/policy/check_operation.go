package policy

import (
	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

// operations checks operations on tables and streams.
type operations struct{ *inspection }

// checkOperation checks whether the caller may work with tables and streams. It applies to requests
// that neither read nor write items.
func (c operations) checkOperation(r *request.Request) {
	if c.caller.reachable {
		return
	}
	o, _ := catalog.Named(r.Operation)
	switch {
	case o.Subject == catalog.Items:
	case !r.Images && (o.Service == catalog.Streams || o.Name == "ListTables"):
		f := c.reportOperation(r,
			"the answer of %s is not of the caller's tenant alone, and passes by here as it is")
		f.Remedy += ", or ask the emulator, which leaves out what is not the caller's"
	case o.Service == catalog.Streams || o.Subject == catalog.Setup:
		if r.Table != "" && c.admits(r.Table, 0) {
			c.checkCaller(checkedKey{set: &c.table.primary})
		}
	default:
		c.reportOperation(r, "%s works on tables, and the caller is of no privileged tenant")
	}
}

// reportOperation reports a request, whatever the policy says about its table.
func (c operations) reportOperation(r *request.Request, format string) *Finding {
	c.table, c.name = &c.engine.undeclared, r.Table
	f := c.report(RuleTenantOperation, checkedKey{}, format, r.Operation)
	c.table, c.name = nil, ""
	return f
}
