package emulator

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/storage"
)

// describe describes a table with settings as at a point in time.
func (c *call) describe(tx *storage.Tx, t *storage.Table, s *tableSettings, now time.Time) *api.TableDescription {
	d := c.describeCore(tx, t, s, now)
	d.AttributeDefinitions = s.definitions
	d.KeySchema = apiKey(t.Key)
	d.CreationDateTime = timestamp(t.Created)
	d.DeletionProtectionEnabled = new(s.protected)
	d.OnDemandThroughput = s.capacity.onDemand.describe()
	d.WarmThroughput = describeWarm(s, now)
	if s.class.class != "" {
		d.TableClassSummary = &api.TableClassSummary{TableClass: new(s.class.class), LastUpdateDateTime: timestamp(s.class.changed)}
	}
	d.SSEDescription = s.encryption.describe(now)
	c.describeStream(d, t, s)
	c.describeIndexes(d, tx, t, s, now)
	return d
}

// describeCore is what is left of the description of a table that is being deleted.
func (c *call) describeCore(tx *storage.Tx, t *storage.Table, s *tableSettings, now time.Time) *api.TableDescription {
	stats := tx.Stats(t)
	return &api.TableDescription{
		TableName:             new(api.TableName(t.Name)),
		TableStatus:           new(api.TableStatus(s.state.at(now))),
		ProvisionedThroughput: s.capacity.provisioned.describe(s.state.at(now), now),
		TableSizeBytes:        new(stats.Bytes),
		ItemCount:             new(stats.Items),
		TableArn:              new(c.TableARN(t.Name)),
		TableId:               new(api.TableId(t.ID)),
		BillingModeSummary:    s.billing.describe(s.state.at(now)),
	}
}

func (c *call) describeStream(d *api.TableDescription, t *storage.Table, s *tableSettings) {
	if s.stream.enabled {
		d.StreamSpecification = &api.StreamSpecification{StreamEnabled: new(true), StreamViewType: new(s.stream.view)}
	}
	if s.stream.label != "" {
		d.LatestStreamLabel = new(s.stream.label)
		d.LatestStreamArn = new(api.StreamArn(c.StreamARN(t.Name, s.stream.label)))
	}
}

func (c *call) describeIndexes(d *api.TableDescription, tx *storage.Tx, t *storage.Table, s *tableSettings, now time.Time) {
	for _, ix := range tx.Indexes(t) {
		stats := tx.IndexStats(t, ix)
		if ix.Local {
			d.LocalSecondaryIndexes = append(d.LocalSecondaryIndexes, c.describeLocal(t, ix, stats))
		} else if is := s.index(ix.Name); is != nil {
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, c.describeGlobal(t, &ix.IndexSchema, stats, s, is, now))
		}
	}
	for i := range s.indexes {
		if is := &s.indexes[i]; is.gone != nil && is.state.at(now) != "" {
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, c.describeGlobal(t, is.gone, is.stats, s, is, now))
		}
	}
}

func (c *call) describeLocal(t *storage.Table, ix *storage.Index, stats storage.Stats) api.LocalSecondaryIndexDescription {
	return api.LocalSecondaryIndexDescription{
		IndexName:      new(api.IndexName(ix.Name)),
		KeySchema:      apiKey(ix.Key),
		Projection:     apiProjection(ix.Projection),
		IndexSizeBytes: new(stats.Bytes),
		ItemCount:      new(stats.Items),
		IndexArn:       new(c.IndexARN(t.Name, ix.Name)),
	}
}

func (c *call) describeGlobal(t *storage.Table, ix *storage.IndexSchema, stats storage.Stats, s *tableSettings, is *indexSettings, now time.Time) api.GlobalSecondaryIndexDescription {
	status := is.state.at(now)
	if s.state.at(now) == creating {
		status = creating
	}
	d := api.GlobalSecondaryIndexDescription{
		IndexName:             new(api.IndexName(ix.Name)),
		KeySchema:             apiKey(ix.Key),
		Projection:            apiProjection(ix.Projection),
		IndexStatus:           new(api.IndexStatus(status)),
		ProvisionedThroughput: is.capacity.provisioned.describe(status, now),
		IndexSizeBytes:        new(stats.Bytes),
		ItemCount:             new(stats.Items),
		IndexArn:              new(c.IndexARN(t.Name, ix.Name)),
		OnDemandThroughput:    is.capacity.onDemand.describe(),
		WarmThroughput:        describeIndexWarm(s, is, status, now),
	}
	if is.online && status == creating {
		d.Backfilling = new(!now.Before(is.backfill))
	}
	return d
}

// describe leaves the mode out unless the table is or once was PAY_PER_REQUEST
// (API Reference, BillingModeSummary), and the time until that is done.
func (b billing) describe(status string) *api.BillingModeSummary {
	if b.onDemand.IsZero() {
		return nil
	}
	d := &api.BillingModeSummary{BillingMode: new(b.mode)}
	if status != creating && !(b.pending && status == updating) {
		d.LastUpdateToPayPerRequestDateTime = timestamp(b.onDemand)
	}
	return d
}

// describe shows the units of before until an update is over, as the answer of
// UpdateTable in the AWS CLI Command Reference does.
func (p *provisioned) describe(status string, now time.Time) *api.ProvisionedThroughputDescription {
	u := p.units
	if status == updating && p.before != nil {
		u = *p.before
	}
	return &api.ProvisionedThroughputDescription{
		LastIncreaseDateTime:   timestamp(p.lastIncrease),
		LastDecreaseDateTime:   timestamp(p.lastDecrease),
		NumberOfDecreasesToday: new(api.PositiveLongObject(p.decreasesOn(now))),
		ReadCapacityUnits:      new(api.NonNegativeLongObject(u.read)),
		WriteCapacityUnits:     new(api.NonNegativeLongObject(u.write)),
	}
}

// describe leaves out what has no maximum (ack-api-quirks, DDB-TABLE-182, a probe
// of the service).
func (o onDemand) describe() *api.OnDemandThroughput {
	if o.units == nil {
		return nil
	}
	d := new(api.OnDemandThroughput)
	if o.read != noMaximum {
		d.MaxReadRequestUnits = new(o.read)
	}
	if o.write != noMaximum {
		d.MaxWriteRequestUnits = new(o.write)
	}
	return d
}

// describeWarm leaves warm throughput out of the answer of CreateTable unless it
// was asked for; in that case it is being updated (ack-api-quirks, DDB-TABLE-032
// and -033, probes of the service).
func describeWarm(s *tableSettings, now time.Time) *api.TableWarmThroughputDescription {
	table := active
	if s.state.at(now) == creating {
		if s.capacity.warm.units == (units{}) {
			return nil
		}
		table = updating
	}
	status, u := s.capacity.describeWarm(s.billing.mode, table, now)
	return &api.TableWarmThroughputDescription{
		ReadUnitsPerSecond:  new(api.PositiveLongObject(u.read)),
		WriteUnitsPerSecond: new(api.PositiveLongObject(u.write)),
		Status:              new(api.TableStatus(status)),
	}
}

func describeIndexWarm(s *tableSettings, is *indexSettings, index string, now time.Time) *api.GlobalSecondaryIndexWarmThroughputDescription {
	if s.state.at(now) == creating {
		if is.capacity.warm.units == (units{}) {
			return nil
		}
		index = updating
	}
	status, u := is.capacity.describeWarm(s.billing.mode, index, now)
	return &api.GlobalSecondaryIndexWarmThroughputDescription{
		ReadUnitsPerSecond:  new(api.PositiveLongObject(u.read)),
		WriteUnitsPerSecond: new(api.PositiveLongObject(u.write)),
		Status:              new(api.IndexStatus(status)),
	}
}

// describeWarm is the warm throughput, and its state, of what is in a state
// itself. Until an update is over it is the warm throughput of before (Developer
// Guide, "Increase your existing DynamoDB table's warm throughput").
func (c *capacity) describeWarm(mode api.BillingMode, of string, now time.Time) (string, units) {
	switch {
	case c.warm.state.at(now) == updating:
		return updating, c.warm.before
	}
	return of, c.warmUnits(mode)
}

// describe shows the key of before until an update is over: none if there was
// none, as the answer of UpdateTable in the AWS CLI Command Reference does.
func (e encryption) describe(now time.Time) *api.SSEDescription {
	status, key := api.SSEStatus("ENABLED"), e.key
	if e.state.at(now) == updating {
		status, key = updating, e.before
	} else if key == "" {
		return nil
	}
	d := &api.SSEDescription{Status: &status}
	if key != "" {
		d.SSEType, d.KMSMasterKeyArn = new(api.SSEType("KMS")), &key
	}
	return d
}

func apiKey(ks storage.KeySchema) api.KeySchema {
	var out api.KeySchema
	for _, a := range ks.Hash {
		out = append(out, keyElement(a, "HASH"))
	}
	for _, a := range ks.Range {
		out = append(out, keyElement(a, "RANGE"))
	}
	return out
}

func keyElement(a storage.KeyAttribute, kind api.KeyType) api.KeySchemaElement {
	return api.KeySchemaElement{AttributeName: new(api.KeySchemaAttributeName(a.Name)), KeyType: &kind}
}

func apiProjection(p storage.Projection) *api.Projection {
	out := &api.Projection{ProjectionType: new(api.ProjectionType(p.Type))}
	for _, name := range p.NonKey {
		out.NonKeyAttributes = append(out.NonKeyAttributes, api.NonKeyAttributeName(name))
	}
	return out
}

// timestamp is a time as the protocol has it, nil for none.
func timestamp(t time.Time) *api.Timestamp {
	if t.IsZero() {
		return nil
	}
	return new(api.Timestamp(float64(t.UnixMilli()) / 1000))
}
