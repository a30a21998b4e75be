package insights

import (
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
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
		t, changing := c.Changing(tx, name)
		if err := changing.Refuse(states.DisableInsights); err != nil {
			return err
		}
		s := changing.Settings.Clone()
		o, err := observedCalled(c, tx, t, s, in.IndexName)
		if err != nil {
			return err
		}
		now := c.Now()
		until := now.Add(c.Delays().Update)
		before := *o.insights
		if *in.ContributorInsightsAction == "DISABLE" {
			o.insights.Disable(until)
		} else {
			if err := o.checkEnable(changing); err != nil {
				return err
			}
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

func UpdateContributorInsightsTargets(in *api.UpdateContributorInsightsInput, ts *serve.Targets) {
	ts.Add(serve.Target{
		Table: arn.TableCalled(in.TableName), Index: string(api.Deref(in.IndexName)),
	})
}
