package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// maxListedTables is the largest page of ListTables, and the usual one (API Reference, ListTables,
// Limit).
const maxListedTables = 100

func ListTables(c *serve.Call, in *api.ListTablesInput) (*api.ListTablesOutput, error) {
	limit := maxListedTables
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	start := api.Deref(in.ExclusiveStartTableName)
	out := &api.ListTablesOutput{TableNames: []api.TableName{}}
	return out, c.Store.View(func(tx *storage.Tx) error {
		now := c.Now()
		for _, name := range c.Policy.Shown(tx).Tables(string(start)) {
			if tables.Seen(tx, name, now) == nil {
				continue
			}
			if len(out.TableNames) == limit {
				out.LastEvaluatedTableName = &out.TableNames[limit-1]
				break
			}
			out.TableNames = append(out.TableNames, api.TableName(name))
		}
		return nil
	})
}
