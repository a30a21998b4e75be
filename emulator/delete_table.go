package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func deleteTable(c *call, in *api.DeleteTableInput) (*api.DeleteTableOutput, error) {
	name, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := new(api.DeleteTableOutput)
	return out, c.store.Update(func(tx *storage.Tx) error {
		t, s, err := c.knownTable(tx, name)
		if err != nil {
			return err
		}
		now := c.now()
		// "If table is already in the DELETING state, no error is returned" (API Reference, DeleteTable).
		if status := s.State.At(now); status != tables.Deleting {
			if status == tables.Updating {
				return &apierr.Error{Type: apierr.ResourceInUse, Message: "Attempt to change a resource which is still in use: Table: " + name + " is in the process of being updated."}
			}
			if err := tables.Busy(name, status); err != nil {
				return err
			}
			if s.Protected {
				return apierr.Invalid("Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
			}
			s = s.Clone()
			s.State = tables.Transition{Status: tables.Deleting, Until: now.Add(c.delays().delete)}
		}
		out.TableDescription = tables.DescribeDeleted(c.Owner, tx, t, s, now.Add(-1))
		out.TableDescription.DeletionProtectionEnabled = new(false)
		tx.SetSettings(t, s)
		tx.DisableStream(t)
		c.dropGone(tx, name)
		return nil
	})
}

func deleteTableTargets(in *api.DeleteTableInput, ts *targets) {
	ts.add(target{table: tableCalled(in.TableName)})
}
