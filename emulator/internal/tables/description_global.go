package tables

import (
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
)

// describeGlobalTable adds the global table to the description of its replica in the owner's
// region.
func describeGlobalTable(o arn.Owner, d *api.TableDescription, s *Settings, now time.Time) {
	g := s.Global.settle(now)
	if s.Replicates != "" {
		d.GlobalTableSettingsReplicationMode = api.Ref(s.Replicates)
	}
	if g == nil || g.Version != CurrentGlobal {
		return
	}
	for i := range g.Replicas {
		r := &g.Replicas[i]
		if r.Region != o.Region {
			d.Replicas = append(d.Replicas, r.describe(o, d, s, now))
			continue
		}
		if !g.Strong {
			d.DisassociationProtectionEnabled = api.Ref(!r.Unprotected)
		}
		d.TableStatus = api.Ref(api.TableStatus(r.status(string(*d.TableStatus), now)))
	}
	d.GlobalTableVersion = api.Ref(g.Version)
	d.GlobalTableSettingsReplicationMode = api.Ref(g.settingsReplication())
	if g.Strong || g.SeveralAccounts() { // ack-api-quirks, DDB-TABLE-201
		d.MultiRegionConsistency = api.Ref(g.consistency())
	}
	if w := &g.Witness; w.Region != "" {
		d.GlobalTableWitnesses = []api.GlobalTableWitnessDescription{
			{RegionName: api.Ref(w.Region),
				WitnessStatus: api.Ref(api.WitnessStatus(w.State.At(now)))},
		}
	}
}

func (r *Replica) describe(o arn.Owner, of *api.TableDescription, s *Settings,
	now time.Time) api.ReplicaDescription {
	d := api.ReplicaDescription{
		RegionName: api.Ref(r.Region),
		ReplicaStatus: api.Ref(
			api.ReplicaStatus(r.status(r.State.At(now), now))),
		WarmThroughput:                     describeWarm(s, now),
		GlobalTableSettingsReplicationMode: api.Ref(s.Global.settingsReplication()),
	}
	if s.Global.SeveralAccounts() { // not otherwise: ack-api-quirks, DDB-TABLE-229
		d.ReplicaArn = api.Ref(r.owner(o).TableARN(string(*of.TableName)))
	}
	switch { // each region has a key of its own: ack-api-quirks, DDB-TABLE-295 and 309
	case r.Key != "":
		d.KMSMasterKeyId = api.Ref(r.Key)
	case s.Encryption.Managed():
		d.KMSMasterKeyId = api.Ref(keyARN(r.owner(o), managedKey))
	}
	if r.Read != nil {
		d.ProvisionedThroughputOverride = &api.ProvisionedThroughputOverride{
			ReadCapacityUnits: api.Ref(api.PositiveLongObject(*r.Read)),
		}
	}
	if r.MaxRead != nil {
		d.OnDemandThroughputOverride = &api.OnDemandThroughputOverride{
			MaxReadRequestUnits: api.Ref(*r.MaxRead),
		}
	}
	class := r.Class
	if class.Class == "" {
		class = s.Class
	}
	if class.Class != "" {
		d.ReplicaTableClassSummary = &api.TableClassSummary{
			TableClass: api.Ref(class.Class), LastUpdateDateTime: Timestamp(class.Changed),
		}
	}
	for i := range s.Indexes {
		if is := &s.Indexes[i]; is.Gone == nil {
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, r.describeIndex(s, is, now))
		}
	}
	return d
}

func (r *Replica) describeIndex(s *Settings, is *IndexSettings,
	now time.Time) api.ReplicaGlobalSecondaryIndexDescription {
	d := api.ReplicaGlobalSecondaryIndexDescription{
		IndexName:      api.Ref(api.IndexName(is.Name)),
		WarmThroughput: describeIndexWarm(s, is, is.State.At(now), now),
	}
	if ix := r.index(is.Name); ix != nil && ix.Read != nil {
		d.ProvisionedThroughputOverride = &api.ProvisionedThroughputOverride{
			ReadCapacityUnits: api.Ref(api.PositiveLongObject(*ix.Read)),
		}
	}
	if ix := r.index(is.Name); ix != nil && ix.MaxRead != nil {
		d.OnDemandThroughputOverride = &api.OnDemandThroughputOverride{
			MaxReadRequestUnits: api.Ref(*ix.MaxRead),
		}
	}
	return d
}
