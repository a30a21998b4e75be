package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/feature/backups"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/control"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/insights"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/jobs"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/kinesis"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/statements"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/streams"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// operations is the table of the operations that are served, in the order of their names. An
// operation is its file, its test and a line here, which says what the operation shows.
var operations = []serve.Operation{
	serve.Owns("BatchExecuteStatement", serve.ShowsItems, statements.BatchExecuteStatement,
		statements.BatchExecuteStatementTargets),
	serve.Borrows("BatchGetItem", serve.ShowsItems, items.BatchGetItem, items.BatchGetItemTargets),
	serve.Borrows("BatchWriteItem", serve.ShowsItems, items.BatchWriteItem,
		items.BatchWriteItemTargets),
	serve.Owns("CancelBulkOperation", serve.ShowsSettings, jobs.CancelBulkOperation,
		jobs.CancelBulkOperationTargets).DenyingBriefly(),
	serve.Owns("CreateBackup", serve.ShowsSettings, backups.CreateBackup,
		backups.CreateBackupTargets).DenyingBriefly(),
	serve.Owns("CreateGlobalTable", serve.ShowsSettings, control.CreateGlobalTable,
		control.CreateGlobalTableTargets),
	serve.Owns("CreateTable", serve.ShowsSettings, control.CreateTable, control.CreateTableTargets),
	serve.Owns("DeleteBackup", serve.ShowsSettings, backups.DeleteBackup,
		backups.DeleteBackupTargets).DenyingBriefly(),
	serve.Judging(serve.Borrows("DeleteItem", serve.ShowsItems, items.DeleteItem,
		items.DeleteItemTargets), items.JudgeDelete),
	serve.Owns("DeleteResourcePolicy", serve.ShowsSettings, control.DeleteResourcePolicy,
		control.DeleteResourcePolicyTargets),
	serve.Owns("DeleteTable", serve.ShowsSettings, control.DeleteTable, control.DeleteTableTargets).
		DenyingBriefly(),
	serve.Owns("DescribeBackup", serve.ShowsSettings, backups.DescribeBackup,
		backups.DescribeBackupTargets).DenyingBriefly(),
	serve.Owns("DescribeBulkOperation", serve.ShowsSettings, jobs.DescribeBulkOperation,
		jobs.DescribeBulkOperationTargets).DenyingBriefly(),
	serve.Owns("DescribeContinuousBackups", serve.ShowsSettings, backups.DescribeContinuousBackups,
		backups.DescribeContinuousBackupsTargets).DenyingBriefly(),
	serve.Owns("DescribeContributorInsights", serve.ShowsSettings,
		insights.DescribeContributorInsights, insights.DescribeContributorInsightsTargets).
		DenyingBriefly(),
	serve.Owns("DescribeEndpoints", serve.ShowsSettings, control.DescribeEndpoints,
		serve.TouchesNothing),
	serve.Owns("DescribeExport", serve.ShowsSettings, jobs.DescribeExport,
		jobs.DescribeExportTargets).DenyingBriefly(),
	serve.Owns("DescribeGlobalTable", serve.ShowsSettings, control.DescribeGlobalTable,
		control.DescribeGlobalTableTargets),
	serve.Owns("DescribeGlobalTableSettings", serve.ShowsSettings,
		control.DescribeGlobalTableSettings, control.DescribeGlobalTableSettingsTargets),
	serve.Owns("DescribeImport", serve.ShowsSettings, jobs.DescribeImport,
		jobs.DescribeImportTargets).DenyingBriefly(),
	serve.Owns("DescribeKinesisStreamingDestination", serve.ShowsSettings,
		kinesis.DescribeKinesisStreamingDestination,
		kinesis.DescribeKinesisStreamingDestinationTargets).DenyingBriefly(),
	serve.Owns("DescribeLimits", serve.ShowsSettings, control.DescribeLimits, serve.TouchesNothing),
	serve.Owns("DescribeStream", serve.ShowsSettings, streams.DescribeStream,
		streams.DescribeStreamTargets),
	serve.Owns("DescribeTable", serve.ShowsFiltered, control.DescribeTable,
		control.DescribeTableTargets).DenyingBriefly(),
	serve.Owns("DescribeTableReplicaAutoScaling", serve.ShowsSettings,
		control.DescribeTableReplicaAutoScaling, control.DescribeTableReplicaAutoScalingTargets).
		DenyingBriefly(),
	serve.Owns("DescribeTimeToLive", serve.ShowsSettings, control.DescribeTimeToLive,
		control.DescribeTimeToLiveTargets).DenyingBriefly(),
	serve.Owns("DisableKinesisStreamingDestination", serve.ShowsSettings,
		kinesis.DisableKinesisStreamingDestination,
		kinesis.DisableKinesisStreamingDestinationTargets).DenyingBriefly(),
	serve.Owns("EnableKinesisStreamingDestination", serve.ShowsSettings,
		kinesis.EnableKinesisStreamingDestination,
		kinesis.EnableKinesisStreamingDestinationTargets).DenyingBriefly(),
	serve.Owns("ExecuteStatement", serve.ShowsItems, statements.ExecuteStatement,
		statements.ExecuteStatementTargets),
	serve.Owns("ExecuteTransaction", serve.ShowsItems, statements.ExecuteTransaction,
		statements.ExecuteTransactionTargets),
	serve.Owns("ExportTableToPointInTime", serve.ShowsSettings, jobs.ExportTableToPointInTime,
		jobs.ExportTableToPointInTimeTargets).DenyingBriefly(),
	serve.Borrows("GetItem", serve.ShowsItems, items.GetItem, items.GetItemTargets),
	serve.Owns("GetRecords", serve.ShowsFiltered, streams.GetRecords, streams.GetRecordsTargets),
	serve.Owns("GetResourcePolicy", serve.ShowsSettings, control.GetResourcePolicy,
		control.GetResourcePolicyTargets),
	serve.Owns("GetShardIterator", serve.ShowsSettings, streams.GetShardIterator,
		streams.GetShardIteratorTargets),
	serve.Owns("ImportTable", serve.ShowsSettings, jobs.ImportTable,
		jobs.ImportTableTargets),
	serve.Owns("ListBackups", serve.ShowsSettings, backups.ListBackups, backups.ListBackupsTargets).
		DenyingBriefly(),
	serve.Owns("ListBulkOperations", serve.ShowsSettings, jobs.ListBulkOperations,
		serve.TouchesNothing).DenyingBriefly(),
	serve.Owns("ListContributorInsights", serve.ShowsSettings, insights.ListContributorInsights,
		insights.ListContributorInsightsTargets).DenyingBriefly(),
	serve.Owns("ListExports", serve.ShowsSettings, jobs.ListExports,
		jobs.ListExportsTargets).DenyingBriefly(),
	serve.Owns("ListGlobalTables", serve.ShowsFiltered, control.ListGlobalTables,
		serve.TouchesNothing),
	serve.Owns("ListImports", serve.ShowsSettings, jobs.ListImports,
		jobs.ListImportsTargets).DenyingBriefly(),
	serve.Owns("ListStreams", serve.ShowsFiltered, streams.ListStreams, streams.ListStreamsTargets),
	serve.Owns("ListTables", serve.ShowsFiltered, control.ListTables, serve.TouchesNothing),
	serve.Owns("ListTagsOfResource", serve.ShowsSettings, control.ListTagsOfResource,
		control.ListTagsOfResourceTargets).DenyingBriefly(),
	serve.Judging(serve.Borrows("PutItem", serve.ShowsItems, items.PutItem, items.PutItemTargets),
		items.JudgePut),
	serve.Owns("PutResourcePolicy", serve.ShowsSettings, control.PutResourcePolicy,
		control.PutResourcePolicyTargets),
	serve.Judging(serve.Borrows("Query", serve.ShowsItems, items.Query, items.QueryTargets),
		items.JudgeQuery),
	serve.Owns("RestoreTableFromBackup", serve.ShowsSettings, backups.RestoreTableFromBackup,
		backups.RestoreTableFromBackupTargets).DenyingBriefly(),
	serve.Owns("RestoreTableToPointInTime", serve.ShowsSettings, backups.RestoreTableToPointInTime,
		backups.RestoreTableToPointInTimeTargets).DenyingBriefly(),
	serve.Borrows("Scan", serve.ShowsItems, items.Scan, items.ScanTargets),
	serve.Borrows("SearchVectors", serve.ShowsItems, items.SearchVectors,
		items.SearchVectorsTargets).ReadBy(items.SearchMembers),
	serve.Owns("StartBulkPutItems", serve.ShowsSettings, jobs.StartBulkPutItems,
		jobs.StartBulkPutItemsTargets).DenyingBriefly(),
	serve.Owns("TagResource", serve.ShowsSettings, control.TagResource, control.TagResourceTargets).
		DenyingBriefly(),
	serve.Borrows("TransactGetItems", serve.ShowsItems, items.TransactGetItems,
		items.TransactGetItemsTargets),
	serve.Judging(serve.Borrows("TransactWriteItems", serve.ShowsItems, items.TransactWriteItems,
		items.TransactWriteItemsTargets), items.JudgeTransactWrite),
	serve.Owns("UntagResource", serve.ShowsSettings, control.UntagResource,
		control.UntagResourceTargets).DenyingBriefly(),
	serve.Owns("UpdateContinuousBackups", serve.ShowsSettings, backups.UpdateContinuousBackups,
		backups.UpdateContinuousBackupsTargets).DenyingBriefly(),
	serve.Owns("UpdateContributorInsights", serve.ShowsSettings, insights.UpdateContributorInsights,
		insights.UpdateContributorInsightsTargets).DenyingBriefly(),
	serve.Owns("UpdateGlobalTable", serve.ShowsSettings, control.UpdateGlobalTable,
		control.UpdateGlobalTableTargets),
	serve.Owns("UpdateGlobalTableSettings", serve.ShowsSettings, control.UpdateGlobalTableSettings,
		control.UpdateGlobalTableSettingsTargets),
	serve.Judging(serve.Borrows("UpdateItem", serve.ShowsItems, items.UpdateItem,
		items.UpdateItemTargets), items.JudgeUpdate),
	serve.Owns("UpdateKinesisStreamingDestination", serve.ShowsSettings,
		kinesis.UpdateKinesisStreamingDestination,
		kinesis.UpdateKinesisStreamingDestinationTargets).DenyingBriefly(),
	serve.Owns("UpdateTable", serve.ShowsSettings, control.UpdateTable, control.UpdateTableTargets).
		DenyingBriefly(),
	serve.Owns("UpdateTableReplicaAutoScaling", serve.ShowsSettings,
		control.UpdateTableReplicaAutoScaling, control.UpdateTableReplicaAutoScalingTargets).
		DenyingBriefly(),
	serve.Owns("UpdateTimeToLive", serve.ShowsSettings, control.UpdateTimeToLive,
		control.UpdateTimeToLiveTargets).DenyingBriefly(),
}

// operationsByTarget maps the value of X-Amz-Target to its operation.
var operationsByTarget = func() map[string]*serve.Operation {
	m := make(map[string]*serve.Operation, len(operations))
	for i := range operations {
		m[operations[i].Target()] = &operations[i]
	}
	return m
}()
