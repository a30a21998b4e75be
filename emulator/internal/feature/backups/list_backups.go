package backups

import (
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// mostBackups is the number of backups in a page if the request sets no limit (API Reference,
// ListBackups, Limit).
const mostBackups = 100

// ListBackups lists backups in the order of their IDs, which is the order of their creation. The
// next page continues after the last backup of this one, even if that backup has been deleted.
func ListBackups(c *serve.Call, in *api.ListBackupsInput) (*api.ListBackupsOutput, error) {
	wanted, err := newBackupFilter(c, in)
	if err != nil {
		return nil, err
	}
	if err := c.CheckRate("ListBackups", listsPerSecond); err != nil {
		return nil, err
	}
	limit := mostBackups
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	out := &api.ListBackupsOutput{BackupSummaries: []api.BackupSummary{}}
	return out, c.Store.View(func(tx *storage.Tx) error {
		for _, b := range tx.Backups().All() {
			if !wanted.has(b, tables.BackupOf(b)) {
				continue
			}
			if len(out.BackupSummaries) == limit {
				out.LastEvaluatedBackupArn = out.BackupSummaries[limit-1].BackupArn
				return nil
			}
			out.BackupSummaries = append(out.BackupSummaries, summarize(c, b))
		}
		return nil
	})
}

func ListBackupsTargets(in *api.ListBackupsInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}

// backupFilter selects the backups that a request lists.
type backupFilter struct {
	table    string // "": of all tables
	kind     api.BackupTypeFilter
	from, to *api.Timestamp
	after    string // an ID
	now      time.Time
}

func newBackupFilter(c *serve.Call, in *api.ListBackupsInput) (f backupFilter, err error) {
	f = backupFilter{
		kind: tables.UserBackup, from: in.TimeRangeLowerBound, to: in.TimeRangeUpperBound,
		now: c.Now(),
	}
	// ack-api-quirks, DDB-BACKUP-014, a probe of the service
	if f.from != nil && f.to != nil && *f.from > *f.to {
		return f, apierr.BadParameter(
			"Time range lower bound must be less than or equal to upper bound")
	}
	if in.BackupType != nil {
		f.kind = *in.BackupType
	}
	if in.TableName != nil {
		if f.table, err = c.TableName(*in.TableName); err != nil {
			return f, err
		}
	}
	if in.ExclusiveStartBackupArn != nil {
		var region string
		_, f.after, region, err = parseBackupARN(c, string(*in.ExclusiveStartBackupArn))
		if err == nil && region != c.Region { // ack-api-quirks, DDB-BACKUP-012
			err = apierr.Invalid(
				"Invalid Request: The supplied ExclusiveStartBackupArn does not match the region")
		}
	}
	return f, err
}

func (f *backupFilter) has(b *storage.Backup, s *tables.Backup) bool {
	created := *tables.Timestamp(s.Created)
	return b.ID > f.after && !s.Expired(f.now) &&
		(f.table == "" || f.table == b.Table().Name) &&
		(f.kind == "ALL" || f.kind == api.BackupTypeFilter(s.Type)) &&
		(f.from == nil || created >= *f.from) && (f.to == nil || created < *f.to)
}

func summarize(c *serve.Call, b *storage.Backup) api.BackupSummary {
	d := tables.BackupDetails(c.Owner, b, c.Now())
	return api.BackupSummary{
		TableName:              api.Ref(api.TableName(b.Table().Name)),
		TableId:                api.Ref(api.TableId(b.Table().ID)),
		TableArn:               api.Ref(api.TableArn(c.TableARN(b.Table().Name))),
		BackupArn:              d.BackupArn,
		BackupName:             d.BackupName,
		BackupCreationDateTime: d.BackupCreationDateTime,
		BackupExpiryDateTime:   d.BackupExpiryDateTime,
		BackupStatus:           d.BackupStatus,
		BackupType:             d.BackupType,
		BackupSizeBytes:        d.BackupSizeBytes,
	}
}
