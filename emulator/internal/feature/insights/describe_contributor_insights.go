package insights

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func DescribeContributorInsights(c *serve.Call,
	in *api.DescribeContributorInsightsInput) (*api.DescribeContributorInsightsOutput, error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := &api.DescribeContributorInsightsOutput{
		TableName: api.Ref(api.TableName(name)), IndexName: in.IndexName,
	}
	return out, c.Store.View(func(tx *storage.Tx) error {
		t, s, err := c.TableFor(tx, name, states.DescribeInsights)
		if err != nil {
			return err
		}
		o, err := observedCalled(c, tx, t, s, in.IndexName)
		if err != nil {
			return err
		}
		now := c.Now()
		status := o.insights.Status(now)
		out.ContributorInsightsStatus = api.Ref(api.ContributorInsightsStatus(status))
		if o.insights.Mode != "" {
			out.ContributorInsightsMode = api.Ref(o.insights.Mode)
		}
		if status == tables.InsightsEnabled {
			out.ContributorInsightsRuleList = o.insights.RuleNames(o.key, t.Name, o.index)
		}
		out.LastUpdateDateTime = o.insights.LastUpdate(now)
		out.FailureException = o.insights.Failure(now)
		return nil
	})
}

func DescribeContributorInsightsTargets(in *api.DescribeContributorInsightsInput,
	ts *serve.Targets) {
	ts.Add(serve.Target{
		Table: arn.TableCalled(in.TableName), Index: string(api.Deref(in.IndexName)),
	})
}
