package definition

import (
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// terraformTable are the arguments of aws_dynamodb_table (Terraform AWS provider, "Resource:
// aws_dynamodb_table"). The names of fields are those of arguments in another notation.
type terraformTable struct {
	Name                 *string
	BillingMode          types.BillingMode
	HashKey, RangeKey    string
	ReadCapacity         *int64
	WriteCapacity        *int64
	Attribute            []struct{ Name, Type string }
	GlobalSecondaryIndex []terraformIndex
	LocalSecondaryIndex  []terraformIndex
	StreamEnabled        bool
	StreamViewType       types.StreamViewType
	Ttl                  []struct {
		AttributeName string
		Enabled       *bool
	}
	PointInTimeRecovery []struct {
		Enabled              bool
		RecoveryPeriodInDays *int32
	}
	ServerSideEncryption []struct {
		Enabled   bool
		KmsKeyArn string
	}
	OnDemandThroughput        []onDemandArguments
	WarmThroughput            []warmArguments
	TableClass                types.TableClass
	DeletionProtectionEnabled *bool
	Tags                      any
	Replica                   []replicaArguments

	Arn, Id, StreamArn, StreamLabel, TagsAll, Region any // computed
}

type terraformIndex struct {
	Name               *string
	HashKey, RangeKey  string
	KeySchema          []struct{ AttributeName, KeyType string }
	ProjectionType     types.ProjectionType
	NonKeyAttributes   []string
	ReadCapacity       *int64
	WriteCapacity      *int64
	OnDemandThroughput []onDemandArguments
	WarmThroughput     []warmArguments
}

type onDemandArguments struct{ MaxReadRequestUnits, MaxWriteRequestUnits *int64 }

type warmArguments struct{ ReadUnitsPerSecond, WriteUnitsPerSecond *int64 }

type replicaArguments struct {
	RegionName                  string
	ConsistencyMode             types.MultiRegionConsistency
	DeletionProtectionEnabled   *bool
	KmsKeyArn                   string
	PointInTimeRecovery         *bool
	PropagateTags               *bool
	Arn, StreamArn, StreamLabel any // computed
}

// argument returns the Terraform argument of a field: HashKey is hash_key.
func argument(field string) string {
	var b strings.Builder
	for i, r := range field {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// terraform adds an aws_dynamodb_table with these arguments. Blocks are lists.
func (r *reader) terraform(at place, arguments map[string]any, shown bool) {
	t := new(terraformTable)
	c := &coercer{r, argument, shown}
	if !shown {
		for _, computed := range [...]string{"arn", "id", "stream_arn", "stream_label",
			"tags_all"} {
			if arguments[computed] != nil {
				r.note(at.within(computed), "is not read")
			}
		}
	}
	c.store(at, arguments, reflect.ValueOf(t).Elem())
	if t.Name == nil {
		r.leaveOut(at, "its name is unknown")
		return
	}
	r.add(at, t.properties())
}

// properties returns the replica as CloudFormation describes it, with the tags of its table if it
// propagates them.
func (a *replicaArguments) properties(tags []types.Tag) replicaProperties {
	p := replicaProperties{Region: a.RegionName,
		DeletionProtectionEnabled: a.DeletionProtectionEnabled}
	if a.PointInTimeRecovery != nil {
		p.PointInTimeRecoverySpecification = &types.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: a.PointInTimeRecovery}
	}
	if aws.ToBool(a.PropagateTags) {
		p.Tags = tags
	}
	if a.KmsKeyArn != "" {
		p.SSESpecification = &struct{ KMSMasterKeyId *string }{&a.KmsKeyArn}
	}
	return p
}

// properties returns the table as CloudFormation describes it.
func (t *terraformTable) properties() *tableProperties {
	p := &tableProperties{TableName: t.Name, BillingMode: t.BillingMode, TableClass: t.TableClass,
		DeletionProtectionEnabled: t.DeletionProtectionEnabled,
		KeySchema:                 keySchema(t.HashKey, t.RangeKey)}
	for _, a := range t.Attribute {
		p.AttributeDefinitions = append(p.AttributeDefinitions,
			types.AttributeDefinition{
				AttributeName: aws.String(a.Name), AttributeType: types.ScalarAttributeType(a.Type),
			})
	}
	provisioned := t.BillingMode != types.BillingModePayPerRequest
	if provisioned {
		p.ProvisionedThroughput = &types.ProvisionedThroughput{
			ReadCapacityUnits: t.ReadCapacity, WriteCapacityUnits: t.WriteCapacity,
		}
	}
	for i := range t.GlobalSecondaryIndex {
		p.GlobalSecondaryIndexes = append(p.GlobalSecondaryIndexes,
			t.GlobalSecondaryIndex[i].global(provisioned))
	}
	for i := range t.LocalSecondaryIndex {
		ix := &t.LocalSecondaryIndex[i]
		p.LocalSecondaryIndexes = append(p.LocalSecondaryIndexes,
			types.LocalSecondaryIndex{
				IndexName: ix.Name, KeySchema: keySchema(t.HashKey, ix.RangeKey),
				Projection: ix.projection(),
			})
	}
	if t.StreamEnabled {
		p.StreamSpecification = &struct{ StreamViewType types.StreamViewType }{t.StreamViewType}
	}
	p.OnDemandThroughput, p.WarmThroughput = onDemandOf(t.OnDemandThroughput), warmOf(
		t.WarmThroughput)
	t.settings(p)
	return p
}

// settings adds what CreateTable does not take, or takes as a whole.
func (t *terraformTable) settings(p *tableProperties) {
	for _, ttl := range t.Ttl {
		on := ttl.Enabled != nil && *ttl.Enabled // the provider's default is false
		if ttl.AttributeName != "" {
			p.TimeToLiveSpecification = &types.TimeToLiveSpecification{
				AttributeName: aws.String(ttl.AttributeName), Enabled: &on,
			}
		}
	}
	for _, recovery := range t.PointInTimeRecovery {
		p.PointInTimeRecoverySpecification = &types.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: &recovery.Enabled,
			RecoveryPeriodInDays:       recovery.RecoveryPeriodInDays}
	}
	for _, encryption := range t.ServerSideEncryption {
		p.SSESpecification = &sseProperties{SSEEnabled: &encryption.Enabled}
		if encryption.KmsKeyArn != "" {
			p.SSESpecification.SSEType, p.SSESpecification.KMSMasterKeyId =
				types.SSETypeKms, &encryption.KmsKeyArn
		}
	}
	tags, _ := t.Tags.(map[string]any)
	for _, key := range sortedKeys(tags) {
		if value, err := scalarText(tags[key]); err == nil {
			p.Tags = append(p.Tags, types.Tag{Key: aws.String(key), Value: &value})
		}
	}
	for _, replica := range t.Replica {
		p.Replicas = append(p.Replicas, replica.properties(p.Tags))
		if replica.ConsistencyMode != "" {
			p.MultiRegionConsistency = replica.ConsistencyMode
		}
	}
}

func (ix *terraformIndex) global(provisioned bool) indexProperties {
	p := indexProperties{IndexName: ix.Name, KeySchema: keySchema(ix.HashKey, ix.RangeKey),
		Projection:         ix.projection(),
		OnDemandThroughput: onDemandOf(ix.OnDemandThroughput),
		WarmThroughput:     warmOf(ix.WarmThroughput)}
	for _, k := range ix.KeySchema {
		p.KeySchema = append(p.KeySchema,
			types.KeySchemaElement{
				AttributeName: aws.String(k.AttributeName), KeyType: types.KeyType(k.KeyType),
			})
	}
	if provisioned {
		p.ProvisionedThroughput = &types.ProvisionedThroughput{
			ReadCapacityUnits: ix.ReadCapacity, WriteCapacityUnits: ix.WriteCapacity,
		}
	}
	return p
}

func (ix *terraformIndex) projection() *types.Projection {
	p := &types.Projection{
		ProjectionType: ix.ProjectionType, NonKeyAttributes: slices.Clone(ix.NonKeyAttributes),
	}
	slices.Sort(p.NonKeyAttributes)
	return p
}

func keySchema(hash, sort string) (schema []types.KeySchemaElement) {
	if hash != "" {
		schema = append(schema,
			types.KeySchemaElement{AttributeName: &hash, KeyType: types.KeyTypeHash})
	}
	if sort != "" {
		schema = append(schema,
			types.KeySchemaElement{AttributeName: &sort, KeyType: types.KeyTypeRange})
	}
	return schema
}

func onDemandOf(blocks []onDemandArguments) *types.OnDemandThroughput {
	if len(blocks) == 0 {
		return nil
	}
	return &types.OnDemandThroughput{
		MaxReadRequestUnits:  blocks[0].MaxReadRequestUnits,
		MaxWriteRequestUnits: blocks[0].MaxWriteRequestUnits,
	}
}

func warmOf(blocks []warmArguments) *types.WarmThroughput {
	if len(blocks) == 0 {
		return nil
	}
	return &types.WarmThroughput{
		ReadUnitsPerSecond:  blocks[0].ReadUnitsPerSecond,
		WriteUnitsPerSecond: blocks[0].WriteUnitsPerSecond,
	}
}

// show reads the tables of "terraform show -json": of a state, or of a plan.
func (r *reader) show(file string, root map[string]any) {
	state, _ := root["planned_values"].(map[string]any)
	if state == nil {
		state, _ = root["values"].(map[string]any)
	}
	module, _ := state["root_module"].(map[string]any)
	r.module(file, module, 0)
}

func (r *reader) module(file string, module map[string]any, depth int) {
	if depth > maxDepth {
		return
	}
	resources, _ := module["resources"].([]any)
	for i, each := range resources {
		resource, _ := each.(map[string]any)
		address, _ := resource["address"].(string)
		if resource["mode"] == "data" {
			continue
		}
		at := r.lines.element(place{file: file}, resources, i)
		at.path = address
		values, _ := resource["values"].(map[string]any)
		kind, _ := resource["type"].(string)
		if kind == "aws_dynamodb_table" {
			r.terraform(at, values, true)
			continue
		}
		r.otherTerraform(at, kind, kind == "aws_appautoscaling_target" &&
			values["service_namespace"] == "dynamodb")
	}
	children, _ := module["child_modules"].([]any)
	for _, each := range children {
		child, _ := each.(map[string]any)
		r.module(file, child, depth+1)
	}
}

// otherTerraform notes a resource that may say something of a table.
func (r *reader) otherTerraform(at place, kind string, scaled bool) {
	switch {
	case scaled, strings.HasPrefix(kind, "aws_dynamodb_"),
		strings.HasPrefix(kind, "awscc_dynamodb_"),
		kind == "aws_cloudformation_stack":
		r.note(at, "is not read: only aws_dynamodb_table is")
	}
}
