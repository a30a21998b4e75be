package emulator

import "github.com/kugiri-db/kugiri/emulator/internal/api"

// listGlobalTables answers what is true of an account without global tables of version 2017.11.29,
// the only ones it would list.
func listGlobalTables(c *call, in *api.ListGlobalTablesInput) (*api.ListGlobalTablesOutput, error) {
	return &api.ListGlobalTablesOutput{GlobalTables: []api.GlobalTable{}}, nil
}
