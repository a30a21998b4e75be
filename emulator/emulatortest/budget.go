package emulatortest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/traffic"
)

// Budget returns what of a test's traffic is more than it may be, a sentence each,
// and nothing if all is well.
type Budget func(*traffic.Report) []string

// MaxReadUnits is a budget of read capacity units, of the tables and their indexes
// together; without tables, of all.
func MaxReadUnits(units float64, tables ...string) Budget {
	return func(r *traffic.Report) []string {
		used := sum(r, tables, func(c *traffic.Capacity) float64 { return c.Read })
		return atMost("read units"+ofTables(tables), used, units)
	}
}

// MaxWriteUnits is a budget of write capacity units, of the tables and their indexes
// together; without tables, of all.
func MaxWriteUnits(units float64, tables ...string) Budget {
	return func(r *traffic.Report) []string {
		used := sum(r, tables, func(c *traffic.Capacity) float64 { return c.Write })
		return atMost("write units"+ofTables(tables), used, units)
	}
}

func sum(r *traffic.Report, tables []string, units func(*traffic.Capacity) float64) (total float64) {
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

// MaxRequests is a budget of requests of all operations.
func MaxRequests(n int64) Budget {
	return func(r *traffic.Report) []string { return atMost("requests", float64(r.Requests), float64(n)) }
}

func atMost(what string, used, most float64) []string {
	if used <= most {
		return nil
	}
	return []string{fmt.Sprintf("%g %s were used, at most %g may be", used, what, most)}
}

// NoScan allows no Scan, nor a SELECT that is one, of the tables and their indexes;
// without tables, of any.
func NoScan(tables ...string) Budget {
	return func(r *traffic.Report) (exceeded []string) {
		for i := range r.Reads {
			read := &r.Reads[i]
			if read.Scan && (len(tables) == 0 || slices.Contains(tables, read.Table)) {
				exceeded = append(exceeded, fmt.Sprintf("%s reads all of %s, pages: %d", read.Operation, source(read), read.Pages))
			}
		}
		return exceeded
	}
}

// NoFilterWaste allows filters to drop no more than a share, 0 to 1, of the items
// that each kind of Query, Scan or SELECT reads.
func NoFilterWaste(most float64) Budget {
	return func(r *traffic.Report) (exceeded []string) {
		for i := range r.Reads {
			if read := &r.Reads[i]; read.Waste() > most {
				exceeded = append(exceeded, fmt.Sprintf("%s of %s drops %.0f %% of the %d items it reads by its filter on %s, at most %.0f %% may be",
					read.Operation, source(read), 100*read.Waste(), read.Evaluated, read.Filter, 100*most))
			}
		}
		return exceeded
	}
}

// OnlyDeclared allows no access to items but by the patterns that the recording has
// got (see RecordPatterns).
func OnlyDeclared() Budget {
	return func(r *traffic.Report) (exceeded []string) {
		for _, a := range r.Undeclared {
			text := fmt.Sprintf("%s of %s is no declared access pattern", a.Operation, name(a.Table, a.Index))
			if a.KeyCondition != "" {
				text += ": " + a.KeyCondition
			}
			exceeded = append(exceeded, text)
		}
		return exceeded
	}
}

// AllUsed wants each declared access pattern used.
func AllUsed() Budget {
	return func(r *traffic.Report) (exceeded []string) {
		for _, p := range r.Unused() {
			exceeded = append(exceeded, fmt.Sprintf("the access pattern %q is not used", p.Name))
		}
		return exceeded
	}
}

func source(r *traffic.Read) string { return name(r.Table, r.Index) }

func name(table, index string) string {
	if index == "" {
		return table
	}
	return "index " + index + " of " + table
}
