package emulator

import (
	"math"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func restoreTableToPointInTime(c *call, in *api.RestoreTableToPointInTimeInput) (*api.RestoreTableToPointInTimeOutput, error) {
	r := &tables.Restore{
		Target:      string(*in.TargetTableName),
		Billing:     in.BillingModeOverride,
		Provisioned: in.ProvisionedThroughputOverride,
		OnDemand:    in.OnDemandThroughputOverride,
		Global:      in.GlobalSecondaryIndexOverride,
		Local:       in.LocalSecondaryIndexOverride,
		Vectors:     in.VectorIndexOverride,
		Encryption:  in.SSESpecificationOverride,
	}
	if err := checkRestore(r); err != nil {
		return nil, err
	}
	out := new(api.RestoreTableToPointInTimeOutput)
	return out, c.restoreFrom(string(api.Deref(in.SourceTableArn)), r, func(source *groupMember, tx *storage.Tx) error {
		name, err := source.restoreSourceName(in)
		if err != nil {
			return err
		}
		t, s, err := source.tableToBackUp(source.tx, name)
		if err != nil {
			return err
		}
		at, err := source.restoreTime(source.tx, t, in)
		if err != nil {
			return err
		}
		if err := c.checkTarget(tx, r.Target); err != nil {
			return err
		}
		from := &tables.RestoreSource{Key: t.Key, Settings: s}
		for _, ix := range source.tx.Indexes(t) {
			from.Indexes = append(from.Indexes, ix.IndexSchema)
		}
		for _, ix := range source.tx.VectorIndexes(t) {
			from.Vectors = append(from.Vectors, ix.VectorSchema)
		}
		what := tables.Restored{Source: source.TableARN(t.Name), At: at.asked}
		out.TableDescription, err = c.restore(tx, r, from, what, func(spec storage.TableSpec) *storage.Table {
			return tx.Recover(t, at.known, spec)
		})
		return err
	})
}

func restoreTableToPointInTimeTargets(in *api.RestoreTableToPointInTimeInput, ts *targets) {
	if in.SourceTableArn != nil {
		ts.addAs(target{table: tableCalled(in.SourceTableArn)}, false)
	}
	if in.SourceTableName != nil {
		ts.addAs(target{table: tableCalled(in.SourceTableName)}, false)
	}
	ts.add(target{table: tableCalled(in.TargetTableName)})
}

// restoreSourceName returns the name of the source table.
func (c *call) restoreSourceName(in *api.RestoreTableToPointInTimeInput) (string, error) {
	switch {
	case in.SourceTableName == nil && in.SourceTableArn == nil:
		return "", apierr.BadParameter("Either SourceTableName or SourceTableArn must be specified")
	case in.SourceTableName != nil && in.SourceTableArn != nil:
		return "", apierr.BadParameter("Only one of SourceTableName and SourceTableArn can be specified")
	case in.SourceTableName != nil:
		return string(*in.SourceTableName), nil
	}
	if !strings.HasPrefix(string(*in.SourceTableArn), "arn:") {
		return "", errARN(string(*in.SourceTableArn))
	}
	return c.tableName(*in.SourceTableArn)
}

// restoreMoment holds the time that a request asks for, and the first moment from then on at which
// the table's content is known.
type restoreMoment struct{ asked, known time.Time }

// restoreTime returns the time to which a request restores a table.
func (c *call) restoreTime(tx *storage.Tx, t *storage.Table, in *api.RestoreTableToPointInTimeInput) (m restoreMoment, err error) {
	latest := api.Deref(in.UseLatestRestorableTime)
	switch {
	case latest && in.RestoreDateTime != nil:
		return m, apierr.BadParameter("RestoreDateTime can not be specified if UseLatestRestorableTime is true")
	case !latest && in.RestoreDateTime == nil:
		return m, apierr.BadParameter("Either RestoreDateTime or UseLatestRestorableTime must be specified")
	}
	w, ok := c.recoveryWindow(tx, t)
	if !ok {
		return m, errNoRecovery(t.Name)
	}
	m.asked = w.latest
	if !latest {
		m.asked = time.UnixMilli(int64(math.Round(float64(*in.RestoreDateTime) * 1000)))
	}
	if !w.has(m.asked) { // the words of the API Reference, InvalidRestoreTimeException
		return m, &apierr.Error{Type: apierr.InvalidRestoreTime, Message: "An invalid restore time was specified. " +
			"RestoreDateTime must be between EarliestRestorableDateTime and LatestRestorableDateTime."}
	}
	if m.known = m.asked; m.known.Before(w.known) {
		m.known = w.known
	}
	return m, nil
}
