package backups

import (
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

const (
	Day = 24 * time.Hour

	// recoveryPeriod is for how many days a table can be taken back unless the request says so (API
	// Reference, PointInTimeRecoverySpecification, RecoveryPeriodInDays).
	recoveryPeriod = 35

	// recoveryLag is how far the latest time to which a table can be taken lies behind (API
	// Reference, PointInTimeRecoveryDescription, LatestRestorableDateTime).
	recoveryLag = 5 * time.Minute
)

// RecoveryWindow is the period that a table can be restored to, in whole seconds as the service
// shows it. A time in the second in which the period begins stands for known, its exact beginning.
type RecoveryWindow struct {
	Earliest, latest, Known time.Time
	days                    int64
}

// RecoveryWindowOf returns the window of a table; ok is false without point-in-time recovery. A
// table whose recovery was just enabled can be taken back to that moment (AWS CLI Command
// Reference, update-continuous-backups, its example).
func RecoveryWindowOf(c *serve.Call, tx *storage.Tx, t *storage.Table) (w RecoveryWindow, ok bool) {
	from, life, ok := tx.Recovery().Window(t)
	if !ok {
		return w, false
	}
	latest := c.Now().Add(-recoveryLag)
	if latest.Before(from) {
		latest = from
	}
	return RecoveryWindow{from.Truncate(time.Second), latest.Truncate(time.Second), from,
		int64(life / Day)}, true
}

// ErrNoRecovery returns the error of operations that need point-in-time recovery.
func ErrNoRecovery(table string) error {
	return &apierr.Error{
		Type:    apierr.RecoveryUnavailable,
		Message: "Point in time recovery is not enabled for table '" + table + "'",
	}
}

// has reports whether a table can be taken back to a time.
func (w *RecoveryWindow) has(at time.Time) bool {
	return !at.Before(w.Earliest) && !at.After(w.latest)
}

// describeContinuousBackupsOf describes what is enabled of a table. Continuous backups are from its
// creation on (API Reference, UpdateContinuousBackups).
func describeContinuousBackupsOf(c *serve.Call, tx *storage.Tx,
	t *storage.Table) *api.ContinuousBackupsDescription {
	d := &api.PointInTimeRecoveryDescription{
		PointInTimeRecoveryStatus: api.Ref(api.PointInTimeRecoveryStatus("DISABLED")),
	}
	if w, ok := RecoveryWindowOf(c, tx, t); ok {
		d = &api.PointInTimeRecoveryDescription{
			PointInTimeRecoveryStatus:  api.Ref(api.PointInTimeRecoveryStatus("ENABLED")),
			RecoveryPeriodInDays:       api.Ref(api.RecoveryPeriodInDays(w.days)),
			EarliestRestorableDateTime: tables.Timestamp(w.Earliest),
			LatestRestorableDateTime:   tables.Timestamp(w.latest),
		}
	}
	return &api.ContinuousBackupsDescription{
		ContinuousBackupsStatus:        api.Ref(api.ContinuousBackupsStatus("ENABLED")),
		PointInTimeRecoveryDescription: d,
	}
}
