package definition

import (
	"encoding/json"
	"fmt"
	"maps"
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

	amplifyTable = "Custom::AmplifyDynamoDBTable"
	cdkReplica   = "Custom::DynamoDBReplica"
)

// The types of resources that are templates.
const (
	nestedStack       = "AWS::CloudFormation::Stack"
	nestedApplication = "AWS::Serverless::Application"
)

func isTable(resource map[string]any) bool {
	switch resource["Type"] {
	case plainTable, globalTable, simpleTable, amplifyTable:
		return true
	}
	return false
}

// template reads the tables of a CloudFormation or SAM template.
func (r *reader) template(at place, root map[string]any) {
	s := &stack{reader: r, file: at.file, name: r.Stack, parameters: map[string]any{},
		names: map[string]string{}, holds: map[string]bool{}}
	s.mappings, _ = root["Mappings"].(map[string]any)
	s.conditions, _ = root["Conditions"].(map[string]any)
	s.resources, _ = root["Resources"].(map[string]any)
	r.noteSections(at, root)
	declared, _ := root["Parameters"].(map[string]any)
	for _, name := range sortedKeys(declared) {
		s.parameters[name] = r.parameter(name, declared[name])
	}
	globals, _ := root["Globals"].(map[string]any)
	simple, _ := globals["SimpleTable"].(map[string]any)
	for _, name := range sortedKeys(s.resources) {
		here := r.lines.member(place{at.file, at.line, ""}, s.resources, name)
		resource, ok := s.resources[name].(map[string]any)
		switch {
		case strings.HasPrefix(name, "Fn::"):
			r.note(here, "cannot be resolved here")
		case !ok:
			r.note(here, "is no resource")
		case isTable(resource):
			if resource["Type"] == simpleTable {
				resource = r.withGlobals(resource, simple)
			}
			r.resource(s, here, name, resource)
		default:
			r.otherResource(s, here, name, resource)
		}
	}
	r.addReplicas(s)
}

// sections are the sections of a template that say nothing of tables by themselves.
var sections = []string{"AWSTemplateFormatVersion", "Conditions", "Description", "Globals", "Hooks",
	"Mappings", "Metadata", "Outputs", "Parameters", "Resources", "Rules", "Transform"}

// noteSections notes the parts of a template that are not read and may say something of tables.
func (r *reader) noteSections(at place, root map[string]any) {
	for _, name := range sortedKeys(root) {
		if !slices.Contains(sections, name) && !strings.HasPrefix(name, "x-") {
			r.note(r.lines.member(at, root, name), "is not read")
		}
	}
	transforms, isList := root["Transform"].([]any)
	if !isList && root["Transform"] != nil {
		transforms = []any{root["Transform"]}
	}
	for _, transform := range transforms {
		switch transform {
		case "AWS::Serverless-2016-10-31", "AWS::LanguageExtensions":
		default:
			r.note(r.lines.member(at, root, "Transform"), "%v is not run", transform)
		}
	}
}

// withGlobals returns a SimpleTable with the properties that Globals gives to all of them (SAM,
// "Globals section").
func (r *reader) withGlobals(resource, globals map[string]any) map[string]any {
	if len(globals) == 0 {
		return resource
	}
	own, _ := resource["Properties"].(map[string]any)
	properties := overlaid(globals, own)
	r.lines.copy(properties, own)
	all := maps.Clone(resource)
	all["Properties"] = properties
	r.lines.copy(all, resource)
	return all
}

// overlaid returns an object with the members of two. Objects in both become one.
func overlaid(under, over map[string]any) map[string]any {
	all := maps.Clone(under)
	for name, v := range over {
		below, ok1 := all[name].(map[string]any)
		above, ok2 := v.(map[string]any)
		if ok1 && ok2 && len(all) > 0 {
			v = overlaid(below, above)
		}
		all[name] = v
	}
	return all
}

// parameter returns the value of a parameter, nil if it has none.
func (r *reader) parameter(name string, declared any) any {
	p, _ := declared.(map[string]any)
	kind, _ := p["Type"].(string)
	var value string
	switch given, is := r.Parameters[name]; {
	case is:
		value = given
	case r.nested != nil && r.nested[name] != nil:
		if list, ok := r.nested[name].([]any); ok {
			return list
		}
		text, err := scalarText(r.nested[name])
		if err != nil {
			return nil
		}
		value = text
	default:
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

// attributes are the attributes of a resource that say nothing of how a table is.
var attributes = []string{"Condition", "DeletionPolicy", "DependsOn", "Metadata", "Properties",
	"Type", "UpdateReplacePolicy"}

// resource reads a table of a template.
func (r *reader) resource(s *stack, at place, name string, resource map[string]any) {
	if c, ok := resource["Condition"]; ok {
		switch holds, err := s.condition(c); {
		case err != nil:
			r.leaveOut(at, "%v", err)
			return
		case !holds:
			return
		}
	}
	for _, attribute := range sortedKeys(resource) {
		if !slices.Contains(attributes, attribute) {
			r.note(r.lines.member(at, resource, attribute), "is not read")
		}
	}
	tableName, err := s.tableName(name, resource)
	if err != nil {
		r.leaveOut(at, "its name is unknown: %v", err)
		return
	}
	before := len(r.notes)
	p, ok := r.properties(s, at, resource)
	if !ok {
		r.leaveOut(at, "its key is unknown")
		return
	}
	p.TableName = &tableName
	switch resource["Type"] {
	case globalTable:
		r.global(at, p, len(r.notes) > before)
	case simpleTable:
		if err := p.simple(); err != nil {
			r.leaveOut(at, "%v", err)
			return
		}
	}
	r.add(at, p)
}

// properties evaluates the properties. ok is false if the key cannot be resolved.
func (r *reader) properties(s *stack, at place, resource map[string]any) (p *tableProperties,
	ok bool) {
	p = new(tableProperties)
	given, isObject := resource["Properties"].(map[string]any)
	if !isObject && resource["Properties"] != nil {
		r.note(r.lines.member(at, resource, "Properties"), "want an object")
	}
	c := &coercer{reader: r, named: func(field string) string { return field }}
	if resource["Type"] == amplifyTable {
		c.named = lowerFirst
	}
	keySchema := c.named("KeySchema")
	given = maps.Clone(given)
	r.lines.copy(given, resource["Properties"])
	delete(given, c.named("TableName"))
	v, _ := s.collect(at, "", given)
	values, _ := v.(map[string]any)
	if given[keySchema] != nil && values[keySchema] == nil {
		return nil, false
	}
	if tags, ok := values["Tags"].(map[string]any); ok { // SAM writes an object
		values["Tags"] = tagList(tags)
	}
	if resource["Type"] == amplifyTable {
		p.amplify(c, at, values)
		return p, true
	}
	c.store(at, values, reflect.ValueOf(p).Elem())
	return p, true
}

// required are the members without which an element of a list means nothing.
var required = map[string][]string{
	"AttributeDefinitions":   {"AttributeName", "AttributeType"},
	"KeySchema":              {"AttributeName", "KeyType"},
	"GlobalSecondaryIndexes": {"IndexName", "KeySchema", "Projection"},
	"LocalSecondaryIndexes":  {"IndexName", "KeySchema", "Projection"},
	"VectorIndexes":          {"IndexName", "VectorAttribute", "Dimensions", "SearchSchema", "Projection"},
	"Tags":                   {"Key", "Value"},
	"Replicas":               {"Region"},
	"NonKeyAttributes":       {},
}

// collect evaluates a value. What cannot be resolved in it is noted and left out, and with it the
// element of a list that means nothing without it. ok is false if nothing is left. list is the name
// of the list that the value is an element of.
func (s *stack) collect(at place, list string, v any) (result any, ok bool) {
	switch v := v.(type) {
	case []any:
		return s.collectList(at, list, v)
	case map[string]any:
		name, argument, is := intrinsic(v)
		if !is {
			return s.collectMembers(at, list, v)
		}
		if name == "Fn::If" {
			branch, err := s.branch(argument)
			if err != nil {
				s.note(at, "%v", err)
				return nil, false
			}
			return s.collect(at, list, branch)
		}
	}
	result, err := s.eval(v)
	if err != nil {
		s.note(at, "%v", err)
		return nil, false
	}
	return result, true
}

func (s *stack) collectList(at place, name string, v []any) (any, bool) {
	if err := s.enter(); err != nil {
		s.note(at, "%v", err)
		return nil, false
	}
	defer s.leave()
	result := make([]any, 0, len(v))
	o := origin{file: at.file}
	for i, element := range v {
		here := s.lines.element(at, v, i)
		e, ok := s.collect(here, name, element)
		if !ok && (name == "KeySchema" || name == "keySchema") {
			return nil, false // another key than the one that the file means
		}
		if ok && e != (noValue{}) {
			result, o.elements = append(result, e), append(o.elements, here.line)
		}
	}
	s.lines.add(result, o)
	return result, true
}

func (s *stack) collectMembers(at place, list string, v map[string]any) (any, bool) {
	if err := s.enter(); err != nil {
		s.note(at, "%v", err)
		return nil, false
	}
	defer s.leave()
	object := make(map[string]any, len(v))
	whole := true
	for _, name := range sortedKeys(v) {
		m, ok := s.collect(s.lines.member(at, v, name), name, v[name])
		whole = whole && (ok || !slices.Contains(required[list], name))
		if ok && m != (noValue{}) {
			object[name] = m
		}
	}
	if !whole {
		s.note(at, "is left out")
		return nil, false
	}
	s.lines.copy(object, v)
	return object, true
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
func (r *reader) global(at place, p *tableProperties, noted bool) {
	if len(p.Replicas) == 0 {
		if !noted {
			r.note(at, "has no replicas")
		}
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
	if p.ResourcePolicy != nil && p.ResourcePolicy.PolicyDocument != nil {
		text, err := policyText(p.ResourcePolicy.PolicyDocument)
		if err != nil {
			r.note(at.within("ResourcePolicy"), "%v", err)
		}
		t.Create.ResourcePolicy = text
	}
	for i := range p.Replicas {
		t.Replicas = append(t.Replicas, p.Replicas[i].Region)
	}
	t.addScaling(p)
	if r.Region != r.home {
		t.Region = r.Region
	}
	r.tables = append(r.tables, t)
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
