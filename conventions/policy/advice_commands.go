package policy

import (
	"path"
	"slices"
)

// adviseCommands finds entities whose items get no further than their first version, because the
// command table has no keys for their commands.
func (a *adviser) adviseCommands(field string) {
	of := a.commandTable()
	if of == nil || len(of.Entities) == 0 {
		return
	}
	for i := range a.table.Entities {
		e := &entity{Entity: a.table.Entities[i]}
		if !slices.ContainsFunc(of.Entities, func(in Entity) bool {
			o := &entity{Entity: in}
			return o.Prefix == e.Prefix && tenantsOverlap(e.Tenant, o.Tenant) &&
				overlap(e.partitionPattern(), o.partitionPattern()) && overlap(e.Sort, o.Sort)
		}) {
			a.say(field+".commands", RuleVersionCommand,
				"declare the entity in the command table, or keep it in a table without commands",
				"the command table %s has no entity with the keys of %s, so that no item of it gets a second version", a.table.Commands, e.Name)
		}
	}
}

// commandTable returns the declaration of the table's command table, or nil.
func (a *adviser) commandTable() *Table {
	if a.table.Commands == "" {
		return nil
	}
	for _, exact := range [...]bool{true, false} {
		for i := range a.policy.Tables {
			t := &a.policy.Tables[i]
			ok, _ := path.Match(t.Name, a.table.Commands)
			if ok && exact == (t.Name == a.table.Commands) {
				return t
			}
		}
	}
	return nil
}
