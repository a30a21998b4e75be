package isolation

import (
	"github.com/kugiri-db/kugiri/conventions/catalog"
)

const (
	arnOfTables = "arn:aws:dynamodb:us-east-1:000000000000:table/"
	kinesis     = "arn:aws:kinesis:us-east-1:000000000000:stream/proof"
)

// onTable returns a request of each operation of the catalog on tables and settings, for a table.
// Streams have their own requests.
func onTable(table, streamARN string) (all []play) {
	more := membersOf(table)
	for o := range catalog.All() {
		if o.Service == catalog.Streams || o.Subject == catalog.Items {
			continue
		}
		body, ok := more[o.Name]
		if !ok {
			body = object{"TableName": table}
		}
		all = append(all, play{o.Name, body, o.Access == catalog.Writes})
	}
	return append(all, play{"ListStreams", object{"TableName": table}, false},
		play{"DescribeStream", object{"StreamArn": streamARN}, false})
}

// membersOf are the inputs that have more than the name of a table.
func membersOf(table string) map[string]object {
	arn := arnOfTables + table
	none, bulk := object{}, object{"BulkOperationArn": arn + "/bulk-operation/01234567890123-a"}
	byARN := object{"ResourceArn": arn}
	global := object{"GlobalTableName": table}
	backup := object{"BackupArn": arn + "/backup/01234567890123-01234567"}
	destination := object{"TableName": table, "StreamArn": kinesis}
	bucket := object{"S3Bucket": "proof"}
	replicas := []any{object{"Create": object{"RegionName": "eu-west-1"}}}
	created := object{"TableName": "kugiri-proof-new", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": []any{object{"AttributeName": "pk", "AttributeType": "S"}},
		"KeySchema":            []any{object{"AttributeName": "pk", "KeyType": "HASH"}}}
	return map[string]object{
		"CancelBulkOperation": bulk, "DescribeBulkOperation": bulk, "ListBulkOperations": none,
		"CreateBackup":        {"TableName": table, "BackupName": "proof"},
		"DeleteBackup":        backup,
		"DescribeBackup":      backup,
		"CreateGlobalTable":   {"GlobalTableName": table, "ReplicationGroup": []any{}},
		"DescribeGlobalTable": global, "DescribeGlobalTableSettings": global,
		"UpdateGlobalTable":         {"GlobalTableName": table, "ReplicaUpdates": replicas},
		"UpdateGlobalTableSettings": global,
		"CreateTable":               created,
		"DescribeEndpoints":         none, "DescribeLimits": none, "ListTables": none,
		"DescribeExport":                     {"ExportArn": arn + "/export/01234567890123-01234567"},
		"DescribeImport":                     {"ImportArn": arn + "/import/01234567890123-01234567"},
		"DisableKinesisStreamingDestination": destination,
		"EnableKinesisStreamingDestination":  destination,
		"UpdateKinesisStreamingDestination": {"TableName": table, "StreamArn": kinesis,
			"UpdateKinesisStreamingConfiguration": object{
				"ApproximateCreationDateTimePrecision": "MILLISECOND"}},
		"ExportTableToPointInTime": {"TableArn": arn, "S3Bucket": "proof"},
		"GetResourcePolicy":        byARN, "DeleteResourcePolicy": byARN,
		"ListTagsOfResource": byARN,
		"PutResourcePolicy": {"ResourceArn": arn,
			"Policy": `{"Version":"2012-10-17","Statement":[]}`},
		"ImportTable": {"InputFormat": "DYNAMODB_JSON", "S3BucketSource": bucket,
			"TableCreationParameters": created},
		"ListBackups": none, "ListContributorInsights": none, "ListExports": none,
		"ListGlobalTables": none, "ListImports": none,
		"RestoreTableFromBackup": {"TargetTableName": "kugiri-proof-new",
			"BackupArn": backup["BackupArn"]},
		"RestoreTableToPointInTime": {"SourceTableName": table,
			"TargetTableName": "kugiri-proof-new", "UseLatestRestorableTime": true},
		"StartBulkPutItems": {"TableName": table,
			"InputS3Configuration": object{"S3Bucket": "proof", "InputFormat": "DYNAMODB_JSON"},
			"OutputS3Configuration": object{"S3Bucket": "proof", "S3KeyPrefix": "report",
				"OutputType": []any{"ERROR"}}},
		"TagResource":   {"ResourceArn": arn, "Tags": []any{object{"Key": "k", "Value": "v"}}},
		"UntagResource": {"ResourceArn": arn, "TagKeys": []any{"k"}},
		"UpdateContinuousBackups": {"TableName": table,
			"PointInTimeRecoverySpecification": object{"PointInTimeRecoveryEnabled": true}},
		"UpdateContributorInsights": {"TableName": table, "ContributorInsightsAction": "ENABLE"},
		"UpdateTable":               {"TableName": table, "DeletionProtectionEnabled": true},
		"UpdateTimeToLive": {"TableName": table, "TimeToLiveSpecification": object{
			"AttributeName": "ttl", "Enabled": true}},
	}
}
