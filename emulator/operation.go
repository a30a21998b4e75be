package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// operations is the table of the operations that are served, in the order of their names. An
// operation is its file, its test and a line here.
var operations = []operation{
	owns("BatchExecuteStatement", batchExecuteStatement, batchExecuteStatementTargets),
	borrows("BatchGetItem", batchGetItem, batchGetItemTargets).worded(apierr.BareForm),
	borrows("BatchWriteItem", batchWriteItem, batchWriteItemTargets).reporting(apierr.ReportItemsLast),
	owns("CancelBulkOperation", cancelBulkOperation, cancelBulkOperationTargets),
	owns("CreateBackup", createBackup, createBackupTargets),
	owns("CreateGlobalTable", createGlobalTable, createGlobalTableTargets).reporting(apierr.ReportLengths),
	owns("CreateTable", createTable, createTableTargets).reporting(apierr.ReportTable),
	owns("DeleteBackup", deleteBackup, deleteBackupTargets),
	borrows("DeleteItem", deleteItem, deleteItemTargets).worded(apierr.EnvelopedForm),
	owns("DeleteResourcePolicy", deleteResourcePolicy, deleteResourcePolicyTargets),
	owns("DeleteTable", deleteTable, deleteTableTargets).reporting(apierr.ReportTable),
	owns("DescribeBackup", describeBackup, describeBackupTargets),
	owns("DescribeBulkOperation", describeBulkOperation, describeBulkOperationTargets),
	owns("DescribeContinuousBackups", describeContinuousBackups, describeContinuousBackupsTargets),
	owns("DescribeContributorInsights", describeContributorInsights, describeContributorInsightsTargets).reporting(apierr.ReportLengths),
	owns("DescribeEndpoints", describeEndpoints, touchesNothing),
	owns("DescribeExport", describeExport, describeExportTargets),
	owns("DescribeGlobalTable", describeGlobalTable, describeGlobalTableTargets).reporting(apierr.ReportLengths),
	owns("DescribeGlobalTableSettings", describeGlobalTableSettings, describeGlobalTableSettingsTargets).reporting(apierr.ReportLengths),
	owns("DescribeImport", describeImport, describeImportTargets),
	owns("DescribeKinesisStreamingDestination", describeKinesisStreamingDestination, describeKinesisStreamingDestinationTargets),
	owns("DescribeLimits", describeLimits, touchesNothing),
	owns("DescribeStream", describeStream, describeStreamTargets),
	owns("DescribeTable", describeTable, describeTableTargets).reporting(apierr.ReportTable),
	owns("DescribeTableReplicaAutoScaling", describeTableReplicaAutoScaling, describeTableReplicaAutoScalingTargets),
	owns("DescribeTimeToLive", describeTimeToLive, describeTimeToLiveTargets).reporting(apierr.ReportTable),
	owns("DisableKinesisStreamingDestination", disableKinesisStreamingDestination, disableKinesisStreamingDestinationTargets),
	owns("EnableKinesisStreamingDestination", enableKinesisStreamingDestination, enableKinesisStreamingDestinationTargets),
	owns("ExecuteStatement", executeStatement, executeStatementTargets),
	owns("ExecuteTransaction", executeTransaction, executeTransactionTargets),
	owns("ExportTableToPointInTime", exportTableToPointInTime, exportTableToPointInTimeTargets),
	borrows("GetItem", getItem, getItemTargets).worded(apierr.BareForm),
	owns("GetRecords", getRecords, getRecordsTargets),
	owns("GetResourcePolicy", getResourcePolicy, getResourcePolicyTargets),
	owns("GetShardIterator", getShardIterator, getShardIteratorTargets),
	owns("ImportTable", importTable, importTableTargets),
	owns("ListBackups", listBackups, listBackupsTargets),
	owns("ListBulkOperations", listBulkOperations, touchesNothing),
	owns("ListContributorInsights", listContributorInsights, listContributorInsightsTargets),
	owns("ListExports", listExports, listExportsTargets),
	owns("ListGlobalTables", listGlobalTables, touchesNothing),
	owns("ListImports", listImports, listImportsTargets),
	owns("ListStreams", listStreams, listStreamsTargets),
	owns("ListTables", listTables, touchesNothing),
	owns("ListTagsOfResource", listTagsOfResource, listTagsOfResourceTargets),
	borrows("PutItem", putItem, putItemTargets).worded(apierr.EnvelopedForm),
	owns("PutResourcePolicy", putResourcePolicy, putResourcePolicyTargets),
	borrows("Query", query, queryTargets).worded(apierr.BareForm),
	owns("RestoreTableFromBackup", restoreTableFromBackup, restoreTableFromBackupTargets).reporting(apierr.ReportLengths),
	owns("RestoreTableToPointInTime", restoreTableToPointInTime, restoreTableToPointInTimeTargets),
	borrows("Scan", scan, scanTargets),
	borrows("SearchVectors", searchVectors, searchVectorsTargets),
	owns("StartBulkPutItems", startBulkPutItems, startBulkPutItemsTargets),
	owns("TagResource", tagResource, tagResourceTargets),
	borrows("TransactGetItems", transactGetItems, transactGetItemsTargets),
	borrows("TransactWriteItems", transactWriteItems, transactWriteItemsTargets),
	owns("UntagResource", untagResource, untagResourceTargets),
	owns("UpdateContinuousBackups", updateContinuousBackups, updateContinuousBackupsTargets),
	owns("UpdateContributorInsights", updateContributorInsights, updateContributorInsightsTargets).reporting(apierr.ReportLengths),
	owns("UpdateGlobalTable", updateGlobalTable, updateGlobalTableTargets).reporting(apierr.ReportLengths),
	owns("UpdateGlobalTableSettings", updateGlobalTableSettings, updateGlobalTableSettingsTargets).reporting(apierr.ReportLengths),
	borrows("UpdateItem", updateItem, updateItemTargets).worded(apierr.EnvelopedForm).reporting(apierr.ReportUpdate),
	owns("UpdateKinesisStreamingDestination", updateKinesisStreamingDestination, updateKinesisStreamingDestinationTargets),
	owns("UpdateTable", updateTable, updateTableTargets).reporting(apierr.ReportTable),
	owns("UpdateTableReplicaAutoScaling", updateTableReplicaAutoScaling, updateTableReplicaAutoScalingTargets),
	owns("UpdateTimeToLive", updateTimeToLive, updateTimeToLiveTargets).reporting(apierr.ReportTable),
}

// operationsByTarget maps the value of X-Amz-Target to its operation.
var operationsByTarget = func() map[string]*operation {
	m := make(map[string]*operation, len(operations))
	for i := range operations {
		m[operations[i].Target()] = &operations[i]
	}
	return m
}()
