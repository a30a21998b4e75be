package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage"
)

// listContributorInsights answers what is true of an account that has never enabled them.
func listContributorInsights(c *call, in *api.ListContributorInsightsInput) (*api.ListContributorInsightsOutput, error) {
	out := &api.ListContributorInsightsOutput{ContributorInsightsSummaries: []api.ContributorInsightsSummary{}}
	switch {
	case in.NextToken != nil:
		return nil, apierr.Invalid("Invalid NextToken") // none was ever given out
	case in.TableName == nil:
		return out, nil
	}
	name, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	return out, c.store.View(func(tx *storage.Tx) error {
		_, _, err := c.knownTable(tx, name)
		return err
	})
}

func listContributorInsightsTargets(in *api.ListContributorInsightsInput, ts *targets) {
	ts.add(target{table: tableCalled(in.TableName)})
}
