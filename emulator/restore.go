package emulator

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
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
			return apierr.BadParameter("WarmThroughput is not supported in GlobalSecondaryIndexOverride")
		}
	}
	if err := r.CheckOnDemand(); err != nil {
		return err
	}
	return tables.CheckEncryption(r.Encryption, "sSESpecificationOverride")
}

// errRestoreEncryption is the error of a restore from another region without the parameter that such
// a restore must have (Developer Guide, "Restoring a DynamoDB table from a backup"; the text is that of
// ack-api-quirks, DDB-TABLE-442).
var errRestoreEncryption = apierr.Invalid("Invalid Request: sseSpecificationOverride must be provided for cross-region restores")

// restoreFrom calls f with the place of the source of a restore and with the caller's own, in a
// commit that they share. The source has an ARN or is in the caller's region.
func (c *call) restoreFrom(source string, r *tables.Restore, f func(from *groupMember, tx *storage.Tx) error) error {
	region := c.restoreRegion(source)
	if region == "" {
		return c.store.Update(func(tx *storage.Tx) error { return f(&groupMember{call: c, tx: tx}, tx) })
	}
	if r.Encryption == nil {
		return errRestoreEncryption
	}
	owners := []arn.Owner{c.Owner, c.In(region)}
	sortOwners(owners)
	return c.tryInGroup(r.Target, owners, func(g *replicaGroup) error {
		return f(g.member(c.In(region)), g.local.tx)
	})
}

// checkTarget returns an error if the target of a restore exists already or if too many restores
// are in progress.
func (c *call) checkTarget(tx *storage.Tx, name string) error {
	c.dropGone(tx, name)
	if t := tx.Table(name); t != nil {
		switch status := tables.SettingsOf(tx, t).State.At(c.now()); status {
		case tables.Creating:
			return &apierr.Error{Type: apierr.TableInUse, Message: "Table is being created: " + name}
		case tables.Deleting:
			return &apierr.Error{Type: apierr.TableInUse, Message: "Table is being deleted: " + name}
		}
		return &apierr.Error{Type: apierr.TableAlreadyExists, Message: "Table already exists: " + name}
	}
	if len(c.restores(tx)) >= maxRestores {
		return tables.ErrLimit("Only %d tables can be restored simultaneously", maxRestores)
	}
	return nil
}

// restores returns the tables that are being restored.
func (c *call) restores(tx *storage.Tx) (list []*tables.Restored) {
	for _, name := range tx.TableNames() {
		s := tables.SettingsOf(tx, tx.Table(name))
		if s.Restored != nil && s.State.At(c.now()) == tables.Creating {
			list = append(list, s.Restored)
		}
	}
	return list
}

// beingRestored reports whether a table is being restored from a backup.
func (c *call) beingRestored(tx *storage.Tx, arn string) bool {
	return slices.ContainsFunc(c.restores(tx), func(r *tables.Restored) bool { return r.Backup == arn })
}

// restore creates the table of a request with the function create, and describes it.
func (c *call) restore(tx *storage.Tx, r *tables.Restore, from *tables.RestoreSource, what tables.Restored,
	create func(storage.TableSpec) *storage.Table) (*api.TableDescription, error) {
	in, err := r.AsCreateTable(from)
	if err != nil {
		return nil, err
	}
	if err := checkCreateTable(in); err != nil {
		return nil, err
	}
	s, err := c.newSettings(in, c.now())
	if err != nil {
		return nil, err
	}
	s.Restored = &what
	spec := storage.TableSpec{Name: strings.Clone(r.Target), ID: c.newTableID(), Settings: s}
	specs := indexSpecs(in)
	for _, ix := range from.Indexes {
		if !slices.ContainsFunc(specs, func(s tables.IndexSpec) bool { return s.Name == ix.Name }) {
			spec.Without = append(spec.Without, ix.Name)
		}
	}
	spec.Without = append(spec.Without, c.restoreVectors(from, in.VectorIndexes, s)...)
	t := create(spec)
	c.watch.restored(tx, t)
	return c.begin(tx, t, s), nil
}
