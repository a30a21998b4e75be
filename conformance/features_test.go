package conformance

import (
	"strings"
	"testing"
)

// TestFeaturesOfANewTable sends the requests that infrastructure tools send when they refresh a
// table, to a table that uses none of these features.
func TestFeaturesOfANewTable(t *testing.T) {
	t.Parallel()
	x := newTable(t, keys("pk:S"))
	table := `{"TableName":"` + x.name + `"}`
	arn := `{"ResourceArn":"` + x.arn + `"}`
	unknown := `{"TableName":"no-such-table"}`
	elsewhere := strings.Replace(x.arn, strings.Split(x.arn, ":")[3], "ap-east-1", 1)
	const notFound = noSuchTableNamed
	run(t, defaults{src: "API Reference"}, []kase{
		{name: "continuous backups", op: "DescribeContinuousBackups", in: table,
			want: `{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED","PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}}`},
		{name: "continuous backups of no table", op: "DescribeContinuousBackups", in: unknown,
			err: "TableNotFoundException: Table not found: no-such-table"},
		{name: "continuous backups of a table of another region",
			src: "ack-api-quirks, DDB-TABLE-442", op: "DescribeContinuousBackups",
			in: `{"TableName":"` + elsewhere + `"}`,
			err: "ValidationException: 1 validation error detected: Invalid AWS region in '" +
				elsewhere + "'"},
		{name: "a table of another region", src: "ack-api-quirks, DDB-TABLE-442",
			op: "DescribeTable", in: `{"TableName":"` + elsewhere + `"}`,
			err: "ValidationException: 1 validation error detected: Invalid AWS region in '" +
				elsewhere + "'"},
		{name: "contributor insights", op: "DescribeContributorInsights", in: table,
			want: `{"TableName":"` + x.name + `","ContributorInsightsStatus":"DISABLED"}`},
		{name: "contributor insights of no table", op: "DescribeContributorInsights", in: unknown,
			err: notFound},
		{name: "contributor insights of no index", op: "DescribeContributorInsights",
			in:  `{"TableName":"` + x.name + `","IndexName":"no-such-index"}`,
			err: "ResourceNotFoundException: Requested resource not found: Index: no-such-index not found for table: " + x.name},
		{name: "contributor insights listed", op: "ListContributorInsights", in: table,
			want: `{"ContributorInsightsSummaries":[]}`},
		{name: "contributor insights listed of no table", op: "ListContributorInsights",
			in: unknown, err: notFound},
		{name: "Kinesis destination", op: "DescribeKinesisStreamingDestination", in: table,
			want: `{"TableName":"` + x.name + `","KinesisDataStreamDestinations":[]}`},
		{name: "Kinesis destination of no table", op: "DescribeKinesisStreamingDestination",
			in: unknown, err: notFound},
		{name: "resource policy", op: "GetResourcePolicy", in: arn,
			err: "PolicyNotFoundException: *"},
		{name: "resource policy of no table", op: "GetResourcePolicy",
			in:  strings.Replace(arn, x.name, "no-such-table", 1),
			err: "ResourceNotFoundException: Requested resource not found: Table: no-such-table not found"},
		{name: "resource policy of no ARN", op: "GetResourcePolicy",
			in: `{"ResourceArn":"` + x.name + `"}`, err: "ValidationException: *"},
		{name: "backups", op: "ListBackups", in: table, want: `{"BackupSummaries":[]}`},
		{name: "exports", op: "ListExports", in: `{"TableArn":"` + x.arn + `"}`,
			want: `{"ExportSummaries":[]}`},
		{name: "imports", op: "ListImports", in: `{"TableArn":"` + x.arn + `"}`,
			want: `{"ImportSummaryList":[]}`},
		{name: "too many imports at once", op: "ListImports", in: `{"PageSize":26}`,
			err: "ValidationException: 1 validation error detected: Value '26' at 'pageSize' failed to satisfy constraint: Member must have value less than or equal to 25"},
		{name: "global tables", op: "ListGlobalTables", in: `{"RegionName":"us-east-1"}`},
	})
}
