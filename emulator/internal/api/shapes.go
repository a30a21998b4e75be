// Package api holds the shapes of the operations: what a request may carry and
// what an answer carries, member by member and in the order of the service's
// API model, with the model's constraints beside them as data.
package api

import "github.com/kugiri-db/kugiri/storage/item"

// CreateTable

type KeySchemaAttributeName string

type ScalarAttributeType string

type AttributeDefinition struct {
	AttributeName *KeySchemaAttributeName `wire:"AttributeName,required"`
	AttributeType *ScalarAttributeType    `wire:"AttributeType,required"`
}

type TableArn string

type KeyType string

type KeySchemaElement struct {
	AttributeName *KeySchemaAttributeName `wire:"AttributeName,required"`
	KeyType       *KeyType                `wire:"KeyType,required"`
}

type KeySchema []KeySchemaElement

type IndexName string

type ProjectionType string

type NonKeyAttributeName string

type NonKeyAttributeNameList []NonKeyAttributeName

type Projection struct {
	ProjectionType   *ProjectionType         `wire:"ProjectionType"`
	NonKeyAttributes NonKeyAttributeNameList `wire:"NonKeyAttributes"`
}

type LocalSecondaryIndex struct {
	IndexName  *IndexName  `wire:"IndexName,required"`
	KeySchema  KeySchema   `wire:"KeySchema,required"`
	Projection *Projection `wire:"Projection,required"`
}

type PositiveLongObject int64

type ProvisionedThroughput struct {
	ReadCapacityUnits  *PositiveLongObject `wire:"ReadCapacityUnits,required"`
	WriteCapacityUnits *PositiveLongObject `wire:"WriteCapacityUnits,required"`
}

type OnDemandThroughput struct {
	MaxReadRequestUnits  *int64 `wire:"MaxReadRequestUnits"`
	MaxWriteRequestUnits *int64 `wire:"MaxWriteRequestUnits"`
}

type WarmThroughput struct {
	ReadUnitsPerSecond  *int64 `wire:"ReadUnitsPerSecond"`
	WriteUnitsPerSecond *int64 `wire:"WriteUnitsPerSecond"`
}

type GlobalSecondaryIndex struct {
	IndexName             *IndexName             `wire:"IndexName,required"`
	KeySchema             KeySchema              `wire:"KeySchema,required"`
	Projection            *Projection            `wire:"Projection,required"`
	ProvisionedThroughput *ProvisionedThroughput `wire:"ProvisionedThroughput"`
	OnDemandThroughput    *OnDemandThroughput    `wire:"OnDemandThroughput"`
	WarmThroughput        *WarmThroughput        `wire:"WarmThroughput"`
}

type BillingMode string

type StreamViewType string

type StreamSpecification struct {
	StreamEnabled  *bool           `wire:"StreamEnabled,required"`
	StreamViewType *StreamViewType `wire:"StreamViewType"`
}

type SSEType string

type SSESpecification struct {
	Enabled        *bool    `wire:"Enabled"`
	SSEType        *SSEType `wire:"SSEType"`
	KMSMasterKeyId *string  `wire:"KMSMasterKeyId"`
}

type TagKeyString string

type TagValueString string

type Tag struct {
	Key   *TagKeyString   `wire:"Key,required"`
	Value *TagValueString `wire:"Value,required"`
}

type TableClass string

type GlobalTableSettingsReplicationMode string

type VectorAttributeName string

type VectorAttributeDefinition struct {
	AttributeName *VectorAttributeName `wire:"AttributeName,required"`
}

type AttributeName string

type SearchSchemaElementType string

type SearchSchemaElement struct {
	AttributeName           *AttributeName           `wire:"AttributeName,required"`
	SearchSchemaElementType *SearchSchemaElementType `wire:"SearchSchemaElementType,required"`
}

type SearchSchema []SearchSchemaElement

type VectorDistanceFunction string

type VectorIndex struct {
	IndexName        *IndexName                 `wire:"IndexName,required"`
	VectorAttribute  *VectorAttributeDefinition `wire:"VectorAttribute,required"`
	SearchSchema     SearchSchema               `wire:"SearchSchema"`
	Projection       *Projection                `wire:"Projection,required"`
	Dimensions       *PositiveLongObject        `wire:"Dimensions,required"`
	DistanceFunction *VectorDistanceFunction    `wire:"DistanceFunction,required"`
}

type CreateTableInput struct {
	AttributeDefinitions               []AttributeDefinition               `wire:"AttributeDefinitions"`
	TableName                          *TableArn                           `wire:"TableName,required"`
	KeySchema                          KeySchema                           `wire:"KeySchema"`
	LocalSecondaryIndexes              []LocalSecondaryIndex               `wire:"LocalSecondaryIndexes"`
	GlobalSecondaryIndexes             []GlobalSecondaryIndex              `wire:"GlobalSecondaryIndexes"`
	BillingMode                        *BillingMode                        `wire:"BillingMode"`
	ProvisionedThroughput              *ProvisionedThroughput              `wire:"ProvisionedThroughput"`
	StreamSpecification                *StreamSpecification                `wire:"StreamSpecification"`
	SSESpecification                   *SSESpecification                   `wire:"SSESpecification"`
	Tags                               []Tag                               `wire:"Tags"`
	TableClass                         *TableClass                         `wire:"TableClass"`
	DeletionProtectionEnabled          *bool                               `wire:"DeletionProtectionEnabled"`
	WarmThroughput                     *WarmThroughput                     `wire:"WarmThroughput"`
	ResourcePolicy                     *string                             `wire:"ResourcePolicy"`
	OnDemandThroughput                 *OnDemandThroughput                 `wire:"OnDemandThroughput"`
	GlobalTableSourceArn               *TableArn                           `wire:"GlobalTableSourceArn"`
	GlobalTableSettingsReplicationMode *GlobalTableSettingsReplicationMode `wire:"GlobalTableSettingsReplicationMode"`
	VectorIndexes                      []VectorIndex                       `wire:"VectorIndexes"`
}

type TableName string

type TableStatus string

type NonNegativeLongObject int64

type ProvisionedThroughputDescription struct {
	LastIncreaseDateTime   *Timestamp             `wire:"LastIncreaseDateTime"`
	LastDecreaseDateTime   *Timestamp             `wire:"LastDecreaseDateTime"`
	NumberOfDecreasesToday *PositiveLongObject    `wire:"NumberOfDecreasesToday"`
	ReadCapacityUnits      *NonNegativeLongObject `wire:"ReadCapacityUnits"`
	WriteCapacityUnits     *NonNegativeLongObject `wire:"WriteCapacityUnits"`
}

type TableId string

type BillingModeSummary struct {
	BillingMode                       *BillingMode `wire:"BillingMode"`
	LastUpdateToPayPerRequestDateTime *Timestamp   `wire:"LastUpdateToPayPerRequestDateTime"`
}

type LocalSecondaryIndexDescription struct {
	IndexName      *IndexName  `wire:"IndexName"`
	KeySchema      KeySchema   `wire:"KeySchema"`
	Projection     *Projection `wire:"Projection"`
	IndexSizeBytes *int64      `wire:"IndexSizeBytes"`
	ItemCount      *int64      `wire:"ItemCount"`
	IndexArn       *string     `wire:"IndexArn"`
}

type IndexStatus string

type GlobalSecondaryIndexWarmThroughputDescription struct {
	ReadUnitsPerSecond  *PositiveLongObject `wire:"ReadUnitsPerSecond"`
	WriteUnitsPerSecond *PositiveLongObject `wire:"WriteUnitsPerSecond"`
	Status              *IndexStatus        `wire:"Status"`
}

type GlobalSecondaryIndexDescription struct {
	IndexName             *IndexName                                     `wire:"IndexName"`
	KeySchema             KeySchema                                      `wire:"KeySchema"`
	Projection            *Projection                                    `wire:"Projection"`
	IndexStatus           *IndexStatus                                   `wire:"IndexStatus"`
	Backfilling           *bool                                          `wire:"Backfilling"`
	ProvisionedThroughput *ProvisionedThroughputDescription              `wire:"ProvisionedThroughput"`
	IndexSizeBytes        *int64                                         `wire:"IndexSizeBytes"`
	ItemCount             *int64                                         `wire:"ItemCount"`
	IndexArn              *string                                        `wire:"IndexArn"`
	OnDemandThroughput    *OnDemandThroughput                            `wire:"OnDemandThroughput"`
	WarmThroughput        *GlobalSecondaryIndexWarmThroughputDescription `wire:"WarmThroughput"`
}

type StreamArn string

type ReplicaStatus string

type ProvisionedThroughputOverride struct {
	ReadCapacityUnits *PositiveLongObject `wire:"ReadCapacityUnits"`
}

type OnDemandThroughputOverride struct {
	MaxReadRequestUnits *int64 `wire:"MaxReadRequestUnits"`
}

type TableWarmThroughputDescription struct {
	ReadUnitsPerSecond  *PositiveLongObject `wire:"ReadUnitsPerSecond"`
	WriteUnitsPerSecond *PositiveLongObject `wire:"WriteUnitsPerSecond"`
	Status              *TableStatus        `wire:"Status"`
}

type ReplicaGlobalSecondaryIndexDescription struct {
	IndexName                     *IndexName                                     `wire:"IndexName"`
	ProvisionedThroughputOverride *ProvisionedThroughputOverride                 `wire:"ProvisionedThroughputOverride"`
	OnDemandThroughputOverride    *OnDemandThroughputOverride                    `wire:"OnDemandThroughputOverride"`
	WarmThroughput                *GlobalSecondaryIndexWarmThroughputDescription `wire:"WarmThroughput"`
}

type TableClassSummary struct {
	TableClass         *TableClass `wire:"TableClass"`
	LastUpdateDateTime *Timestamp  `wire:"LastUpdateDateTime"`
}

type ReplicaDescription struct {
	RegionName                         *string                                  `wire:"RegionName"`
	ReplicaStatus                      *ReplicaStatus                           `wire:"ReplicaStatus"`
	ReplicaArn                         *string                                  `wire:"ReplicaArn"`
	ReplicaStatusDescription           *string                                  `wire:"ReplicaStatusDescription"`
	ReplicaStatusPercentProgress       *string                                  `wire:"ReplicaStatusPercentProgress"`
	KMSMasterKeyId                     *string                                  `wire:"KMSMasterKeyId"`
	ProvisionedThroughputOverride      *ProvisionedThroughputOverride           `wire:"ProvisionedThroughputOverride"`
	OnDemandThroughputOverride         *OnDemandThroughputOverride              `wire:"OnDemandThroughputOverride"`
	WarmThroughput                     *TableWarmThroughputDescription          `wire:"WarmThroughput"`
	GlobalSecondaryIndexes             []ReplicaGlobalSecondaryIndexDescription `wire:"GlobalSecondaryIndexes"`
	ReplicaInaccessibleDateTime        *Timestamp                               `wire:"ReplicaInaccessibleDateTime"`
	ReplicaTableClassSummary           *TableClassSummary                       `wire:"ReplicaTableClassSummary"`
	GlobalTableSettingsReplicationMode *GlobalTableSettingsReplicationMode      `wire:"GlobalTableSettingsReplicationMode"`
}

type WitnessStatus string

type GlobalTableWitnessDescription struct {
	RegionName    *string        `wire:"RegionName"`
	WitnessStatus *WitnessStatus `wire:"WitnessStatus"`
}

type BackupArn string

type RestoreSummary struct {
	SourceBackupArn   *BackupArn `wire:"SourceBackupArn"`
	SourceTableArn    *TableArn  `wire:"SourceTableArn"`
	RestoreDateTime   *Timestamp `wire:"RestoreDateTime"`
	RestoreInProgress *bool      `wire:"RestoreInProgress"`
}

type SSEStatus string

type SSEDescription struct {
	Status                         *SSEStatus `wire:"Status"`
	SSEType                        *SSEType   `wire:"SSEType"`
	KMSMasterKeyArn                *string    `wire:"KMSMasterKeyArn"`
	InaccessibleEncryptionDateTime *Timestamp `wire:"InaccessibleEncryptionDateTime"`
}

type ArchivalSummary struct {
	ArchivalDateTime  *Timestamp `wire:"ArchivalDateTime"`
	ArchivalReason    *string    `wire:"ArchivalReason"`
	ArchivalBackupArn *BackupArn `wire:"ArchivalBackupArn"`
}

type MultiRegionConsistency string

type VectorIndexDescription struct {
	IndexName        *IndexName                 `wire:"IndexName"`
	SearchSchema     SearchSchema               `wire:"SearchSchema"`
	Projection       *Projection                `wire:"Projection"`
	VectorAttribute  *VectorAttributeDefinition `wire:"VectorAttribute"`
	Dimensions       *PositiveLongObject        `wire:"Dimensions"`
	DistanceFunction *VectorDistanceFunction    `wire:"DistanceFunction"`
	IndexStatus      *IndexStatus               `wire:"IndexStatus"`
	Backfilling      *bool                      `wire:"Backfilling"`
	IndexSizeBytes   *int64                     `wire:"IndexSizeBytes"`
	ItemCount        *int64                     `wire:"ItemCount"`
	IndexArn         *string                    `wire:"IndexArn"`
}

type TableDescription struct {
	AttributeDefinitions               []AttributeDefinition               `wire:"AttributeDefinitions"`
	TableName                          *TableName                          `wire:"TableName"`
	KeySchema                          KeySchema                           `wire:"KeySchema"`
	TableStatus                        *TableStatus                        `wire:"TableStatus"`
	CreationDateTime                   *Timestamp                          `wire:"CreationDateTime"`
	ProvisionedThroughput              *ProvisionedThroughputDescription   `wire:"ProvisionedThroughput"`
	TableSizeBytes                     *int64                              `wire:"TableSizeBytes"`
	ItemCount                          *int64                              `wire:"ItemCount"`
	TableArn                           *string                             `wire:"TableArn"`
	TableId                            *TableId                            `wire:"TableId"`
	BillingModeSummary                 *BillingModeSummary                 `wire:"BillingModeSummary"`
	LocalSecondaryIndexes              []LocalSecondaryIndexDescription    `wire:"LocalSecondaryIndexes"`
	GlobalSecondaryIndexes             []GlobalSecondaryIndexDescription   `wire:"GlobalSecondaryIndexes"`
	StreamSpecification                *StreamSpecification                `wire:"StreamSpecification"`
	LatestStreamLabel                  *string                             `wire:"LatestStreamLabel"`
	LatestStreamArn                    *StreamArn                          `wire:"LatestStreamArn"`
	GlobalTableVersion                 *string                             `wire:"GlobalTableVersion"`
	Replicas                           []ReplicaDescription                `wire:"Replicas"`
	GlobalTableWitnesses               []GlobalTableWitnessDescription     `wire:"GlobalTableWitnesses"`
	GlobalTableSettingsReplicationMode *GlobalTableSettingsReplicationMode `wire:"GlobalTableSettingsReplicationMode"`
	RestoreSummary                     *RestoreSummary                     `wire:"RestoreSummary"`
	SSEDescription                     *SSEDescription                     `wire:"SSEDescription"`
	ArchivalSummary                    *ArchivalSummary                    `wire:"ArchivalSummary"`
	TableClassSummary                  *TableClassSummary                  `wire:"TableClassSummary"`
	DeletionProtectionEnabled          *bool                               `wire:"DeletionProtectionEnabled"`
	OnDemandThroughput                 *OnDemandThroughput                 `wire:"OnDemandThroughput"`
	WarmThroughput                     *TableWarmThroughputDescription     `wire:"WarmThroughput"`
	MultiRegionConsistency             *MultiRegionConsistency             `wire:"MultiRegionConsistency"`
	VectorIndexes                      []VectorIndexDescription            `wire:"VectorIndexes"`
}

type CreateTableOutput struct {
	TableDescription *TableDescription `wire:"TableDescription"`
}

// DescribeTable

type DescribeTableInput struct {
	TableName *TableArn `wire:"TableName,required"`
}

type DescribeTableOutput struct {
	Table *TableDescription `wire:"Table"`
}

// ListTables

type ListTablesInputLimit int64

type ListTablesInput struct {
	ExclusiveStartTableName *TableName            `wire:"ExclusiveStartTableName"`
	Limit                   *ListTablesInputLimit `wire:"Limit"`
}

type ListTablesOutput struct {
	TableNames             []TableName `wire:"TableNames"`
	LastEvaluatedTableName *TableName  `wire:"LastEvaluatedTableName"`
}

// UpdateTable

type UpdateGlobalSecondaryIndexAction struct {
	IndexName             *IndexName             `wire:"IndexName,required"`
	ProvisionedThroughput *ProvisionedThroughput `wire:"ProvisionedThroughput"`
	OnDemandThroughput    *OnDemandThroughput    `wire:"OnDemandThroughput"`
	WarmThroughput        *WarmThroughput        `wire:"WarmThroughput"`
}

type CreateGlobalSecondaryIndexAction struct {
	IndexName             *IndexName             `wire:"IndexName,required"`
	KeySchema             KeySchema              `wire:"KeySchema,required"`
	Projection            *Projection            `wire:"Projection,required"`
	ProvisionedThroughput *ProvisionedThroughput `wire:"ProvisionedThroughput"`
	OnDemandThroughput    *OnDemandThroughput    `wire:"OnDemandThroughput"`
	WarmThroughput        *WarmThroughput        `wire:"WarmThroughput"`
}

type DeleteGlobalSecondaryIndexAction struct {
	IndexName *IndexName `wire:"IndexName,required"`
}

type GlobalSecondaryIndexUpdate struct {
	Update *UpdateGlobalSecondaryIndexAction `wire:"Update"`
	Create *CreateGlobalSecondaryIndexAction `wire:"Create"`
	Delete *DeleteGlobalSecondaryIndexAction `wire:"Delete"`
}

type ReplicaGlobalSecondaryIndex struct {
	IndexName                     *IndexName                     `wire:"IndexName,required"`
	ProvisionedThroughputOverride *ProvisionedThroughputOverride `wire:"ProvisionedThroughputOverride"`
	OnDemandThroughputOverride    *OnDemandThroughputOverride    `wire:"OnDemandThroughputOverride"`
}

type ReplicaGlobalSecondaryIndexList []ReplicaGlobalSecondaryIndex

type CreateReplicationGroupMemberAction struct {
	RegionName                    *string                         `wire:"RegionName,required"`
	KMSMasterKeyId                *string                         `wire:"KMSMasterKeyId"`
	ProvisionedThroughputOverride *ProvisionedThroughputOverride  `wire:"ProvisionedThroughputOverride"`
	OnDemandThroughputOverride    *OnDemandThroughputOverride     `wire:"OnDemandThroughputOverride"`
	GlobalSecondaryIndexes        ReplicaGlobalSecondaryIndexList `wire:"GlobalSecondaryIndexes"`
	TableClassOverride            *TableClass                     `wire:"TableClassOverride"`
}

type UpdateReplicationGroupMemberAction struct {
	RegionName                    *string                         `wire:"RegionName,required"`
	KMSMasterKeyId                *string                         `wire:"KMSMasterKeyId"`
	ProvisionedThroughputOverride *ProvisionedThroughputOverride  `wire:"ProvisionedThroughputOverride"`
	OnDemandThroughputOverride    *OnDemandThroughputOverride     `wire:"OnDemandThroughputOverride"`
	GlobalSecondaryIndexes        ReplicaGlobalSecondaryIndexList `wire:"GlobalSecondaryIndexes"`
	TableClassOverride            *TableClass                     `wire:"TableClassOverride"`
}

type DeleteReplicationGroupMemberAction struct {
	RegionName *string `wire:"RegionName,required"`
}

type ReplicationGroupUpdate struct {
	Create       *CreateReplicationGroupMemberAction       `wire:"Create"`
	Update       *UpdateReplicationGroupMemberAction       `wire:"Update"`
	Delete       *DeleteReplicationGroupMemberAction       `wire:"Delete"`
	Disassociate *DisassociateReplicationGroupMemberAction `wire:"Disassociate"`
}

type DisassociationMode string

type DisassociateReplicationGroupMemberAction struct {
	RegionName         *string             `wire:"RegionName,required"`
	DisassociationMode *DisassociationMode `wire:"DisassociationMode,required"`
}

type ReplicationGroupUpdateList []ReplicationGroupUpdate

type CreateGlobalTableWitnessGroupMemberAction struct {
	RegionName *string `wire:"RegionName,required"`
}

type DeleteGlobalTableWitnessGroupMemberAction struct {
	RegionName *string `wire:"RegionName,required"`
}

type GlobalTableWitnessGroupUpdate struct {
	Create *CreateGlobalTableWitnessGroupMemberAction `wire:"Create"`
	Delete *DeleteGlobalTableWitnessGroupMemberAction `wire:"Delete"`
}

type GlobalTableWitnessGroupUpdateList []GlobalTableWitnessGroupUpdate

type CreateVectorIndexAction struct {
	IndexName        *IndexName                 `wire:"IndexName,required"`
	VectorAttribute  *VectorAttributeDefinition `wire:"VectorAttribute,required"`
	SearchSchema     SearchSchema               `wire:"SearchSchema"`
	Projection       *Projection                `wire:"Projection,required"`
	Dimensions       *PositiveLongObject        `wire:"Dimensions,required"`
	DistanceFunction *VectorDistanceFunction    `wire:"DistanceFunction,required"`
}

type DeleteVectorIndexAction struct {
	IndexName *IndexName `wire:"IndexName,required"`
}

type VectorIndexUpdate struct {
	Create *CreateVectorIndexAction `wire:"Create"`
	Delete *DeleteVectorIndexAction `wire:"Delete"`
}

type UpdateTableInput struct {
	AttributeDefinitions               []AttributeDefinition               `wire:"AttributeDefinitions"`
	TableName                          *TableArn                           `wire:"TableName,required"`
	BillingMode                        *BillingMode                        `wire:"BillingMode"`
	ProvisionedThroughput              *ProvisionedThroughput              `wire:"ProvisionedThroughput"`
	GlobalSecondaryIndexUpdates        []GlobalSecondaryIndexUpdate        `wire:"GlobalSecondaryIndexUpdates"`
	StreamSpecification                *StreamSpecification                `wire:"StreamSpecification"`
	SSESpecification                   *SSESpecification                   `wire:"SSESpecification"`
	ReplicaUpdates                     ReplicationGroupUpdateList          `wire:"ReplicaUpdates"`
	TableClass                         *TableClass                         `wire:"TableClass"`
	DeletionProtectionEnabled          *bool                               `wire:"DeletionProtectionEnabled"`
	DisassociationProtectionEnabled    *bool                               `wire:"DisassociationProtectionEnabled"`
	MultiRegionConsistency             *MultiRegionConsistency             `wire:"MultiRegionConsistency"`
	GlobalTableWitnessUpdates          GlobalTableWitnessGroupUpdateList   `wire:"GlobalTableWitnessUpdates"`
	OnDemandThroughput                 *OnDemandThroughput                 `wire:"OnDemandThroughput"`
	WarmThroughput                     *WarmThroughput                     `wire:"WarmThroughput"`
	GlobalTableSettingsReplicationMode *GlobalTableSettingsReplicationMode `wire:"GlobalTableSettingsReplicationMode"`
	VectorIndexUpdates                 []VectorIndexUpdate                 `wire:"VectorIndexUpdates"`
}

type UpdateTableOutput struct {
	TableDescription *TableDescription `wire:"TableDescription"`
}

// DeleteTable

type DeleteTableInput struct {
	TableName *TableArn `wire:"TableName,required"`
}

type DeleteTableOutput struct {
	TableDescription *TableDescription `wire:"TableDescription"`
}

// DescribeLimits

type DescribeLimitsInput struct {
}

type DescribeLimitsOutput struct {
	AccountMaxReadCapacityUnits  *PositiveLongObject `wire:"AccountMaxReadCapacityUnits"`
	AccountMaxWriteCapacityUnits *PositiveLongObject `wire:"AccountMaxWriteCapacityUnits"`
	TableMaxReadCapacityUnits    *PositiveLongObject `wire:"TableMaxReadCapacityUnits"`
	TableMaxWriteCapacityUnits   *PositiveLongObject `wire:"TableMaxWriteCapacityUnits"`
}

// DescribeEndpoints

type DescribeEndpointsRequest struct {
}

type Endpoint struct {
	Address              *string `wire:"Address"`
	CachePeriodInMinutes *int64  `wire:"CachePeriodInMinutes"`
}

type DescribeEndpointsResponse struct {
	Endpoints []Endpoint `wire:"Endpoints"`
}

// TagResource

type ResourceArnString string

type TagResourceInput struct {
	ResourceArn *ResourceArnString `wire:"ResourceArn,required"`
	Tags        []Tag              `wire:"Tags,required"`
}

// UntagResource

type UntagResourceInput struct {
	ResourceArn *ResourceArnString `wire:"ResourceArn,required"`
	TagKeys     []TagKeyString     `wire:"TagKeys,required"`
}

// ListTagsOfResource

type ListTagsOfResourceInput struct {
	ResourceArn *ResourceArnString `wire:"ResourceArn,required"`
	NextToken   *string            `wire:"NextToken"`
}

type ListTagsOfResourceOutput struct {
	Tags      []Tag   `wire:"Tags"`
	NextToken *string `wire:"NextToken"`
}

// PutItem

type ComparisonOperator string

type ExpectedAttributeValue struct {
	Value              AttributeValue      `wire:"Value"`
	Exists             *bool               `wire:"Exists"`
	ComparisonOperator *ComparisonOperator `wire:"ComparisonOperator"`
	AttributeValueList []AttributeValue    `wire:"AttributeValueList"`
}

type ReturnValue string

type ReturnConsumedCapacity string

type ReturnItemCollectionMetrics string

type ConditionalOperator string

type ReturnValuesOnConditionCheckFailure string

type PutItemInput struct {
	TableName                           *TableArn                            `wire:"TableName,required"`
	Item                                item.Attributes                      `wire:"Item,required"`
	Expected                            Map[ExpectedAttributeValue]          `wire:"Expected"`
	ReturnValues                        *ReturnValue                         `wire:"ReturnValues"`
	ReturnConsumedCapacity              *ReturnConsumedCapacity              `wire:"ReturnConsumedCapacity"`
	ReturnItemCollectionMetrics         *ReturnItemCollectionMetrics         `wire:"ReturnItemCollectionMetrics"`
	ConditionalOperator                 *ConditionalOperator                 `wire:"ConditionalOperator"`
	ConditionExpression                 *string                              `wire:"ConditionExpression"`
	ExpressionAttributeNames            Map[AttributeName]                   `wire:"ExpressionAttributeNames"`
	ExpressionAttributeValues           item.Attributes                      `wire:"ExpressionAttributeValues"`
	ReturnValuesOnConditionCheckFailure *ReturnValuesOnConditionCheckFailure `wire:"ReturnValuesOnConditionCheckFailure"`
}

type Capacity struct {
	ReadCapacityUnits  *float64 `wire:"ReadCapacityUnits"`
	WriteCapacityUnits *float64 `wire:"WriteCapacityUnits"`
	CapacityUnits      *float64 `wire:"CapacityUnits"`
}

type VectorCapacity struct {
	VectorSearchRequestBytes *float64 `wire:"VectorSearchRequestBytes"`
	VectorWriteRequestBytes  *float64 `wire:"VectorWriteRequestBytes"`
}

type ConsumedCapacity struct {
	TableName              *TableArn           `wire:"TableName"`
	CapacityUnits          *float64            `wire:"CapacityUnits"`
	ReadCapacityUnits      *float64            `wire:"ReadCapacityUnits"`
	WriteCapacityUnits     *float64            `wire:"WriteCapacityUnits"`
	Table                  *Capacity           `wire:"Table"`
	LocalSecondaryIndexes  Map[Capacity]       `wire:"LocalSecondaryIndexes"`
	GlobalSecondaryIndexes Map[Capacity]       `wire:"GlobalSecondaryIndexes"`
	VectorIndexes          Map[VectorCapacity] `wire:"VectorIndexes"`
}

type ItemCollectionMetrics struct {
	ItemCollectionKey   item.JSON `wire:"ItemCollectionKey"`
	SizeEstimateRangeGB []float64 `wire:"SizeEstimateRangeGB"`
}

type PutItemOutput struct {
	Attributes            item.JSON              `wire:"Attributes"`
	ConsumedCapacity      *ConsumedCapacity      `wire:"ConsumedCapacity"`
	ItemCollectionMetrics *ItemCollectionMetrics `wire:"ItemCollectionMetrics"`
}

// GetItem

type AttributeNameList []AttributeName

type GetItemInput struct {
	TableName                *TableArn               `wire:"TableName,required"`
	Key                      item.Attributes         `wire:"Key,required"`
	AttributesToGet          AttributeNameList       `wire:"AttributesToGet"`
	ConsistentRead           *bool                   `wire:"ConsistentRead"`
	ReturnConsumedCapacity   *ReturnConsumedCapacity `wire:"ReturnConsumedCapacity"`
	ProjectionExpression     *string                 `wire:"ProjectionExpression"`
	ExpressionAttributeNames Map[AttributeName]      `wire:"ExpressionAttributeNames"`
}

type GetItemOutput struct {
	Item             item.JSON         `wire:"Item"`
	ConsumedCapacity *ConsumedCapacity `wire:"ConsumedCapacity"`
}

// UpdateItem

type AttributeAction string

type AttributeValueUpdate struct {
	Value  AttributeValue   `wire:"Value"`
	Action *AttributeAction `wire:"Action"`
}

type UpdateItemInput struct {
	TableName                           *TableArn                            `wire:"TableName,required"`
	Key                                 item.Attributes                      `wire:"Key,required"`
	AttributeUpdates                    Map[AttributeValueUpdate]            `wire:"AttributeUpdates"`
	Expected                            Map[ExpectedAttributeValue]          `wire:"Expected"`
	ConditionalOperator                 *ConditionalOperator                 `wire:"ConditionalOperator"`
	ReturnValues                        *ReturnValue                         `wire:"ReturnValues"`
	ReturnConsumedCapacity              *ReturnConsumedCapacity              `wire:"ReturnConsumedCapacity"`
	ReturnItemCollectionMetrics         *ReturnItemCollectionMetrics         `wire:"ReturnItemCollectionMetrics"`
	UpdateExpression                    *string                              `wire:"UpdateExpression"`
	ConditionExpression                 *string                              `wire:"ConditionExpression"`
	ExpressionAttributeNames            Map[AttributeName]                   `wire:"ExpressionAttributeNames"`
	ExpressionAttributeValues           item.Attributes                      `wire:"ExpressionAttributeValues"`
	ReturnValuesOnConditionCheckFailure *ReturnValuesOnConditionCheckFailure `wire:"ReturnValuesOnConditionCheckFailure"`
}

type UpdateItemOutput struct {
	Attributes            item.JSON              `wire:"Attributes"`
	ConsumedCapacity      *ConsumedCapacity      `wire:"ConsumedCapacity"`
	ItemCollectionMetrics *ItemCollectionMetrics `wire:"ItemCollectionMetrics"`
}

// DeleteItem

type DeleteItemInput struct {
	TableName                           *TableArn                            `wire:"TableName,required"`
	Key                                 item.Attributes                      `wire:"Key,required"`
	Expected                            Map[ExpectedAttributeValue]          `wire:"Expected"`
	ConditionalOperator                 *ConditionalOperator                 `wire:"ConditionalOperator"`
	ReturnValues                        *ReturnValue                         `wire:"ReturnValues"`
	ReturnConsumedCapacity              *ReturnConsumedCapacity              `wire:"ReturnConsumedCapacity"`
	ReturnItemCollectionMetrics         *ReturnItemCollectionMetrics         `wire:"ReturnItemCollectionMetrics"`
	ConditionExpression                 *string                              `wire:"ConditionExpression"`
	ExpressionAttributeNames            Map[AttributeName]                   `wire:"ExpressionAttributeNames"`
	ExpressionAttributeValues           item.Attributes                      `wire:"ExpressionAttributeValues"`
	ReturnValuesOnConditionCheckFailure *ReturnValuesOnConditionCheckFailure `wire:"ReturnValuesOnConditionCheckFailure"`
}

type DeleteItemOutput struct {
	Attributes            item.JSON              `wire:"Attributes"`
	ConsumedCapacity      *ConsumedCapacity      `wire:"ConsumedCapacity"`
	ItemCollectionMetrics *ItemCollectionMetrics `wire:"ItemCollectionMetrics"`
}

// BatchGetItem

type KeyList []item.Attributes

type KeysAndAttributes struct {
	Keys                     KeyList            `wire:"Keys,required"`
	AttributesToGet          AttributeNameList  `wire:"AttributesToGet"`
	ConsistentRead           *bool              `wire:"ConsistentRead"`
	ProjectionExpression     *string            `wire:"ProjectionExpression"`
	ExpressionAttributeNames Map[AttributeName] `wire:"ExpressionAttributeNames"`
}

type BatchGetRequestMap Map[KeysAndAttributes]

type BatchGetItemInput struct {
	RequestItems           BatchGetRequestMap      `wire:"RequestItems,required"`
	ReturnConsumedCapacity *ReturnConsumedCapacity `wire:"ReturnConsumedCapacity"`
}

type BatchGetItemOutput struct {
	Responses        Map[[]item.JSON]   `wire:"Responses"`
	UnprocessedKeys  BatchGetRequestMap `wire:"UnprocessedKeys"`
	ConsumedCapacity []ConsumedCapacity `wire:"ConsumedCapacity"`
}

// BatchWriteItem

type PutRequest struct {
	Item item.Attributes `wire:"Item,required"`
}

type DeleteRequest struct {
	Key item.Attributes `wire:"Key,required"`
}

type WriteRequest struct {
	PutRequest    *PutRequest    `wire:"PutRequest"`
	DeleteRequest *DeleteRequest `wire:"DeleteRequest"`
}

type WriteRequests []WriteRequest

type BatchWriteItemRequestMap Map[WriteRequests]

type BatchWriteItemInput struct {
	RequestItems                BatchWriteItemRequestMap     `wire:"RequestItems,required"`
	ReturnConsumedCapacity      *ReturnConsumedCapacity      `wire:"ReturnConsumedCapacity"`
	ReturnItemCollectionMetrics *ReturnItemCollectionMetrics `wire:"ReturnItemCollectionMetrics"`
}

type BatchWriteItemOutput struct {
	UnprocessedItems      BatchWriteItemRequestMap     `wire:"UnprocessedItems"`
	ItemCollectionMetrics Map[[]ItemCollectionMetrics] `wire:"ItemCollectionMetrics"`
	ConsumedCapacity      []ConsumedCapacity           `wire:"ConsumedCapacity"`
}

// Query

type Select string

type PositiveIntegerObject int64

type Condition struct {
	AttributeValueList []AttributeValue    `wire:"AttributeValueList"`
	ComparisonOperator *ComparisonOperator `wire:"ComparisonOperator,required"`
}

type QueryInput struct {
	TableName                 *TableArn               `wire:"TableName,required"`
	IndexName                 *IndexName              `wire:"IndexName"`
	Select                    *Select                 `wire:"Select"`
	AttributesToGet           AttributeNameList       `wire:"AttributesToGet"`
	Limit                     *PositiveIntegerObject  `wire:"Limit"`
	ConsistentRead            *bool                   `wire:"ConsistentRead"`
	KeyConditions             Map[Condition]          `wire:"KeyConditions"`
	QueryFilter               Map[Condition]          `wire:"QueryFilter"`
	ConditionalOperator       *ConditionalOperator    `wire:"ConditionalOperator"`
	ScanIndexForward          *bool                   `wire:"ScanIndexForward"`
	ExclusiveStartKey         item.Attributes         `wire:"ExclusiveStartKey"`
	ReturnConsumedCapacity    *ReturnConsumedCapacity `wire:"ReturnConsumedCapacity"`
	ProjectionExpression      *string                 `wire:"ProjectionExpression"`
	FilterExpression          *string                 `wire:"FilterExpression"`
	KeyConditionExpression    *string                 `wire:"KeyConditionExpression"`
	ExpressionAttributeNames  Map[AttributeName]      `wire:"ExpressionAttributeNames"`
	ExpressionAttributeValues item.Attributes         `wire:"ExpressionAttributeValues"`
}

type QueryOutput struct {
	Items            []item.JSON       `wire:"Items"`
	Count            *int64            `wire:"Count"`
	ScannedCount     *int64            `wire:"ScannedCount"`
	LastEvaluatedKey item.JSON         `wire:"LastEvaluatedKey"`
	ConsumedCapacity *ConsumedCapacity `wire:"ConsumedCapacity"`
}

// Scan

type ScanTotalSegments int64

type ScanSegment int64

type ScanInput struct {
	TableName                 *TableArn               `wire:"TableName,required"`
	IndexName                 *IndexName              `wire:"IndexName"`
	AttributesToGet           AttributeNameList       `wire:"AttributesToGet"`
	Limit                     *PositiveIntegerObject  `wire:"Limit"`
	Select                    *Select                 `wire:"Select"`
	ScanFilter                Map[Condition]          `wire:"ScanFilter"`
	ConditionalOperator       *ConditionalOperator    `wire:"ConditionalOperator"`
	ExclusiveStartKey         item.Attributes         `wire:"ExclusiveStartKey"`
	ReturnConsumedCapacity    *ReturnConsumedCapacity `wire:"ReturnConsumedCapacity"`
	TotalSegments             *ScanTotalSegments      `wire:"TotalSegments"`
	Segment                   *ScanSegment            `wire:"Segment"`
	ProjectionExpression      *string                 `wire:"ProjectionExpression"`
	FilterExpression          *string                 `wire:"FilterExpression"`
	ExpressionAttributeNames  Map[AttributeName]      `wire:"ExpressionAttributeNames"`
	ExpressionAttributeValues item.Attributes         `wire:"ExpressionAttributeValues"`
	ConsistentRead            *bool                   `wire:"ConsistentRead"`
}

type ScanOutput struct {
	Items            []item.JSON       `wire:"Items"`
	Count            *int64            `wire:"Count"`
	ScannedCount     *int64            `wire:"ScannedCount"`
	LastEvaluatedKey item.JSON         `wire:"LastEvaluatedKey"`
	ConsumedCapacity *ConsumedCapacity `wire:"ConsumedCapacity"`
}
