package tables

import (
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage"
)

// Backup holds the data of a backup besides the table's key and items, which storage keeps. It
// never changes once it is stored.
type Backup struct {
	Name    string
	Type    api.BackupType
	Table   *Settings // the table's settings when the backup was made
	Created time.Time
	State   Transition
}

// The types of backups. The emulator does not have AWS Backup, so no backup has the type
// AWS_BACKUP.
const (
	UserBackup   = "USER"
	SystemBackup = "SYSTEM"
)

// The states of backups besides Creating (API Reference, BackupDetails, BackupStatus).
const (
	backupAvailable = "AVAILABLE"
	backupDeleted   = "DELETED"
)

// systemBackupLife is how long the backup of a deleted table is kept (API Reference, BackupDetails,
// BackupExpiryDateTime).
const systemBackupLife = 35 * 24 * time.Hour

// BackupOf returns the Backup of a backup in storage.
func BackupOf(b *storage.Backup) *Backup { return b.Settings.(*Backup) }

// Expires returns when a backup expires, or the zero time if it does not.
func (b *Backup) Expires() time.Time {
	if b.Type != SystemBackup {
		return time.Time{}
	}
	return b.Created.Add(systemBackupLife)
}

// Expired reports whether a backup has expired.
func (b *Backup) Expired(now time.Time) bool {
	return b.Type == SystemBackup && !now.Before(b.Expires())
}

// InProgress reports whether a backup is being made.
func (b *Backup) InProgress(now time.Time) bool { return b.State.At(now) == Creating }

// BackupARN returns the ARN of a backup.
func BackupARN(o arn.Owner, b *storage.Backup) string {
	return o.TableARN(b.Table().Name) + "/backup/" + b.ID
}

// BackupDetails describes a backup at a point in time.
func BackupDetails(o arn.Owner, b *storage.Backup, now time.Time) *api.BackupDetails {
	s := BackupOf(b)
	status := api.BackupStatus(backupAvailable)
	if s.InProgress(now) {
		status = Creating
	}
	return &api.BackupDetails{
		BackupArn:              api.Ref(api.BackupArn(BackupARN(o, b))),
		BackupName:             api.Ref(api.BackupName(s.Name)),
		BackupSizeBytes:        api.Ref(api.BackupSizeBytes(b.Stats().Bytes)),
		BackupStatus:           &status,
		BackupType:             &s.Type,
		BackupCreationDateTime: Timestamp(s.Created),
		BackupExpiryDateTime:   Timestamp(s.Expires()),
	}
}

// DescribeBackup describes a backup at a point in time, and the table in it.
func DescribeBackup(o arn.Owner, b *storage.Backup, now time.Time) *api.BackupDescription {
	t, s, stats := b.Table(), BackupOf(b), b.Stats()
	return &api.BackupDescription{
		BackupDetails: BackupDetails(o, b, now),
		SourceTableDetails: &api.SourceTableDetails{
			TableName:             api.Ref(api.TableName(t.Name)),
			TableId:               api.Ref(api.TableId(t.ID)),
			TableArn:              api.Ref(api.TableArn(o.TableARN(t.Name))),
			TableSizeBytes:        api.Ref(stats.Bytes),
			KeySchema:             APIKey(t.Key),
			TableCreationDateTime: Timestamp(t.Created),
			ProvisionedThroughput: s.Table.Capacity.Provisioned.given(),
			OnDemandThroughput:    s.Table.Capacity.OnDemand.describe(),
			ItemCount:             api.Ref(api.ItemCount(stats.Items)),
			BillingMode:           &s.Table.Billing.Mode,
		},
		SourceTableFeatureDetails: describeFeatures(b, s),
	}
}

// DescribeDeletedBackup describes a backup that is being deleted.
func DescribeDeletedBackup(o arn.Owner, b *storage.Backup, now time.Time) *api.BackupDescription {
	d := DescribeBackup(o, b, now)
	d.BackupDetails.BackupStatus = api.Ref(api.BackupStatus(backupDeleted))
	return d
}

// describeFeatures describes the features that the table had and leaves out the others.
func describeFeatures(b *storage.Backup, s *Backup) *api.SourceTableFeatureDetails {
	d := &api.SourceTableFeatureDetails{SSEDescription: s.Table.Encryption.describe(s.Created),
		VectorIndexes: vectorInfo(b.VectorSchemas())}
	for _, ix := range b.Schemas() {
		if ix.Local {
			d.LocalSecondaryIndexes = append(d.LocalSecondaryIndexes, api.LocalSecondaryIndexInfo{
				IndexName: api.Ref(api.IndexName(ix.Name)), KeySchema: APIKey(ix.Key),
				Projection: APIProjection(ix.Projection)})
			continue
		}
		info := api.GlobalSecondaryIndexInfo{
			IndexName: api.Ref(api.IndexName(ix.Name)), KeySchema: APIKey(ix.Key),
			Projection: APIProjection(ix.Projection)}
		if is := s.Table.Index(ix.Name); is != nil {
			info.ProvisionedThroughput = is.Capacity.Provisioned.given()
			info.OnDemandThroughput = is.Capacity.OnDemand.describe()
		}
		d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, info)
	}
	if s.Table.Stream.Enabled {
		d.StreamDescription = &api.StreamSpecification{
			StreamEnabled: api.Ref(true), StreamViewType: &s.Table.Stream.view,
		}
	}
	if status := s.Table.TTL.Status(s.Created); status != "DISABLED" {
		d.TimeToLiveDescription = &api.TimeToLiveDescription{
			TimeToLiveStatus: &status,
			AttributeName:    api.Ref(api.TimeToLiveAttributeName(s.Table.TTL.Attribute))}
	}
	return d
}
