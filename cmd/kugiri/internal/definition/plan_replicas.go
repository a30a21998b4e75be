package definition

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// NewReplicaPlan compares the settings of a replica, one of Elsewhere, with the table in its
// region.
// Before the replica is there, all that the file says of it is a change.
func NewReplicaPlan(ctx context.Context, c *dynamodb.Client, t *Table) (*Plan, error) {
	now, err := stateOf(ctx, c, t)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Place, err)
	}
	if now == nil {
		now = &state{table: new(types.TableDescription)}
	}
	p := &Plan{Table: t, now: now}
	p.settings()
	p.tags()
	p.policy()
	p.recovery()
	p.insights()
	p.kinesis()
	return p, nil
}

// override returns what a replica has in place of what the table has.
func (t *Table) override(region string) *types.CreateReplicationGroupMemberAction {
	i := slices.IndexFunc(t.Overrides, func(o types.CreateReplicationGroupMemberAction) bool {
		return *o.RegionName == region
	})
	if i < 0 {
		return &types.CreateReplicationGroupMemberAction{RegionName: &region}
	}
	return &t.Overrides[i]
}

// strongReplicas adds the replicas of a table whose replicas are consistent, and its witness:
// all at once (Developer Guide, "Multi-Region strong consistency").
func (p *Plan) strongReplicas() {
	if p.now != nil && len(p.now.table.Replicas) > 0 {
		return
	}
	in := &dynamodb.UpdateTableInput{MultiRegionConsistency: types.MultiRegionConsistencyStrong}
	for _, region := range p.Table.Replicas {
		in.ReplicaUpdates = append(in.ReplicaUpdates,
			types.ReplicationGroupUpdate{Create: p.Table.override(region)})
	}
	where := strings.Join(p.Table.Replicas, ", ")
	if p.Table.Witness != "" {
		in.GlobalTableWitnessUpdates = []types.GlobalTableWitnessGroupUpdate{{
			Create: &types.CreateGlobalTableWitnessGroupMemberAction{
				RegionName: aws.String(p.Table.Witness)}}}
		where += ", and a witness in " + p.Table.Witness
	}
	p.update("add consistent replicas in "+where, in)
}

// replicas adds the replicas that are missing, and gives those that are there what they have of
// their own. It removes none. Before the first one, the writes of a provisioned table have to scale
// automatically.
func (p *Plan) replicas() {
	if p.Table.Strong {
		p.strongReplicas()
	}
	scaled := p.Table.Scaling == nil
	for _, region := range p.Table.Replicas {
		if now := p.replica(region); now != nil {
			p.overrides(now, p.Table.override(region))
			continue
		}
		if p.Table.Strong {
			continue // strongReplicas has added all
		}
		if !scaled {
			scaled = true
			p.add("scale writes automatically", func(ctx context.Context,
				c *dynamodb.Client) error {
				_, err := c.UpdateTableReplicaAutoScaling(ctx, p.Table.Scaling)
				return err
			})
		}
		p.update("add a replica in "+region, &dynamodb.UpdateTableInput{
			ReplicaUpdates: []types.ReplicationGroupUpdate{{Create: p.Table.override(region)}}})
	}
}

// replica returns the replica in a region, or nil.
func (p *Plan) replica(region string) *types.ReplicaDescription {
	if p.now == nil {
		return nil
	}
	i := slices.IndexFunc(p.now.table.Replicas, func(r types.ReplicaDescription) bool {
		return aws.ToString(r.RegionName) == region
	})
	if i < 0 {
		return nil
	}
	return &p.now.table.Replicas[i]
}

// overrides gives a replica what it has in place of what the table has, if it has not. A replica
// without an override has what the table has.
func (p *Plan) overrides(now *types.ReplicaDescription,
	want *types.CreateReplicationGroupMemberAction) {
	to := types.UpdateReplicationGroupMemberAction{RegionName: want.RegionName}
	var changes []string
	class := classOf(p.now.table.TableClassSummary, types.TableClassStandard)
	if c := want.TableClassOverride; c != "" && c != classOf(now.ReplicaTableClassSummary, class) {
		to.TableClassOverride = c
		changes = append(changes, "the class to "+string(c))
	}
	if k := want.KMSMasterKeyId; k != nil && !sameKMSKey(*k, aws.ToString(now.KMSMasterKeyId)) {
		to.KMSMasterKeyId = k
		changes = append(changes, "the key of KMS to "+*k)
	}
	reads := readsOf(want.ProvisionedThroughputOverride, want.OnDemandThroughputOverride)
	if reads != nil && *reads != p.readsOf(now) {
		to.ProvisionedThroughputOverride = want.ProvisionedThroughputOverride
		to.OnDemandThroughputOverride = want.OnDemandThroughputOverride
		changes = append(changes, fmt.Sprint("the capacity for reads to ", *reads))
	}
	for i := range want.GlobalSecondaryIndexes {
		ix := &want.GlobalSecondaryIndexes[i]
		reads := readsOf(ix.ProvisionedThroughputOverride, ix.OnDemandThroughputOverride)
		if *reads != p.readsOfIndex(now, *ix.IndexName) {
			to.GlobalSecondaryIndexes = append(to.GlobalSecondaryIndexes, *ix)
			changes = append(changes,
				fmt.Sprintf("the capacity for reads of %s to %d", *ix.IndexName, *reads))
		}
	}
	if changes != nil {
		p.update("in "+*want.RegionName+": change "+strings.Join(changes, ", "),
			&dynamodb.UpdateTableInput{
				ReplicaUpdates: []types.ReplicationGroupUpdate{{Update: &to}}})
	}
}

func classOf(s *types.TableClassSummary, otherwise types.TableClass) types.TableClass {
	if s == nil {
		return otherwise
	}
	return s.TableClass
}

// readsOf returns the units that one of two overrides has for reads, or nil.
func readsOf(p *types.ProvisionedThroughputOverride, o *types.OnDemandThroughputOverride) *int64 {
	switch {
	case p != nil:
		return p.ReadCapacityUnits
	case o != nil:
		return o.MaxReadRequestUnits
	}
	return nil
}

// readsOf returns the units that a replica has for reads; 0 if there is no maximum.
func (p *Plan) readsOf(now *types.ReplicaDescription) int64 {
	own := readsOf(now.ProvisionedThroughputOverride, now.OnDemandThroughputOverride)
	if own != nil {
		return *own
	}
	t := p.now.table
	return readsOfTable(t.ProvisionedThroughput, t.OnDemandThroughput)
}

// readsOfIndex is readsOf for an index.
func (p *Plan) readsOfIndex(now *types.ReplicaDescription, index string) int64 {
	for _, ix := range now.GlobalSecondaryIndexes {
		own := readsOf(ix.ProvisionedThroughputOverride, ix.OnDemandThroughputOverride)
		if aws.ToString(ix.IndexName) == index && own != nil {
			return *own
		}
	}
	ix := p.index(index)
	if ix == nil {
		return 0
	}
	return readsOfTable(ix.ProvisionedThroughput, ix.OnDemandThroughput)
}

func readsOfTable(p *types.ProvisionedThroughputDescription, o *types.OnDemandThroughput) int64 {
	if o != nil {
		return aws.ToInt64(o.MaxReadRequestUnits)
	}
	if p == nil {
		return 0
	}
	return aws.ToInt64(p.ReadCapacityUnits)
}
