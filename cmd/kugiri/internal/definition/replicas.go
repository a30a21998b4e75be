package definition

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type insightsProperties struct {
	Enabled bool
	Mode    types.ContributorInsightsMode
}

type kinesisProperties struct {
	StreamArn                            string
	ApproximateCreationDateTimePrecision types.ApproximateCreationDateTimePrecision
}

type replicaProperties struct {
	Region                            string
	ContributorInsightsSpecification  *insightsProperties
	DeletionProtectionEnabled         *bool
	GlobalSecondaryIndexes            []replicaIndexProperties
	KinesisStreamSpecification        *kinesisProperties
	PointInTimeRecoverySpecification  *types.PointInTimeRecoverySpecification
	ReadOnDemandThroughputSettings    *struct{ MaxReadRequestUnits *int64 }
	ReadProvisionedThroughputSettings *readProperties
	ResourcePolicy                    *struct{ PolicyDocument any }
	SSESpecification                  *struct{ KMSMasterKeyId *string }
	TableClass                        types.TableClass
	Tags                              []types.Tag
}

// replicaIndexProperties are the properties of an index in one region.
type replicaIndexProperties struct {
	IndexName                         string
	ContributorInsightsSpecification  *insightsProperties
	ReadOnDemandThroughputSettings    *struct{ MaxReadRequestUnits *int64 }
	ReadProvisionedThroughputSettings *readProperties
}

type readProperties struct {
	ReadCapacityUnits               *int64
	ReadCapacityAutoScalingSettings *scalingProperties
}

type scalingProperties struct {
	MinCapacity, MaxCapacity, SeedCapacity   *int64
	TargetTrackingScalingPolicyConfiguration *types.AutoScalingTargetTrackingScalingPolicyConfigurationUpdate
}

// update returns the settings as UpdateTableReplicaAutoScaling takes them.
func (s *scalingProperties) update() *types.AutoScalingSettingsUpdate {
	up := &types.AutoScalingSettingsUpdate{MinimumUnits: s.MinCapacity, MaximumUnits: s.MaxCapacity}
	if s.TargetTrackingScalingPolicyConfiguration != nil {
		up.ScalingPolicyUpdate = &types.AutoScalingPolicyUpdate{
			TargetTrackingScalingPolicyConfiguration: s.TargetTrackingScalingPolicyConfiguration,
		}
	}
	return up
}

// index returns what an index has in a replica, which may be nothing.
func (r *replicaProperties) index(name *string) replicaIndexProperties {
	for _, ix := range r.GlobalSecondaryIndexes {
		if ix.IndexName == aws.ToString(name) {
			return ix
		}
	}
	return replicaIndexProperties{}
}

// unitsOf returns the units that are fixed, or with which auto scaling begins.
func unitsOf(fixed *int64, scaled *scalingProperties) *int64 {
	switch {
	case fixed != nil:
		return fixed
	case scaled != nil && scaled.SeedCapacity != nil:
		return scaled.SeedCapacity
	case scaled != nil && scaled.MinCapacity != nil:
		return scaled.MinCapacity
	}
	return aws.Int64(1)
}

func (t *Table) addInsights(index string, i *insightsProperties) {
	if i != nil {
		t.Insights = append(t.Insights, Insights{index, i.Enabled, i.Mode})
	}
}

// addOverrides adds what a replica in another region has in place of what the table has: its class,
// its capacity for reads, and its key of KMS. The table's own region says so to the service.
func (t *Table) addOverrides(replica *replicaProperties) {
	o := types.CreateReplicationGroupMemberAction{RegionName: &replica.Region}
	none := o
	o.TableClassOverride = replica.TableClass
	if k := replica.SSESpecification; k != nil {
		o.KMSMasterKeyId = k.KMSMasterKeyId
	}
	o.ProvisionedThroughputOverride = t.ownUnits(replica.ReadProvisionedThroughputSettings)
	o.OnDemandThroughputOverride = t.ownMost(replica.ReadOnDemandThroughputSettings)
	for _, ix := range t.Create.GlobalSecondaryIndexes {
		own := replica.index(ix.IndexName)
		index := types.ReplicaGlobalSecondaryIndex{IndexName: ix.IndexName,
			ProvisionedThroughputOverride: t.ownUnits(own.ReadProvisionedThroughputSettings),
			OnDemandThroughputOverride:    t.ownMost(own.ReadOnDemandThroughputSettings)}
		if index.ProvisionedThroughputOverride != nil || index.OnDemandThroughputOverride != nil {
			o.GlobalSecondaryIndexes = append(o.GlobalSecondaryIndexes, index)
		}
	}
	if !reflect.DeepEqual(o, none) {
		t.Overrides = append(t.Overrides, o)
	}
}

// ownUnits returns the units of reads of a replica, or nil if the file does not say them.
func (t *Table) ownUnits(own *readProperties) *types.ProvisionedThroughputOverride {
	if own == nil || t.Create.BillingMode == types.BillingModePayPerRequest {
		return nil
	}
	return &types.ProvisionedThroughputOverride{
		ReadCapacityUnits: unitsOf(own.ReadCapacityUnits, own.ReadCapacityAutoScalingSettings)}
}

// ownMost returns the most units of reads of a replica, or nil if the file does not say them.
func (t *Table) ownMost(
	own *struct{ MaxReadRequestUnits *int64 }) *types.OnDemandThroughputOverride {
	if own == nil || own.MaxReadRequestUnits == nil ||
		t.Create.BillingMode != types.BillingModePayPerRequest {
		return nil
	}
	return &types.OnDemandThroughputOverride{MaxReadRequestUnits: own.MaxReadRequestUnits}
}

// addElsewhere adds the settings that a replica in another region has of its own, if any.
func (t *Table) addElsewhere(at place, replica *replicaProperties, policy *string) {
	own := Table{Place: at.String(), Region: replica.Region,
		Recovery: replica.PointInTimeRecoverySpecification}
	own.Create = dynamodb.CreateTableInput{TableName: t.Create.TableName,
		Tags:                      replica.Tags,
		DeletionProtectionEnabled: replica.DeletionProtectionEnabled,
		ResourcePolicy:            policy}
	own.addInsights("", replica.ContributorInsightsSpecification)
	for _, ix := range replica.GlobalSecondaryIndexes {
		own.addInsights(ix.IndexName, ix.ContributorInsightsSpecification)
	}
	if k := replica.KinesisStreamSpecification; k != nil {
		own.Kinesis = &Kinesis{k.StreamArn, k.ApproximateCreationDateTimePrecision}
	}
	none := Table{Place: own.Place, Region: own.Region}
	none.Create.TableName = own.Create.TableName
	if !reflect.DeepEqual(own, none) {
		t.Elsewhere = append(t.Elsewhere, own)
	}
}
