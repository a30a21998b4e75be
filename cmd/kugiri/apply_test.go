package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

const appliedTemplate = `
Parameters: {Stage: {Type: String, Default: dev}}
Resources:
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !Sub "orders-${Stage}"
      AttributeDefinitions: [{AttributeName: pk, AttributeType: S}, {AttributeName: by, AttributeType: S}]
      KeySchema: [{AttributeName: pk, KeyType: HASH}]
      BillingMode: PAY_PER_REQUEST
      GlobalSecondaryIndexes: [{IndexName: by-who, KeySchema: [{AttributeName: by, KeyType: HASH}], Projection: {ProjectionType: ALL}}]
      TimeToLiveSpecification: {AttributeName: expires, Enabled: true}
      PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 7}
      StreamSpecification: {StreamViewType: NEW_IMAGE}
      DeletionProtectionEnabled: true
      Tags: [{Key: a, Value: b}]
      ContributorInsightsSpecification: {Enabled: true}
      ResourcePolicy:
        PolicyDocument:
          Version: "2012-10-17"
          Statement:
            Effect: Allow
            Principal: {AWS: "arn:aws:iam::111122223333:root"}
            Action: dynamodb:GetItem
            Resource: arn:aws:dynamodb:us-east-1:000000000000:table/orders-dev
`

const appliedVectors = `VectorIndexes:
        - IndexName: near
          VectorAttribute: {AttributeName: v}
          SearchSchema: [{AttributeName: by, SearchSchemaElementType: HASH}]
          Projection: {ProjectionType: KEYS_ONLY}
          Dimensions: 3
          DistanceFunction: COSINE`

// applyStep is a change of a template, from a text to another, and what apply does for it.
type applyStep struct {
	name, from, to string
	changes        []string
}

// TestApply changes a table step by step. Each definition, applied again, changes nothing.
func TestApply(t *testing.T) {
	apply := testApply(t, []applyStep{
		{"a new table", "", "",
			[]string{"create the table", "turn TTL by expires on", "turn point-in-time recovery on",
				"turn contributor insights on"}},
		{"another index", "by-who", "by-name",
			[]string{"delete the index by-who", "create the index by-name"}},
		{"another projection", "ProjectionType: ALL", "ProjectionType: KEYS_ONLY",
			[]string{"delete the index by-name", "create the index by-name"}},
		{"another view of the stream", "NEW_IMAGE", "KEYS_ONLY",
			[]string{"turn the stream off", "turn the stream on with KEYS_ONLY"}},
		{"another attribute of TTL", "expires", "gone",
			[]string{"turn TTL by expires off", "turn TTL by gone on"}},
		{"no TTL", "gone, Enabled: true", "gone, Enabled: false", []string{"turn TTL by gone off"}},
		{"another period of recovery", "RecoveryPeriodInDays: 7", "RecoveryPeriodInDays: 8",
			[]string{"turn point-in-time recovery on"}},
		{"no recovery", "RecoveryEnabled: true, RecoveryPeriodInDays: 8", "RecoveryEnabled: false",
			[]string{"turn point-in-time recovery off"}},
		{"other tags", "{Key: a, Value: b}", "{Key: c, Value: d}",
			[]string{"set tags", "remove the tags a"}},
		{"no protection", "DeletionProtectionEnabled: true", "DeletionProtectionEnabled: false",
			[]string{"turn deletion protection off"}},
		{"insights of throttled keys", "ContributorInsightsSpecification: {Enabled: true",
			"ContributorInsightsSpecification: {Enabled: true, Mode: THROTTLED_KEYS",
			[]string{"change contributor insights to THROTTLED_KEYS"}},
		{"insights of any mode", ", Mode: THROTTLED_KEYS", "", nil},
		{"no insights", "ContributorInsightsSpecification: {Enabled: true}",
			"ContributorInsightsSpecification: {Enabled: false}",
			[]string{"turn contributor insights off"}},
		{"another policy", "dynamodb:GetItem", "dynamodb:Query",
			[]string{"put the resource-based policy"}},
		{"another class", "BillingMode: PAY",
			"TableClass: STANDARD_INFREQUENT_ACCESS\n      BillingMode: PAY",
			[]string{"change the class to STANDARD_INFREQUENT_ACCESS"}},
		{"a limit", "BillingMode: PAY",
			"OnDemandThroughput: {MaxReadRequestUnits: 5}\n      BillingMode: PAY",
			[]string{"change the maximum throughput"}},
		{"a limit of an index", "IndexName: by-name,",
			"IndexName: by-name, OnDemandThroughput: {MaxReadRequestUnits: 5},",
			[]string{"change the maximum throughput of the index by-name"}},
		{"a warm table", "BillingMode: PAY",
			"WarmThroughput: {ReadUnitsPerSecond: 13000, WriteUnitsPerSecond: 4000}\n      BillingMode: PAY",
			[]string{"raise the warm throughput"}},
		{"a warm index", "IndexName: by-name,",
			"IndexName: by-name, WarmThroughput: {ReadUnitsPerSecond: 13000, WriteUnitsPerSecond: 4000},",
			[]string{"raise the warm throughput of the index by-name"}},
		{"a key of KMS", "BillingMode: PAY",
			"SSESpecification: {SSEEnabled: true, SSEType: KMS, KMSMasterKeyId: 11111111-2222-3333-4444-555555555555}\n      BillingMode: PAY",
			[]string{"turn encryption with a key of KMS on"}},
		{"another key of KMS", "11111111-2222", "99999999-2222",
			[]string{"change the key of KMS to 99999999-2222-3333-4444-555555555555"}},
		{"the same key by its ARN", "KMSMasterKeyId: ",
			"KMSMasterKeyId: arn:aws:kms:us-east-1:000000000000:key/", nil},
		{"a stream of Kinesis", "BillingMode: PAY",
			"KinesisStreamSpecification: {StreamArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/s'}\n      BillingMode: PAY",
			[]string{"send changes to arn:aws:kinesis:us-east-1:000000000000:stream/s"}},
		{"times in microseconds", "stream/s'",
			"stream/s', ApproximateCreationDateTimePrecision: MICROSECOND",
			[]string{"change the precision of times for arn:aws:kinesis:us-east-1:000000000000:stream/s to MICROSECOND"}},
		{"provisioned throughput and no index",
			"BillingMode: PAY_PER_REQUEST\n      GlobalSecondaryIndexes",
			"ProvisionedThroughput: {ReadCapacityUnits: 3, WriteCapacityUnits: 4}\n      Metadata",
			[]string{"delete the index by-name", "change the billing mode to PROVISIONED"}},
		{"more throughput", "WriteCapacityUnits: 4", "WriteCapacityUnits: 5",
			[]string{"change the provisioned throughput"}},
		{"no such settings", "DeletionProtectionEnabled: false", "", nil},
	})
	out, err := apply("--parameter", "Stage=x", "--format", "json", "--dry-run")
	require.NoError(t, err)
	assert.Contains(t, out,
		`{"table":"orders-x","source":"file:4: Orders","changes":["create the table"`)
}

// TestApplyVectorIndexes: a vector index becomes as the file has it. One that the file lacks stays.
func TestApplyVectorIndexes(t *testing.T) {
	testApply(t, []applyStep{
		{"a new table", "", "",
			[]string{"create the table", "turn TTL by expires on", "turn point-in-time recovery on",
				"turn contributor insights on"}},
		{"a vector index", "BillingMode: PAY", appliedVectors + "\n      BillingMode: PAY",
			[]string{"create the vector index near"}},
		{"a vector index of more numbers", "Dimensions: 3", "Dimensions: 4",
			[]string{"delete the vector index near", "create the vector index near"}},
		{"a vector index with another search", "ElementType: HASH", "ElementType: INLINE_FILTER",
			[]string{"delete the vector index near", "create the vector index near"}},
		{"no vector index", "VectorIndexes", "Metadata", nil},
	})
}

const replicatedTemplate = `
Resources:
  Orders:
    Type: AWS::DynamoDB::GlobalTable
    Properties:
      TableName: orders
      AttributeDefinitions: [{AttributeName: pk, AttributeType: S}]
      KeySchema: [{AttributeName: pk, KeyType: HASH}]
      BillingMode: PAY_PER_REQUEST
      StreamSpecification: {StreamViewType: NEW_AND_OLD_IMAGES}
      Replicas:
        - Region: us-east-1
        - Region: eu-west-1
          DeletionProtectionEnabled: true
          TableClass: STANDARD_INFREQUENT_ACCESS
          ReadOnDemandThroughputSettings: {MaxReadRequestUnits: 9}
          PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: true}
          Tags: [{Key: a, Value: b}]
          ContributorInsightsSpecification: {Enabled: true}
`

// TestApplyReplicas: a replica in another region has the settings that the file gives it, and the
// table here has its own.
func TestApplyReplicas(t *testing.T) {
	url := served(t, emulator.New().Handler())
	file := filepath.Join(t.TempDir(), "template.yaml")
	require.NoError(t, os.WriteFile(file, []byte(replicatedTemplate), 0o600))
	table, replica := "orders (file:3: Orders)\n", "orders (file:3: Orders.Replicas[eu-west-1])\n"
	changes := []string{"turn deletion protection on", "set tags",
		"turn point-in-time recovery on", "turn contributor insights on"}
	same := table + "  as defined already\n" + replica + "  as defined already\n"
	const own, none = "protected STANDARD_INFREQUENT_ACCESS", ""
	for _, step := range []struct {
		name  string
		args  []string
		out   string
		there string // what the replica has of its own
	}{
		{"would be made", []string{"--dry-run"},
			table + "  would create the table\n  would add a replica in eu-west-1\n" +
				replica + "  would " + strings.Join(changes, "\n  would ") + "\n", none},
		{"is made", nil, table + "  create the table\n  add a replica in eu-west-1\n" +
			replica + "  " + strings.Join(changes, "\n  ") + "\n", own},
		{"is there", nil, same, own},
		{"changes", nil, table + "  in eu-west-1: change the class to STANDARD, " +
			"the capacity for reads to 8\n" + replica + "  turn deletion protection off\n", none},
		{"is there again", nil, same, none},
	} {
		t.Run(step.name, func(t *testing.T) {
			if step.name == "changes" {
				text := strings.NewReplacer("STANDARD_INFREQUENT_ACCESS", "STANDARD",
					"ts: 9", "ts: 8", "tionEnabled: true\n", "tionEnabled: false\n").
					Replace(replicatedTemplate)
				require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			}
			out, _, err := runs(t,
				append([]string{"apply", "--endpoint", url, file}, step.args...)...)
			require.NoError(t, err)
			assert.Equal(t, step.out, strings.ReplaceAll(out, file, "file"))
			assert.Equal(t, none, ownSettings(t, url, "us-east-1"))
			assert.Equal(t, step.there, ownSettings(t, url, "eu-west-1"))
		})
	}
}

// ownSettings returns what the tables of a region have of what a replica in TestApplyReplicas may
// have of its own.
func ownSettings(t *testing.T, url, region string) string {
	t.Setenv("AWS_REGION", region)
	out, _, err := runs(t, "tables", "--endpoint", url, "--format", "cloudformation")
	require.NoError(t, err)
	var all []string
	for text, name := range map[string]string{"DeletionProtectionEnabled: true": "protected",
		"TableClass: STANDARD_INFREQUENT_ACCESS": "STANDARD_INFREQUENT_ACCESS"} {
		if strings.Contains(out, text) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	slices.Reverse(all)
	return strings.Join(all, " ")
}

// anyStream takes the records for all streams of Kinesis.
type anyStream struct{}

func (anyStream) CheckStream(context.Context, string) error { return nil }

func (anyStream) PutRecords(context.Context, string,
	[]emulator.KinesisRecord) ([]emulator.KinesisRecord, error) {
	return nil, nil
}

// testApply applies the template after each step: as a dry run, and twice.
func testApply(t *testing.T, steps []applyStep) (apply func(args ...string) (string, error)) {
	url := served(t, emulator.New(emulator.WithKinesis(anyStream{})).Handler())
	file := filepath.Join(t.TempDir(), "template.yaml")
	apply = func(args ...string) (string, error) {
		out, _, err := runs(t, append([]string{"apply", "--endpoint", url, file}, args...)...)
		return strings.ReplaceAll(out, file, "file"), err
	}
	text := appliedTemplate
	for _, c := range steps {
		require.True(t, t.Run(c.name, func(t *testing.T) {
			require.Contains(t, text, c.from)
			text = strings.Replace(text, c.from, c.to, 1)
			require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			none := "orders-dev (file:4: Orders)\n  as defined already\n"
			made, would := none, none
			if c.changes != nil {
				made = "orders-dev (file:4: Orders)\n  " + strings.Join(c.changes, "\n  ") + "\n"
				would = "orders-dev (file:4: Orders)\n  would " +
					strings.Join(c.changes, "\n  would ") + "\n"
			}
			for _, step := range []struct {
				args []string
				out  string
			}{{[]string{"--dry-run"}, would}, {nil, made}, {nil, none}} {
				out, err := apply(step.args...)
				require.NoError(t, err)
				assert.Equal(t, step.out, out, "%v", step.args)
			}
		}))
	}
	return apply
}

func TestApplyErrors(t *testing.T) {
	e := emulator.New()
	url := served(t, e.Handler())
	write := func(name, text string) string {
		file := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	_, _, err := runs(t, "apply", "--endpoint", url, write("t.yaml", appliedTemplate))
	require.NoError(t, err)
	otherKey := strings.NewReplacer("AttributeName: pk",
		"AttributeName: id").Replace(appliedTemplate)
	otherType := strings.NewReplacer("AttributeName: by, AttributeType: S",
		"AttributeName: by, AttributeType: N").Replace(appliedTemplate)
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"no file", nil, "name the files that define the tables"},
		{"a missing file", []string{"none.yaml"}, "none.yaml"},
		{"no tables", []string{write("t.yaml", "Resources: {}")}, "the files define no tables"},
		{"a parameter without a value",
			[]string{write("t.yaml", appliedTemplate), "--parameter", "Stage"},
			`parameter "Stage": want NAME=VALUE`},
		{"an unknown name",
			[]string{write("t.yaml", strings.Replace(appliedTemplate, ", Default: dev", "", 1))},
			"the table is left out: its name is unknown: the parameter Stage has no value: give it with --parameter Stage=VALUE"},
		{"another key", []string{write("t.yaml", otherKey)},
			"the key of the table orders-dev cannot change"},
		{"a tag without a key",
			[]string{write("t.yaml", strings.Replace(appliedTemplate, "Key: a, ", "", 1))},
			"Tags[0].Key"},
		{"a tag without a value",
			[]string{write("t.yaml", strings.Replace(appliedTemplate, ", Value: b", "", 1))},
			"Tags[0].Value"},
		{"another type", []string{write("t.yaml", otherType)},
			"the type of by in the table orders-dev cannot change from S to N"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, _, err := runs(t, append([]string{"apply", "--endpoint", url}, c.args...)...)
			require.ErrorContains(t, err, c.says)
			assert.NotContains(t, out, "create")
		})
	}
}

// TestApplySeeds applies files in the formats of seeds.
func TestApplySeeds(t *testing.T) {
	url := served(t, emulator.New().Handler())
	file := filepath.Join(t.TempDir(), "users.json")
	require.NoError(
		t, os.WriteFile(file, []byte(`{"TableName": "users", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}
		{"TableName": "users", "TimeToLiveSpecification": {"AttributeName": "t", "Enabled": true}}
		{"id": {"S": "1"}}`), 0o600))
	out, notes, err := runs(t, "apply", "--endpoint", url, file)
	require.NoError(t, err)
	assert.Equal(t, "users ("+file+":1)\n  create the table\n  turn TTL by t on\n", out)
	assert.Equal(t,
		file+": 1 item left out: \"kugiri import\" writes items, and --seed begins with them\n",
		notes)
}
