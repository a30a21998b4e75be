package backups

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/control"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func RestoreTableToPointInTime(c *serve.Call,
	in *api.RestoreTableToPointInTimeInput) (*api.RestoreTableToPointInTimeOutput, error) {
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
	return out, restoreFrom(c, string(api.Deref(in.SourceTableArn)),
		r, func(source *control.GroupMember, tx *storage.Tx) error {
			name, err := restoreSourceName(source.Call, in)
			if err != nil {
				return err
			}
			t, s, err := tableToBackUp(source.Call, source.Tx, name)
			if err != nil && in.SourceTableArn != nil { // service facts T.21
				return &apierr.Error{Type: apierr.TableNotFound, Message: "Table not found"}
			}
			if err != nil {
				return err
			}
			at, err := restoreTime(source.Call, source.Tx, t, in)
			if err != nil {
				return err
			}
			if err := checkTarget(c, tx, r.Target); err != nil {
				return err
			}
			from := &tables.RestoreSource{Key: t.Key, Settings: s}
			for _, ix := range source.Tx.Tables().Indexes(t) {
				from.Indexes = append(from.Indexes, ix.IndexSchema)
			}
			for _, ix := range source.Tx.Vectors().Indexes(t) {
				from.Vectors = append(from.Vectors, ix.VectorSchema)
			}
			what := tables.Restored{Source: source.TableARN(t.Name), At: at.asked}
			out.TableDescription, err = restore(c, tx, r, from,
				what, func(spec storage.TableSpec) *storage.Table {
					return tx.Recovery().Restore(t, at.known, spec)
				})
			return err
		})
}

func RestoreTableToPointInTimeTargets(in *api.RestoreTableToPointInTimeInput, ts *serve.Targets) {
	if in.SourceTableArn != nil {
		ts.AddAs(serve.Target{Table: arn.TableCalled(in.SourceTableArn)}, false)
	}
	if in.SourceTableName != nil {
		ts.AddAs(serve.Target{Table: arn.TableCalled(in.SourceTableName)}, false)
	}
	ts.Add(serve.Target{Table: arn.TableCalled(in.TargetTableName)})
}

// restoreSourceName returns the name of the source table. (Messages: ack-api-quirks, DDB-TABLE-272
// and 442, probes of the service.)
func restoreSourceName(c *serve.Call, in *api.RestoreTableToPointInTimeInput) (string, error) {
	switch {
	case in.SourceTableName == nil && in.SourceTableArn == nil:
		return "", apierr.Invalid(
			"The parameter 'TableName' is required but was not present in the request")
	case in.SourceTableName != nil && in.SourceTableArn != nil:
		return "", apierr.Invalid("Must provide exactly one of: sourceTableArn, sourceTableName")
	case in.SourceTableName != nil:
		return string(*in.SourceTableName), nil
	}
	arn := string(*in.SourceTableArn)
	if !strings.HasPrefix(arn, "arn:") {
		return "", apierr.BadParameter("ARNs must start with 'arn:': %s", arn)
	}
	// A table of another account is refused as no table (service facts T.28).
	if part := strings.SplitN(arn, ":", 6); len(part) == 6 && part[4] != c.Account {
		return "", serve.ErrARN(arn)
	}
	return c.TableOfARN(arn)
}

// errRestoreTime returns the error of a time outside the window (service facts T.12; the end of the
// text is not known).
func errRestoreTime(asked time.Time, w *RecoveryWindow) error {
	text := func(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
	return &apierr.Error{Type: apierr.InvalidRestoreTime, Message: fmt.Sprintf(
		"RestoreDateTime '%s' must be within EarliestRestorableDateTime '%s' and LatestRestorableDateTime '%s'",
		text(asked), text(w.Earliest), text(w.latest))}
}

// restoreMoment holds the time that a request asks for, and the first moment from then on at which
// the table's content is known.
type restoreMoment struct{ asked, known time.Time }

// restoreTime returns the time to which a request restores a table.
func restoreTime(c *serve.Call, tx *storage.Tx, t *storage.Table,
	in *api.RestoreTableToPointInTimeInput) (m restoreMoment, err error) {
	latest := api.Deref(in.UseLatestRestorableTime)
	switch {
	case latest && in.RestoreDateTime != nil:
		return m, apierr.Invalid(
			"Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time restore request.")
	case !latest && in.RestoreDateTime == nil:
		return m, apierr.Invalid(
			"Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both")
	}
	w, ok := RecoveryWindowOf(c, tx, t)
	if !ok {
		return m, ErrNoRecovery(t.Name)
	}
	m.asked = w.latest
	if !latest {
		m.asked = time.UnixMilli(int64(math.Round(float64(*in.RestoreDateTime) * 1000)))
	}
	if !w.has(m.asked) {
		return m, errRestoreTime(m.asked, &w)
	}
	if m.known = m.asked; m.known.Before(w.Known) {
		m.known = w.Known
	}
	return m, nil
}
