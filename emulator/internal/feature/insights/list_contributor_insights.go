package insights

import (
	"encoding/base64"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// mostInsights is the number of summaries in a page if the request sets no limit (API Reference,
// ListContributorInsights, MaxResults).
const mostInsights = 100

// ListContributorInsights lists what is not DISABLED, each table before its indexes. A page of one
// table is full unless it is the last. A page of all tables counts so many tables and indexes, and
// leaves out those that are DISABLED. So it may be empty (ack-api-quirks, DDB-TABLE-095 and -344,
// probes of the service).
func ListContributorInsights(c *serve.Call,
	in *api.ListContributorInsightsInput) (*api.ListContributorInsightsOutput, error) {
	page := insightsPage{call: c, left: mostInsights}
	if in.MaxResults != nil {
		page.left = int(*in.MaxResults)
	}
	if page.left < 1 {
		return nil, apierr.Invalid(
			"1 validation error detected: Value '%d' at 'maxResults' failed to satisfy constraint: "+
				"Member must have value greater than or equal to 1", page.left)
	}
	if in.NextToken != nil && !page.continues(*in.NextToken) {
		return nil, apierr.Invalid("Invalid NextToken")
	}
	page.out = &api.ListContributorInsightsOutput{
		ContributorInsightsSummaries: []api.ContributorInsightsSummary{},
	}
	if in.TableName == nil {
		return page.out, c.Store.View(func(tx *storage.Tx) error {
			page.list(tx, tx.Tables().Names())
			return nil
		})
	}
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	page.enabledOnly = true
	return page.out, c.Store.View(func(tx *storage.Tx) error {
		if _, _, err := c.TableFor(tx, name, states.ListInsights); err != nil {
			return err
		}
		page.list(tx, []string{name})
		return nil
	})
}

func ListContributorInsightsTargets(in *api.ListContributorInsightsInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}

// insightsPage is a page that is being made.
type insightsPage struct {
	call        *serve.Call
	out         *api.ListContributorInsightsOutput
	enabledOnly bool // what is DISABLED does not count
	left        int
	table       string // the page begins after this table or index; "": with the first
	index       string
	last        string // the token of what the page has last
}

// continues sets where the page begins. It reports whether the token is one.
func (p *insightsPage) continues(token string) (ok bool) {
	text, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return false
	}
	p.table, p.index, ok = strings.Cut(string(text), "/")
	return ok && serve.ValidName(p.table)
}

func insightsToken(table, index string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(table + "/" + index))
}

// list adds the tables and their indexes to the page.
func (p *insightsPage) list(tx *storage.Tx, names []string) {
	for _, name := range names {
		t, s, err := p.call.KnownTable(tx, name)
		if err != nil || name < p.table {
			continue
		}
		list := observedIn(p.call, tx, t, s)
		if name == p.table {
			list = list[p.begin(list):]
		}
		for i := range list {
			if !p.add(&list[i]) {
				p.out.NextToken = api.Ref(p.last)
				return
			}
		}
	}
}

// begin returns the place in a list after the index where the last page ended. If that index is
// gone, the list begins with the other indexes.
func (p *insightsPage) begin(list []observed) int {
	for i := range list {
		if list[i].index == p.index {
			return i + 1
		}
	}
	return 1
}

// add adds a table or index. It reports false if the page is full.
func (p *insightsPage) add(o *observed) bool {
	status := o.insights.Status(p.call.Now())
	if p.enabledOnly && status == tables.InsightsDisabled {
		return true
	}
	if p.left == 0 {
		return false
	}
	p.left--
	p.last = insightsToken(o.table.Name, o.index)
	if status == tables.InsightsDisabled {
		return true
	}
	summary := api.ContributorInsightsSummary{
		TableName:                 api.Ref(api.TableName(o.table.Name)),
		ContributorInsightsStatus: api.Ref(api.ContributorInsightsStatus(status)),
		ContributorInsightsMode:   api.Ref(o.insights.Mode),
	}
	if o.index != "" {
		summary.IndexName = api.Ref(api.IndexName(o.index))
	}
	p.out.ContributorInsightsSummaries = append(p.out.ContributorInsightsSummaries, summary)
	return true
}
