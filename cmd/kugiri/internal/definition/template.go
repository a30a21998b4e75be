package definition

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// The types of resources that are tables.
const (
	plainTable  = "AWS::DynamoDB::Table"
	globalTable = "AWS::DynamoDB::GlobalTable"
	simpleTable = "AWS::Serverless::SimpleTable"
)

func isTable(resource map[string]any) bool {
	switch resource["Type"] {
	case plainTable, globalTable, simpleTable:
		return true
	}
	return false
}

// template reads the tables of a CloudFormation or SAM template.
func (r *reader) template(file string, root map[string]any) {
	s := &stack{region: r.Region, account: r.Account, name: r.Stack, parameters: map[string]any{}}
	s.mappings, _ = root["Mappings"].(map[string]any)
	s.conditions, _ = root["Conditions"].(map[string]any)
	s.resources, _ = root["Resources"].(map[string]any)
	declared, _ := root["Parameters"].(map[string]any)
	for name, p := range declared {
		s.parameters[name] = r.parameter(name, p)
	}
	for _, name := range sortedKeys(s.resources) {
		resource, _ := s.resources[name].(map[string]any)
		switch {
		case strings.HasPrefix(name, "Fn::"):
			r.note(file+": Resources."+name, "cannot be resolved here")
		case isTable(resource):
			r.resource(s, file+": "+name, name, resource)
		}
	}
}

// parameter returns the value of a parameter, nil if it has none.
func (r *reader) parameter(name string, declared any) any {
	p, _ := declared.(map[string]any)
	kind, _ := p["Type"].(string)
	value, given := r.Parameters[name]
	if !given {
		if p["Default"] == nil || strings.HasPrefix(kind, "AWS::SSM::") {
			return nil
		}
		text, err := scalarText(p["Default"])
		if err != nil {
			return nil
		}
		value = text
	}
	if kind == "CommaDelimitedList" || strings.HasPrefix(kind, "List<") {
		parts := strings.Split(value, ",")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		return anyList(parts)
	}
	return value
}

// resource reads a table of a template.
func (r *reader) resource(s *stack, place, name string, resource map[string]any) {
	if c, ok := resource["Condition"]; ok {
		switch holds, err := s.condition(c, 1); {
		case err != nil:
			r.leaveOut(place, "%v", err)
			return
		case !holds:
			return
		}
	}
	tableName, err := s.tableName(name, resource)
	if err != nil {
		r.leaveOut(place, "its name is unknown: %v", err)
		return
	}
	p := r.properties(s, place, resource)
	p.TableName = &tableName
	switch resource["Type"] {
	case globalTable:
		r.global(place, p)
	case simpleTable:
		p.simple()
	}
	r.add(place, p)
}

// properties evaluates the properties one by one, so that one that cannot be resolved does not lose
// the others.
func (r *reader) properties(s *stack, place string, resource map[string]any) *tableProperties {
	given, _ := resource["Properties"].(map[string]any)
	values := map[string]any{}
	for _, name := range sortedKeys(given) {
		v, err := s.eval(given[name], 1)
		switch {
		case name == "TableName":
		case err != nil:
			r.note(place+"."+name, "%v", err)
		case v != noValue{}:
			values[name] = v
		}
	}
	if tags, ok := values["Tags"].(map[string]any); ok { // SAM writes an object
		values["Tags"] = tagList(tags)
	}
	p := new(tableProperties)
	c := &coercer{r, func(field string) string { return field }}
	c.store(place, values, reflect.ValueOf(p).Elem())
	return p
}

func tagList(tags map[string]any) []any {
	var list []any
	for _, key := range sortedKeys(tags) {
		list = append(list, map[string]any{"Key": key, "Value": tags[key]})
	}
	return list
}

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
	KinesisStreamSpecification        *kinesisProperties
	PointInTimeRecoverySpecification  *types.PointInTimeRecoverySpecification
	ReadProvisionedThroughputSettings *struct {
		ReadCapacityUnits               *int64
		ReadCapacityAutoScalingSettings *scalingProperties
	}
	ResourcePolicy *struct{ PolicyDocument any }
	TableClass     types.TableClass
	Tags           []types.Tag
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

// simple gives a SimpleTable what SAM gives it.
func (p *tableProperties) simple() {
	name, kind := "id", types.ScalarAttributeTypeS
	if p.PrimaryKey != nil {
		name = p.PrimaryKey.Name
		if p.PrimaryKey.Type != "" {
			kind = types.ScalarAttributeType(p.PrimaryKey.Type[:1]) // String, Number, Binary
		}
	}
	p.AttributeDefinitions = []types.AttributeDefinition{
		{AttributeName: &name, AttributeType: kind},
	}
	p.KeySchema = []types.KeySchemaElement{{AttributeName: &name, KeyType: types.KeyTypeHash}}
	if p.ProvisionedThroughput == nil {
		p.BillingMode = types.BillingModePayPerRequest
	}
}

// global takes the settings of the replica in the reader's region, or of the first one, and notes
// the other regions.
func (r *reader) global(place string, p *tableProperties) {
	if len(p.Replicas) == 0 {
		r.note(place, "has no replicas")
		return
	}
	own := max(
		slices.IndexFunc(p.Replicas,
			func(x replicaProperties) bool { return x.Region == r.Region }), 0)
	here := &p.Replicas[own]
	p.ContributorInsightsSpecification = here.ContributorInsightsSpecification
	p.DeletionProtectionEnabled = here.DeletionProtectionEnabled
	p.KinesisStreamSpecification = here.KinesisStreamSpecification
	p.PointInTimeRecoverySpecification = here.PointInTimeRecoverySpecification
	p.ResourcePolicy, p.TableClass, p.Tags = here.ResourcePolicy, here.TableClass, here.Tags
	if p.BillingMode != types.BillingModePayPerRequest {
		p.provision(here)
	}
	p.OnDemandThroughput = onDemand(p.ReadOnDemandThroughputSettings,
		p.WriteOnDemandThroughputSettings)
	p.Replicas = slices.Delete(p.Replicas, own, own+1)
}

func onDemand(read *struct{ MaxReadRequestUnits *int64 },
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
	units := func(fixed *int64, scaled *scalingProperties) *int64 {
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
	read, write := aws.Int64(1), aws.Int64(1)
	if s := here.ReadProvisionedThroughputSettings; s != nil {
		read = units(s.ReadCapacityUnits, s.ReadCapacityAutoScalingSettings)
	}
	if s := p.WriteProvisionedThroughputSettings; s != nil {
		write = units(nil, s.WriteCapacityAutoScalingSettings)
	}
	p.ProvisionedThroughput = &types.ProvisionedThroughput{
		ReadCapacityUnits: read, WriteCapacityUnits: write,
	}
	for i := range p.GlobalSecondaryIndexes {
		ix := &p.GlobalSecondaryIndexes[i]
		own := *p.ProvisionedThroughput
		if s := ix.WriteProvisionedThroughputSettings; s != nil {
			own.WriteCapacityUnits = units(nil, s.WriteCapacityAutoScalingSettings)
		}
		ix.ProvisionedThroughput = &own
	}
}

// add adds a table with these properties.
func (r *reader) add(place string, p *tableProperties) {
	t := Table{
		Place: place, TTL: p.TimeToLiveSpecification, Recovery: p.PointInTimeRecoverySpecification,
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
		r.leaveOut(place, "it has no KeySchema")
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
	if p.ResourcePolicy != nil && p.ResourcePolicy.PolicyDocument != nil {
		text, err := policyText(p.ResourcePolicy.PolicyDocument)
		if err != nil {
			r.note(place+".ResourcePolicy", "%v", err)
		}
		t.Create.ResourcePolicy = text
	}
	for i := range p.Replicas {
		t.Replicas = append(t.Replicas, p.Replicas[i].Region)
	}
	t.addScaling(p)
	r.tables = append(r.tables, t)
}

func (t *Table) addIndex(ix *indexProperties) {
	t.Create.GlobalSecondaryIndexes = append(
		t.Create.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName: ix.IndexName, KeySchema: ix.KeySchema, Projection: ix.Projection,
			ProvisionedThroughput: ix.ProvisionedThroughput,
			OnDemandThroughput:    ix.OnDemandThroughput,
			WarmThroughput:        ix.WarmThroughput,
		})
	t.addInsights(aws.ToString(ix.IndexName), ix.ContributorInsightsSpecification)
}

func (t *Table) addInsights(index string, i *insightsProperties) {
	if i != nil {
		t.Insights = append(t.Insights, Insights{index, i.Enabled, i.Mode})
	}
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
			t.Scaling.GlobalSecondaryIndexUpdates = append(
				t.Scaling.GlobalSecondaryIndexUpdates, types.GlobalSecondaryIndexAutoScalingUpdate{
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
