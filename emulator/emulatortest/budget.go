package emulatortest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/traffic"
)

// Budget returns a sentence for each limit that the traffic of a test exceeds, and nothing if it
// exceeds none.
type Budget func(*traffic.Report) []string

// MaxReadUnits limits the read capacity units of the tables and their indexes together. Without
// tables it limits those of all tables. Every budget that names a table also fails the test if that
// table never existed.
func MaxReadUnits(units float64, tables ...string) Budget {
	return func(r *traffic.Report) []string {
		used := sum(r, tables, func(c *traffic.Capacity) float64 { return c.Read })
		return append(unknown(r, tables), atMost("read units"+ofTables(tables), used, units)...)
	}
}

// MaxWriteUnits limits the write capacity units of the tables and their indexes together. Without
// tables it limits those of all tables.
func MaxWriteUnits(units float64, tables ...string) Budget {
	return func(r *traffic.Report) []string {
		used := sum(r, tables, func(c *traffic.Capacity) float64 { return c.Write })
		return append(unknown(r, tables), atMost("write units"+ofTables(tables), used, units)...)
	}
}

func sum(r *traffic.Report, tables []string,
	units func(*traffic.Capacity) float64) (total float64) {
	for i := range r.Capacity {
		if c := &r.Capacity[i]; len(tables) == 0 || slices.Contains(tables, c.Table) {
			total += units(c)
		}
	}
	return total
}

func ofTables(tables []string) string {
	if len(tables) == 0 {
		return ""
	}
	return " of " + strings.Join(tables, ", ")
}

// MaxRequests limits the number of requests of all operations.
func MaxRequests(n int64) Budget {
	return func(r *traffic.Report) []string {
		return atMost("requests", float64(r.Requests), float64(n))
	}
}

func atMost(what string, used, most float64) []string {
	if used <= most {
		return nil
	}
	return []string{fmt.Sprintf("%g %s were used, at most %g may be", used, what, most)}
}

// NoScan allows no Scan of the tables and their indexes, and no SELECT that scans. Without tables
// it allows none at all.
func NoScan(tables ...string) Budget {
	return func(r *traffic.Report) []string {
		exceeded := unknown(r, tables)
		for i := range r.Reads {
			read := &r.Reads[i]
			if read.Scan && (len(tables) == 0 || slices.Contains(tables, read.Table)) {
				exceeded = append(exceeded,
					fmt.Sprintf("%s reads all of %s, pages: %d", read.Operation, source(read),
						read.Pages))
			}
		}
		return exceeded
	}
}

// NoFilterWaste limits the share of items that a filter may drop, 0 to 1, for each kind of Query,
// Scan or SELECT.
func NoFilterWaste(most float64) Budget {
	return func(r *traffic.Report) (exceeded []string) {
		for i := range r.Reads {
			if read := &r.Reads[i]; read.Waste() > most {
				exceeded = append(exceeded,
					fmt.Sprintf(
						"%s of %s drops %.0f %% of the %d items it reads by its filter on %s, at most %.0f %% may be",
						read.Operation, source(read), 100*read.Waste(), read.Evaluated, read.Filter,
						100*most))
			}
		}
		return exceeded
	}
}

// OnlyDeclared allows only accesses that a declared pattern of the recording matches (see
// RecordPatterns).
func OnlyDeclared() Budget {
	return func(r *traffic.Report) (exceeded []string) {
		for _, a := range r.Undeclared {
			text := fmt.Sprintf("%s of %s is no declared access pattern", a.Operation,
				name(a.Table, a.Index))
			if a.KeyCondition != "" {
				text += ": " + a.KeyCondition
			}
			exceeded = append(exceeded, text)
		}
		return exceeded
	}
}

// AllUsed requires that each declared access pattern is used.
func AllUsed() Budget {
	return func(r *traffic.Report) (exceeded []string) {
		for _, p := range r.Unused() {
			exceeded = append(exceeded, fmt.Sprintf("the access pattern %q is not used", p.Name))
		}
		return exceeded
	}
}

// unknown says which tables there are not, and were not. A budget of one that is misspelt would
// never be exceeded.
func unknown(r *traffic.Report, tables []string) (list []string) {
	for _, table := range tables {
		if !slices.Contains(r.Tables, table) {
			list = append(list, noTable("a budget", table, r))
		}
	}
	return list
}

func noTable(of, table string, r *traffic.Report) string {
	there := "there are none"
	if len(r.Tables) > 0 {
		there = "there are " + strings.Join(r.Tables, ", ")
	}
	return fmt.Sprintf("%s is of the table %q, which does not exist; %s", of, table, there)
}

// knownPatterns wants the table of each declared access pattern to exist in the end, or to have
// been used before, and the table to have the pattern's index. It accepts any index of a table that
// is gone by the end, whose indexes are not known.
func knownPatterns(there []emulator.TableSize) Budget {
	has := func(table, index string) bool {
		return slices.ContainsFunc(there,
			func(s emulator.TableSize) bool { return s.Table == table && s.Index == index })
	}
	return func(r *traffic.Report) (exceeded []string) {
		for i := range r.Patterns {
			p := &r.Patterns[i]
			of := fmt.Sprintf("the access pattern %q", p.Name)
			switch {
			case !slices.Contains(r.Tables, p.Table):
				exceeded = append(exceeded, noTable(of, p.Table, r))
			case has(p.Table, "") && !has(p.Table, p.Index):
				exceeded = append(exceeded,
					fmt.Sprintf("%s is of the index %q, which the table %q does not have", of,
						p.Index, p.Table))
			}
		}
		return exceeded
	}
}

func source(r *traffic.ReadReport) string { return name(r.Table, r.Index) }

func name(table, index string) string {
	if index == "" {
		return table
	}
	return "index " + index + " of " + table
}
