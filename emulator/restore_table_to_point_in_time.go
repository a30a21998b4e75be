package emulator

import (
	"math"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
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
		ts.addAs(target{table: arn.TableCalled(in.SourceTableArn)}, false)
	}
	if in.SourceTableName != nil {
		ts.addAs(target{table: arn.TableCalled(in.SourceTableName)}, false)
	}
	ts.add(target{table: arn.TableCalled(in.TargetTableName)})
}

// restoreSourceName returns the name of the source table. (Messages: ack-api-quirks, DDB-TABLE-272 and
// 442, probes of the service.)
func (c *call) restoreSourceName(in *api.RestoreTableToPointInTimeInput) (string, error) {
	switch {
	case in.SourceTableName == nil && in.SourceTableArn == nil:
		return "", apierr.Invalid("The parameter 'TableName' is required but was not present in the request")
	case in.SourceTableName != nil && in.SourceTableArn != nil:
		return "", apierr.Invalid("Must provide exactly one of: sourceTableArn, sourceTableName")
	case in.SourceTableName != nil:
		return string(*in.SourceTableName), nil
	}
	arn := string(*in.SourceTableArn)
	if !strings.HasPrefix(arn, "arn:") {
		return "", apierr.BadParameter("ARNs must start with 'arn:': %s", arn)
	}
	return c.tableOfARN(arn)
}

// restoreMoment holds the time that a request asks for, and the first moment from then on at which
// the table's content is known.
type restoreMoment struct{ asked, known time.Time }

// restoreTime returns the time to which a request restores a table.
func (c *call) restoreTime(tx *storage.Tx, t *storage.Table, in *api.RestoreTableToPointInTimeInput) (m restoreMoment, err error) {
	latest := api.Deref(in.UseLatestRestorableTime)
	switch {
	case latest && in.RestoreDateTime != nil:
		return m, apierr.Invalid("Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set")
	case !latest && in.RestoreDateTime == nil:
		return m, apierr.Invalid("Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both")
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
