package definition

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// writeTerraform writes a resource for each table, and those beside it that take what the resource
// of a table does not.
func writeTerraform(tables []*Described) (text []byte, notes []Note) {
	var f hclBody
	for i, name := range logicalNames(tables) {
		t := tables[i]
		if i > 0 {
			f.empty()
		}
		arguments(f.add("resource", "aws_dynamodb_table", name),
			reflect.ValueOf(*t.properties.terraform()))
		t.besides(&f, name)
		for _, ix := range t.properties.VectorIndexes {
			notes = append(notes, Note{Place: *t.properties.TableName,
				Message: "has the vector index " + *ix.IndexName +
					", which the resource of Terraform's provider does not have"})
		}
	}
	var b strings.Builder
	f.write(&b, "")
	return []byte(b.String()), notes
}

// arguments writes the fields that are set: lists of structures as blocks, after the arguments.
func arguments(to *hclBody, v reflect.Value) {
	isBlock := func(field reflect.Value) bool {
		return field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.Struct
	}
	for i := range v.NumField() {
		if field := v.Field(i); !field.IsZero() && !isBlock(field) {
			to.set(argument(v.Type().Field(i).Name), hclValue(field))
		}
	}
	for i := range v.NumField() {
		field := v.Field(i)
		if !isBlock(field) {
			continue
		}
		for j := range field.Len() {
			to.empty()
			arguments(to.add(argument(v.Type().Field(i).Name)), field.Index(j))
		}
	}
}

// terraform returns the arguments of a table. It is the reverse of terraformTable.properties.
func (p *tableProperties) terraform() *terraformTable {
	t := &terraformTable{
		Name: p.TableName, BillingMode: p.BillingMode, TableClass: p.TableClass,
		DeletionProtectionEnabled: p.DeletionProtectionEnabled,
	}
	t.HashKey, t.RangeKey = keyNames(p.KeySchema)
	if u := p.ProvisionedThroughput; u != nil {
		t.ReadCapacity, t.WriteCapacity = u.ReadCapacityUnits, u.WriteCapacityUnits
	}
	for _, a := range p.AttributeDefinitions {
		t.Attribute = append(t.Attribute,
			struct{ Name, Type string }{*a.AttributeName, string(a.AttributeType)})
	}
	for i := range p.GlobalSecondaryIndexes {
		t.GlobalSecondaryIndex = append(t.GlobalSecondaryIndex,
			p.GlobalSecondaryIndexes[i].terraform())
	}
	for _, ix := range p.LocalSecondaryIndexes {
		local := terraformIndex{
			Name: ix.IndexName, ProjectionType: ix.Projection.ProjectionType,
			NonKeyAttributes: ix.Projection.NonKeyAttributes,
		}
		_, local.RangeKey = keyNames(ix.KeySchema)
		t.LocalSecondaryIndex = append(t.LocalSecondaryIndex, local)
	}
	if s := p.StreamSpecification; s != nil {
		t.StreamEnabled, t.StreamViewType = true, s.StreamViewType
	}
	t.OnDemandThroughput, t.WarmThroughput = onDemandBlock(p.OnDemandThroughput), warmBlock(
		p.WarmThroughput)
	t.fill(p)
	return t
}

// fill adds the blocks of what CreateTable does not take, or takes as a whole.
func (t *terraformTable) fill(p *tableProperties) {
	if ttl := p.TimeToLiveSpecification; ttl != nil {
		t.Ttl = append(t.Ttl, struct {
			AttributeName string
			Enabled       *bool
		}{*ttl.AttributeName, ttl.Enabled})
	}
	if r := p.PointInTimeRecoverySpecification; r != nil {
		t.PointInTimeRecovery = append(t.PointInTimeRecovery, struct {
			Enabled              bool
			RecoveryPeriodInDays *int32
		}{aws.ToBool(r.PointInTimeRecoveryEnabled), r.RecoveryPeriodInDays})
	}
	if e := p.SSESpecification; e != nil {
		t.ServerSideEncryption = append(t.ServerSideEncryption, struct {
			Enabled   bool
			KmsKeyArn string
		}{aws.ToBool(e.SSEEnabled), aws.ToString(e.KMSMasterKeyId)})
	}
	if len(p.Tags) > 0 {
		tags := map[string]any{}
		for _, tag := range p.Tags {
			tags[*tag.Key] = *tag.Value
		}
		t.Tags = tags
	}
}

func (ix *indexProperties) terraform() terraformIndex {
	t := terraformIndex{Name: ix.IndexName, ProjectionType: ix.Projection.ProjectionType,
		NonKeyAttributes:   ix.Projection.NonKeyAttributes,
		OnDemandThroughput: onDemandBlock(ix.OnDemandThroughput),
		WarmThroughput:     warmBlock(ix.WarmThroughput)}
	if u := ix.ProvisionedThroughput; u != nil {
		t.ReadCapacity, t.WriteCapacity = u.ReadCapacityUnits, u.WriteCapacityUnits
	}
	hashes := slices.IndexFunc(ix.KeySchema,
		func(k types.KeySchemaElement) bool { return k.KeyType == types.KeyTypeRange })
	if hashes < 0 {
		hashes = len(ix.KeySchema)
	}
	if hashes == 1 && len(ix.KeySchema) <= 2 {
		t.HashKey, t.RangeKey = keyNames(ix.KeySchema)
		return t
	}
	for _, k := range ix.KeySchema { // several attributes
		t.KeySchema = append(t.KeySchema,
			struct{ AttributeName, KeyType string }{*k.AttributeName, string(k.KeyType)})
	}
	return t
}

// keyNames returns the names of the partition key and of the sort key, which may be "".
func keyNames(schema []types.KeySchemaElement) (hash, sort string) {
	for _, k := range schema {
		if k.KeyType == types.KeyTypeHash {
			hash = *k.AttributeName
		} else {
			sort = *k.AttributeName
		}
	}
	return hash, sort
}

func onDemandBlock(o *types.OnDemandThroughput) []onDemandArguments {
	if o == nil {
		return nil
	}
	return []onDemandArguments{{o.MaxReadRequestUnits, o.MaxWriteRequestUnits}}
}

func warmBlock(w *types.WarmThroughput) []warmArguments {
	if w == nil {
		return nil
	}
	return []warmArguments{{w.ReadUnitsPerSecond, w.WriteUnitsPerSecond}}
}

// besides writes the resources of a table's insights, stream and policy (Terraform AWS provider,
// "aws_dynamodb_contributor_insights", "aws_dynamodb_kinesis_streaming_destination" and
// "aws_dynamodb_resource_policy").
func (d *Described) besides(to *hclBody, table string) {
	add := func(kind, name string) *hclBody {
		to.empty()
		return to.add("resource", kind, name)
	}
	reference := func(body *hclBody, argument, attribute string) {
		body.set(argument, "aws_dynamodb_table."+table+"."+attribute)
	}
	insights := func(name, index string, i *insightsProperties) {
		if i == nil {
			return
		}
		body := add("aws_dynamodb_contributor_insights", name)
		reference(body, "table_name", "name")
		if index != "" {
			body.set("index_name", hclQuoted(index))
		}
		if i.Mode != "" {
			body.set("mode", hclQuoted(string(i.Mode)))
		}
	}
	p := d.properties
	insights(table, "", p.ContributorInsightsSpecification)
	for i := range p.GlobalSecondaryIndexes {
		ix := &p.GlobalSecondaryIndexes[i]
		insights(table+"-"+strings.ReplaceAll(*ix.IndexName, ".", "_"), *ix.IndexName,
			ix.ContributorInsightsSpecification)
	}
	if k := p.KinesisStreamSpecification; k != nil {
		body := add("aws_dynamodb_kinesis_streaming_destination", table)
		body.set("stream_arn", hclQuoted(k.StreamArn))
		reference(body, "table_name", "name")
		if k.ApproximateCreationDateTimePrecision != "" {
			body.set("approximate_creation_date_time_precision",
				hclQuoted(string(k.ApproximateCreationDateTimePrecision)))
		}
	}
	if p.ResourcePolicy != nil {
		body := add("aws_dynamodb_resource_policy", table)
		reference(body, "resource_arn", "arn")
		policy, err := json.Marshal(p.ResourcePolicy.PolicyDocument)
		if err != nil {
			panic(err) // it was read from JSON
		}
		body.set("policy", hclQuoted(string(policy)))
	}
}
