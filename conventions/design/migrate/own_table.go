package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// withoutNew returns a design without the models that the table which is there does not have, and
// their names. It returns no names if each model is there, or if other models, or what is read or
// written together with those, would need the new ones.
func withoutNew(d *design.Design, old *design.Plan) (*design.Design, []string) {
	var names []string
	isNew := func(model string) bool { return slices.Contains(names, model) }
	rest := *d
	rest.Models = nil
	for _, m := range d.Models {
		if old.Entity(m.Name) == nil {
			names = append(names, m.Name)
			continue
		}
		rest.Models = append(rest.Models, m)
	}
	rest.Patterns = slices.DeleteFunc(slices.Clone(d.Patterns), func(p design.Pattern) bool {
		return isNew(p.Model) || len(p.Models) > 0 && !slices.ContainsFunc(p.Models,
			func(model string) bool { return !isNew(model) })
	})
	for _, m := range d.Models {
		for _, a := range m.Attributes {
			of, _, _ := strings.Cut(a.Of, ".")
			if isNew(m.Name) && a.Of != "" && !isNew(of) {
				return nil, nil // these items belong to others
			}
		}
	}
	if len(rest.Models) == 0 || rest.Check() != nil {
		return nil, nil
	}
	return &rest, names
}

// ownTable says what a plan would change without the models that are new, if that is no copy. It
// returns "" if it is one, or if the models cannot have a table of their own.
func ownTable(d *design.Design, old *design.Plan) string {
	rest, names := withoutNew(d, old)
	if len(names) == 0 {
		return ""
	}
	m, err := choose(rest, old)
	if err != nil || m.NewTable {
		return ""
	}
	its, it := "its", "it"
	if len(names) > 1 {
		its, it = "their", "them"
	}
	return fmt.Sprintf("a table of %s own for %s, as table says in a model, copies nothing, "+
		"because no pattern reads %s with other models: in this table %s then, %s", its,
		strings.Join(names, " and "), it,
		m.Change(), m.Price(design.ListPrices()))
}
