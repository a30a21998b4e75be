package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/feature/backups"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/control"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/insights"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/kinesis"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/partiql"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/streams"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/transfer"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// operations is the table of the operations that are served, in the order of their names. An
// operation is its file, its test and a line here.
var operations = []serve.Operation{
	serve.Owns("BatchExecuteStatement", partiql.BatchExecuteStatement,
		partiql.BatchExecuteStatementTargets),
	serve.Borrows("BatchGetItem", items.BatchGetItem, items.BatchGetItemTargets),
	serve.Borrows("BatchWriteItem", items.BatchWriteItem, items.BatchWriteItemTargets),
	serve.Owns("CancelBulkOperation", transfer.CancelBulkOperation,
		transfer.CancelBulkOperationTargets).DenyingBriefly(),
	serve.Owns("CreateBackup", backups.CreateBackup, backups.CreateBackupTargets).
		DenyingBriefly(),
	serve.Owns("CreateGlobalTable", control.CreateGlobalTable, control.CreateGlobalTableTargets),
	serve.Owns("CreateTable", control.CreateTable, control.CreateTableTargets),
	serve.Owns("DeleteBackup", backups.DeleteBackup, backups.DeleteBackupTargets).DenyingBriefly(),
	serve.Judging(serve.Borrows("DeleteItem", items.DeleteItem, items.DeleteItemTargets),
		items.JudgeDelete),
	serve.Owns("DeleteResourcePolicy", control.DeleteResourcePolicy,
		control.DeleteResourcePolicyTargets),
	serve.Owns("DeleteTable", control.DeleteTable, control.DeleteTableTargets).DenyingBriefly(),
	serve.Owns("DescribeBackup", backups.DescribeBackup, backups.DescribeBackupTargets).
		DenyingBriefly(),
	serve.Owns("DescribeBulkOperation", transfer.DescribeBulkOperation,
		transfer.DescribeBulkOperationTargets).DenyingBriefly(),
	serve.Owns("DescribeContinuousBackups", backups.DescribeContinuousBackups,
		backups.DescribeContinuousBackupsTargets).DenyingBriefly(),
	serve.Owns("DescribeContributorInsights", insights.DescribeContributorInsights,
		insights.DescribeContributorInsightsTargets).DenyingBriefly(),
	serve.Owns("DescribeEndpoints", control.DescribeEndpoints, serve.TouchesNothing),
	serve.Owns("DescribeExport", transfer.DescribeExport, transfer.DescribeExportTargets).
		DenyingBriefly(),
	serve.Owns("DescribeGlobalTable", control.DescribeGlobalTable,
		control.DescribeGlobalTableTargets),
	serve.Owns("DescribeGlobalTableSettings", control.DescribeGlobalTableSettings,
		control.DescribeGlobalTableSettingsTargets),
	serve.Owns("DescribeImport", transfer.DescribeImport, transfer.DescribeImportTargets).
		DenyingBriefly(),
	serve.Owns("DescribeKinesisStreamingDestination", kinesis.DescribeKinesisStreamingDestination,
		kinesis.DescribeKinesisStreamingDestinationTargets).DenyingBriefly(),
	serve.Owns("DescribeLimits", control.DescribeLimits, serve.TouchesNothing),
	serve.Owns("DescribeStream", streams.DescribeStream, streams.DescribeStreamTargets),
	serve.Owns("DescribeTable", control.DescribeTable, control.DescribeTableTargets).
		DenyingBriefly(),
	serve.Owns("DescribeTableReplicaAutoScaling", control.DescribeTableReplicaAutoScaling,
		control.DescribeTableReplicaAutoScalingTargets).DenyingBriefly(),
	serve.Owns("DescribeTimeToLive", control.DescribeTimeToLive, control.DescribeTimeToLiveTargets).
		DenyingBriefly(),
	serve.Owns("DisableKinesisStreamingDestination", kinesis.DisableKinesisStreamingDestination,
		kinesis.DisableKinesisStreamingDestinationTargets).DenyingBriefly(),
	serve.Owns("EnableKinesisStreamingDestination", kinesis.EnableKinesisStreamingDestination,
		kinesis.EnableKinesisStreamingDestinationTargets).DenyingBriefly(),
	serve.Owns("ExecuteStatement", partiql.ExecuteStatement, partiql.ExecuteStatementTargets),
	serve.Owns("ExecuteTransaction", partiql.ExecuteTransaction, partiql.ExecuteTransactionTargets),
	serve.Owns("ExportTableToPointInTime", transfer.ExportTableToPointInTime,
		transfer.ExportTableToPointInTimeTargets).DenyingBriefly(),
	serve.Borrows("GetItem", items.GetItem, items.GetItemTargets),
	serve.Owns("GetRecords", streams.GetRecords, streams.GetRecordsTargets),
	serve.Owns("GetResourcePolicy", control.GetResourcePolicy, control.GetResourcePolicyTargets),
	serve.Owns("GetShardIterator", streams.GetShardIterator, streams.GetShardIteratorTargets),
	serve.Owns("ImportTable", transfer.ImportTable, transfer.ImportTableTargets),
	serve.Owns("ListBackups", backups.ListBackups, backups.ListBackupsTargets).DenyingBriefly(),
	serve.Owns("ListBulkOperations", transfer.ListBulkOperations, serve.TouchesNothing).
		DenyingBriefly(),
	serve.Owns("ListContributorInsights", insights.ListContributorInsights,
		insights.ListContributorInsightsTargets).DenyingBriefly(),
	serve.Owns("ListExports", transfer.ListExports, transfer.ListExportsTargets).DenyingBriefly(),
	serve.Owns("ListGlobalTables", control.ListGlobalTables, serve.TouchesNothing),
	serve.Owns("ListImports", transfer.ListImports, transfer.ListImportsTargets).DenyingBriefly(),
	serve.Owns("ListStreams", streams.ListStreams, streams.ListStreamsTargets),
	serve.Owns("ListTables", control.ListTables, serve.TouchesNothing),
	serve.Owns("ListTagsOfResource", control.ListTagsOfResource, control.ListTagsOfResourceTargets).
		DenyingBriefly(),
	serve.Judging(serve.Borrows("PutItem", items.PutItem, items.PutItemTargets), items.JudgePut),
	serve.Owns("PutResourcePolicy", control.PutResourcePolicy, control.PutResourcePolicyTargets),
	serve.Judging(serve.Borrows("Query", items.Query, items.QueryTargets), items.JudgeQuery),
	serve.Owns("RestoreTableFromBackup", backups.RestoreTableFromBackup,
		backups.RestoreTableFromBackupTargets).DenyingBriefly(),
	serve.Owns("RestoreTableToPointInTime", backups.RestoreTableToPointInTime,
		backups.RestoreTableToPointInTimeTargets).DenyingBriefly(),
	serve.Borrows("Scan", items.Scan, items.ScanTargets),
	serve.Borrows("SearchVectors", items.SearchVectors, items.SearchVectorsTargets).
		ReadBy(items.SearchMembers),
	serve.Owns("StartBulkPutItems", transfer.StartBulkPutItems, transfer.StartBulkPutItemsTargets).
		DenyingBriefly(),
	serve.Owns("TagResource", control.TagResource, control.TagResourceTargets).DenyingBriefly(),
	serve.Borrows("TransactGetItems", items.TransactGetItems, items.TransactGetItemsTargets),
	serve.Judging(serve.Borrows("TransactWriteItems", items.TransactWriteItems,
		items.TransactWriteItemsTargets), items.JudgeTransactWrite),
	serve.Owns("UntagResource", control.UntagResource, control.UntagResourceTargets).
		DenyingBriefly(),
	serve.Owns("UpdateContinuousBackups", backups.UpdateContinuousBackups,
		backups.UpdateContinuousBackupsTargets).DenyingBriefly(),
	serve.Owns("UpdateContributorInsights", insights.UpdateContributorInsights,
		insights.UpdateContributorInsightsTargets).DenyingBriefly(),
	serve.Owns("UpdateGlobalTable", control.UpdateGlobalTable, control.UpdateGlobalTableTargets),
	serve.Owns("UpdateGlobalTableSettings", control.UpdateGlobalTableSettings,
		control.UpdateGlobalTableSettingsTargets),
	serve.Judging(serve.Borrows("UpdateItem", items.UpdateItem, items.UpdateItemTargets),
		items.JudgeUpdate),
	serve.Owns("UpdateKinesisStreamingDestination", kinesis.UpdateKinesisStreamingDestination,
		kinesis.UpdateKinesisStreamingDestinationTargets).DenyingBriefly(),
	serve.Owns("UpdateTable", control.UpdateTable, control.UpdateTableTargets).DenyingBriefly(),
	serve.Owns("UpdateTableReplicaAutoScaling", control.UpdateTableReplicaAutoScaling,
		control.UpdateTableReplicaAutoScalingTargets).DenyingBriefly(),
	serve.Owns("UpdateTimeToLive", control.UpdateTimeToLive, control.UpdateTimeToLiveTargets).
		DenyingBriefly(),
}

// operationsByTarget maps the value of X-Amz-Target to its operation.
var operationsByTarget = func() map[string]*serve.Operation {
	m := make(map[string]*serve.Operation, len(operations))
	for i := range operations {
		m[operations[i].Target()] = &operations[i]
	}
	return m
}()
