package backups

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/control"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// maxRestores is the maximum number of tables that are being restored at a time (API Reference,
// RestoreTableFromBackup).
const maxRestores = 50

// orderOfRestore orders the checks without the source that both restoring operations make. After it
// come the times (orderOfTimes), the region of the source, the source (orderOfBackupRestore,
// orderOfTimeRestore), and what the table would be.
var orderOfRestore = serve.Order[*tables.Restore]{
	// API Reference, RestoreTableToPointInTime, GlobalSecondaryIndexOverride.
	serve.Step("warm throughput of indexes", "", func(r *tables.Restore) error {
		for _, ix := range r.Global {
			if ix.WarmThroughput != nil {
				return apierr.BadParameter(
					"WarmThroughput is not supported in GlobalSecondaryIndexOverride")
			}
		}
		return nil
	}),
	serve.Step("maxima", "DDB-TABLE-457", (*tables.Restore).CheckOnDemand),
	serve.Step("encryption", "", func(r *tables.Restore) error {
		return tables.CheckEncryption(r.Encryption, "sSESpecificationOverride")
	}),
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

// restoreTarget is the table that a restore would create.
type restoreTarget struct {
	call *serve.Call
	tx   *storage.Tx
	name string
}

// orderOfTarget lists what both operations that restore judge of their target.
var orderOfTarget = serve.Order[restoreTarget]{
	serve.Step("a table of that name", "DDB-TABLE-219, DDB-TABLE-275",
		func(r restoreTarget) error {
			return control.CheckFree(r.call, r.tx, r.name, states.RestoreTo)
		}),
	serve.Step("how many restores are in progress", "DDB-TABLE-443", func(r restoreTarget) error {
		if len(restores(r.call, r.tx)) >= maxRestores {
			return tables.ErrLimit("Only %d restore operations can be done simultaneously",
				maxRestores)
		}
		return nil
	}),
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
	if err := control.CheckCreateTable(c, in); err != nil {
		return nil, err
	}
	if err := control.CheckDeclared(c, in); err != nil {
		return nil, err
	}
	s, err := control.NewSettings(c, in, c.Now())
	if err != nil {
		return nil, err
	}
	s.Restored = &what
	spec := storage.TableSpec{Name: strings.Clone(r.Target), ID: c.NewTableID(), Settings: s}
	added := restoredIndexes(from, control.IndexSpecs(in), s.Definitions, &spec)
	spec.Without = append(spec.Without, control.RestoreVectors(c, from, in.VectorIndexes, s)...)
	t := create(spec)
	for _, ix := range added {
		tx.Tables().AddIndex(t, ix)
	}
	c.Policy.Restored(tx, t)
	return control.Begin(c, tx, t, s), nil
}

// restoredIndexes leaves the indexes of the source out that the table does not have, and returns
// those that it has under another name (ack-api-quirks, DDB-TABLE-280).
func restoredIndexes(from *tables.RestoreSource, specs []tables.IndexSpec,
	definitions []api.AttributeDefinition, spec *storage.TableSpec) (added []storage.IndexSchema) {
	kept := map[string]bool{}
	for i := range specs {
		if ix := from.Match(&specs[i]); ix != nil && ix.Name == specs[i].Name {
			kept[ix.Name] = true
			continue
		}
		added = append(added, specs[i].Schema(definitions))
	}
	for _, ix := range from.Indexes {
		if !kept[ix.Name] {
			spec.Without = append(spec.Without, ix.Name)
		}
	}
	return added
}
