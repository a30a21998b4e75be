package definition

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// tableProperties are the properties of a table in a template (CloudFormation,
// "AWS::DynamoDB::Table" and "AWS::DynamoDB::GlobalTable"; SAM, "AWS::Serverless::SimpleTable").
type tableProperties struct {
	TableName                        *string
	AttributeDefinitions             []types.AttributeDefinition
	KeySchema                        []types.KeySchemaElement
	BillingMode                      types.BillingMode
	ProvisionedThroughput            *types.ProvisionedThroughput
	OnDemandThroughput               *types.OnDemandThroughput
	WarmThroughput                   *types.WarmThroughput
	GlobalSecondaryIndexes           []indexProperties
	LocalSecondaryIndexes            []types.LocalSecondaryIndex
	VectorIndexes                    []types.VectorIndex
	StreamSpecification              *struct{ StreamViewType types.StreamViewType }
	SSESpecification                 *sseProperties
	TableClass                       types.TableClass
	DeletionProtectionEnabled        *bool
	Tags                             []types.Tag
	TimeToLiveSpecification          *types.TimeToLiveSpecification
	PointInTimeRecoverySpecification *types.PointInTimeRecoverySpecification
	ContributorInsightsSpecification *insightsProperties
	KinesisStreamSpecification       *kinesisProperties
	ResourcePolicy                   *struct{ PolicyDocument any }

	// Of SimpleTable.
	PrimaryKey *struct{ Name, Type string }

	// Of GlobalTable.
	Replicas                           []replicaProperties
	WriteProvisionedThroughputSettings *struct {
		WriteCapacityAutoScalingSettings *scalingProperties
	}
	WriteOnDemandThroughputSettings *struct{ MaxWriteRequestUnits *int64 }
	ReadOnDemandThroughputSettings  *struct{ MaxReadRequestUnits *int64 }
	MultiRegionConsistency          types.MultiRegionConsistency
	GlobalTableWitnesses            []struct{ Region string }
}

type indexProperties struct {
	IndexName                          *string
	KeySchema                          []types.KeySchemaElement
	Projection                         *types.Projection
	ProvisionedThroughput              *types.ProvisionedThroughput
	OnDemandThroughput                 *types.OnDemandThroughput
	WarmThroughput                     *types.WarmThroughput
	ContributorInsightsSpecification   *insightsProperties
	WriteProvisionedThroughputSettings *struct {
		WriteCapacityAutoScalingSettings *scalingProperties
	}
	WriteOnDemandThroughputSettings *struct{ MaxWriteRequestUnits *int64 }
}

type sseProperties struct {
	SSEEnabled     *bool
	SSEType        types.SSEType
	KMSMasterKeyId *string
}

// simple gives a SimpleTable what SAM gives it.
func (p *tableProperties) simple() error {
	name, kind := "id", types.ScalarAttributeTypeS
	if p.PrimaryKey != nil {
		name = p.PrimaryKey.Name
		switch p.PrimaryKey.Type {
		case "String", "Number", "Binary":
			kind = types.ScalarAttributeType(p.PrimaryKey.Type[:1])
		default:
			return fmt.Errorf("PrimaryKey.Type is String, Number or Binary, and not %q",
				p.PrimaryKey.Type)
		}
	}
	p.AttributeDefinitions = []types.AttributeDefinition{
		{AttributeName: &name, AttributeType: kind},
	}
	p.KeySchema = []types.KeySchemaElement{{AttributeName: &name, KeyType: types.KeyTypeHash}}
	if p.ProvisionedThroughput == nil {
		p.BillingMode = types.BillingModePayPerRequest
	}
	return nil
}

// global takes the settings of the replica in the reader's region, or of the first one, and notes
// the other regions.
func (s *stack) global(at place, p *tableProperties, noted bool) {
	if len(p.Replicas) == 0 {
		if !noted {
			s.note(at, "has no replicas")
		}
		return
	}
	own := max(
		slices.IndexFunc(p.Replicas,
			func(x replicaProperties) bool { return x.Region == s.Region }), 0)
	here := &p.Replicas[own]
	if here.Region != s.Region {
		s.note(at.within("Replicas"),
			"none is in %s, the region of the command: the table there has the settings of that in %s",
			s.Region, here.Region)
	}
	p.ContributorInsightsSpecification = here.ContributorInsightsSpecification
	p.DeletionProtectionEnabled = here.DeletionProtectionEnabled
	p.KinesisStreamSpecification = here.KinesisStreamSpecification
	p.PointInTimeRecoverySpecification = here.PointInTimeRecoverySpecification
	p.ResourcePolicy, p.TableClass, p.Tags = here.ResourcePolicy, here.TableClass, here.Tags
	if p.SSESpecification != nil && here.SSESpecification != nil {
		p.SSESpecification.KMSMasterKeyId = here.SSESpecification.KMSMasterKeyId
	}
	if p.BillingMode != types.BillingModePayPerRequest {
		p.provision(here)
	} else {
		p.onDemand(here)
	}
	for _, ix := range here.GlobalSecondaryIndexes {
		if of := p.index(ix.IndexName); of == nil {
			s.note(at.within("Replicas").within("["+here.Region+"]"),
				"%s is left out: there is no such index", ix.IndexName)
		} else if ix.ContributorInsightsSpecification != nil {
			of.ContributorInsightsSpecification = ix.ContributorInsightsSpecification
		}
	}
	p.Replicas = slices.Delete(p.Replicas, own, own+1)
}

// index returns the index with a name, or nil.
func (p *tableProperties) index(name string) *indexProperties {
	for i := range p.GlobalSecondaryIndexes {
		if aws.ToString(p.GlobalSecondaryIndexes[i].IndexName) == name {
			return &p.GlobalSecondaryIndexes[i]
		}
	}
	return nil
}

// onDemand gives a global table the most units that it and its replica here have.
func (p *tableProperties) onDemand(here *replicaProperties) {
	read := p.ReadOnDemandThroughputSettings
	if here.ReadOnDemandThroughputSettings != nil {
		read = here.ReadOnDemandThroughputSettings
	}
	p.OnDemandThroughput = mostUnits(read, p.WriteOnDemandThroughputSettings)
	for i := range p.GlobalSecondaryIndexes {
		ix := &p.GlobalSecondaryIndexes[i]
		read := here.index(ix.IndexName).ReadOnDemandThroughputSettings
		ix.OnDemandThroughput = mostUnits(read, ix.WriteOnDemandThroughputSettings)
	}
}

// mostUnits returns the most units of requests, or nil.
func mostUnits(read *struct{ MaxReadRequestUnits *int64 },
	write *struct{ MaxWriteRequestUnits *int64 }) *types.OnDemandThroughput {
	if read == nil && write == nil {
		return nil
	}
	t := new(types.OnDemandThroughput)
	if read != nil {
		t.MaxReadRequestUnits = read.MaxReadRequestUnits
	}
	if write != nil {
		t.MaxWriteRequestUnits = write.MaxWriteRequestUnits
	}
	return t
}

// provision gives a global table the capacity that its auto scaling begins with.
func (p *tableProperties) provision(here *replicaProperties) {
	read, write := aws.Int64(1), aws.Int64(1)
	if s := here.ReadProvisionedThroughputSettings; s != nil {
		read = unitsOf(s.ReadCapacityUnits, s.ReadCapacityAutoScalingSettings)
	}
	if s := p.WriteProvisionedThroughputSettings; s != nil {
		write = unitsOf(nil, s.WriteCapacityAutoScalingSettings)
	}
	p.ProvisionedThroughput = &types.ProvisionedThroughput{
		ReadCapacityUnits: read, WriteCapacityUnits: write,
	}
	for i := range p.GlobalSecondaryIndexes {
		ix := &p.GlobalSecondaryIndexes[i]
		own := *p.ProvisionedThroughput
		if s := ix.WriteProvisionedThroughputSettings; s != nil {
			own.WriteCapacityUnits = unitsOf(nil, s.WriteCapacityAutoScalingSettings)
		}
		if s := here.index(ix.IndexName).ReadProvisionedThroughputSettings; s != nil {
			own.ReadCapacityUnits = unitsOf(s.ReadCapacityUnits, s.ReadCapacityAutoScalingSettings)
		}
		ix.ProvisionedThroughput = &own
	}
}

// add adds a table with these properties.
func (r *reader) add(at place, p *tableProperties) {
	t := Table{
		Place: at.String(), TTL: p.TimeToLiveSpecification, Recovery: p.PointInTimeRecoverySpecification,
	}
	t.Create = dynamodb.CreateTableInput{
		TableName: p.TableName, AttributeDefinitions: p.AttributeDefinitions,
		KeySchema:   p.KeySchema,
		BillingMode: p.BillingMode, ProvisionedThroughput: p.ProvisionedThroughput,
		OnDemandThroughput: p.OnDemandThroughput, WarmThroughput: p.WarmThroughput,
		LocalSecondaryIndexes: p.LocalSecondaryIndexes, VectorIndexes: p.VectorIndexes,
		TableClass: p.TableClass, DeletionProtectionEnabled: p.DeletionProtectionEnabled,
		Tags: p.Tags,
	}
	if len(p.KeySchema) == 0 {
		r.leaveOut(at, "it has no KeySchema")
		return
	}
	if t.Create.BillingMode == "" {
		t.Create.BillingMode = types.BillingModeProvisioned
	}
	for i := range p.GlobalSecondaryIndexes {
		t.addIndex(&p.GlobalSecondaryIndexes[i])
	}
	t.addStream(p)
	if s := p.SSESpecification; s != nil {
		t.Create.SSESpecification = &types.SSESpecification{
			Enabled: s.SSEEnabled, SSEType: s.SSEType, KMSMasterKeyId: s.KMSMasterKeyId,
		}
	}
	t.addInsights("", p.ContributorInsightsSpecification)
	if k := p.KinesisStreamSpecification; k != nil {
		t.Kinesis = &Kinesis{k.StreamArn, k.ApproximateCreationDateTimePrecision}
	}
	t.Create.ResourcePolicy = r.policyOf(at, p.ResourcePolicy)
	for i := range p.Replicas {
		t.Replicas = append(t.Replicas, p.Replicas[i].Region)
		t.addOverrides(&p.Replicas[i])
		there := at.within("Replicas").within("[" + p.Replicas[i].Region + "]")
		t.addElsewhere(there, &p.Replicas[i], r.policyOf(there, p.Replicas[i].ResourcePolicy))
	}
	t.Strong = p.MultiRegionConsistency == types.MultiRegionConsistencyStrong
	for _, witness := range p.GlobalTableWitnesses {
		t.Witness = witness.Region
	}
	t.addScaling(p)
	if r.Region != r.home {
		t.Region = r.Region
	}
	r.tables = append(r.tables, t)
}

// policyOf returns the text of a resource-based policy, or nil.
func (r *reader) policyOf(at place, p *struct{ PolicyDocument any }) *string {
	if p == nil || p.PolicyDocument == nil {
		return nil
	}
	text, err := policyText(p.PolicyDocument)
	if err != nil {
		r.note(at.within("ResourcePolicy"), "%v", err)
	}
	return text
}

// addTags adds tags that the table does not have.
func (t *Table) addTags(tags map[string]string) {
	for _, key := range sortedKeys(tags) {
		own := func(tag types.Tag) bool { return aws.ToString(tag.Key) == key }
		if !slices.ContainsFunc(t.Create.Tags, own) {
			t.Create.Tags = append(t.Create.Tags,
				types.Tag{Key: aws.String(key), Value: aws.String(tags[key])})
		}
	}
}

func (t *Table) addIndex(ix *indexProperties) {
	t.Create.GlobalSecondaryIndexes = append(t.Create.GlobalSecondaryIndexes,
		types.GlobalSecondaryIndex{
			IndexName: ix.IndexName, KeySchema: ix.KeySchema, Projection: ix.Projection,
			ProvisionedThroughput: ix.ProvisionedThroughput,
			OnDemandThroughput:    ix.OnDemandThroughput,
			WarmThroughput:        ix.WarmThroughput,
		})
	t.addInsights(aws.ToString(ix.IndexName), ix.ContributorInsightsSpecification)
}

// addStream turns the stream on. Replicas need one with both images.
func (t *Table) addStream(p *tableProperties) {
	view := types.StreamViewType("")
	if p.StreamSpecification != nil {
		view = p.StreamSpecification.StreamViewType
	} else if len(p.Replicas) > 0 {
		view = types.StreamViewTypeNewAndOldImages
	}
	if view != "" {
		t.Create.StreamSpecification = &types.StreamSpecification{
			StreamEnabled: aws.Bool(true), StreamViewType: view,
		}
	}
}

// addScaling scales the writes of a global table automatically, which a provisioned table needs
// before it gets a replica.
func (t *Table) addScaling(p *tableProperties) {
	w := p.WriteProvisionedThroughputSettings
	if w == nil || w.WriteCapacityAutoScalingSettings == nil ||
		t.Create.BillingMode != types.BillingModeProvisioned {
		return
	}
	t.Scaling = &dynamodb.UpdateTableReplicaAutoScalingInput{
		TableName: p.TableName,
		ProvisionedWriteCapacityAutoScalingUpdate: w.WriteCapacityAutoScalingSettings.update(),
	}
	for i := range p.GlobalSecondaryIndexes {
		ix := &p.GlobalSecondaryIndexes[i]
		own := w
		if ix.WriteProvisionedThroughputSettings != nil {
			own = ix.WriteProvisionedThroughputSettings
		}
		if own.WriteCapacityAutoScalingSettings != nil {
			t.Scaling.GlobalSecondaryIndexUpdates = append(t.Scaling.GlobalSecondaryIndexUpdates,
				types.GlobalSecondaryIndexAutoScalingUpdate{
					IndexName: ix.IndexName,
					ProvisionedWriteCapacityAutoScalingUpdate: own.WriteCapacityAutoScalingSettings.update()})
		}
	}
}

// policyText returns a policy that is a text or an object as a text.
func policyText(v any) (*string, error) {
	if text, ok := v.(string); ok {
		return &text, nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("the policy is no JSON: %w", err)
	}
	return aws.String(string(text)), nil
}
