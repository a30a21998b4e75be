package policy

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/storage/budget"
)

// FieldError describes an error in a field of a policy. Field is the path to the field, in the
// names of the policy file: tables[0].entities[2].sort.
type FieldError struct {
	Field   string
	Message string
}

func (e *FieldError) Error() string { return budget.Excerpt(e.Field + ": " + e.Message) }

// FieldMessage returns the field and the message.
func (e *FieldError) FieldMessage() (field, message string) { return e.Field, e.Message }

type compiler struct {
	engine *Engine
	errs   []error
	tables int

	isolates bool // the policy claims to keep tenants apart
}

func (c *compiler) fail(field, format string, args ...any) {
	c.errs = append(c.errs, &FieldError{field, fmt.Sprintf(format, args...)})
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
