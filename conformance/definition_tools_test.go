package conformance

import (
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

// The tests in this file send what tools for definitions of tables send, in their order. A refresh
// that fails, or that does not find what was set, makes a tool plan a change again and again.

// refresh returns the requests by which the Terraform AWS provider and CloudFormation read a table:
// internal/service/ dynamodb/table.go, resourceTableRead, and the permissions of the read handler
// in the schema of AWS::DynamoDB::Table.
func refresh(description, backups, ttl, tags string) []step {
	const of = `{"TableName":"orders"}`
	return []step{
		{"the table", "DescribeTable", of, description, ""},
		{"backups", "DescribeContinuousBackups", of, backups, ""},
		{"TTL", "DescribeTimeToLive", of, ttl, ""},
		{"tags", "ListTagsOfResource",
			`{"ResourceArn":"arn:aws:dynamodb:eu-west-3:000000000000:table/orders"}`, tags, ""},
		{"insights", "DescribeContributorInsights", of, `{"ContributorInsightsStatus":"DISABLED"}`,
			""},
		{"Kinesis", "DescribeKinesisStreamingDestination", of,
			`{"KinesisDataStreamDestinations":[]}`, ""},
		{"policy", "GetResourcePolicy",
			`{"ResourceArn":"arn:aws:dynamodb:eu-west-3:000000000000:table/orders"}`, "",
			"PolicyNotFoundException: *"},
	}
}

const (
	noBackups = `{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED","PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}}`
	noTTL     = `{"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}}`
	noTags    = `{"Tags":[]}`
)

// TestTerraform creates a table, and changes each argument as the provider does: internal/service/
// dynamodb/table.go, resourceTableCreate, resourceTableUpdate.
func TestTerraform(t *testing.T) {
	t.Parallel()
	send := private(t)
	const update = "UpdateTable"
	for _, c := range []struct {
		name  string
		steps []step
	}{
		{"create", []step{{"create",
			"CreateTable",
			`{"TableName":"orders","BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":3},
			"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"by","AttributeType":"S"}],
			"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
			"GlobalSecondaryIndexes":[{"IndexName":"by-who","KeySchema":[{"AttributeName":"by","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},
				"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}],
			"Tags":[{"Key":"a","Value":"b"}]}`, "", ""}}},
		{"refresh",
			refresh(`{"Table":{"TableStatus":"ACTIVE","DeletionProtectionEnabled":false,"ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":3},
			"GlobalSecondaryIndexes":[{"IndexName":"by-who","IndexStatus":"ACTIVE","ProvisionedThroughput":{"ReadCapacityUnits":1}}]}}`,
				noBackups, noTTL, `{"Tags":[{"Key":"a","Value":"b"}]}`)},
		{"capacity", []step{{"",
			update, `{"TableName":"orders","BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":4,"WriteCapacityUnits":4},
			"GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"by-who","ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5}}}]}`, "", ""}}},
		{"an index less",
			[]step{{"", update,
				`{"TableName":"orders","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"by-who"}}]}`, "", ""}}},
		{"on demand, a stream and a class", []step{{"",
			update, `{"TableName":"orders","BillingMode":"PAY_PER_REQUEST",
			"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}`,
			"", ""},
			{"", update, `{"TableName":"orders","TableClass":"STANDARD_INFREQUENT_ACCESS"}`, "",
				""}}},
		{"an index more", []step{{"",
			update, `{"TableName":"orders","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"by","AttributeType":"S"}],
			"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by-name","KeySchema":[{"AttributeName":"by","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}}]}`, "", ""}}},
		{"encryption",
			[]step{{"", update,
				`{"TableName":"orders","SSESpecification":{"Enabled":true,"SSEType":"KMS"}}`, "",
				""}}},
		{"TTL", []step{
			{"", "UpdateTimeToLive",
				`{"TableName":"orders","TimeToLiveSpecification":{"AttributeName":"expires","Enabled":true}}`, "", ""},
		}},
		{"tags", []step{
			{"", "UntagResource",
				`{"ResourceArn":"arn:aws:dynamodb:eu-west-3:000000000000:table/orders","TagKeys":["a"]}`, "", ""},
			{"", "TagResource",
				`{"ResourceArn":"arn:aws:dynamodb:eu-west-3:000000000000:table/orders","Tags":[{"Key":"c","Value":"d"}]}`, "", ""}}},
		{"recovery",
			[]step{{"", "UpdateContinuousBackups",
				`{"TableName":"orders","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":7}}`, "", ""}}},
		{"protection",
			[]step{{"", update, `{"TableName":"orders","DeletionProtectionEnabled":true}`, "",
				""}}},
		{"warm throughput",
			[]step{{"", update,
				`{"TableName":"orders","WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":5000}}`, "", ""}}},
		{"refresh after changes",
			refresh(`{"Table":{"TableStatus":"ACTIVE","DeletionProtectionEnabled":true,"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},
			"TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"},"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},
			"SSEDescription":{"Status":"ENABLED"},"WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":5000,"Status":"ACTIVE"},
			"GlobalSecondaryIndexes":[{"IndexName":"by-name","IndexStatus":"ACTIVE"}]}}`,
				`{"ContinuousBackupsDescription":{"PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"ENABLED","RecoveryPeriodInDays":7}}}`,
				`{"TimeToLiveDescription":{"AttributeName":"expires","TimeToLiveStatus":"ENABLED"}}`,
				`{"Tags":[{"Key":"c","Value":"d"}]}`)},
		{"a replica", []step{
			{"", update,
				`{"TableName":"orders","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]}`,
				"", ""},
			{"active", "DescribeTable", `{"TableName":"orders"}`,
				`{"Table":{"Replicas":[{"RegionName":"eu-west-1","ReplicaStatus":"ACTIVE"}]}}`, ""},
			{"", update,
				`{"TableName":"orders","ReplicaUpdates":[{"Delete":{"RegionName":"eu-west-1"}}]}`,
				"", ""},
			{"gone", "DescribeTable", `{"TableName":"orders"}`,
				`{"Table":{"TableStatus":"ACTIVE"}}`, ""}}},
		{"destroy", []step{
			{"protected", "DeleteTable", `{"TableName":"orders"}`, "", "ValidationException: *"},
			{"", update, `{"TableName":"orders","DeletionProtectionEnabled":false}`, "", ""},
			{"", "DeleteTable", `{"TableName":"orders"}`, "", ""},
			{"gone", "DescribeTable", `{"TableName":"orders"}`, "",
				"ResourceNotFoundException: Requested resource not found: Table: orders not found"}}},
	} {
		t.Run(c.name, func(t *testing.T) { follow(t, send, c.steps) })
	}
}

// TestTerraformResources does what the other resources of the provider do, which change a table
// that they do not own, or its items: internal/service/dynamodb, the file of each resource.
func TestTerraformResources(t *testing.T) {
	t.Parallel()
	send := private(t)
	const (
		update, describe, of = "UpdateTable", "DescribeTable", `{"TableName":"orders"}`
		item, read           = `{"TableName":"orders","Key":{"pk":{"S":"a"}}}`,
			`{"TableName":"orders","Key":{"pk":{"S":"a"}},"ConsistentRead":true}`
		policy   = `{"ResourceArn":"arn:aws:dynamodb:eu-west-3:000000000000:table/orders"}`
		insights = `{"TableName":"orders","IndexName":"by-who"`
	)
	create := func(defined string) string {
		return `{"TableName":"orders","Item":{"pk":{"S":"a"},"n":{"N":"1"},"old":{"BOOL":true}},"Expected":{` + defined + `}}`
	}
	follow(t, send,
		[]step{{"a table", "CreateTable",
			`{"TableName":"orders","BillingMode":"PAY_PER_REQUEST",` + keys("pk:S") + `}`, "", ""}})
	for _, c := range []struct {
		name  string
		steps []step
	}{
		{"item", []step{
			{"create", "PutItem", create(`"pk":{"Exists":false}`), "", ""},
			{"read", "GetItem", read, `{"Item":{"pk":{"S":"a"},"n":{"N":"1"},"old":{"BOOL":true}}}`,
				""},
			{"create one that is there", "PutItem", create(`"pk":{"Exists":false}`), "",
				conditionFailed},
			{"change",
				"UpdateItem", `{"TableName":"orders","Key":{"pk":{"S":"a"}},"AttributeUpdates":{
				"n":{"Action":"PUT","Value":{"N":"2"}},"old":{"Action":"DELETE"}}}`, "", ""},
			{"read the change", "GetItem", read,
				`{"Item":{"pk":{"S":"a"},"n":{"N":"2"},"old":null}}`, ""},
			{"change the key", "UpdateItem",
				`{"TableName":"orders","Key":{"pk":{"S":"b"}},"AttributeUpdates":{"n":{"Action":"PUT","Value":{"N":"2"}}}}`, "", ""},
			{"delete the old one", "DeleteItem", item, "", ""},
			{"gone", "GetItem", read, `{"Item":null}`, ""},
			{"delete again", "DeleteItem", item, "", ""}}},
		{"global secondary index", []step{
			{"create",
				update, `{"TableName":"orders","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"by","AttributeType":"S"}],
				"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by-who","KeySchema":[{"AttributeName":"by","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},
					"OnDemandThroughput":{"MaxReadRequestUnits":5,"MaxWriteRequestUnits":6}}}]}`,
				"", ""},
			{"active", describe,
				of, `{"Table":{"TableStatus":"ACTIVE","GlobalSecondaryIndexes":[{"IndexName":"by-who","IndexStatus":"ACTIVE",
				"WarmThroughput":{"Status":"ACTIVE"},"OnDemandThroughput":{"MaxReadRequestUnits":5,"MaxWriteRequestUnits":6}}]}}`, ""},
			{"no maximum",
				update, `{"TableName":"orders","GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"by-who",
				"OnDemandThroughput":{"MaxReadRequestUnits":-1,"MaxWriteRequestUnits":6}}}]}`, "",
				""},
			{"refresh", describe, of,
				`{"Table":{"GlobalSecondaryIndexes":[{"OnDemandThroughput":{"MaxReadRequestUnits":null,"MaxWriteRequestUnits":6}}]}}`, ""}}},
		{"contributor insights", []step{
			{"enable", "UpdateContributorInsights",
				insights + `,"ContributorInsightsAction":"ENABLE"}`, "", ""},
			{"enabled", "DescribeContributorInsights", insights + `}`,
				`{"TableName":"orders","IndexName":"by-who","ContributorInsightsStatus":"ENABLED"}`,
				""},
			{"disable", "UpdateContributorInsights",
				insights + `,"ContributorInsightsAction":"DISABLE"}`, "", ""},
			{"disabled", "DescribeContributorInsights", insights + `}`,
				`{"ContributorInsightsStatus":"DISABLED"}`, ""}}},
		{"resource policy", []step{
			{"create",
				"PutResourcePolicy", putPolicy(
					"arn:aws:dynamodb:eu-west-3:000000000000:table/orders",
					`{"Version":"2012-10-17","Statement":[{"Effect":"Allow",
				"Principal":{"AWS":"000000000000"},"Action":"dynamodb:GetItem","Resource":"arn:aws:dynamodb:eu-west-3:000000000000:table/orders"}]}`), "", ""},
			{"read", "GetResourcePolicy", policy, "", ""},
			{"delete", "DeleteResourcePolicy", policy, "", ""},
			{"gone", "GetResourcePolicy", policy, "", "PolicyNotFoundException: *"}}},
		{"vector index", []step{
			{"create",
				update, `{"TableName":"orders","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"by","AttributeType":"S"},
				{"AttributeName":"tenant","AttributeType":"S"}],"VectorIndexUpdates":[{"Create":` + vectorIndex("near", "COSINE", 2, "ALL", "tenant:HASH") + `}]}`, "", ""},
			{"active", describe,
				of, `{"Table":{"TableStatus":"ACTIVE","VectorIndexes":[{"IndexName":"near","IndexStatus":"ACTIVE","Dimensions":2,
				"SearchSchema":[{"AttributeName":"tenant","SearchSchemaElementType":"HASH"}]}]}}`,
				""},
			{"delete", update,
				`{"TableName":"orders","VectorIndexUpdates":[{"Delete":{"IndexName":"near"}}]}`, "",
				""},
			{"gone", describe, of, `{"Table":{"TableStatus":"ACTIVE","VectorIndexes":null}}`, ""}}},
	} {
		t.Run(c.name, func(t *testing.T) { follow(t, send, c.steps) })
	}
}

// TestReplicaHandler does what the custom resource of CDK does for the replicas of a table:
// aws-cdk-lib, custom-resource-handlers/aws-dynamodb/replica-handler. It updates the table, and
// then describes it until the table and the replica are ACTIVE, or the replica is gone. The
// function itself runs in conformance/clients/cdk, where there is Node.
func TestReplicaHandler(t *testing.T) {
	t.Parallel()
	clock := emulator.NewClock(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	send := private(t, emulator.WithHeldClock(clock),
		emulator.WithTableDelays(time.Minute, time.Minute, time.Minute))
	const describe, of = "DescribeTable", `{"TableName":"orders"}`
	follow(t, send, []step{{"create",
		"CreateTable", `{"TableName":"orders","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
		"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}`, "",
		""}})
	clock.Advance(2 * time.Minute)
	follow(t, send, []step{
		{"create", "UpdateTable",
			`{"TableName":"orders","ReplicaUpdates":[{"Create":{"RegionName":"eu-central-1"}}]}`,
			"", ""},
		{"not complete", describe, of,
			`{"Table":{"Replicas":[{"RegionName":"eu-central-1","ReplicaStatus":"CREATING"}]}}`,
			""},
	})
	clock.Advance(5 * time.Minute)
	follow(t, send, []step{
		{"complete", describe, of,
			`{"Table":{"TableStatus":"ACTIVE","Replicas":[{"RegionName":"eu-central-1","ReplicaStatus":"ACTIVE"}]}}`, ""},
		{"delete", "UpdateTable",
			`{"TableName":"orders","ReplicaUpdates":[{"Delete":{"RegionName":"eu-central-1"}}]}`,
			"", ""},
		{"not complete", describe, of, `{"Table":{"Replicas":[{"ReplicaStatus":"DELETING"}]}}`, ""},
	})
	clock.Advance(5 * time.Minute)
	follow(t, send, []step{
		{"complete", describe, of, `{"Table":{"TableStatus":"ACTIVE"}}`, ""},
		{"delete again", "UpdateTable",
			`{"TableName":"orders","ReplicaUpdates":[{"Delete":{"RegionName":"eu-central-1"}}]}`,
			"",
			// service facts T.13
			"ValidationException: Update global table operation failed because one or more replicas were not part of the global table. " +
				"Please retry the request without these replicas: [eu-central-1]."},
	})
}
