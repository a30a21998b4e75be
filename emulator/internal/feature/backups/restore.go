package backups

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/control"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// maxRestores is the maximum number of tables that are being restored at a time (API Reference,
// RestoreTableFromBackup).
const maxRestores = 50

// checkRestore applies the rules that do not need the source.
func checkRestore(r *tables.Restore) error {
	for _, ix := range r.Global {
		// API Reference, RestoreTableToPointInTime, GlobalSecondaryIndexOverride.
		if ix.WarmThroughput != nil {
			return apierr.BadParameter(
				"WarmThroughput is not supported in GlobalSecondaryIndexOverride")
		}
	}
	if err := r.CheckOnDemand(); err != nil {
		return err
	}
	return tables.CheckEncryption(r.Encryption, "sSESpecificationOverride")
}

// errRestoreEncryption is the error of a restore from another region without the parameter that
// such a restore must have (Developer Guide, "Restoring a DynamoDB table from a backup"; the text
// is that of ack-api-quirks, DDB-TABLE-442).
var errRestoreEncryption = apierr.Invalid(
	"Invalid Request: sseSpecificationOverride must be provided for cross-region restores")

// restoreFrom calls f with the place of the source of a restore and with the caller's own, in a
// commit that they share. The source has an ARN or is in the caller's region.
func restoreFrom(c *serve.Call, source string, r *tables.Restore,
	f func(from *control.GroupMember, tx *storage.Tx) error) error {
	region := c.RestoreRegion(source)
	if region == "" {
		return c.Store.Update(
			func(tx *storage.Tx) error { return f(&control.GroupMember{Call: c, Tx: tx}, tx) })
	}
	if r.Encryption == nil {
		return errRestoreEncryption
	}
	owners := []arn.Owner{c.Owner, c.In(region)}
	serve.SortOwners(owners)
	return control.TryInGroup(c, r.Target, owners, func(g *control.ReplicaGroup) error {
		return f(g.Member(c.In(region)), g.Local.Tx)
	})
}

// checkTarget returns an error if the target of a restore exists already or if too many restores
// are in progress.
func checkTarget(c *serve.Call, tx *storage.Tx, name string) error {
	c.DropGone(tx, name)
	if t := tx.Table(name); t != nil {
		switch status := tables.SettingsOf(tx, t).State.At(c.Now()); status {
		case tables.Creating:
			return &apierr.Error{
				Type: apierr.TableInUse, Message: "Table is being created: " + name,
			}
		case tables.Deleting:
			return &apierr.Error{
				Type: apierr.TableInUse, Message: "Table is being deleted: " + name,
			}
		}
		return &apierr.Error{
			Type: apierr.TableAlreadyExists, Message: "Table already exists: " + name,
		}
	}
	if len(restores(c, tx)) >= maxRestores {
		return tables.ErrLimit("Only %d tables can be restored simultaneously", maxRestores)
	}
	return nil
}

// restores returns the tables that are being restored.
func restores(c *serve.Call, tx *storage.Tx) (list []*tables.Restored) {
	for _, name := range tx.Tables().Names() {
		s := tables.SettingsOf(tx, tx.Table(name))
		if s.Restored != nil && s.State.At(c.Now()) == tables.Creating {
			list = append(list, s.Restored)
		}
	}
	return list
}

// beingRestored reports whether a table is being restored from a backup.
func beingRestored(c *serve.Call, tx *storage.Tx, arn string) bool {
	return slices.ContainsFunc(restores(c, tx),
		func(r *tables.Restored) bool { return r.Backup == arn })
}

// restore creates the table of a request with the function create, and describes it.
func restore(c *serve.Call, tx *storage.Tx, r *tables.Restore, from *tables.RestoreSource,
	what tables.Restored,
	create func(storage.TableSpec) *storage.Table) (*api.TableDescription, error) {
	in, err := r.AsCreateTable(from)
	if err != nil {
		return nil, err
	}
	if err := control.CheckCreateTable(c.Region, in); err != nil {
		return nil, err
	}
	s, err := control.NewSettings(c, in, c.Now())
	if err != nil {
		return nil, err
	}
	s.Restored = &what
	spec := storage.TableSpec{Name: strings.Clone(r.Target), ID: c.NewTableID(), Settings: s}
	specs := control.IndexSpecs(in)
	for _, ix := range from.Indexes {
		if !slices.ContainsFunc(specs, func(s tables.IndexSpec) bool { return s.Name == ix.Name }) {
			spec.Without = append(spec.Without, ix.Name)
		}
	}
	spec.Without = append(spec.Without, control.RestoreVectors(c, from, in.VectorIndexes, s)...)
	t := create(spec)
	c.Watch.Restored(tx, t)
	return control.Begin(c, tx, t, s), nil
}
