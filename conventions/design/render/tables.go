package render

import (
	"fmt"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// tables are the tables of a design, each with its plan.
type tables []*renderer

// newTables returns the tables of plans. Its error names two that would have one package.
func newTables(plans []*design.Plan) (t tables, err error) {
	packages, classes := map[string]string{}, scope{}
	for _, p := range plans {
		r, err := newRenderer(p)
		if err != nil {
			return nil, err
		}
		if other, taken := packages[r.code.Package]; taken {
			return nil, fmt.Errorf("the tables %s and %s would have one package, %s: give one of "+
				"them another name", other, p.Design.Table, r.code.Package)
		}
		packages[r.code.Package] = p.Design.Table
		r.construct = classes.add(exported(p.Design.Table) + "Table")
		if r.logical = "Table"; len(plans) > 1 {
			r.logical = r.construct
		}
		t = append(t, r)
	}
	return t, nil
}

// names lists the tables.
func (t tables) names() string {
	var all []string
	for _, r := range t {
		all = append(all, r.plan.Design.Table)
	}
	return strings.Join(all, ", ")
}

// the names the tables at the beginning of a sentence.
func (t tables) the() string {
	if len(t) == 1 {
		return "The table " + t.names()
	}
	return "The tables " + t.names()
}

// terraform writes the resource of each table.
func (t tables) terraform() ([]byte, error) {
	var all []byte
	for i, r := range t {
		if i > 0 {
			all = append(all, '\n')
		}
		text, err := r.terraform()
		if err != nil {
			return nil, err
		}
		all = append(all, text...)
	}
	return all, nil
}
