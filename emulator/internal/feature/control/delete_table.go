package control

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func DeleteTable(c *serve.Call, in *api.DeleteTableInput) (*api.DeleteTableOutput, error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := new(api.DeleteTableOutput)
	return out, inGroup(c, name, nil, func(g *ReplicaGroup) error {
		tx := g.Local.Tx
		t, s, err := c.KnownTable(tx, name)
		if err != nil {
			return err
		}
		now := c.Now()
		if err := deletable(c, tx, t, s); err != nil {
			return err
		}
		if err := g.leave(s, now); err != nil {
			return err
		}
		backUpDeleted(c, tx, t, s)
		s = tables.SettingsOf(tx, t).Clone()
		s.State = tables.Transition{Status: tables.Deleting, Until: now.Add(c.Delays().Delete)}
		out.TableDescription = tables.DescribeDeleted(c.Owner, tx, t, s, now.Add(-1))
		out.TableDescription.DeletionProtectionEnabled = api.Ref(false)
		tx.Tables().SetSettings(t, s)
		tx.Streams().Disable(t)
		c.DropGone(tx, name)
		return nil
	})
}

// deletable returns the error of deleting a table. One that is being deleted already is refused
// too, whatever the API Reference says (service facts S.6).
func deletable(c *serve.Call, tx *storage.Tx, t *storage.Table, s *tables.Settings) error {
	if err := (changingTable{t, s, c.Now()}).checkDelete(); err != nil {
		return err
	}
	for i := range s.Policies { // ack-api-quirks, DDB-TABLE-444
		if p := &s.Policies[i]; p.Stream == "" && c.Now().Before(p.From) {
			return errInUse("Table: " + t.Name + " has a pending resource-based policy update.")
		}
	}
	if s.Past.Tagging(c.Now()) {
		return errInUse(tables.TagsBeingUpdated(t.Name))
	}
	if s.Protected {
		return apierr.Invalid(
			"Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	}
	// Developer Guide, "Using on-demand backup and restore for DynamoDB", "Backups"
	if BeingBackedUp(c, tx, t) {
		return errInUse("Table: " + t.Name + " is in the process of being backed up.")
	}
	return nil
}

// backUpDeleted makes the system backup of a table that is deleted, if it has point-in-time
// recovery.
func backUpDeleted(c *serve.Call, tx *storage.Tx, t *storage.Table, s *tables.Settings) {
	if _, _, ok := tx.Recovery().Window(t); ok {
		BackUp(c, tx, t,
			&tables.Backup{
				Name: t.Name + "$DeletedTableBackup", Type: tables.SystemBackup, Table: s,
			})
		tx.Recovery().Disable(t)
	}
}

func DeleteTableTargets(in *api.DeleteTableInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
