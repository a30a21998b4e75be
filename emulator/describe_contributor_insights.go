package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage"
)

// describeContributorInsights answers what is true of a table or global index for which nobody has
// enabled them.
func describeContributorInsights(c *call, in *api.DescribeContributorInsightsInput) (*api.DescribeContributorInsightsOutput, error) {
	name, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	err = c.store.View(func(tx *storage.Tx) error {
		t, _, err := c.knownTable(tx, name)
		if err != nil || in.IndexName == nil {
			return err
		}
		if ix := tx.Index(t, string(*in.IndexName)); ix == nil || ix.Local {
			return &apierr.Error{Type: apierr.ResourceNotFound, Message: "Requested resource not found: Index: " + string(*in.IndexName) + " not found"}
		}
		return nil
	})
	return &api.DescribeContributorInsightsOutput{
		TableName:                 api.Ref(api.TableName(name)),
		IndexName:                 in.IndexName,
		ContributorInsightsStatus: api.Ref(api.ContributorInsightsStatus("DISABLED")),
	}, err
}

func describeContributorInsightsTargets(in *api.DescribeContributorInsightsInput, ts *targets) {
	ts.add(target{table: tableCalled(in.TableName), index: string(api.Deref(in.IndexName))})
}
