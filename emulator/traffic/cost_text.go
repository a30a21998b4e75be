package traffic

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// String returns the cost as text for people.
func (c *Cost) String() string {
	var b strings.Builder
	span := time.Duration(c.Seconds * float64(time.Second)).Round(time.Second / 10)
	fmt.Fprintf(&b, "Traffic of %v at the prices of %s since %s, in %s, without the free tier\n",
		span, c.Prices.Region, c.Prices.Date, c.Prices.Currency)
	section(&b, "Cost", "OF\tTABLE CLASS\tON DEMAND\tPROVISIONED\tFOR THE PEAK",
		c.totals(), func(t *total) string {
			return fmt.Sprintf("%s\t%s\t%s", t.of, t.class, t.text())
		})
	section(&b, "A month by table and index",
		"OF\tREADS\tWRITES\tSTORAGE\tOTHERS\tON DEMAND\tPROVISIONED\tFOR THE PEAK\tSTANDARD-IA",
		c.Tables, tableCostLine)
	section(&b, "Capacity units", "OF\tREAD\tWRITE\tPEAK READ\tPEAK WRITE",
		c.provisioned(), func(t *TableCost) string {
			return fmt.Sprintf("%s\t%d\t%d\t%d\t%d", of(t.Table, t.Index), t.Capacity.Read,
				t.Capacity.Write, t.Capacity.PeakRead, t.Capacity.PeakWrite)
		})
	section(&b, "A month by access pattern",
		"PATTERN\tREQUESTS\tREAD\tWRITE\tON DEMAND\tPROVISIONED\tFOR THE PEAK",
		c.Patterns, func(p *PatternCost) string {
			return fmt.Sprintf("%s\t%d\t%s\t%s\t%s", p.title(), p.Requests,
				amount(p.ReadUnits, p.ReadBytes), amount(p.WriteUnits, p.WriteBytes),
				p.Month.Standard.Total.text())
		})
	section(&b, "Saved by the accelerator's caches", "TABLE\tREAD UNITS\tA MONTH ON DEMAND",
		c.Saved, func(s *SavedReads) string {
			return fmt.Sprintf("%s\t%s\t%s", of(s.Table, ""), amount(s.ReadUnits, 0),
				money(s.Month))
		})
	for i, what := range c.Unpriced {
		if i == 0 {
			b.WriteString("\nNot counted\n")
		}
		b.WriteString("  " + what + "\n")
	}
	return b.String()
}

// total is a line of the cost of all.
type total struct {
	of, class string
	Modes
}

func (c *Cost) totals() []total {
	list := []total{{"the traffic", "Standard", c.Recorded.Standard}}
	if ia := c.Recorded.InfrequentAccess; ia != nil {
		list = append(list, total{"the traffic", "Standard-IA", *ia})
	}
	list = append(list, total{"a month", "Standard", c.Month.Standard.Total})
	if ia := c.Month.InfrequentAccess; ia != nil {
		list = append(list, total{"a month", "Standard-IA", ia.Total})
	}
	return list
}

// provisioned returns the tables and indexes that have capacity.
func (c *Cost) provisioned() (list []TableCost) {
	for i := range c.Tables {
		if c.Tables[i].Capacity != nil {
			list = append(list, c.Tables[i])
		}
	}
	return list
}

// tableCostLine describes a table or an index: the parts are those on demand. Of Standard-IA it has
// the cost on demand.
func tableCostLine(t *TableCost) string {
	m := &t.Month.Standard
	infrequent := "-"
	if ia := t.Month.InfrequentAccess; ia != nil {
		infrequent = money(ia.Total.OnDemand)
	}
	return strings.Join([]string{of(t.Table, t.Index), money(m.Reads.OnDemand),
		money(m.Writes.OnDemand), money(m.Storage),
		money(m.Vectors + m.Streams + m.Recovery + m.Backups), m.Total.text(), infrequent}, "\t")
}

// title returns the name of a pattern, or what its requests have in common.
func (p *PatternCost) title() string {
	common := strings.TrimSpace(p.Operation + " " + of(p.Table, p.Index) + " " + p.KeyCondition)
	return cmp.Or(p.Name, common)
}

func (m Modes) text() string {
	return money(m.OnDemand) + "\t" + money(m.Provisioned) + "\t" + money(m.Peak)
}

// money formats an amount with two decimals, or with two digits if it is small.
func money(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v < 0.0001:
		return "<0.0001"
	case v < 0.1:
		return strconv.FormatFloat(v, 'f', 1-int(math.Floor(math.Log10(v))), 64)
	}
	return fmt.Sprintf("%.2f", v)
}
