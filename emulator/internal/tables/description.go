package tables

import (
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage"
)

// Describe describes an owner's table and its settings at a point in time.
func Describe(o arn.Owner, tx *storage.Tx, t *storage.Table, s *Settings,
	now time.Time) *api.TableDescription {
	d := DescribeDeleted(o, tx, t, s, now)
	d.AttributeDefinitions = s.Definitions
	d.KeySchema = APIKey(t.Key)
	d.CreationDateTime = Timestamp(t.Created)
	d.DeletionProtectionEnabled = api.Ref(s.Protected)
	d.OnDemandThroughput = s.Capacity.OnDemand.describe()
	d.WarmThroughput = describeWarm(s, now)
	d.TableClassSummary = s.Class.describe(s.State.At(now))
	d.SSEDescription = s.Encryption.describe(now)
	d.RestoreSummary = s.Restored.describe(s.State.At(now))
	describeStreamSettings(o, d, t, s)
	describeIndexes(o, d, tx, t, s, now)
	describeVectors(o, d, tx, t, s, now)
	describeGlobalTable(o, d, s, now)
	return d
}

// describe shows the old class until a change of it ends (service facts S.3).
func (c TableClass) describe(status string) *api.TableClassSummary {
	if status == Updating && c.Before != nil {
		c = TableClass{Class: c.Before.Class, Changed: c.Before.Changed}
	}
	if c.Class == "" {
		return nil
	}
	return &api.TableClassSummary{
		TableClass: api.Ref(c.Class), LastUpdateDateTime: Timestamp(c.Changed),
	}
}

// DescribeDeleted describes a table that is being deleted. The description has fewer members.
func DescribeDeleted(o arn.Owner, tx *storage.Tx, t *storage.Table, s *Settings,
	now time.Time) *api.TableDescription {
	stats := tx.Tables().Stats(t)
	return &api.TableDescription{
		TableName:             api.Ref(api.TableName(t.Name)),
		TableStatus:           api.Ref(api.TableStatus(s.State.At(now))),
		ProvisionedThroughput: s.Capacity.Provisioned.describe(s.State.At(now), now),
		TableSizeBytes:        api.Ref(stats.Bytes),
		ItemCount:             api.Ref(stats.Items),
		TableArn:              api.Ref(o.TableARN(t.Name)),
		TableId:               api.Ref(api.TableId(t.ID)),
		BillingModeSummary:    s.Billing.describe(s.State.At(now)),
	}
}

// HideCounts sets to 0 what a description tells of the number and the size of items.
func HideCounts(d *api.TableDescription) {
	d.ItemCount, d.TableSizeBytes = api.Ref[int64](0), api.Ref[int64](0)
	for i := range d.GlobalSecondaryIndexes {
		x := &d.GlobalSecondaryIndexes[i]
		x.ItemCount, x.IndexSizeBytes = api.Ref[int64](0), api.Ref[int64](0)
	}
	for i := range d.LocalSecondaryIndexes {
		x := &d.LocalSecondaryIndexes[i]
		x.ItemCount, x.IndexSizeBytes = api.Ref[int64](0), api.Ref[int64](0)
	}
	for i := range d.VectorIndexes {
		x := &d.VectorIndexes[i]
		x.ItemCount, x.IndexSizeBytes = api.Ref[int64](0), api.Ref[int64](0)
	}
}

func describeStreamSettings(o arn.Owner, d *api.TableDescription, t *storage.Table, s *Settings) {
	if s.Stream.Enabled {
		d.StreamSpecification = &api.StreamSpecification{
			StreamEnabled: api.Ref(true), StreamViewType: api.Ref(s.Stream.view),
		}
	}
	if s.Stream.label != "" {
		d.LatestStreamLabel = api.Ref(s.Stream.label)
		d.LatestStreamArn = api.Ref(api.StreamArn(o.StreamARN(t.Name, s.Stream.label)))
	}
}

func describeIndexes(o arn.Owner, d *api.TableDescription, tx *storage.Tx, t *storage.Table,
	s *Settings, now time.Time) {
	for _, ix := range tx.Tables().Indexes(t) {
		stats := tx.Tables().IndexStats(t, ix)
		if ix.Local {
			d.LocalSecondaryIndexes = append(d.LocalSecondaryIndexes,
				describeLocal(o, t, ix, stats))
		} else if is := s.Index(ix.Name); is != nil {
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes,
				describeGlobal(o, t, &ix.IndexSchema, stats, s, is, now))
		}
	}
	for i := range s.Indexes {
		if is := &s.Indexes[i]; is.Gone != nil && is.State.At(now) != "" {
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes,
				describeGlobal(o, t, is.Gone, is.Stats, s, is, now))
		}
	}
}

func describeLocal(o arn.Owner, t *storage.Table, ix *storage.Index,
	stats storage.Stats) api.LocalSecondaryIndexDescription {
	return api.LocalSecondaryIndexDescription{
		IndexName:      api.Ref(api.IndexName(ix.Name)),
		KeySchema:      APIKey(ix.Key),
		Projection:     APIProjection(ix.Projection),
		IndexSizeBytes: api.Ref(stats.Bytes),
		ItemCount:      api.Ref(stats.Items),
		IndexArn:       api.Ref(o.IndexARN(t.Name, ix.Name)),
	}
}

func describeGlobal(o arn.Owner, t *storage.Table, ix *storage.IndexSchema, stats storage.Stats,
	s *Settings, is *IndexSettings, now time.Time) api.GlobalSecondaryIndexDescription {
	status := is.State.At(now)
	if s.State.At(now) == Creating {
		status = Creating
	}
	d := api.GlobalSecondaryIndexDescription{
		IndexName:             api.Ref(api.IndexName(ix.Name)),
		KeySchema:             APIKey(ix.Key),
		Projection:            APIProjection(ix.Projection),
		IndexStatus:           api.Ref(api.IndexStatus(status)),
		ProvisionedThroughput: is.Capacity.Provisioned.describe(status, now),
		IndexSizeBytes:        api.Ref(stats.Bytes),
		ItemCount:             api.Ref(stats.Items),
		IndexArn:              api.Ref(o.IndexARN(t.Name, ix.Name)),
		OnDemandThroughput:    is.Capacity.OnDemand.describe(),
		WarmThroughput:        describeIndexWarm(s, is, status, now),
	}
	if s.restoring(now) { // ack-api-quirks, DDB-TABLE-282
		d.IndexStatus = nil
	}
	if is.Online && status == Creating {
		d.Backfilling = api.Ref(!now.Before(is.Backfill))
	}
	return d
}

// describe returns nil unless the table is or once was PAY_PER_REQUEST (API Reference,
// BillingModeSummary). It leaves out the time until the change of mode has ended.
func (b Billing) describe(status string) *api.BillingModeSummary {
	if b.OnDemand.IsZero() {
		return nil
	}
	d := &api.BillingModeSummary{BillingMode: api.Ref(b.Mode)}
	if status != Creating && !(b.Pending && status == Updating) {
		d.LastUpdateToPayPerRequestDateTime = Timestamp(b.OnDemand)
	}
	return d
}

// describe shows the old units until an update ends, like the answer of UpdateTable in the AWS CLI
// Command Reference.
func (p *provisioned) describe(status string, now time.Time) *api.ProvisionedThroughputDescription {
	u, decreases := p.Units, p.decreasesOn(now)
	if status == Updating && p.Before != nil {
		u = *p.Before
		if p.Units.Read < u.Read || p.Units.Write < u.Write { // ack-api-quirks, DDB-TABLE-184
			decreases = max(0, decreases-1)
		}
	}
	return &api.ProvisionedThroughputDescription{
		LastIncreaseDateTime:   Timestamp(p.lastIncrease),
		LastDecreaseDateTime:   Timestamp(p.lastDecrease),
		NumberOfDecreasesToday: api.Ref(api.PositiveLongObject(decreases)),
		ReadCapacityUnits:      api.Ref(api.NonNegativeLongObject(u.Read)),
		WriteCapacityUnits:     api.Ref(api.NonNegativeLongObject(u.Write)),
	}
}

// describe leaves out throughput without a maximum (ack-api-quirks, DDB-TABLE-182, a probe of the
// service).
func (o OnDemand) describe() *api.OnDemandThroughput {
	if o.Units == nil {
		return nil
	}
	d := new(api.OnDemandThroughput)
	if o.Read != noMaximum {
		d.MaxReadRequestUnits = api.Ref(o.Read)
	}
	if o.Write != noMaximum {
		d.MaxWriteRequestUnits = api.Ref(o.Write)
	}
	return d
}

// describe shows the old key in the first part of an update, or no key if there was none, like the
// answer of UpdateTable in the AWS CLI Command Reference.
func (e encryption) describe(now time.Time) *api.SSEDescription {
	status, key := api.SSEStatus("ENABLED"), e.Key
	switch updating := e.State.At(now) == Updating; {
	case updating && now.Before(e.Turn):
		status, key = Updating, e.Before
	case updating:
		status = Updating
	case key == "":
		return nil
	}
	d := &api.SSEDescription{Status: &status}
	if key != "" {
		d.SSEType, d.KMSMasterKeyArn = api.Ref(api.SSEType("KMS")), &key
	}
	return d
}

// describe describes the restore of a table with a status. Nothing tells later that the table was
// restored (ack-api-quirks, DDB-TABLE-216, a probe of the service).
func (r *Restored) describe(status string) *api.RestoreSummary {
	if r == nil || status != Creating {
		return nil
	}
	d := &api.RestoreSummary{
		SourceTableArn:    api.Ref(api.TableArn(r.Source)),
		RestoreDateTime:   Timestamp(r.At),
		RestoreInProgress: api.Ref(true),
	}
	if r.Backup != "" {
		d.SourceBackupArn = api.Ref(api.BackupArn(r.Backup))
	}
	return d
}
