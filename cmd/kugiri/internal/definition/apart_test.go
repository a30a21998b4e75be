package definition

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholes are files that have nearly every member of their formats. irrelevant are parts of the
// paths of members that say nothing of a table, or whose values are named as a whole. After "="
// is the whole path of a member whose value is the default.
var wholes = []struct {
	name, file, text string
	irrelevant       []string
}{
	{"a template", "t.json", `{
"AWSTemplateFormatVersion": "2010-09-09", "Description": "d", "Transform": "AWS::Serverless-2016-10-31",
"Parameters": {"Stage": {"Type": "String", "Default": "dev"}},
"Mappings": {"Units": {"dev": {"read": 5}}}, "Conditions": {"Dev": {"Fn::Equals": [{"Ref": "Stage"}, "dev"]}},
"Globals": {"SimpleTable": {"SSESpecification": {"SSEEnabled": true}}},
"Outputs": {"Name": {"Value": {"Ref": "Orders"}}},
"Resources": {
"Simple": {"Type": "AWS::Serverless::SimpleTable", "Properties": {"TableName": "simple", "PrimaryKey": {"Name": "n", "Type": "Number"},
  "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6}, "Tags": {"a": "b"}}},
"Orders": {"Type": "AWS::DynamoDB::Table", "DeletionPolicy": "Retain", "UpdateReplacePolicy": "Retain", "DependsOn": "Simple",
 "Metadata": {"a": 1}, "Condition": "Dev", "Properties": {
  "TableName": {"Fn::Sub": "orders-${Stage}"}, "BillingMode": "PROVISIONED", "TableClass": "STANDARD_INFREQUENT_ACCESS",
  "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}],
  "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
  "ProvisionedThroughput": {"ReadCapacityUnits": {"Fn::FindInMap": ["Units", {"Ref": "Stage"}, "read"]}, "WriteCapacityUnits": 4},
  "OnDemandThroughput": {"MaxReadRequestUnits": 7, "MaxWriteRequestUnits": 8},
  "WarmThroughput": {"ReadUnitsPerSecond": 13000, "WriteUnitsPerSecond": 5000},
  "GlobalSecondaryIndexes": [{"IndexName": "g", "KeySchema": [{"AttributeName": "sk", "KeyType": "HASH"}],
    "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a", "b"]},
    "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2},
    "OnDemandThroughput": {"MaxReadRequestUnits": 7, "MaxWriteRequestUnits": 8},
    "WarmThroughput": {"ReadUnitsPerSecond": 13000, "WriteUnitsPerSecond": 5000},
    "ContributorInsightsSpecification": {"Enabled": true, "Mode": "THROTTLED_KEYS"}}],
  "LocalSecondaryIndexes": [{"IndexName": "l", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "Projection": {"ProjectionType": "KEYS_ONLY"}}],
  "StreamSpecification": {"StreamViewType": "NEW_IMAGE", "ResourcePolicy": {"PolicyDocument": "x"}},
  "SSESpecification": {"SSEEnabled": true, "SSEType": "KMS", "KMSMasterKeyId": "k"},
  "DeletionProtectionEnabled": true, "Tags": [{"Key": "team", "Value": "a"}],
  "TimeToLiveSpecification": {"AttributeName": "x", "Enabled": true},
  "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": true, "RecoveryPeriodInDays": 7},
  "ContributorInsightsSpecification": {"Enabled": true, "Mode": "THROTTLED_KEYS"},
  "KinesisStreamSpecification": {"StreamArn": "arn:x", "ApproximateCreationDateTimePrecision": "MICROSECOND"},
  "ResourcePolicy": {"PolicyDocument": {"Version": "2012-10-17", "Statement": []}},
  "ImportSourceSpecification": {"InputFormat": "CSV"}}}}}`,
		[]string{"AWSTemplateFormatVersion", "Description", "Transform", "Outputs",
			"DeletionPolicy",
			"UpdateReplacePolicy", "DependsOn", "Metadata", "InputFormat", "PolicyDocument",
			"Parameters.Stage.Type",
			"=Resources.Orders.Condition", "=Resources.Orders.Properties.BillingMode"}},
	{"a global table", "g.json", `{"Resources": {"Glob": {"Type": "AWS::DynamoDB::GlobalTable", "Properties": {
  "TableName": "glob", "BillingMode": "PROVISIONED", "MultiRegionConsistency": "STRONG", "GlobalTableWitnesses": [{"Region": "us-east-2"}],
  "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
  "WriteProvisionedThroughputSettings": {"WriteCapacityAutoScalingSettings": {"MinCapacity": 4, "MaxCapacity": 8, "SeedCapacity": 5,
    "TargetTrackingScalingPolicyConfiguration": {"TargetValue": 70, "ScaleInCooldown": 1, "ScaleOutCooldown": 2, "DisableScaleIn": true}}},
  "SSESpecification": {"SSEEnabled": true, "SSEType": "KMS"}, "StreamSpecification": {"StreamViewType": "NEW_AND_OLD_IMAGES"},
  "TimeToLiveSpecification": {"AttributeName": "x", "Enabled": true},
  "Replicas": [{"Region": "eu-west-1", "DeletionProtectionEnabled": true, "TableClass": "STANDARD_INFREQUENT_ACCESS",
    "ReadProvisionedThroughputSettings": {"ReadCapacityUnits": 9}, "Tags": [{"Key": "a", "Value": "b"}],
    "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": true}},
   {"Region": "us-east-1", "DeletionProtectionEnabled": true, "TableClass": "STANDARD", "Tags": [{"Key": "a", "Value": "b"}],
    "ReadProvisionedThroughputSettings": {"ReadCapacityUnits": 9}, "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": true}}]}}}}`,
		[]string{"Replicas[1].Tags[0]", "Replicas[1].Tags",
			"=Resources.Glob.Properties.Replicas[1].ReadProvisionedThroughputSettings", // alike
			"Replicas[1].PointInTimeRecoverySpecification.", "Replicas[1].DeletionProtectionEnabled~",
			"Replicas[1].TableClass~", "=Resources.Glob.Properties.BillingMode",
			"=Resources.Glob.Properties.StreamSpecification"}},
	{"Terraform", "m.tf.json", `{"terraform": {"required_version": ">= 1"}, "provider": {"aws": {"region": "eu-west-1", "default_tags": {"tags": {"d": "e"}}}},
"variable": {"env": {"type": "string", "default": "dev", "description": "d"}}, "locals": {"name": "t-${var.env}"},
"output": {"n": {"value": "${local.name}"}},
"resource": {"aws_dynamodb_table": {"t": {"name": "${local.name}", "billing_mode": "PROVISIONED", "hash_key": "pk", "range_key": "sk",
  "read_capacity": 3, "write_capacity": 4, "table_class": "STANDARD_INFREQUENT_ACCESS", "deletion_protection_enabled": true,
  "attribute": [{"name": "pk", "type": "S"}, {"name": "sk", "type": "N"}],
  "global_secondary_index": [{"name": "g", "hash_key": "sk", "range_key": "pk", "projection_type": "INCLUDE", "non_key_attributes": ["a"],
    "read_capacity": 1, "write_capacity": 2, "on_demand_throughput": {"max_read_request_units": 7, "max_write_request_units": 8},
    "warm_throughput": {"read_units_per_second": 13000, "write_units_per_second": 5000}}],
  "local_secondary_index": [{"name": "l", "range_key": "sk", "projection_type": "KEYS_ONLY"}],
  "stream_enabled": true, "stream_view_type": "NEW_IMAGE", "ttl": {"attribute_name": "x", "enabled": true},
  "point_in_time_recovery": {"enabled": true, "recovery_period_in_days": 7},
  "server_side_encryption": {"enabled": true, "kms_key_arn": "k"}, "tags": {"a": "b"},
  "on_demand_throughput": {"max_read_request_units": 7, "max_write_request_units": 8},
  "warm_throughput": {"read_units_per_second": 13000, "write_units_per_second": 5000},
  "replica": [{"region_name": "us-east-1", "kms_key_arn": "k", "point_in_time_recovery": true, "propagate_tags": true,
    "deletion_protection_enabled": true, "consistency_mode": "STRONG"}],
  "restore_source_name": "r", "import_table": {"input_format": "CSV"}, "lifecycle": {"prevent_destroy": true}}}}}`,
		[]string{"terraform", "description", "output", "lifecycle", "region", "variable.env.type",
			"import_table.input_format", "import_table.input_format~", "restore_source_name~",
			"replica[0].kms_key_arn~", "=resource.aws_dynamodb_table.t.billing_mode"}},
}

// TestTakenApart removes and renames each member of a file, and changes each value. Then a table is
// another one, or a note says something else. What does neither is dropped in silence.
func TestTakenApart(t *testing.T) {
	for _, c := range wholes {
		t.Run(c.name, func(t *testing.T) {
			var root any
			require.NoError(t, json.Unmarshal([]byte(c.text), &root))
			before := taken(t, c.file, root)
			n := 0
			apart(root, "", func(path string, change string) {
				n++
				if slices.ContainsFunc(c.irrelevant, func(name string) bool {
					return strings.Contains(path+change, name) || "="+path+change == name
				}) {
					return
				}
				if taken(t, c.file, root) == before {
					assert.Fail(t, "dropped in silence", "%s%s", path, change)
				}
			})
			assert.Greater(t, n, 50)
		})
	}
}

// taken returns what a file defines, and the notes without their lines.
func taken(t *testing.T, file string, root any) string {
	text, err := json.Marshal(root)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), file)
	require.NoError(t, os.WriteFile(path, text, 0o600))
	d, err := Read(t.Context(), values(), path)
	if err != nil {
		return err.Error()
	}
	tables, err := json.Marshal(d.Tables)
	require.NoError(t, err)
	all := string(tables)
	for _, n := range d.Notes {
		_, message, _ := strings.Cut(n.String(), file)
		all += "\n" + message
	}
	return strings.ReplaceAll(all, filepath.Dir(path), "")
}

// apart makes each change of a value in turn, calls try, and takes the change back. A removal is
// "", a new name "!" and a new value "~".
func apart(v any, path string, try func(path, change string)) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range sortedKeys(v) {
			here, old := strings.TrimPrefix(path+"."+name, "."), v[name]
			delete(v, name)
			try(here, "")
			v[name+"X"] = old
			try(here, "!")
			delete(v, name+"X")
			if other, ok := changed(old); ok {
				v[name] = other
				try(here, "~")
			}
			v[name] = old
			apart(old, here, try)
		}
	case []any:
		for i, old := range v {
			here := fmt.Sprintf("%s[%d]", path, i)
			if other, ok := changed(old); ok {
				v[i] = other
				try(here, "~")
				v[i] = old
			}
			apart(old, here, try)
		}
	}
}

// changed returns another value of the same type.
func changed(v any) (any, bool) {
	switch v := v.(type) {
	case string:
		return v + "x", true
	case float64:
		return v + 1, true
	case bool:
		return !v, true
	}
	return nil, false
}
