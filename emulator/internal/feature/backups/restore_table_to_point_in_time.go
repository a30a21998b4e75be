package backups

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/control"
	"github.com/kugiri-db/kugiri/emulator/internal/permit"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
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
	if err := orderOfRestore.Judge(r); err != nil {
		return nil, err
	}
	if err := orderOfTimes.Judge(in); err != nil {
		return nil, err
	}
	out := new(api.RestoreTableToPointInTimeOutput)
	return out, restoreFrom(c, string(api.Deref(in.SourceTableArn)),
		r, func(source *control.GroupMember, tx *storage.Tx) error {
			x := &timeRestore{target: restoreTarget{c, tx, r.Target}, source: source, in: in}
			if err := orderOfTimeRestore.Judge(x); err != nil {
				return err
			}
			t, s, at := x.table, x.settings, x.at
			from := &tables.RestoreSource{Key: t.Key, Settings: s}
			for _, ix := range source.Tx.Tables().Indexes(t) {
				from.Indexes = append(from.Indexes, ix.IndexSchema)
			}
			for _, ix := range source.Tx.Vectors().Indexes(t) {
				from.Vectors = append(from.Vectors, ix.VectorSchema)
			}
			what := tables.Restored{Source: source.TableARN(t.Name), At: at.asked}
			var err error
			out.TableDescription, err = restore(c, tx, r, from,
				what, func(spec storage.TableSpec) *storage.Table {
					return tx.Recovery().Restore(t, at.known, spec)
				})
			return err
		})
}

// timeRestore is a restore of a table as it was.
type timeRestore struct {
	target   restoreTarget
	source   *control.GroupMember
	in       *api.RestoreTableToPointInTimeInput
	name     string // the source's name
	table    *storage.Table
	settings *tables.Settings
	at       restoreMoment
}

// orderOfTimeRestore lists what RestoreTableToPointInTime judges of the source and of the target.
var orderOfTimeRestore = serve.Order[*timeRestore]{
	serve.Step("the name of the source", "DDB-TABLE-272, T.28", func(x *timeRestore) (err error) {
		x.name, err = restoreSourceName(x.source.Call, x.in)
		return err
	}),
	serve.Step("the source", "T.21", func(x *timeRestore) (err error) {
		x.table, x.settings, err = x.source.Call.TableFor(x.source.Tx, x.name,
			states.RestoreFrom)
		if err != nil && x.in.SourceTableArn != nil {
			return &apierr.Error{Type: apierr.TableNotFound, Message: "Table not found"}
		}
		return err
	}),
	serve.Step("the time", "T.12", func(x *timeRestore) (err error) {
		x.at, err = restoreTime(x.source.Call, x.source.Tx, x.table, x.in)
		return err
	}),
	serve.Step("the target", "DDB-TABLE-219",
		func(x *timeRestore) error { return orderOfTarget.Judge(x.target) }),
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
	part := strings.SplitN(arn, ":", 6)
	switch {
	case len(part) < 6:
		return "", apierr.Invalid("sourceTableArn is not a valid ARN")
	case part[4] != c.Account && serve.ValidAccount(part[4]): // service facts T.28
		return "", permit.ErrPolicyOwner
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

// orderOfTimes lists what is judged of the two times of a request, before anything of the table.
var orderOfTimes = serve.Order[*api.RestoreTableToPointInTimeInput]{
	serve.Step("both times", "DDB-TABLE-100", func(in *api.RestoreTableToPointInTimeInput) error {
		if api.Deref(in.UseLatestRestorableTime) && in.RestoreDateTime != nil {
			return apierr.Invalid(
				"Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time restore request.")
		}
		return nil
	}),
	serve.Step("no time", "DDB-TABLE-100", func(in *api.RestoreTableToPointInTimeInput) error {
		if !api.Deref(in.UseLatestRestorableTime) && in.RestoreDateTime == nil {
			return apierr.Invalid(
				"Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both")
		}
		return nil
	}),
}

// restoreMoment holds the time that a request asks for, and the first moment from then on at which
// the table's content is known.
type restoreMoment struct{ asked, known time.Time }

// restoreTime returns the time to which a request restores a table.
func restoreTime(c *serve.Call, tx *storage.Tx, t *storage.Table,
	in *api.RestoreTableToPointInTimeInput) (m restoreMoment, err error) {
	w, ok := RecoveryWindowOf(c, tx, t)
	if !ok {
		return m, ErrNoRecovery(t.Name)
	}
	m.asked = w.latest
	if in.RestoreDateTime != nil {
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
