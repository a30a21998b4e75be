package traffic

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// String returns the report as text for people. It leaves empty lists out.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d requests, %g read units, %g write units\n", r.Requests, r.ReadUnits,
		r.WriteUnits)
	section(&b, "Requests", "OPERATION\tTABLE\tREQUESTS\tERRORS",
		r.Operations, func(o *Operation) string {
			var errors []string
			for _, name := range slices.Sorted(maps.Keys(o.Errors)) {
				errors = append(errors, fmt.Sprintf("%s %d", name, o.Errors[name]))
			}
			return fmt.Sprintf("%s\t%s\t%d\t%s", o.Operation, o.Table, o.Requests,
				strings.Join(errors, ", "))
		})
	section(&b, "Capacity", "OPERATION\tOF\tREAD\tWRITE", r.Capacity, func(c *Capacity) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s", c.Operation, of(c.Table, c.Index),
			amount(c.Read, c.ReadBytes), amount(c.Write, c.WriteBytes))
	})
	section(&b, "Queries and scans", "OPERATION\tOF\tBY\tPAGES\tEVALUATED\tRETURNED\tUNITS\tWHY",
		r.Reads, func(q *ReadReport) string {
			by := q.KeyCondition
			if q.Scan {
				by = "-"
			}
			if q.Filter != "" {
				by += " (filter: " + q.Filter + ")"
			}
			return fmt.Sprintf("%s\t%s\t%s\t%d\t%d\t%d\t%g\t%s", q.Operation, of(q.Table, q.Index),
				by,
				q.Pages, q.Evaluated, q.Returned, q.Units, strings.Join(q.Why, "; "))
		})
	section(&b, "Hottest partition keys", "OF\tKEY\tUNITS\tSHARE",
		r.Partitions, func(p *PartitionReport) string {
			return fmt.Sprintf("%s\t%s\t%g\t%.0f %%", of(p.Table, p.Index), p.Key, p.Units,
				100*p.Share)
		})
	section(&b, "Access patterns", "NAME\tREQUESTS", r.Patterns, func(u *Used) string {
		if u.Requests == 0 {
			return u.Name + "\tunused"
		}
		return fmt.Sprintf("%s\t%d", u.Name, u.Requests)
	})
	section(&b, "Undeclared accesses", "OPERATION\tOF\tBY\tREQUESTS",
		r.Undeclared, func(a *Access) string {
			return fmt.Sprintf("%s\t%s\t%s\t%d", a.Operation, of(a.Table, a.Index), a.KeyCondition,
				a.Requests)
		})
	return b.String()
}

// amount returns the units of a table or an index, or the bytes of a vector index.
func amount(units, bytes float64) string {
	if bytes > 0 {
		return fmt.Sprintf("%.0f bytes", bytes)
	}
	return fmt.Sprintf("%g", units)
}

func of(table, index string) string {
	if index == "" {
		return table
	}
	return table + "/" + index
}

// section writes a list as a table whose columns are separated by tabs.
func section[Row any](b *strings.Builder, title, header string, rows []Row,
	line func(*Row) string) {
	if len(rows) == 0 {
		return
	}
	b.WriteString("\n" + title + "\n")
	var columns strings.Builder
	w := tabwriter.NewWriter(&columns, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, header)
	for i := range rows {
		fmt.Fprintln(w, line(&rows[i]))
	}
	w.Flush()
	for text := range strings.Lines(columns.String()) {
		b.WriteString("  " + strings.TrimRight(text, " \n") + "\n")
	}
}
