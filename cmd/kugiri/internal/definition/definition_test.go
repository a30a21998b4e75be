package definition

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// values are those of the tests.
func values() Values {
	return Values{
		Parameters: map[string]string{"Given": "given", "size": "7"}, Region: "eu-west-1",
		Account: "123456789012",
		Env: func(name string) (string, bool) {
			return "from-" + strings.ToLower(name), name == "SUFFIX"
		},
	}
}

// write writes files, and returns the paths of those without "+" before their names.
func write(t *testing.T, files map[string]string) (dir string) {
	dir = t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

// line describes a table in a line.
func line(t *Table) string {
	var b strings.Builder
	c := &t.Create
	fmt.Fprintf(&b, "%s %s", *c.TableName, keyText(c.KeySchema, c.AttributeDefinitions))
	fmt.Fprintf(&b, " %s%s%s", c.BillingMode, units(c.ProvisionedThroughput),
		most(c.OnDemandThroughput))
	for _, ix := range c.GlobalSecondaryIndexes {
		fmt.Fprintf(&b, " gsi %s %s%s%s%s", *ix.IndexName, keyText(ix.KeySchema, nil),
			projected(ix.Projection), units(ix.ProvisionedThroughput), most(ix.OnDemandThroughput))
	}
	for _, ix := range c.LocalSecondaryIndexes {
		fmt.Fprintf(&b, " lsi %s %s%s", *ix.IndexName, keyText(ix.KeySchema, nil),
			projected(ix.Projection))
	}
	if s := c.StreamSpecification; s != nil {
		fmt.Fprintf(&b, " stream %s", s.StreamViewType)
	}
	if t.TTL != nil {
		fmt.Fprintf(&b, " ttl %s %v", *t.TTL.AttributeName, *t.TTL.Enabled)
	}
	if t.Recovery != nil {
		fmt.Fprintf(&b, " pitr %v", *t.Recovery.PointInTimeRecoveryEnabled)
	}
	for _, tag := range c.Tags {
		fmt.Fprintf(&b, " %s=%s", *tag.Key, *tag.Value)
	}
	if aws.ToBool(c.DeletionProtectionEnabled) {
		b.WriteString(" protected")
	}
	if len(t.Replicas) > 0 {
		fmt.Fprintf(&b, " replicas %s", strings.Join(t.Replicas, ","))
	}
	for _, o := range t.Overrides {
		fmt.Fprintf(&b, " override %s %s", *o.RegionName, o.TableClassOverride)
		if o.KMSMasterKeyId != nil {
			fmt.Fprintf(&b, " key %s", *o.KMSMasterKeyId)
		}
		if u := o.ProvisionedThroughputOverride; u != nil {
			fmt.Fprintf(&b, " %d", *u.ReadCapacityUnits)
		}
		if u := o.OnDemandThroughputOverride; u != nil {
			fmt.Fprintf(&b, " at most %d", *u.MaxReadRequestUnits)
		}
		for _, ix := range o.GlobalSecondaryIndexes {
			fmt.Fprintf(&b, " gsi %s", *ix.IndexName)
			if u := ix.OnDemandThroughputOverride; u != nil {
				fmt.Fprintf(&b, " at most %d", *u.MaxReadRequestUnits)
			}
		}
	}
	for i := range t.Elsewhere {
		e := &t.Elsewhere[i]
		fmt.Fprintf(&b, " in %s:", e.Region)
		if e.Create.DeletionProtectionEnabled != nil {
			fmt.Fprintf(&b, " protected %v", *e.Create.DeletionProtectionEnabled)
		}
		if e.Recovery != nil {
			fmt.Fprintf(&b, " pitr %v", *e.Recovery.PointInTimeRecoveryEnabled)
		}
		for _, tag := range e.Create.Tags {
			fmt.Fprintf(&b, " %s=%s", *tag.Key, *tag.Value)
		}
		for _, x := range e.Insights {
			fmt.Fprintf(&b, " insights %q %v", x.Index, x.On)
		}
		if e.Create.ResourcePolicy != nil {
			b.WriteString(" policy")
		}
	}
	if t.Scaling != nil {
		up := t.Scaling.ProvisionedWriteCapacityAutoScalingUpdate
		fmt.Fprintf(&b, " scaled %d-%d %g%%", *up.MinimumUnits, *up.MaximumUnits,
			*up.ScalingPolicyUpdate.TargetTrackingScalingPolicyConfiguration.TargetValue)
	}
	return b.String()
}

func keyText(schema []types.KeySchemaElement, definitions []types.AttributeDefinition) string {
	var parts []string
	for _, k := range schema {
		part := *k.AttributeName
		for _, d := range definitions {
			if *d.AttributeName == part {
				part += ":" + string(d.AttributeType)
			}
		}
		parts = append(parts, part)
	}
	return "(" + strings.Join(parts, ",") + ")"
}

func projected(p *types.Projection) string {
	if p == nil {
		return " ?"
	}
	return " " + string(p.ProjectionType) + strings.Join(
		append([]string{""}, p.NonKeyAttributes...), "+")
}

func units(p *types.ProvisionedThroughput) string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf(" %d/%d", aws.ToInt64(p.ReadCapacityUnits),
		aws.ToInt64(p.WriteCapacityUnits))
}

func most(t *types.OnDemandThroughput) string {
	if t == nil {
		return ""
	}
	return fmt.Sprintf(" at most %d/%d", aws.ToInt64(t.MaxReadRequestUnits),
		aws.ToInt64(t.MaxWriteRequestUnits))
}

const pk = "AttributeDefinitions: [{AttributeName: pk, AttributeType: S}], KeySchema: [{AttributeName: pk, KeyType: HASH}]"

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name   string
		files  map[string]string
		tables []string
		notes  []string
	}{
		{"a template", map[string]string{"shop.yaml": `
Parameters: {Stage: {Type: String, Default: dev}, Given: {Type: String}}
Mappings: {Sizes: {dev: {read: 5}}}
Conditions: {IsDev: !Equals [!Ref Stage, dev], Never: !Not [!Condition IsDev]}
Resources:
  Orders:
    Type: AWS::DynamoDB::Table
    DeletionPolicy: Retain
    Properties:
      TableName: !Sub "${AWS::StackName}-orders-${Stage}-${Given}"
      AttributeDefinitions:
        - {AttributeName: pk, AttributeType: S}
        - {AttributeName: sk, AttributeType: N}
        - {AttributeName: by, AttributeType: S}
      KeySchema: [{AttributeName: pk, KeyType: HASH}, {AttributeName: sk, KeyType: RANGE}]
      ProvisionedThroughput: {ReadCapacityUnits: !FindInMap [Sizes, !Ref Stage, read], WriteCapacityUnits: "3"}
      GlobalSecondaryIndexes:
        - IndexName: by
          KeySchema: [{AttributeName: by, KeyType: HASH}]
          Projection: {ProjectionType: INCLUDE, NonKeyAttributes: [a, b]}
          ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 2}
      StreamSpecification: {StreamViewType: !If [IsDev, NEW_IMAGE, KEYS_ONLY]}
      TimeToLiveSpecification: {AttributeName: expires, Enabled: "true"}
      PointInTimeRecoverySpecification: !If [Never, {PointInTimeRecoveryEnabled: true}, !Ref "AWS::NoValue"]
      DeletionProtectionEnabled: true
      Tags: [{Key: team, Value: !Join ["-", [a, !Select [1, !Split [",", "x,y"]]]]}]
  Off:
    Type: AWS::DynamoDB::Table
    Condition: Never
    Properties: {` + pk + `}
  Bucket: {Type: AWS::S3::Bucket}
`}, []string{
			"shop-orders-dev-given (pk:S,sk:N) PROVISIONED 5/3 gsi by (by) INCLUDE+a+b 1/2 stream NEW_IMAGE ttl expires true team=a-y protected",
		}, nil},

		{"what the cloud knows",
			map[string]string{"s.json": `{"Parameters": {"Env": {"Type": "String"}}, "Resources": {
			"A": {"Type": "AWS::DynamoDB::Table", "Properties": {"TableName": {"Fn::ImportValue": "x"}, "KeySchema": []}},
			"B": {"Type": "AWS::DynamoDB::Table", "Properties": {"TableName": {"Fn::Sub": "b-${Env}"}}},
			"C": {"Type": "AWS::DynamoDB::Table", "Properties": {"BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
				"SSESpecification": {"SSEEnabled": true, "KMSMasterKeyId": {"Fn::GetAtt": ["Key", "Arn"]}}, "Colour": "red"}},
			"D": {"Type": "AWS::DynamoDB::Table", "Properties": {"TableName": {"Fn::Sub": "d-of-${C}"}}}}}`},
			[]string{"s-C (pk) PAY_PER_REQUEST"}, []string{
				"s.json:2: A: the table is left out: its name is unknown: Fn::ImportValue cannot be resolved here",
				"s.json:3: B: the table is left out: its name is unknown: the parameter Env has no value: give it with --parameter Env=VALUE",
				"s.json:5: C.SSESpecification.KMSMasterKeyId: Key.Arn cannot be resolved here",
				"s.json:5: C.Colour: is not read",
				"s.json:6: D: the table is left out: it has no KeySchema",
			}},

		{"a SAM template", map[string]string{"template.yml": `
Transform: AWS::Serverless-2016-10-31
Resources:
  Simple: {Type: AWS::Serverless::SimpleTable}
  Named: {Type: AWS::Serverless::SimpleTable, Properties: {TableName: named, PrimaryKey: {Name: n, Type: Number}, Tags: {a: b},
    ProvisionedThroughput: {ReadCapacityUnits: 5, WriteCapacityUnits: 5}}}
`}, []string{"named (n:N) PROVISIONED 5/5 a=b", "Simple (id:S) PAY_PER_REQUEST"}, nil},

		{"a global table", map[string]string{"g.yaml": `
Resources:
  G:
    Type: AWS::DynamoDB::GlobalTable
    Properties:
      TableName: g
      ` + strings.ReplaceAll(pk, ", KeySchema", "\n      KeySchema") + `
      WriteProvisionedThroughputSettings: {WriteCapacityAutoScalingSettings: {MinCapacity: 4, MaxCapacity: 8, TargetTrackingScalingPolicyConfiguration: {TargetValue: 70}}}
      Replicas:
        - Region: us-east-1
        - {Region: eu-west-1, ReadProvisionedThroughputSettings: {ReadCapacityUnits: 9}, PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: true}}
`}, []string{
			"g (pk:S) PROVISIONED 9/4 stream NEW_AND_OLD_IMAGES pitr true replicas us-east-1 scaled 4-8 70%",
		}, nil},

		{"a CDK app", map[string]string{"tree.json": "{}", "App.template.json": `{"Resources": {"T1": {"Type": "AWS::DynamoDB::Table", "Properties": {
			"KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "B"}],
			"BillingMode": "PAY_PER_REQUEST"}, "UpdateReplacePolicy": "Retain", "Metadata": {"aws:cdk:path": "App/T"}}}}`},
			[]string{"App-T1 (id:B) PAY_PER_REQUEST"}, nil},

		{"serverless.yml", map[string]string{"serverless.yml": `
service: shop
provider: {name: aws, stage: "${opt:stage, 'test'}", region: eu-west-1}
custom:
  name: ${self:service}-${self:custom.part}
  part: items-${env:SUFFIX}
  units: {read: 3}
resources:
  - Resources:
      Items:
        Type: AWS::DynamoDB::Table
        Properties:
          TableName: ${self:custom.name}-${sls:stage}-${opt:Given}
          ` + strings.ReplaceAll(pk, ", KeySchema", "\n          KeySchema") + `
          ProvisionedThroughput: {ReadCapacityUnits: "${self:custom.units.read}", WriteCapacityUnits: "${param:size, 2}"}
          Tags: [{Key: region, Value: !Sub "${AWS::Region}"}, {Key: secret, Value: "${ssm:/x}"}]
`}, []string{"shop-items-from-suffix-dev-given (pk:S) PROVISIONED 3/7 region=eu-west-1"},
			[]string{
				"serverless.yml:17: Items.Tags[1].Value: ${ssm:/x} cannot be resolved here",
				"serverless.yml:17: Items.Tags[1]: is left out",
			}},

		{"Terraform", map[string]string{"main.tf": `
variable "size" {
  type    = number
  default = 2
}
variable "env" {}
locals {
  name  = "${local.base}-${var.env}"
  base  = upper("t")
  attrs = { pk = "S", sk = "N", by = "S" }
}
resource "aws_dynamodb_table" "t" {
  name           = local.name
  hash_key       = "pk"
  range_key      = "sk"
  read_capacity  = var.size
  write_capacity = 1
  stream_enabled   = true
  stream_view_type = "OLD_IMAGE"
  dynamic "attribute" {
    for_each = local.attrs
    content {
      name = attribute.key
      type = attribute.value
    }
  }
  global_secondary_index {
    name            = "by"
    hash_key        = "by"
    projection_type = "ALL"
    read_capacity   = 1
    write_capacity  = 1
  }
  local_secondary_index {
    name               = "l"
    range_key          = "by"
    projection_type    = "INCLUDE"
    non_key_attributes = ["b", "a"]
  }
  ttl {
    attribute_name = "expires"
  }
  point_in_time_recovery { enabled = true }
  tags = merge({ a = "1" }, { b = data.x.y.z })
  lifecycle { prevent_destroy = true }
}
resource "aws_dynamodb_table" "many" {
  for_each     = toset(["x", "y"])
  name         = "many-${each.key}"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "id"
  attribute {
    name = "id"
    type = "S"
  }
  tags = { of = aws_dynamodb_table.t.name }
}
resource "aws_dynamodb_table" "unknown" {
  name = module.m.name
}
resource "aws_dynamodb_table_item" "i" {}
resource "aws_s3_bucket" "b" {}
`, "terraform.tfvars": `env = "prod"`},
			[]string{
				"T-prod (pk:S,sk:N) PROVISIONED 7/1 gsi by (by) ALL 1/1 lsi l (pk,by) INCLUDE+a+b stream OLD_IMAGE ttl expires false pitr true a=1",
				"many-x (id:S) PAY_PER_REQUEST of=T-prod",
				"many-y (id:S) PAY_PER_REQUEST of=T-prod",
			}, []string{
				"main.tf:44: aws_dynamodb_table.t.tags.b: data.x.y cannot be resolved here",
				"main.tf:59: aws_dynamodb_table.unknown.name: there is no module.m",
				"main.tf:58: aws_dynamodb_table.unknown: the table is left out: its name is unknown",
				"main.tf:61: aws_dynamodb_table_item.i: is not read: only aws_dynamodb_table is",
			}},

		{"Terraform with counts", map[string]string{"main.tf": `
resource "aws_dynamodb_table" "none" { count = 0 }
resource "aws_dynamodb_table" "text" { count = "many" }
resource "aws_dynamodb_table" "half" { count = 1.5 }
resource "aws_dynamodb_table" "two" {
  count        = "2"
  name         = "t${count.index}"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "id"
}
`}, []string{"t0 (id) PAY_PER_REQUEST", "t1 (id) PAY_PER_REQUEST"}, []string{
			"main.tf:3: aws_dynamodb_table.text: the table is left out: its count or for_each cannot be resolved here: a number is required",
			"main.tf:4: aws_dynamodb_table.half: the table is left out: its count or for_each cannot be resolved here: it is no number up to 1000",
		}},

		{"terraform show -json",
			map[string]string{"show.json": `{"format_version": "1.0", "values": {"root_module": {"child_modules": [{"resources": [
			{"address": "module.a.aws_dynamodb_table.t", "mode": "managed", "type": "aws_dynamodb_table", "values": {"arn": "arn:x", "name": "shown",
				"billing_mode": "PAY_PER_REQUEST", "hash_key": "pk", "range_key": null, "attribute": [{"name": "pk", "type": "S"}], "replica": [],
				"ttl": [{"attribute_name": "", "enabled": false}], "tags": {"a": "b"}, "tags_all": {"a": "b"}, "read_capacity": 0,
				"deletion_protection_enabled": true, "restore_to_latest_time": null, "timeouts": null}}]}]}}}`},
			[]string{"shown (pk:S) PAY_PER_REQUEST a=b protected"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := write(t, c.files)
			v := values()
			if c.name == "serverless.yml" {
				v.Parameters["stage"] = "dev"
			}
			paths := []string{dir}
			if len(c.files) == 1 {
				for name := range c.files {
					paths[0] = filepath.Join(dir, name)
				}
			}
			d, err := Read(t.Context(), v, paths...)
			require.NoError(t, err)
			var tables, notes []string
			for i := range d.Tables {
				tables = append(tables, line(&d.Tables[i]))
			}
			for _, n := range d.Notes {
				notes = append(notes,
					strings.ReplaceAll(n.String(), dir+string(filepath.Separator), ""))
			}
			assert.ElementsMatch(t, c.tables, tables)
			assert.Equal(t, c.notes, notes)
		})
	}
}

func TestErrors(t *testing.T) {
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	for _, c := range []struct{ name, file, text, err string }{
		{"no template", "x.yaml", "a: 1", "neither a template"},
		{"broken YAML", "x.yaml", "a: [", "yaml"},
		{"too deep", "x.yaml", "a: " + deep, "too large or too deep"},
		{"twice", "x.yaml", "Resources: {}\nResources: {}", "twice"},
		{"a table twice", "x.yaml",
			"Resources: {A: {Type: AWS::DynamoDB::Table, Properties: {TableName: t, " +
				pk + "}}, " +
				"B: {Type: AWS::DynamoDB::Table, Properties: {TableName: t, " + pk + "}}}",
			"the table t is defined twice"},
		{"broken Terraform", "x.tf", "resource {", "x.tf:1"},
		{"a variable of itself", "x.yml",
			"service: s\ncustom: {a: '${self:custom.a}'}\nresources: {x: '${self:custom.a}'}",
			"a circle: ${self:custom.a} refers to"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := Read(t.Context(), values(),
				filepath.Join(write(t, map[string]string{c.file: c.text}), c.file))
			if err == nil && len(d.Notes) > 0 {
				err = fmt.Errorf("%v", d.Notes)
			}
			require.ErrorContains(t, err, c.err)
		})
	}
}

// TestOthers shows which files are left to package seed.
func TestOthers(t *testing.T) {
	for name, text := range map[string]string{
		"users.json": `{"TableName": "users", "KeySchema": []}`, "items.jsonl": "{}\n{}",
		"two.json":   `{"Resources": {}} {}`,
		"model.json": `{"ModelName": "m", "DataModel": []}`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(write(t, map[string]string{name: text}), name)
			d, err := Read(t.Context(), values(), path)
			require.NoError(t, err)
			assert.Equal(t, []string{path}, d.Others)
		})
	}
}

func FuzzTemplate(f *testing.F) {
	f.Add("Resources: {A: {Type: AWS::DynamoDB::Table, Properties: {TableName: !Sub '${B}', KeySchema: !If [C, 1, !Ref D]}}}")
	f.Add("service: a\nresources: {Resources: {T: {Type: AWS::DynamoDB::GlobalTable, Properties: {TableName: '${self:service, opt:x}'}}}}")
	f.Fuzz(func(t *testing.T, text string) {
		r := newReader(t.Context(), values())
		v, err := r.document("f").yaml([]byte(text))
		root, ok := v.(map[string]any)
		if err != nil || !ok {
			return
		}
		r.template(place{file: "f"}, root)
		r.serverless("f", root)
		r.show("f", root)
	})
}

func FuzzTerraform(f *testing.F) {
	f.Add(`variable "a" { default = 1 }` + "\n" +
		`resource "aws_dynamodb_table" "t" { name = "${var.a}" }`)
	f.Add("locals {\n a = [for x in [1]: local.a]\n}\n")
	f.Fuzz(func(t *testing.T, text string) {
		name := filepath.Join(t.TempDir(), "f.tf")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		_ = readTerraform(newReader(t.Context(), values()), []string{name})
	})
}
