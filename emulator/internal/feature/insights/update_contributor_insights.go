package insights

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// UpdateContributorInsights enables or disables insights. To enable them without a mode means all
// keys, whatever the mode was before (ack-api-quirks, DDB-TABLE-092, a probe of the service).
func UpdateContributorInsights(c *serve.Call,
	in *api.UpdateContributorInsightsInput) (*api.UpdateContributorInsightsOutput, error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	mode := api.ContributorInsightsMode(tables.AllKeys)
	if in.ContributorInsightsMode != nil {
		mode = api.ContributorInsightsMode(strings.Clone(string(*in.ContributorInsightsMode)))
	}
	out := &api.UpdateContributorInsightsOutput{
		TableName: api.Ref(api.TableName(name)), IndexName: in.IndexName,
	}
	return out, c.Store.Update(func(tx *storage.Tx) error {
		x := &insightsRequest{call: c, tx: tx, name: name, in: in}
		if err := orderOfInsights.Judge(x); err != nil {
			return err
		}
		t, s, o := x.table, x.settings, x.observed
		now := c.Now()
		until := now.Add(c.Delays().Update)
		before := *o.insights
		if *in.ContributorInsightsAction == "DISABLE" {
			o.insights.Disable(until)
		} else {
			o.insights.Enable(mode, o.key, freeRules(c, tx, o), now, until)
		}
		at := now
		if *o.insights != before {
			tx.Tables().SetSettings(t, s)
			StateOf(c.Data).Refresh(c, tx)
			at = now.Add(-1) // the answer shows the state that begins
		}
		out.ContributorInsightsStatus = api.Ref(
			api.ContributorInsightsStatus(o.insights.Status(at)))
		if o.insights.Mode != "" {
			out.ContributorInsightsMode = api.Ref(o.insights.Mode)
		}
		return nil
	})
}

// insightsRequest is a change of insights. The steps of its order fill in the table.
type insightsRequest struct {
	call     *serve.Call
	tx       *storage.Tx
	name     string // the table's name
	in       *api.UpdateContributorInsightsInput
	table    *storage.Table
	changing *states.Changing
	settings *tables.Settings // a copy, which may be modified
	observed *observed
}

// orderOfInsights orders the checks of UpdateContributorInsights.
var orderOfInsights = serve.Order[*insightsRequest]{
	serve.Step("the table", "DDB-TABLE-115", func(x *insightsRequest) error {
		x.table, x.changing = x.call.Changing(x.tx, x.name)
		return x.changing.Refuse(states.DisableInsights)
	}),
	serve.Step("the index", "DDB-TABLE-094, DDB-TABLE-116", func(x *insightsRequest) (err error) {
		x.settings = x.changing.Settings.Clone()
		x.observed, err = observedCalled(x.call, x.tx, x.table, x.settings, x.in.IndexName)
		return err
	}),
	serve.Step("the states of both", "DDB-TABLE-116, DDB-TABLE-455",
		func(x *insightsRequest) error {
			if *x.in.ContributorInsightsAction == "DISABLE" {
				return nil
			}
			return x.observed.checkEnable(x.changing)
		}),
}

func UpdateContributorInsightsTargets(in *api.UpdateContributorInsightsInput, ts *serve.Targets) {
	ts.Add(serve.Target{
		Table: arn.TableCalled(in.TableName), Index: string(api.Deref(in.IndexName)),
	})
}
