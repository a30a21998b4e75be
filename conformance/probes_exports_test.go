package conformance

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestProbesOfExports: which exports are refused, and in which words (ack-api-quirks,
// DDB-EXPORT-001 to -006, -008 and -019).
func TestProbesOfExports(t *testing.T) {
	t.Parallel()
	x := newQuotaTest(t)
	now := x.clock.Now().Unix()
	export := func(name, members, err string) step {
		return step{name: name, op: "ExportTableToPointInTime", err: err,
			body: `{"TableArn":"` + probedTable + `","S3Bucket":"bucket"` + members + `}`}
	}
	of := func(name, arn, err string) step {
		s := export(name, "", err)
		s.body = strings.Replace(s.body, probedTable, arn, 1)
		return s
	}
	changed := func(old, new string) string { return strings.Replace(probedTable, old, new, 1) }
	period := func(name string, from, to int64, err string) step {
		return export(name, fmt.Sprintf(`,"ExportType":"INCREMENTAL_EXPORT","IncrementalExportSpecification":{"ExportFromTime":%d,"ExportToTime":%d}`, from, to), err)
	}
	const (
		off     = "PointInTimeRecoveryUnavailableException: Point in time recovery is not enabled for table 'table'"
		early   = "InvalidExportTimeException: Incremental export period from time cannot be less than the table creation time : 2025-12-31T23:00:00Z"
		short   = "InvalidExportTimeException: Difference between export period from time and export period to time is less than 15 minutes"
		outside = "InvalidExportTimeException: Export Time is invalid"
	)
	x.follow(export("without recovery", "", off),
		export("no bucket either", `,"S3Prefix":"a"`, off),
		period("before the table", now-3600, now-60, early),
		of("no table", changed("table/table", "table/nope"), "TableNotFoundException: Table not found: "+changed("table/table", "table/nope")),
		of("a name", "table", invalidParameters+"tableArn is not a valid ARN"),
		of("another region", changed("eu-west-3", "us-east-1"), "TableNotFoundException: Table not found: "+changed("eu-west-3", "us-east-1")),
		of("another account", changed("000000000000", "999988887777"), accessDenied),
		of("an index", probedTable+"/index/gsi", "ValidationException: Invalid Request: Table ARN is invalid."))
	x.clock.Advance(time.Hour)
	x.follow(step{name: "recovery", op: "UpdateContinuousBackups", body: withPITR})
	x.clock.Advance(time.Minute)
	now = x.clock.Now().Unix()
	x.follow(export("in the future", fmt.Sprintf(`,"ExportTime":%d`, now+5), outside),
		export("before recovery", fmt.Sprintf(`,"ExportTime":%d`, now-120), outside),
		period("a period before the table", now-7260, now, "InvalidExportTimeException: Incremental export period from time cannot be less than the table creation time : 2025-12-31T23:00:00Z"),
		period("a period of minutes", now-60, now, short),
		period("a period into the future", now-60, now+3600, "InvalidExportTimeException: Incremental export period to time cannot be greater than the current time : 2026-01-01T02:01:00Z"),
		export("a filter of nothing", `,"FilterSpecification":{}`, "ValidationException: Invalid Request: Invalid FilterSpecification: The specification can not be empty"),
		export("a key without KMS", `,"S3SseKmsKeyId":"alias/aws/s3"`, "ValidationException: Invalid Request: KMS Key Id is not supported for this encryption type"))
	describe := func(name, arn, err string) step {
		return step{name: name, op: "DescribeExport", body: `{"ExportArn":"` + arn + `"}`, err: err}
	}
	const id = "/export/01791506414432-3f2e5aa4"
	x.follow(
		describe("no export", probedTable+id, "ExportNotFoundException: Export not found: Export not found: "+probedTable+id),
		describe("one of another region", changed("eu-west-3", "us-east-1")+id, "ExportNotFoundException: Export not found: Invalid export arn"),
		describe("one of another account", changed("000000000000", "999988887777")+id,
			accessDenied),
		describe("a table", probedTable, "ValidationException: Invalid Export ARN"),
		describe("an import", probedTable+strings.Replace(id, "export", "import", 1), "ValidationException: Invalid Export ARN"))
}
