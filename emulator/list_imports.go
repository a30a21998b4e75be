package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// listImports answers what is true of an account that has never imported a table.
func listImports(c *call, in *api.ListImportsInput) (*api.ListImportsOutput, error) {
	if in.NextToken != nil {
		return nil, apierr.Invalid("Invalid NextToken") // none was ever given out
	}
	if in.TableArn != nil {
		if _, err := c.tableOfARN(string(*in.TableArn)); err != nil {
			return nil, err
		}
	}
	return &api.ListImportsOutput{ImportSummaryList: []api.ImportSummary{}}, nil
}

func listImportsTargets(in *api.ListImportsInput, ts *targets) {
	ts.add(target{table: tableCalled(in.TableArn)})
}
