package control

import (
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
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
		t, s, err := c.KnownTable(tx, name) // what is changing: see orderOfDelete
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

// deletion is a table that is to be deleted, with its settings.
type deletion struct {
	call     *serve.Call
	tx       *storage.Tx
	table    *storage.Table
	settings *tables.Settings
	now      time.Time
}

// deletable returns the error of deleting a table.
func deletable(c *serve.Call, tx *storage.Tx, t *storage.Table, s *tables.Settings) error {
	return orderOfDelete.Judge(deletion{c, tx, t, s, c.Now()})
}

// orderOfDelete orders the checks of DeleteTable, and of the deletion of a replica, on an existing
// table. After it come the other replicas (orderOfLeaving).
var orderOfDelete = serve.Order[deletion]{
	// one that is being deleted already is refused too, whatever the API Reference says
	serve.Step("the state, and what is changing",
		"S.4, S.5, S.6, DDB-TABLE-103, DDB-TABLE-172, DDB-TABLE-298, DDB-TABLE-444",
		func(d deletion) error {
			_, changing := d.call.Changing(d.tx, d.table.Name)
			return changing.Refuse(states.Delete)
		}),
	serve.Step("protection", "DDB-TABLE-297", deletion.checkProtection),
	// Developer Guide, "Using on-demand backup and restore for DynamoDB", "Backups"
	serve.Step("a backup in progress", "", func(d deletion) error {
		if BeingBackedUp(d.call, d.tx, d.table) {
			_, changing := d.call.Changing(d.tx, d.table.Name)
			return changing.Error(states.BacksUp, states.Delete)
		}
		return nil
	}),
}

func (d deletion) checkProtection() error {
	switch {
	case d.settings.Protected && len(d.settings.Global.Regions()) > 1:
		return apierr.Invalid("Cannot delete table %s in region %s because it has deletion protection "+
			"enabled. Disable deletion protection first.", d.table.Name, d.call.Region)
	case d.settings.Protected:
		return apierr.Invalid(
			"Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	}
	return nil
}

// backUpDeleted makes the system backup of a table that is deleted, if it has point-in-time
// recovery. That stays on while the table is DELETING: it can be read at first.
func backUpDeleted(c *serve.Call, tx *storage.Tx, t *storage.Table, s *tables.Settings) {
	if _, _, ok := tx.Recovery().Window(t); !ok {
		return
	}
	BackUpDeleted(c, tx, t, s)
	if c.Delays().Delete == 0 {
		tx.Recovery().Disable(t)
	}
}

// BackUpDeleted makes the system backup of a table that is deleted.
func BackUpDeleted(c *serve.Call, tx *storage.Tx, t *storage.Table, s *tables.Settings) {
	BackUp(c, tx, t, &tables.Backup{
		Name: t.Name + "$DeletedTableBackup", Type: tables.SystemBackup, Table: s,
	})
}

// DropDeleted drops the system backup of a table that is being deleted.
func DropDeleted(tx *storage.Tx, t *storage.Table) {
	for _, b := range tx.Backups().All() {
		if b.Table().ID == t.ID && tables.BackupOf(b).Type == tables.SystemBackup {
			tx.Backups().Drop(b)
		}
	}
}

func DeleteTableTargets(in *api.DeleteTableInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
