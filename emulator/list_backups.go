package emulator

import "github.com/kugiri-db/kugiri/emulator/internal/api"

// listBackups answers what is true of an account that has never made a backup.
func listBackups(c *call, in *api.ListBackupsInput) (*api.ListBackupsOutput, error) {
	if in.TableName != nil {
		if _, err := c.tableName(*in.TableName); err != nil {
			return nil, err
		}
	}
	return &api.ListBackupsOutput{BackupSummaries: []api.BackupSummary{}}, nil
}

func listBackupsTargets(in *api.ListBackupsInput, ts *targets) {
	ts.add(target{table: tableCalled(in.TableName)})
}
