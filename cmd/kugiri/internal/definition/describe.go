package definition

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
)

// Described is a table of an endpoint, to be written as a definition.
type Described struct {
	properties *tableProperties
	region     string
	Notes      []Note // what a definition does not have
}

// Describe reads a table with all of its settings. It returns nil if there is no such table.
func Describe(ctx context.Context, c *dynamodb.Client, name string) (*Described, error) {
	all := &Table{
		Create: dynamodb.CreateTableInput{TableName: &name, Tags: []types.Tag{},
			ResourcePolicy: aws.String("")},
		TTL:      new(types.TimeToLiveSpecification),
		Recovery: new(types.PointInTimeRecoverySpecification),
		Kinesis:  new(Kinesis),
	}
	s, err := stateOf(ctx, c, all)
	if s == nil || err != nil {
		return nil, err
	}
	all.Insights = []Insights{{}}
	for _, ix := range s.table.GlobalSecondaryIndexes {
		all.Insights = append(all.Insights, Insights{Index: *ix.IndexName})
	}
	if err := s.known(s.readInsights(ctx, c, all)); err != nil {
		return nil, err
	}
	d := &Described{properties: s.properties(), region: c.Options().Region}
	if s.policy != "" {
		var document any
		if err := json.Unmarshal([]byte(s.policy), &document); err != nil {
			return nil, fmt.Errorf("the policy of %s: %w", name, err)
		}
		d.properties.ResourcePolicy = &struct{ PolicyDocument any }{document}
	}
	if e := d.properties.SSESpecification; e != nil && e.KMSMasterKeyId != nil {
		d.note("is encrypted with %s: remove the key from the definition if it is alias/aws/dynamodb", *e.KMSMasterKeyId)
	}
	d.replicas(s)
	for _, operation := range s.unknown {
		d.note("is described without what %s says, which the endpoint does not have", operation)
	}
	return d, nil
}

// properties returns the table as CloudFormation describes it.
func (s *state) properties() *tableProperties {
	t, in := s.table, endpoint.Creation(s.table)
	p := &tableProperties{
		TableName: in.TableName, AttributeDefinitions: in.AttributeDefinitions,
		KeySchema: in.KeySchema, BillingMode: in.BillingMode, TableClass: in.TableClass,
		ProvisionedThroughput:            in.ProvisionedThroughput,
		OnDemandThroughput:               in.OnDemandThroughput,
		LocalSecondaryIndexes:            in.LocalSecondaryIndexes,
		VectorIndexes:                    in.VectorIndexes,
		TimeToLiveSpecification:          s.timeToLive(),
		PointInTimeRecoverySpecification: s.pointInTimeRecovery(),
		ContributorInsightsSpecification: s.insightsOf(""), Tags: tagsOf(s.tags),
	}
	if w := t.WarmThroughput; w != nil {
		p.WarmThroughput = warmed(w.ReadUnitsPerSecond, w.WriteUnitsPerSecond,
			p.ProvisionedThroughput)
	}
	p.GlobalSecondaryIndexes = s.globalIndexes(in.GlobalSecondaryIndexes)
	if v := in.StreamSpecification; v != nil {
		p.StreamSpecification = &struct{ StreamViewType types.StreamViewType }{v.StreamViewType}
	}
	if e := t.SSEDescription; e != nil &&
		(e.Status == types.SSEStatusEnabled || e.Status == types.SSEStatusUpdating) {
		p.SSESpecification = &sseProperties{
			SSEEnabled: aws.Bool(true), SSEType: e.SSEType, KMSMasterKeyId: e.KMSMasterKeyArn,
		}
	}
	if aws.ToBool(t.DeletionProtectionEnabled) {
		p.DeletionProtectionEnabled = t.DeletionProtectionEnabled
	}
	for _, k := range s.kinesis {
		if k.DestinationStatus == types.DestinationStatusActive ||
			k.DestinationStatus == types.DestinationStatusEnabling {
			p.KinesisStreamSpecification = &kinesisProperties{*k.StreamArn,
				k.ApproximateCreationDateTimePrecision}
		}
	}
	return p
}

// globalIndexes returns the global indexes with what their creation does not say.
func (s *state) globalIndexes(created []types.GlobalSecondaryIndex) (list []indexProperties) {
	for i, ix := range created {
		global := indexProperties{IndexName: ix.IndexName, KeySchema: ix.KeySchema,
			Projection:                       ix.Projection,
			ProvisionedThroughput:            ix.ProvisionedThroughput,
			OnDemandThroughput:               ix.OnDemandThroughput,
			ContributorInsightsSpecification: s.insightsOf(*ix.IndexName)}
		if w := s.table.GlobalSecondaryIndexes[i].WarmThroughput; w != nil {
			global.WarmThroughput = warmed(w.ReadUnitsPerSecond, w.WriteUnitsPerSecond,
				global.ProvisionedThroughput)
		}
		list = append(list, global)
	}
	return list
}

// What a table on demand is ready for by itself (Developer Guide, "Understanding DynamoDB warm
// throughput").
const (
	warmReads  = 12_000
	warmWrites = 4_000
)

// warmed returns the throughput that a table or an index is ready for, if it is more than by
// itself.
func warmed(reads, writes *int64,
	provisioned *types.ProvisionedThroughput) *types.WarmThroughput {
	ownReads, ownWrites := int64(warmReads), int64(warmWrites)
	if provisioned != nil {
		ownReads = aws.ToInt64(provisioned.ReadCapacityUnits)
		ownWrites = aws.ToInt64(provisioned.WriteCapacityUnits)
	}
	if aws.ToInt64(reads) <= ownReads && aws.ToInt64(writes) <= ownWrites {
		return nil
	}
	return &types.WarmThroughput{ReadUnitsPerSecond: reads, WriteUnitsPerSecond: writes}
}

func (s *state) timeToLive() *types.TimeToLiveSpecification {
	d := s.ttl
	if d == nil || d.TimeToLiveStatus != types.TimeToLiveStatusEnabled &&
		d.TimeToLiveStatus != types.TimeToLiveStatusEnabling {
		return nil
	}
	return &types.TimeToLiveSpecification{AttributeName: d.AttributeName, Enabled: aws.Bool(true)}
}

func (s *state) pointInTimeRecovery() *types.PointInTimeRecoverySpecification {
	d := s.recovery
	if d == nil || d.PointInTimeRecoveryStatus != types.PointInTimeRecoveryStatusEnabled {
		return nil
	}
	return &types.PointInTimeRecoverySpecification{
		PointInTimeRecoveryEnabled: aws.Bool(true), RecoveryPeriodInDays: d.RecoveryPeriodInDays,
	}
}

// insightsOf returns the contributor insights of an index, nil if they are off. It leaves out the
// mode that is the default.
func (s *state) insightsOf(index string) *insightsProperties {
	i := s.insights[index]
	if i != nil && i.Mode == types.ContributorInsightsModeAccessedAndThrottledKeys {
		return &insightsProperties{Enabled: true}
	}
	return i
}

func tagsOf(tags map[string]string) (list []types.Tag) {
	for key, value := range tags {
		list = append(list, types.Tag{Key: aws.String(key), Value: aws.String(value)})
	}
	slices.SortFunc(list, func(a, b types.Tag) int { return cmp.Compare(*a.Key, *b.Key) })
	return list
}

// replicas notes the replicas in other regions, which are a matter of all regions together.
func (d *Described) replicas(s *state) {
	var regions []string
	for _, r := range s.table.Replicas {
		if region := aws.ToString(r.RegionName); region != d.region {
			regions = append(regions, region)
		}
	}
	if len(regions) > 0 {
		d.note("has replicas in %s, which its definition does not have",
			strings.Join(regions, ", "))
	}
}

func (d *Described) note(format string, args ...any) {
	d.Notes = append(d.Notes,
		Note{Place: *d.properties.TableName, Message: fmt.Sprintf(format, args...)})
}
