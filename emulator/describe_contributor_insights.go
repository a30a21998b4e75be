package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func describeContributorInsights(c *call, in *api.DescribeContributorInsightsInput) (*api.DescribeContributorInsightsOutput, error) {
	name, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := &api.DescribeContributorInsightsOutput{TableName: api.Ref(api.TableName(name)), IndexName: in.IndexName}
	return out, c.store.View(func(tx *storage.Tx) error {
		t, s, err := c.knownTable(tx, name)
		if err != nil {
			return err
		}
		o, err := c.observedCalled(tx, t, s, in.IndexName)
		if err != nil {
			return err
		}
		now := c.now()
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

func describeContributorInsightsTargets(in *api.DescribeContributorInsightsInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.TableName), index: string(api.Deref(in.IndexName))})
}
