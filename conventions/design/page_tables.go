package design

import (
	"fmt"
	"strings"
)

// TablesMarkdown returns the plans of a design's tables as a page: what all of them cost, then the
// page of each. That of one plan is its own.
func TablesMarkdown(all []*Plan) string {
	if len(all) == 1 {
		return all[0].Markdown()
	}
	w := &page{}
	w.line("# %d tables\n", len(all))
	prices, total := ListPrices(), 0.0
	w.row("Table", "Models", "Indexes", prices.Currency+" a month")
	w.row("---", "---", "---:", "---:")
	for _, p := range all {
		month := p.Cost(prices).Total()
		total += month
		w.row(code(p.Design.Table), strings.Join(p.Design.modelNames(), ", "),
			fmt.Sprint(len(p.Indexes)), dollars(month))
	}
	w.row("**all**", "", "", dollars(total))
	w.line("\n\"kugiri design report\" says what one table with all models would cost.")
	for _, p := range all {
		w.line("\n%s", strings.TrimSuffix(p.Markdown(), "\n"))
	}
	return w.text.String()
}

// TablesReport says what several tables cost, and what one table with all models would cost.
type TablesReport struct {
	Tables   []*Report
	Total    float64 // dollars of a month on demand
	OneTable *Choice // nil if no table serves all patterns
	Because  string  // why no table does
	currency string
}

// ReportTables returns the reports of the plans of a design's tables.
func ReportTables(all []*Plan, prices Prices) *TablesReport {
	r := &TablesReport{currency: prices.Currency}
	for _, p := range all {
		one := p.Report(prices)
		r.Tables, r.Total = append(r.Tables, one), r.Total+one.Total
	}
	if len(all) == 1 {
		return r
	}
	plan, _, err := makeWithout(joined(all), nil)
	if err != nil {
		r.Because = strings.ReplaceAll(err.Error(), "\n", "; ")
		return r
	}
	r.OneTable = &Choice{Name: "one table", Dollars: plan.Cost(prices).Total(),
		Because: fmt.Sprintf("it has %s and %s", count(len(plan.Indexes), "index", "indexes"),
			count(len(plan.Columns), "attribute of keys", "attributes of keys"))}
	return r
}

// joined returns the design of one table with the models of several.
func joined(all []*Plan) *Design {
	d := *all[0].source
	d.Models, d.Patterns, d.Transactions, d.Elsewhere, d.kept = nil, nil, nil, nil, nil
	for _, p := range all {
		d.Models = append(d.Models, p.source.Models...)
		d.Patterns = append(d.Patterns, p.source.Patterns...)
		d.Transactions = append(d.Transactions, p.source.Transactions...)
	}
	return &d
}

// Markdown returns the report as a page.
func (r *TablesReport) Markdown() string {
	if len(r.Tables) == 1 {
		return r.Tables[0].Markdown()
	}
	w := &page{}
	w.line("# What %d tables cost\n", len(r.Tables))
	w.row("Table", r.currency+" a month")
	w.row("---", "---:")
	for _, one := range r.Tables {
		w.row(code(one.Table), dollars(one.Total))
	}
	w.row("**all**", dollars(r.Total))
	if r.OneTable != nil {
		w.choices("One table with all models", []Choice{*r.OneTable}, r.Total)
	} else {
		w.line("\nNo single table serves all patterns: %s.", r.Because)
	}
	for _, one := range r.Tables {
		w.line("\n%s", strings.TrimSuffix(one.Markdown(), "\n"))
	}
	return w.text.String()
}
