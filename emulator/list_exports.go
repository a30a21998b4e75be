package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// listExports answers what is true of an account that has never exported a table.
func listExports(c *call, in *api.ListExportsInput) (*api.ListExportsOutput, error) {
	if in.NextToken != nil {
		return nil, apierr.Invalid("Invalid NextToken") // none was ever given out
	}
	if in.TableArn != nil {
		if _, err := c.tableOfARN(string(*in.TableArn)); err != nil {
			return nil, err
		}
	}
	return &api.ListExportsOutput{ExportSummaries: []api.ExportSummary{}}, nil
}

func listExportsTargets(in *api.ListExportsInput, ts *targets) {
	ts.add(target{table: tableCalled(in.TableArn)})
}
