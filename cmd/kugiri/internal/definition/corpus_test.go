package definition

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
)

// corpusCase is a small project with the tables that it defines, and what is said of the rest.
type corpusCase struct {
	name   string
	files  map[string]string
	paths  []string // "" is the directory; without paths it is the only file, or the directory
	tables []string
	notes  []string
	others []string // the files that package seed reads
}

// dynamo is a table of a template in one line.
func dynamo(properties string) string {
	return "{Type: AWS::DynamoDB::Table, Properties: {BillingMode: PAY_PER_REQUEST, " + pk +
		", " + properties + "}}"
}

// hclTable is a table of Terraform.
func hclTable(name, arguments string) string {
	return "resource \"aws_dynamodb_table\" \"" + name + "\" {\n  billing_mode = \"PAY_PER_REQUEST\"\n" +
		"  hash_key = \"pk\"\n  attribute {\n    name = \"pk\"\n    type = \"S\"\n  }\n" + arguments +
		"\n}\n"
}

var templates = []corpusCase{
	{name: "booleans of YAML 1.1", files: map[string]string{"t.yaml": "Resources:\n  Aaa: " +
		dynamo("DeletionProtectionEnabled: yes, TimeToLiveSpecification: {AttributeName: x, Enabled: on}")},
		tables: []string{"Aaa (pk:S) PAY_PER_REQUEST ttl x true protected"}},
	{name: "a byte order mark in YAML",
		files: map[string]string{"t.yaml": "\ufeffResources:\n  Aaa: " +
			dynamo("TableName: t")}, tables: []string{"t (pk:S) PAY_PER_REQUEST"}},
	{name: "a byte order mark in JSON", files: map[string]string{"t.json": "\ufeff" +
		`{"Resources": {"Aaa": {"Type": "AWS::DynamoDB::Table", "Properties": {"BillingMode": "PAY_PER_REQUEST",
"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}}}}`},
		tables: []string{"Aaa (pk:S) PAY_PER_REQUEST"}},
	{name: "a key that is there twice", files: map[string]string{"t.yaml": "Resources:\n  Aaa:\n" +
		"    Type: AWS::DynamoDB::Table\n    Type: AWS::DynamoDB::Table\n    Properties: {" + pk +
		", BillingMode: PAY_PER_REQUEST}"}, tables: []string{"Aaa (pk:S) PAY_PER_REQUEST"},
		notes: []string{"t.yaml:3: Type is there twice: the last one counts, on line 4"}},
	{name: "a key that is there twice in JSON", files: map[string]string{"t.json": `{"Resources": {},
"Resources": {"Aaa": {"Type": "AWS::S3::Bucket"}}}`},
		notes: []string{"t.json:1: Resources is there twice: the last one counts, on line 2"}},
	{name: "globals of SAM", files: map[string]string{"t.yaml": "Globals: {SimpleTable: {SSESpecification: {SSEEnabled: true}}}\n" +
		"Resources:\n  Aaa: {Type: AWS::Serverless::SimpleTable}"},
		tables: []string{"Aaa (id:S) PAY_PER_REQUEST encrypted"}},
	{name: "a key of SAM", files: map[string]string{"t.yaml": "Resources:\n  Aaa: {Type: AWS::Serverless::SimpleTable, " +
		"Properties: {PrimaryKey: {Name: n, Type: Boolean}}}"},
		notes: []string{`t.yaml:2: Aaa: the table is left out: PrimaryKey.Type is String, Number or Binary, and not "Boolean"`}},
	{name: "a short name", files: map[string]string{"shop.yaml": "Resources:\n  T: " +
		dynamo("TableClass: STANDARD")},
		tables: []string{"shop-T (pk:S) PAY_PER_REQUEST"}},
	{name: "one bad tag", files: map[string]string{"t.yaml": "Resources:\n  Aaa: " +
		dynamo("\n    Tags: [{Key: a, Value: b},\n      {Key: c, Value: !ImportValue x}]")},
		tables: []string{"Aaa (pk:S) PAY_PER_REQUEST a=b"}, notes: []string{
			"t.yaml:4: Aaa.Tags[1].Value: Fn::ImportValue cannot be resolved here",
			"t.yaml:4: Aaa.Tags[1]: is left out"}},
	{name: "a bad index", files: map[string]string{"t.yaml": "Resources:\n  Aaa: " +
		dynamo("\n    GlobalSecondaryIndexes: [{IndexName: !ImportValue x, KeySchema: [{AttributeName: pk, KeyType: HASH}], Projection: {ProjectionType: ALL}}]")},
		tables: []string{"Aaa (pk:S) PAY_PER_REQUEST"}, notes: []string{
			"t.yaml:3: Aaa.GlobalSecondaryIndexes[0].IndexName: Fn::ImportValue cannot be resolved here",
			"t.yaml:3: Aaa.GlobalSecondaryIndexes[0]: is left out"}},
	{name: "a bad key", files: map[string]string{"t.yaml": "Resources:\n  Aaa: {Type: AWS::DynamoDB::Table, " +
		"Properties: {KeySchema: [{AttributeName: !ImportValue x, KeyType: HASH}]}}"}, notes: []string{
		"t.yaml:2: Aaa.KeySchema[0].AttributeName: Fn::ImportValue cannot be resolved here",
		"t.yaml:2: Aaa.KeySchema[0]: is left out",
		"t.yaml:2: Aaa: the table is left out: its key is unknown"}},
	{name: "a stack within the stack", files: map[string]string{
		"t.yaml": "Parameters: {Stage: {Type: String, Default: dev}}\nResources:\n  Inner: {Type: AWS::CloudFormation::Stack, " +
			"Properties: {TemplateURL: ./inner.yaml, Parameters: {Name: !Sub 'a-${Stage}'}}}",
		"inner.yaml": "Parameters: {Name: {Type: String}}\nResources:\n  Aaa: " + dynamo("TableName: !Ref Name")},
		paths: []string{"t.yaml"}, tables: []string{"a-dev (pk:S) PAY_PER_REQUEST"}},
	{name: "an output of a stack within the stack", files: map[string]string{
		"t.yaml": "Resources:\n  Aaa: " + dynamo("TableName: !Sub '${Inner.Outputs.Name}-a'") +
			"\n  Bbb: " + dynamo("TableName: !GetAtt Inner.Outputs.None") +
			"\n  Inner: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: inner.yaml}}",
		"inner.yaml": "Outputs: {Name: {Value: !Ref Own}}\nResources:\n  Own: " + dynamo("TableName: own")},
		paths:  []string{"t.yaml"},
		tables: []string{"own (pk:S) PAY_PER_REQUEST", "own-a (pk:S) PAY_PER_REQUEST"},
		notes:  []string{"t.yaml:3: Bbb: the table is left out: its name is unknown: the stack Inner: there is no output None"}},
	{name: "stacks that wait for each other", files: map[string]string{
		"t.yaml": "Resources:\n  Aaa: " + dynamo("TableName: !Sub '${Inner.Outputs.Name}-a'") +
			"\n  Inner: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: inner.yaml, " +
			"Parameters: {Of: !Ref Aaa}}}",
		"inner.yaml": "Parameters: {Of: {Type: String}}\nOutputs: {Name: {Value: !Ref Of}}\n" +
			"Resources: {R: {Type: AWS::IAM::Role}}"},
		paths: []string{"t.yaml"}, notes: []string{
			"t.yaml:3: Inner.Of: a circle: resource Aaa refers to stack Inner refers to resource Aaa",
			"t.yaml:2: Aaa: the table is left out: its name is unknown: the stack Inner: the output Name: the parameter Of has no value: give it with --parameter Of=VALUE"}},
	{name: "loops", files: map[string]string{"t.yaml": `Transform: AWS::LanguageExtensions
Parameters: {Names: {Type: CommaDelimitedList, Default: "orders,stock.eu"}}
Resources:
  Fn::ForEach::Tables:
    - Name
    - !Ref Names
    - Table&{Name}:
        Type: AWS::DynamoDB::Table
        Properties:
          TableName: !Sub "${AWS::Region}-${Name}"
          BillingMode: PAY_PER_REQUEST
          KeySchema: [{AttributeName: pk, KeyType: HASH}]
          AttributeDefinitions: [{AttributeName: pk, AttributeType: S}]
          Tags: [{Key: of, Value: !Ref Name}, {Key: own, Value: !ImportValue "${Name}"}]
  Fn::ForEach::Stages:
    - Stage
    - [a, b]
    - Fn::ForEach::Inner:
        - N
        - ["1"]
        - ${Stage}${N}: {Type: AWS::DynamoDB::Table, Properties: {TableName: !Join [-, [t, !Ref Stage, !Ref N]], KeySchema: [{AttributeName: pk, KeyType: HASH}]}}
  Fn::ForEach::Bad: [X, !ImportValue list, {"T${X}": {Type: AWS::DynamoDB::Table}}]
`}, tables: []string{"eu-west-1-orders (pk:S) PAY_PER_REQUEST of=orders",
		"eu-west-1-stock.eu (pk:S) PAY_PER_REQUEST of=stock.eu", "t-a-1 (pk) PROVISIONED", "t-b-1 (pk) PROVISIONED"},
		notes: []string{"t.yaml:14: Tableorders.Tags[1].Value: Fn::ImportValue cannot be resolved here",
			"t.yaml:14: Tableorders.Tags[1]: is left out",
			"t.yaml:14: Tablestockeu.Tags[1].Value: Fn::ImportValue cannot be resolved here",
			"t.yaml:14: Tablestockeu.Tags[1]: is left out",
			"t.yaml:22: Resources.Fn::ForEach::Bad: is left out: Fn::ImportValue cannot be resolved here"}},
	{name: "an application of SAM", files: map[string]string{
		"t.yaml": "Resources:\n  Inner: {Type: AWS::Serverless::Application, Properties: {Location: inner.yaml}}\n" +
			"  Other: {Type: AWS::Serverless::Application, Properties: {Location: {ApplicationId: x}}}",
		"inner.yaml": "Resources:\n  Aaa: " + dynamo("TableName: ttt")},
		paths: []string{"t.yaml"}, tables: []string{"ttt (pk:S) PAY_PER_REQUEST"},
		notes: []string{"t.yaml:3: Other: is left out: its template is no file beside this one"}},
	{name: "loops without the transform", files: map[string]string{"t.yaml": "Resources:\n" +
		"  Fn::ForEach::Tables: [N, [aaa, bbb], {'T${N}': " + dynamo("TableName: !Ref N") + "}]\n" +
		"  Other: " + dynamo("TableName: ccc")}, paths: []string{"t.yaml"},
		tables: []string{"ccc (pk:S) PAY_PER_REQUEST"}, notes: []string{
			"t.yaml:1: Resources: Fn::ForEach needs Transform: AWS::LanguageExtensions",
			"t.yaml:2: Fn::ForEach::Tables: cannot be resolved here"}},
	{name: "what else changes tables", files: map[string]string{"t.yaml": "Transform: MyMacro\nResources:\n" +
		"  Scale: {Type: AWS::ApplicationAutoScaling::ScalableTarget, Properties: {ServiceNamespace: dynamodb}}\n" +
		"  Other: {Type: AWS::DynamoDB::Thing}\n  Role: {Type: AWS::IAM::Role}\nColour: red"}, notes: []string{
		"t.yaml:6: Colour: is not read", "t.yaml:1: Transform: MyMacro is not run",
		"t.yaml:4: Other: AWS::DynamoDB::Thing is not read",
		"t.yaml:3: Scale: AWS::ApplicationAutoScaling::ScalableTarget is not read"}},
	{name: "a replica of the CDK", files: map[string]string{"t.yaml": "Resources:\n  Aaa: " +
		dynamo("TableName: aaa") +
		"\n  Replica: {Type: Custom::DynamoDBReplica, Properties: {TableName: !Ref Aaa, Region: us-east-1, ServiceToken: x}}"},
		tables: []string{"aaa (pk:S) PAY_PER_REQUEST stream NEW_AND_OLD_IMAGES replicas us-east-1"}},
	{name: "a table of Amplify", files: map[string]string{"t.yaml": `Resources:
  Aaa:
    Type: Custom::AmplifyDynamoDBTable
    Properties:
      ServiceToken: x
      tableName: Todo
      attributeDefinitions: [{attributeName: id, attributeType: S}]
      keySchema: [{attributeName: id, keyType: HASH}]
      billingMode: PAY_PER_REQUEST
      streamSpecification: {streamViewType: NEW_AND_OLD_IMAGES}
      sseSpecification: {sseEnabled: true}
      allowDestructiveGraphqlSchemaUpdates: true
      colour: red
`}, tables: []string{"Todo (id:S) PAY_PER_REQUEST stream NEW_AND_OLD_IMAGES encrypted"},
		notes: []string{"t.yaml:13: Aaa.colour: is not read"}},
	{name: "a replica without a region", files: map[string]string{"t.yaml": "Resources:\n  Aaa:\n    Type: AWS::DynamoDB::GlobalTable\n" +
		"    Properties:\n      BillingMode: PAY_PER_REQUEST\n      TableName: ggg\n      " + strings.Replace(pk, ", KeySchema", "\n      KeySchema", 1) +
		"\n      Replicas:\n        - Region: eu-west-1\n        - Region: !ImportValue x\n"},
		tables: []string{"ggg (pk:S) PAY_PER_REQUEST"}, notes: []string{
			"t.yaml:11: Aaa.Replicas[1].Region: Fn::ImportValue cannot be resolved here",
			"t.yaml:11: Aaa.Replicas[1]: is left out"}},
	{name: "stacks of the CDK in two regions", files: map[string]string{
		"manifest.json": `{"artifacts": {"A": {"type": "aws:cloudformation:stack", "environment": "aws://1/eu-west-1", "properties": {"templateFile": "A.template.json"}},
			"B": {"type": "aws:cloudformation:stack", "environment": "aws://1/us-east-1", "properties": {"templateFile": "B.template.json"}}}}`,
		"A.template.json": cdkTable, "B.template.json": cdkTable}, paths: []string{""},
		tables: []string{"Table1 (id:S) PAY_PER_REQUEST", "Table1 (id:S) PAY_PER_REQUEST in us-east-1"}},
	{name: "a stack within the stack by its asset", files: map[string]string{
		"manifest.json": `{"artifacts": {"A": {"type": "aws:cloudformation:stack", "properties": {"templateFile": "A.template.json"}}}}`,
		"A.template.json": `{"Resources": {"Nest": {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL":
{"Fn::Join": ["", ["https://s3.us-east-1.", {"Ref": "AWS::URLSuffix"}, "/cdk-assets/d29f92e7.json"]]}}}}}`,
		"A.assets.json":          `{"files": {"d29f92e7": {"source": {"path": "N.nested.template.json"}}}}`,
		"N.nested.template.json": cdkTable}, paths: []string{""},
		tables: []string{"Table1 (id:S) PAY_PER_REQUEST"}},
	{name: "a stack within the stack by its metadata", files: map[string]string{
		"manifest.json": `{"artifacts": {"A": {"type": "aws:cloudformation:stack", "properties": {"templateFile": "A.template.json"}}}}`,
		"A.template.json": `{"Resources": {"Nest": {"Type": "AWS::CloudFormation::Stack", "Metadata": {"aws:asset:path": "N.nested.template.json"},
"Properties": {"TemplateURL": {"Fn::ImportValue": "x"}}}}}`,
		"N.nested.template.json": cdkTable}, paths: []string{""},
		tables: []string{"Table1 (id:S) PAY_PER_REQUEST"}},
	{name: "what boto3 prints", files: map[string]string{"t.json": `{"Table": {"TableName": "ttt", "TableStatus": "ACTIVE",
"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
"ItemCount": 3, "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"}},
"ResponseMetadata": {"HTTPStatusCode": 200}}`}, others: []string{"t.json"}},
	{name: "a mapping and a condition", files: map[string]string{"t.yaml": `Mappings: {Stages: {dev: {Units: 3}}}
Parameters: {Stage: {Type: String, Default: dev}}
Conditions: {IsProd: !Equals [!Ref Stage, prod], NotProd: !Not [!Condition IsProd]}
Resources:
  Aaa:
    Type: AWS::DynamoDB::Table
    Properties:
      KeySchema: [{AttributeName: pk, KeyType: HASH}]
      AttributeDefinitions: [{AttributeName: pk, AttributeType: S}]
      BillingMode: !If [IsProd, PAY_PER_REQUEST, PROVISIONED]
      ProvisionedThroughput:
        ReadCapacityUnits: !FindInMap [Stages, !Ref Stage, Units]
        WriteCapacityUnits: !FindInMap [Stages, none, Units, {DefaultValue: 9}]
      StreamSpecification: !If [IsProd, {StreamViewType: KEYS_ONLY}, !Ref AWS::NoValue]
  Bbb: {Type: AWS::DynamoDB::Table, Condition: IsProd, Properties: {}}
`}, tables: []string{"Aaa (pk:S) PROVISIONED 3/9"}},
	{name: "replicas of the CDK's TableV2", files: map[string]string{"t.json": `{"Resources": {"V2": {"Type": "AWS::DynamoDB::GlobalTable",
"Properties": {"TableName": "vvv", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "GlobalSecondaryIndexes": [{"IndexName": "ggg",
  "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}, "WriteOnDemandThroughputSettings": {"MaxWriteRequestUnits": 4}}],
"WriteOnDemandThroughputSettings": {"MaxWriteRequestUnits": 11}, "StreamSpecification": {"StreamViewType": "NEW_AND_OLD_IMAGES"},
"Replicas": [{"Region": "us-west-2", "GlobalSecondaryIndexes": [{"IndexName": "ggg"}]},
{"Region": "eu-west-1", "ReadOnDemandThroughputSettings": {"MaxReadRequestUnits": 10},
 "GlobalSecondaryIndexes": [{"IndexName": "ggg", "ReadOnDemandThroughputSettings": {"MaxReadRequestUnits": 3}}, {"IndexName": "none"}]},
{"Region": "us-east-1", "DeletionProtectionEnabled": true, "TableClass": "STANDARD_INFREQUENT_ACCESS",
 "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": true}, "Tags": [{"Key": "a", "Value": "b"}],
 "ReadOnDemandThroughputSettings": {"MaxReadRequestUnits": 9}, "SSESpecification": {"KMSMasterKeyId": "k"},
 "GlobalSecondaryIndexes": [{"IndexName": "ggg", "ReadOnDemandThroughputSettings": {"MaxReadRequestUnits": 2}, "ContributorInsightsSpecification": {"Enabled": true}}]}]}}}}`},
		tables: []string{"vvv (pk:S) PAY_PER_REQUEST at most 10/11 gsi ggg (pk) ALL at most 3/4 " +
			"stream NEW_AND_OLD_IMAGES replicas us-west-2,us-east-1 " +
			"override us-east-1 STANDARD_INFREQUENT_ACCESS key k at most 9 gsi ggg at most 2 " +
			"in us-east-1: protected true pitr true a=b insights \"ggg\" true"},
		notes: []string{"t.json:1: V2.Replicas[eu-west-1]: none is left out: there is no such index"}},
	{name: "one logical name in two stacks", files: map[string]string{
		"manifest.json": `{"artifacts": {"A": {"type": "aws:cloudformation:stack", "properties": {"templateFile": "A.template.json"}},
			"B": {"type": "aws:cloudformation:stack", "properties": {"templateFile": "B.template.json", "stackName": "bee"}}}}`,
		"A.template.json": cdkTable, "B.template.json": cdkTable}, paths: []string{""},
		tables: []string{"Table1 (id:S) PAY_PER_REQUEST", "bee-Table1 (id:S) PAY_PER_REQUEST"}},
	{name: "a stage of the CDK", files: map[string]string{
		"manifest.json":                   `{"artifacts": {"Prod": {"type": "cdk:cloud-assembly", "properties": {"directoryName": "assembly-Prod"}}}}`,
		"assembly-Prod/manifest.json":     `{"artifacts": {"S": {"type": "aws:cloudformation:stack", "properties": {"templateFile": "S.template.json"}}}}`,
		"assembly-Prod/S.template.json":   cdkTable,
		"assembly-Prod/X.nested.template": "{}"}, paths: []string{""},
		tables: []string{"Table1 (id:S) PAY_PER_REQUEST"}},
}

const cdkTable = `{"Resources": {"Table1": {"Type": "AWS::DynamoDB::Table", "Properties": {"BillingMode": "PAY_PER_REQUEST",
"KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}]}}}}`

var serverlessFiles = []corpusCase{
	{name: "resources from a file", files: map[string]string{
		"serverless.yml": "service: s\nresources: ${file(res/all.yml)}",
		"res/all.yml":    "Resources:\n  Aaa: " + dynamo("TableName: 's-${sls:stage}'")},
		paths: []string{"serverless.yml"}, tables: []string{"s-dev (pk:S) PAY_PER_REQUEST"}},
	{name: "a list of files", files: map[string]string{
		"serverless.yml": "service: s\nresources:\n  - ${file(a.yml)}\n  - Resources: ${file(b.yml):Resources}\n  - ${file(none.yml)}",
		"a.yml":          "Resources:\n  Aaa: " + dynamo("TableName: aaa"),
		"b.yml":          "Resources:\n  Bbb: " + dynamo("TableName: bbb, Colour: red")},
		paths: []string{"serverless.yml"}, tables: []string{"aaa (pk:S) PAY_PER_REQUEST",
			"bbb (pk:S) PAY_PER_REQUEST"},
		notes: []string{"serverless.yml:5: resources[2]: is left out: open none.yml: no such file or directory",
			"b.yml:2: Bbb.Colour: is not read"}},
	{name: "one resource from a file", files: map[string]string{
		"serverless.yml": "service: s\nresources:\n  Resources:\n    Aaa: ${file(a.json):table}\n    Bbb: ${file(b.js):x}",
		"a.json":         `{"table": {"Type": "AWS::DynamoDB::Table", "Properties": {"TableName": "aaa", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}}}`},
		paths: []string{"serverless.yml"}, tables: []string{"aaa (pk) PROVISIONED"},
		notes: []string{"serverless.yml:5: Bbb: is left out: ${file(b.js):x} cannot be resolved here"}},
	{name: "a stage that is a variable", files: map[string]string{"serverless.yml": "service: s\nprovider: {stage: \"${opt:stage, 'test'}\"}\n" +
		"resources: {Resources: {Aaa: " + dynamo("TableName: '${self:service}-${sls:stage}-${self:provider.stage}'") + "}}"},
		tables: []string{"s-test-test (pk:S) PAY_PER_REQUEST"}},
	{name: "parameters of stages", files: map[string]string{"serverless.yml": "service: s\nparams: {default: {units: 1, name: nnn}, dev: {units: 2}}\n" +
		"resources: {Resources: {Aaa: " + dynamo("TableName: '${param:name}-${param:units}'") + "}}"},
		tables: []string{"nnn-2 (pk:S) PAY_PER_REQUEST"}},
	{name: "stages of version 4", files: map[string]string{"serverless.yml": "service: s\nstages: {default: {params: {name: nnn}}}\n" +
		"resources: {Resources: {Aaa: " + dynamo("TableName: '${param:name}'") + "}}"},
		tables: []string{"nnn (pk:S) PAY_PER_REQUEST"}},
	{name: "an index and a boolean", files: map[string]string{"serverless.yml": "service: s\ncustom: {names: [aaa, bbb], on: 'true'}\n" +
		"resources: {Resources: {Aaa: " + dynamo("TableName: '${self:custom.names.1}', DeletionProtectionEnabled: '${strToBool(${self:custom.on})}'") + "}}"},
		tables: []string{"bbb (pk:S) PAY_PER_REQUEST protected"}},
	{name: "an option without a value", files: map[string]string{"serverless.yml": "service: s\n" +
		"resources: {Resources: {Aaa: " + dynamo("TableName: '${opt:name}'") + "}}"},
		notes: []string{"serverless.yml:2: Aaa: the table is left out: its name is unknown: ${opt:name} has no value: give it with --parameter name=VALUE"}},
	{name: "tags of the stack", files: map[string]string{"serverless.yml": "service: s\nprovider: {stackTags: {team: a}}\n" +
		"resources: {Resources: {Aaa: " + dynamo("TableName: aaa") + "}}"},
		tables: []string{"aaa (pk:S) PAY_PER_REQUEST team=a"}},
	{name: "extensions", files: map[string]string{"serverless.yml": "service: s\nresources:\n  extensions:\n" +
		"    Aaa: {DeletionPolicy: Retain, Properties: {TableName: bbb,\n      Colour: red}}\n    None: {Properties: {}}\n" +
		"  Resources: {Aaa: " + dynamo("TableName: aaa, DeletionProtectionEnabled: true") + "}"},
		tables: []string{"bbb (pk:S) PAY_PER_REQUEST protected"}, notes: []string{
			"serverless.yml:6: resources.extensions.None: is left out: there is no such resource",
			"serverless.yml:5: Aaa.Colour: is not read"}},
	{name: "extensions without a value", files: map[string]string{"serverless.yml": "" +
		"service: s\nresources:\n" +
		"  extensions: ${self:custom.none}\n  Resources: {Aaa: " + dynamo("TableName: aaa") + "}"},
		tables: []string{"aaa (pk:S) PAY_PER_REQUEST"}, notes: []string{
			"serverless.yml:3: resources.extensions: is left out: ${self:custom.none} cannot be resolved here"}},
	{name: "words in a file of resources", files: map[string]string{
		"serverless.yml": "service: s\nresources: ${file(r.yml)}",
		"r.yml":          "Resources:\n  Aaa: " + dynamo("TableName: aaa, DeletionProtectionEnabled: yes")},
		paths: []string{"serverless.yml"}, tables: []string{"aaa (pk:S) PAY_PER_REQUEST"},
		notes: []string{`r.yml:2: Aaa.DeletionProtectionEnabled: want true or false, not "yes"`}},
	{name: "variables in .env", files: map[string]string{
		"serverless.yml": "service: s\nuseDotenv: true\n" +
			"resources: {Resources: {Aaa: " + dynamo("TableName: '${env:NAME}-${env:OTHER}'") + "}}",
		".env": "# names\nexport NAME='nnn'\nOTHER=\"ooo\"\n", ".env.dev": "OTHER=dev\n"},
		paths: []string{"serverless.yml"}, tables: []string{"nnn-dev (pk:S) PAY_PER_REQUEST"}},
	{name: "words in serverless.yml", files: map[string]string{"serverless.yml": "service: s\ncustom: {on: yes}\n" +
		"resources: {Resources: {Aaa: " + dynamo("TableName: 't-${self:custom.on}'") + "}}"},
		tables: []string{"t-yes (pk:S) PAY_PER_REQUEST"}},
}

var terraformDirs = []corpusCase{
	{name: "a replica", files: map[string]string{"main.tf": hclTable("t", "  name = \"ttt\"\n  tags = { a = \"b\" }\n"+
		"  stream_enabled = true\n  stream_view_type = \"NEW_AND_OLD_IMAGES\"\n  replica {\n"+
		"    region_name = \"us-east-1\"\n    point_in_time_recovery = true\n    propagate_tags = true\n"+
		"    deletion_protection_enabled = true\n    kms_key_arn = \"k\"\n  }")},
		paths: []string{""}, tables: []string{"ttt (pk:S) PAY_PER_REQUEST stream NEW_AND_OLD_IMAGES a=b " +
			"replicas us-east-1 override us-east-1  key k in us-east-1: protected true pitr true a=b"}},
	{name: "a state", files: map[string]string{"s.json": `{"format_version": "1.0", "values": {"root_module": {"resources": [
{"address": "aws_dynamodb_table.t", "mode": "managed", "type": "aws_dynamodb_table", "name": "t", "values": {"name": "ttt", "billing_mode": "PAY_PER_REQUEST",
"hash_key": "pk", "attribute": [{"name": "pk", "type": "S"}], "ttl": [{"attribute_name": "x", "enabled": true}], "tags": {"a": "b"}}},
{"address": "aws_s3_bucket.b", "mode": "managed", "type": "aws_s3_bucket", "name": "b", "values": {}}]}}}`},
		tables: []string{"ttt (pk:S) PAY_PER_REQUEST ttl x true a=b"}},
	{name: "a local module", files: map[string]string{
		"main.tf": "module \"m\" {\n  source = \"./mod\"\n  for_each = toset([\"a\", \"b\"])\n  name = \"n-${each.key}\"\n  other = 1\n}\n" +
			hclTable("t", "  name = \"t-${module.m[\"a\"].name}\""),
		"mod/main.tf": "variable \"name\" {}\noutput \"name\" {\n  value = aws_dynamodb_table.x.name\n}\n" + hclTable("x", "  name = var.name")},
		paths: []string{""}, tables: []string{"n-a (pk:S) PAY_PER_REQUEST",
			"n-b (pk:S) PAY_PER_REQUEST", "t-n-a (pk:S) PAY_PER_REQUEST"},
		notes: []string{"main.tf:5: module.m.other: is left out: the module has no such variable"}},
	{name: "a module of a registry", files: map[string]string{
		"main.tf":                         "module \"m\" {\n  source = \"a/b/aws\"\n}\nmodule \"n\" {\n  source = \"c/d/aws\"\n}\n",
		".terraform/modules/modules.json": `{"Modules": [{"Key": "", "Source": "", "Dir": "."}, {"Key": "m", "Source": "registry.terraform.io/a/b/aws", "Dir": ".terraform/modules/m"}]}`,
		".terraform/modules/m/main.tf":    hclTable("x", "  name = \"xxx\"")},
		paths: []string{""}, tables: []string{"xxx (pk:S) PAY_PER_REQUEST"},
		notes: []string{`main.tf:4: module.n: is left out: the module "c/d/aws" is not there: "terraform init" installs it`}},
	{name: "JSON", files: map[string]string{"main.tf.json": `{"variable": {"env": {"type": "string", "default": "dev"}},
"resource": {"aws_dynamodb_table": {"t": {"name": "t-${var.env}", "billing_mode": "PAY_PER_REQUEST", "hash_key": "pk",
  "attribute": [{"name": "pk", "type": "S"}], "ttl": {"attribute_name": "x", "enabled": true},
  "colour": "red"}}}}`}, tables: []string{"t-dev (pk:S) PAY_PER_REQUEST ttl x true"},
		notes: []string{"main.tf.json:4: aws_dynamodb_table.t.colour: is not read"}},
	{name: "files of variables", files: map[string]string{
		"main.tf":          "variable \"a\" {}\nvariable \"b\" {}\nvariable \"c\" {}\n" + hclTable("t", "  name = \"${var.a}-${var.b}-${var.c}\""),
		"terraform.tfvars": "a = \"1\"\nb = \"1\"\nc = \"1\"\n", "terraform.tfvars.json": `{"b": "2", "c": "2"}`,
		"x.auto.tfvars.json": `{"c": "3"}`, "other.tfvars": "a = \"9\""},
		paths: []string{""}, tables: []string{"1-2-3 (pk:S) PAY_PER_REQUEST"}},
	{name: "an override", files: map[string]string{
		"main.tf":           hclTable("t", "  name = \"ttt\"\n  tags = { a = \"b\" }"),
		"main_override.tf":  "resource \"aws_dynamodb_table\" \"t\" {\n  name = \"over\"\n  attribute {\n    name = \"pk\"\n    type = \"N\"\n  }\n}\n",
		"other_override.tf": "resource \"aws_dynamodb_table\" \"none\" {}\n"},
		paths: []string{""}, tables: []string{"over (pk:N) PAY_PER_REQUEST a=b"},
		notes: []string{"other_override.tf:1: aws_dynamodb_table.none: is left out: there is nothing that it overrides"}},
	{name: "OpenTofu", files: map[string]string{"main.tf": hclTable("t", "  name = \"no\""),
		"main.tofu": hclTable("t", "  name = \"tofu\"")},
		paths: []string{""}, tables: []string{"tofu (pk:S) PAY_PER_REQUEST"}},
	{name: "optional attributes", files: map[string]string{"main.tf": "variable \"tables\" {\n  type = map(object({ name = string, protect = optional(bool, true) }))\n" +
		"  default = { a = { name = \"aaa\" }, b = { name = \"bbb\", protect = false } }\n}\n" +
		hclTable("t", "  for_each = var.tables\n  name = each.value.name\n  deletion_protection_enabled = each.value.protect")},
		tables: []string{"aaa (pk:S) PAY_PER_REQUEST protected", "bbb (pk:S) PAY_PER_REQUEST"}},
	{name: "tags of the provider", files: map[string]string{"main.tf": "provider \"aws\" {\n  default_tags {\n    tags = { team = \"a\", own = \"no\" }\n  }\n}\n" +
		hclTable("t", "  name = \"ttt\"\n  tags = { own = \"yes\" }")}, tables: []string{"ttt (pk:S) PAY_PER_REQUEST own=yes team=a"}},
	{name: "regions", files: map[string]string{"main.tf": "provider \"aws\" {\n  region = \"us-west-1\"\n}\nprovider \"aws\" {\n  alias = \"east\"\n  region = \"us-east-1\"\n}\n" +
		hclTable("t", "  name = \"ttt\"") + hclTable("u", "  name = \"ttt\"\n  provider = aws.east") + hclTable("v", "  name = \"ttt\"\n  region = \"ap-south-1\"")},
		tables: []string{"ttt (pk:S) PAY_PER_REQUEST", "ttt (pk:S) PAY_PER_REQUEST in us-east-1", "ttt (pk:S) PAY_PER_REQUEST in ap-south-1"}},
	{name: "a map for a variable", files: map[string]string{"main.tf": "variable \"given_tags\" {\n  type = map(string)\n}\n" +
		hclTable("t", "  name = \"ttt\"\n  tags = var.given_tags")}, tables: []string{"ttt (pk:S) PAY_PER_REQUEST a=b"}},
	{name: "a variable without a value", files: map[string]string{"main.tf": "variable \"none\" {}\nlocals {\n  n = \"x-${var.none}\"\n}\n" +
		hclTable("t", "  name = local.n")}, notes: []string{
		"main.tf:12: aws_dynamodb_table.t.name: the variable none has no value: give it with --parameter none=VALUE",
		"main.tf:5: aws_dynamodb_table.t: the table is left out: its name is unknown"}},
	{name: "an unknown key", files: map[string]string{"main.tf": "resource \"aws_dynamodb_table\" \"t\" {\n  name = \"ttt\"\n  hash_key = \"a\"\n  range_key = data.x.y.z\n}\n"},
		notes: []string{"main.tf:4: aws_dynamodb_table.t.range_key: data.x.y cannot be resolved here",
			"main.tf:1: aws_dynamodb_table.t: the table is left out: its range_key is unknown"}},
	{name: "an unknown index", files: map[string]string{"main.tf": hclTable("t", "  name = \"ttt\"\n  global_secondary_index {\n    name = data.x.y.z\n    hash_key = \"pk\"\n    projection_type = \"ALL\"\n  }")},
		tables: []string{"ttt (pk:S) PAY_PER_REQUEST"}, notes: []string{
			"main.tf:10: aws_dynamodb_table.t.global_secondary_index.name: data.x.y cannot be resolved here",
			"main.tf:9: aws_dynamodb_table.t.global_secondary_index: is left out"}},
	{name: "a bad tag", files: map[string]string{"main.tf": hclTable("t", "  name = \"ttt\"\n  tags = merge({ a = data.x.y.z }, { b = \"c\" })")},
		tables: []string{"ttt (pk:S) PAY_PER_REQUEST b=c"}, notes: []string{"main.tf:9: aws_dynamodb_table.t.tags.a: data.x.y cannot be resolved here"}},
	{name: "what else changes tables", files: map[string]string{"main.tf": "resource \"aws_appautoscaling_target\" \"t\" {\n  service_namespace = \"dynamodb\"\n}\n" +
		"resource \"awscc_dynamodb_table\" \"t\" {}\nthing \"x\" {}\n"}, notes: []string{
		"main.tf:1: aws_appautoscaling_target.t: is not read: only aws_dynamodb_table is",
		"main.tf:4: awscc_dynamodb_table.t: is not read: only aws_dynamodb_table is", "main.tf:5: thing.x: is not read"}},
	{name: "the caller", files: map[string]string{"main.tf": "data \"aws_region\" \"r\" {}\ndata \"aws_caller_identity\" \"c\" {}\n" +
		hclTable("t", "  name = \"${data.aws_region.r.name}-${data.aws_caller_identity.c.account_id}\"")},
		tables: []string{"eu-west-1-123456789012 (pk:S) PAY_PER_REQUEST"}},
	{name: "an unknown variable in a file", files: map[string]string{"main.tf": hclTable("t",
		"  name = \"ttt\""), "terraform.tfvars": "x = 1\n"},
		paths: []string{""}, tables: []string{"ttt (pk:S) PAY_PER_REQUEST"},
		notes: []string{"terraform.tfvars:1: x: is left out: there is no variable with this name"}},
}

// functionCases are expressions of Terraform with their values, as "terraform console" 1.11 prints
// them.
var functionCases = map[string]string{
	`coalesce("", "x")`: "x", `replace("aXbX", "/X/", "-")`: "a-b-",
	`replace("a.b", ".", "-")`: "a-b",
	`lookup({a = "b"}, "a")`:   "b", `lookup({}, "a", "z")`: "z", `length("héllo")`: "5",
	`length({a = 1, b = 2})`: "2", `index(["a", "b"], "b")`: "1", `try(local.none.x, "t")`: "t",
	`can({}.x)`: "false", `one(["a"])`: "a", `sum([1, 2])`: "3", `alltrue([true, false])`: "false",
	`anytrue([true, false])`: "true", `startswith("abc", "ab")`: "true",
	`endswith("abc", "ab")`: "false", `strcontains("abc", "b")`: "true",
	`base64decode(base64encode("x"))`: "x", `md5("a")`: "0cc175b9c0f1b6a831c399e269772661",
	`yamldecode("a: [1, b]").a[1]`: "b", `jsondecode("{\"a\":1}").a`: "1", `basename("a/b")`: "b",
	`join(",", matchkeys(["a", "b"], ["x", "y"], ["y"]))`: "b", `format("%03d", 7)`: "007",
	`join(",", [for k, v in transpose({a = ["x"]}) : k])`: "x", `nonsensitive("a")`: "a",
	`lookup({a = null}, "a", "z") == null`: "true", `coalesce(null, 1)`: "1",
	`cidrhost("10.0.0.0/8", 5)`:    "10.0.0.5",
	`cidrhost("fd00::/64", -1)`:    "fd00::ffff:ffff:ffff:ffff",
	`cidrnetmask("172.16.0.0/12")`: "255.240.0.0", `cidrsubnet("10.0.0.0/8", 8, 2)`: "10.2.0.0/16",
	`cidrsubnet("fd00::/56", 8, 3)`:                                "fd00:0:0:3::/64",
	`join(",", cidrsubnets("10.1.0.0/16", 4, 4, 8))`:               "10.1.0.0/20,10.1.16.0/20,10.1.32.0/24",
	`base64gzip("a")`:                                              "H4sIAAAAAAAA/0oEAAAA//8BAAD//0O+t+gBAAAA",
	`base64sha256("a")`:                                            "ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=",
	`filemd5("x.txt")`:                                             "9dd4e461268c8034f5c8564e155c67a6",
	`filesha256("x.txt")`:                                          "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
	`filebase64sha256("x.txt")`:                                    "LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=",
	`join(",", fileset(path.module, "**/*.txt"))`:                  "sub/b.txt,x.txt",
	`join(",", fileset(path.module, "{x,z}.txt"))`:                 "x.txt",
	`timecmp("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")`:      "-1",
	`timecmp("2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00")`: "0",
	`uuidv5("dns", "www.example.com")`:                             "2ed6657d-e927-568b-95e1-2665a8aea6a2",
	`uuidv5("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "a")`:          "4f3f2898-69e3-5a0d-820a-c4e87987dbce",
	`chomp(yamlencode("yes"))`:                                     `"yes"`, `yamldecode(yamlencode({a = [1]})).a[0]`: "1",
	`templatestring(local.template, {name = "n"})`: "a-n", `core::max(1, 2)`: "2",
	`abspath("/a/../b")`: "/b",
}

// terraformFunctions lists the functions that "terraform metadata functions" of 1.11 names.
const terraformFunctions = "abs abspath alltrue anytrue base64decode base64encode base64gzip base64sha256 " +
	"base64sha512 basename bcrypt can ceil chomp chunklist cidrhost cidrnetmask cidrsubnet " +
	"cidrsubnets coalesce coalescelist compact concat contains csvdecode dirname distinct " +
	"element endswith ephemeralasnull file filebase64 filebase64sha256 filebase64sha512 " +
	"fileexists filemd5 fileset filesha1 filesha256 filesha512 flatten floor format " +
	"formatdate formatlist indent index issensitive join jsondecode jsonencode keys length " +
	"log lookup lower matchkeys max md5 merge min nonsensitive one parseint pathexpand " +
	"plantimestamp pow range regex regexall replace reverse rsadecrypt sensitive " +
	"setintersection setproduct setsubtract setunion sha1 sha256 sha512 signum slice sort " +
	"split startswith strcontains strrev substr sum templatefile templatestring " +
	"textdecodebase64 textencodebase64 timeadd timecmp timestamp title tobool tolist tomap " +
	"tonumber toset tostring transpose trim trimprefix trimspace trimsuffix try upper " +
	"urlencode uuid uuidv5 values yamldecode yamlencode zipmap "

// TestFunctions: each function of Terraform is there, or its name leads to the reason why not.
func TestFunctions(t *testing.T) {
	all := tfFunctions{&tfModule{counter: counter{newReader(t.Context(), values())}}}.all()
	for name := range strings.FieldsSeq(terraformFunctions) {
		f, ok := all[name]
		require.True(t, ok, name)
		assert.Contains(t, all, "core::"+name)
		if reason, without := withoutValue[name]; without {
			_, err := f.Call([]cty.Value{cty.StringVal("x")})
			assert.EqualError(t, err, name+" has no value here: "+reason)
		}
	}
}

func TestCorpus(t *testing.T) {
	all := map[string][]corpusCase{"templates": templates, "serverless": serverlessFiles,
		"terraform": terraformDirs}
	for expression, value := range functionCases {
		all["functions"] = append(all["functions"], corpusCase{name: expression,
			files: map[string]string{"m.tf": "locals {\n  none = {}\n  template = \"a-$${name}\"\n}\n" +
				hclTable("t", "  name = \"ttt\"\n  tags = { v = "+expression+" }"), "x.txt": "x", "sub/b.txt": ""},
			paths:  []string{""},
			tables: []string{"ttt (pk:S) PAY_PER_REQUEST v=" + value}})
	}
	for kind, cases := range all {
		for _, c := range cases {
			t.Run(kind+"/"+c.name, func(t *testing.T) { testCorpus(t, c) })
		}
	}
}

func testCorpus(t *testing.T, c corpusCase) {
	dir := t.TempDir()
	for name, text := range c.files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		if c.paths == nil {
			c.paths = []string{name}
		}
	}
	for i := range c.paths {
		c.paths[i] = filepath.Join(dir, c.paths[i])
	}
	v := values()
	v.Parameters["given_tags"] = `{"a":"b"}`
	d, err := Read(t.Context(), v, c.paths...)
	require.NoError(t, err)
	var tables, notes []string
	for i := range d.Tables {
		text := line(&d.Tables[i])
		if d.Tables[i].Create.SSESpecification != nil {
			text += " encrypted"
		}
		if d.Tables[i].Region != "" {
			text += " in " + d.Tables[i].Region
		}
		tables = append(tables, text)
	}
	for _, n := range d.Notes {
		notes = append(notes, strings.ReplaceAll(n.String(), dir+string(filepath.Separator), ""))
	}
	for i := range d.Others {
		d.Others[i] = filepath.Base(d.Others[i])
	}
	assert.ElementsMatch(t, c.others, d.Others)
	assert.ElementsMatch(t, c.tables, tables)
	assert.ElementsMatch(t, c.notes, notes)
	if c.notes == nil {
		assert.NoError(t, d.Strict())
	} else {
		assert.Error(t, d.Strict())
	}
}
