package policy

import (
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/conventions"
)

type compiler struct {
	engine *Engine
	errs   []error
	tables int

	isolates bool // the policy claims to keep tenants apart
}

func (c *compiler) fail(field, format string, args ...any) {
	c.errs = append(c.errs, conventions.FieldErrorf(field, format, args...))
}

// compileSeverities changes a list of severities by rule.
func (c *compiler) compileSeverities(field string, changes map[string]Severity, list []Severity) {
	for _, id := range slices.Sorted(maps.Keys(changes)) {
		r, err := RuleByID(id)
		switch s := changes[id]; {
		case err != nil:
			c.fail(field+"."+id, "%v", err)
		case s > Enforce:
			c.fail(field+"."+id, "%v is no severity: use off, warn or enforce", s)
		case s != Default:
			list[r.index] = s
		}
	}
}
