package api

// Shapes of operations on features of which a table that was never given them has nothing to tell.

// DescribeContinuousBackups

type DescribeContinuousBackupsInput struct {
	TableName *TableArn `wire:"TableName,required"`
}

type DescribeContinuousBackupsOutput struct {
	ContinuousBackupsDescription *ContinuousBackupsDescription `wire:"ContinuousBackupsDescription"`
}

type ContinuousBackupsDescription struct {
	ContinuousBackupsStatus        *ContinuousBackupsStatus        `wire:"ContinuousBackupsStatus"`
	PointInTimeRecoveryDescription *PointInTimeRecoveryDescription `wire:"PointInTimeRecoveryDescription"`
}

type ContinuousBackupsStatus string

type PointInTimeRecoveryDescription struct {
	PointInTimeRecoveryStatus  *PointInTimeRecoveryStatus `wire:"PointInTimeRecoveryStatus"`
	RecoveryPeriodInDays       *RecoveryPeriodInDays      `wire:"RecoveryPeriodInDays"`
	EarliestRestorableDateTime *Timestamp                 `wire:"EarliestRestorableDateTime"`
	LatestRestorableDateTime   *Timestamp                 `wire:"LatestRestorableDateTime"`
}

type PointInTimeRecoveryStatus string

type RecoveryPeriodInDays int64

// DescribeContributorInsights

type DescribeContributorInsightsInput struct {
	TableName *TableArn  `wire:"TableName,required"`
	IndexName *IndexName `wire:"IndexName"`
}

type DescribeContributorInsightsOutput struct {
	TableName                   *TableName                 `wire:"TableName"`
	IndexName                   *IndexName                 `wire:"IndexName"`
	ContributorInsightsRuleList []ContributorInsightsRule  `wire:"ContributorInsightsRuleList"`
	ContributorInsightsStatus   *ContributorInsightsStatus `wire:"ContributorInsightsStatus"`
	LastUpdateDateTime          *Timestamp                 `wire:"LastUpdateDateTime"`
	FailureException            *FailureException          `wire:"FailureException"`
	ContributorInsightsMode     *ContributorInsightsMode   `wire:"ContributorInsightsMode"`
}

type ContributorInsightsRule string

type ContributorInsightsStatus string

type FailureException struct {
	ExceptionName        *string `wire:"ExceptionName"`
	ExceptionDescription *string `wire:"ExceptionDescription"`
}

type ContributorInsightsMode string

// DescribeKinesisStreamingDestination

type DescribeKinesisStreamingDestinationInput struct {
	TableName *TableArn `wire:"TableName,required"`
}

type DescribeKinesisStreamingDestinationOutput struct {
	TableName                     *TableName                     `wire:"TableName"`
	KinesisDataStreamDestinations []KinesisDataStreamDestination `wire:"KinesisDataStreamDestinations"`
}

type KinesisDataStreamDestination struct {
	StreamArn                            *StreamArn                            `wire:"StreamArn"`
	DestinationStatus                    *DestinationStatus                    `wire:"DestinationStatus"`
	DestinationStatusDescription         *string                               `wire:"DestinationStatusDescription"`
	ApproximateCreationDateTimePrecision *ApproximateCreationDateTimePrecision `wire:"ApproximateCreationDateTimePrecision"`
}

type DestinationStatus string

type ApproximateCreationDateTimePrecision string

// GetResourcePolicy

type GetResourcePolicyInput struct {
	ResourceArn *ResourceArnString `wire:"ResourceArn,required"`
}

type GetResourcePolicyOutput struct {
	Policy     *string           `wire:"Policy"`
	RevisionId *PolicyRevisionId `wire:"RevisionId"`
}

type PolicyRevisionId string

// ListBackups

type ListBackupsInput struct {
	TableName               *TableArn          `wire:"TableName"`
	Limit                   *BackupsInputLimit `wire:"Limit"`
	TimeRangeLowerBound     *Timestamp         `wire:"TimeRangeLowerBound"`
	TimeRangeUpperBound     *Timestamp         `wire:"TimeRangeUpperBound"`
	ExclusiveStartBackupArn *BackupArn         `wire:"ExclusiveStartBackupArn"`
	BackupType              *BackupTypeFilter  `wire:"BackupType"`
}

type BackupsInputLimit int64

type BackupTypeFilter string

type ListBackupsOutput struct {
	BackupSummaries        []BackupSummary `wire:"BackupSummaries"`
	LastEvaluatedBackupArn *BackupArn      `wire:"LastEvaluatedBackupArn"`
}

type BackupSummary struct {
	TableName              *TableName       `wire:"TableName"`
	TableId                *TableId         `wire:"TableId"`
	TableArn               *TableArn        `wire:"TableArn"`
	BackupArn              *BackupArn       `wire:"BackupArn"`
	BackupName             *BackupName      `wire:"BackupName"`
	BackupCreationDateTime *Timestamp       `wire:"BackupCreationDateTime"`
	BackupExpiryDateTime   *Timestamp       `wire:"BackupExpiryDateTime"`
	BackupStatus           *BackupStatus    `wire:"BackupStatus"`
	BackupType             *BackupType      `wire:"BackupType"`
	BackupSizeBytes        *BackupSizeBytes `wire:"BackupSizeBytes"`
}

type BackupName string

type BackupStatus string

type BackupType string

type BackupSizeBytes int64

// ListContributorInsights

type ListContributorInsightsInput struct {
	TableName  *TableArn                     `wire:"TableName"`
	NextToken  *string                       `wire:"NextToken"`
	MaxResults *ListContributorInsightsLimit `wire:"MaxResults"`
}

type ListContributorInsightsLimit int64

type ListContributorInsightsOutput struct {
	ContributorInsightsSummaries []ContributorInsightsSummary `wire:"ContributorInsightsSummaries"`
	NextToken                    *string                      `wire:"NextToken"`
}

type ContributorInsightsSummary struct {
	TableName                 *TableName                 `wire:"TableName"`
	IndexName                 *IndexName                 `wire:"IndexName"`
	ContributorInsightsStatus *ContributorInsightsStatus `wire:"ContributorInsightsStatus"`
	ContributorInsightsMode   *ContributorInsightsMode   `wire:"ContributorInsightsMode"`
}

// ListExports

type ListExportsInput struct {
	TableArn   *TableArn            `wire:"TableArn"`
	MaxResults *ListExportsMaxLimit `wire:"MaxResults"`
	NextToken  *string              `wire:"NextToken"`
}

type ListExportsMaxLimit int64

type ListExportsOutput struct {
	ExportSummaries []ExportSummary `wire:"ExportSummaries"`
	NextToken       *string         `wire:"NextToken"`
}

type ExportSummary struct {
	ExportArn    *ExportArn    `wire:"ExportArn"`
	ExportStatus *ExportStatus `wire:"ExportStatus"`
	ExportType   *ExportType   `wire:"ExportType"`
}

type ExportArn string

type ExportStatus string

type ExportType string

// ListGlobalTables

type ListGlobalTablesInput struct {
	ExclusiveStartGlobalTableName *TableName             `wire:"ExclusiveStartGlobalTableName"`
	Limit                         *PositiveIntegerObject `wire:"Limit"`
	RegionName                    *string                `wire:"RegionName"`
}

type ListGlobalTablesOutput struct {
	GlobalTables                 []GlobalTable `wire:"GlobalTables"`
	LastEvaluatedGlobalTableName *TableName    `wire:"LastEvaluatedGlobalTableName"`
}

type GlobalTable struct {
	GlobalTableName  *TableName `wire:"GlobalTableName"`
	ReplicationGroup []Replica  `wire:"ReplicationGroup"`
}

type Replica struct {
	RegionName *string `wire:"RegionName"`
}

// ListImports

type ListImportsInput struct {
	TableArn  *TableArn            `wire:"TableArn"`
	PageSize  *ListImportsMaxLimit `wire:"PageSize"`
	NextToken *ImportNextToken     `wire:"NextToken"`
}

type ListImportsMaxLimit int64

type ImportNextToken string

type ListImportsOutput struct {
	ImportSummaryList []ImportSummary  `wire:"ImportSummaryList"`
	NextToken         *ImportNextToken `wire:"NextToken"`
}

type ImportSummary struct {
	ImportArn             *ImportArn             `wire:"ImportArn"`
	ImportStatus          *ImportStatus          `wire:"ImportStatus"`
	TableArn              *TableArn              `wire:"TableArn"`
	S3BucketSource        *S3BucketSource        `wire:"S3BucketSource"`
	CloudWatchLogGroupArn *CloudWatchLogGroupArn `wire:"CloudWatchLogGroupArn"`
	InputFormat           *InputFormat           `wire:"InputFormat"`
	StartTime             *Timestamp             `wire:"StartTime"`
	EndTime               *Timestamp             `wire:"EndTime"`
}

type ImportArn string

type ImportStatus string

type S3BucketSource struct {
	S3BucketOwner *S3BucketOwner `wire:"S3BucketOwner"`
	S3Bucket      *S3Bucket      `wire:"S3Bucket"`
	S3KeyPrefix   *S3Prefix      `wire:"S3KeyPrefix"`
}

type S3BucketOwner string

type S3Bucket string

type S3Prefix string

type CloudWatchLogGroupArn string

type InputFormat string
