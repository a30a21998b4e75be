package designs

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// tablesFlag chooses among the tables of a design: all of them, or one.
type tablesFlag struct{ table string }

func (t *tablesFlag) register(flags *pflag.FlagSet) {
	flags.StringVar(&t.table, "table", "",
		"`name` of one of the tables of a design of several (default all of them)")
}

// plans plans the tables of a file, and returns those that were chosen.
func (t *tablesFlag) plans(file string) ([]*design.Plan, error) {
	all, err := designfile.TablesFile(file)
	if err != nil || t.table == "" {
		return all, err
	}
	for _, p := range all {
		if p.Design.Table == t.table {
			return []*design.Plan{p}, nil
		}
	}
	return nil, fmt.Errorf("%s: there is no table %q; there are %s", file, t.table,
		strings.Join(tableNames(all), ", "))
}

func tableNames(all []*design.Plan) (names []string) {
	for _, p := range all {
		names = append(names, p.Design.Table)
	}
	return names
}
