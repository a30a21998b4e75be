package api

import "github.com/kugiri-db/kugiri/storage/item"

// ListStreams

type ListStreamsInput struct {
	TableName               *TableName             `wire:"TableName"`
	Limit                   *PositiveIntegerObject `wire:"Limit"`
	ExclusiveStartStreamArn *StreamArn             `wire:"ExclusiveStartStreamArn"`
}

type ListStreamsOutput struct {
	Streams                []Stream   `wire:"Streams"`
	LastEvaluatedStreamArn *StreamArn `wire:"LastEvaluatedStreamArn"`
}

type Stream struct {
	StreamArn   *StreamArn `wire:"StreamArn"`
	TableName   *TableName `wire:"TableName"`
	StreamLabel *string    `wire:"StreamLabel"`
}

// DescribeStream

type ShardId string

type ShardFilterType string

// ShardFilter asks for some of the shards only.
type ShardFilter struct {
	Type    *ShardFilterType `wire:"Type"`
	ShardId *ShardId         `wire:"ShardId"`
}

type DescribeStreamInput struct {
	StreamArn             *StreamArn             `wire:"StreamArn,required"`
	Limit                 *PositiveIntegerObject `wire:"Limit"`
	ExclusiveStartShardId *ShardId               `wire:"ExclusiveStartShardId"`
	ShardFilter           *ShardFilter           `wire:"ShardFilter"`
}

type DescribeStreamOutput struct {
	StreamDescription *StreamDescription `wire:"StreamDescription"`
}

type StreamStatus string

type StreamDescription struct {
	StreamArn               *StreamArn      `wire:"StreamArn"`
	StreamLabel             *string         `wire:"StreamLabel"`
	StreamStatus            *StreamStatus   `wire:"StreamStatus"`
	StreamViewType          *StreamViewType `wire:"StreamViewType"`
	CreationRequestDateTime *Timestamp      `wire:"CreationRequestDateTime"`
	TableName               *TableName      `wire:"TableName"`
	KeySchema               KeySchema       `wire:"KeySchema"`
	Shards                  []Shard         `wire:"Shards"`
	LastEvaluatedShardId    *ShardId        `wire:"LastEvaluatedShardId"`
}

type SequenceNumber string

type SequenceNumberRange struct {
	StartingSequenceNumber *SequenceNumber `wire:"StartingSequenceNumber"`
	EndingSequenceNumber   *SequenceNumber `wire:"EndingSequenceNumber"`
}

type Shard struct {
	ShardId             *ShardId             `wire:"ShardId"`
	SequenceNumberRange *SequenceNumberRange `wire:"SequenceNumberRange"`
	ParentShardId       *ShardId             `wire:"ParentShardId"`
}

// GetShardIterator

type ShardIteratorType string

type ShardIterator string

type GetShardIteratorInput struct {
	StreamArn         *StreamArn         `wire:"StreamArn,required"`
	ShardId           *ShardId           `wire:"ShardId,required"`
	ShardIteratorType *ShardIteratorType `wire:"ShardIteratorType,required"`
	SequenceNumber    *SequenceNumber    `wire:"SequenceNumber"`
}

type GetShardIteratorOutput struct {
	ShardIterator *ShardIterator `wire:"ShardIterator"`
}

// GetRecords

type GetRecordsInput struct {
	ShardIterator *ShardIterator         `wire:"ShardIterator,required"`
	Limit         *PositiveIntegerObject `wire:"Limit"`
}

type GetRecordsOutput struct {
	Records           []Record       `wire:"Records"`
	NextShardIterator *ShardIterator `wire:"NextShardIterator"`
}

type OperationType string

// Record is one change of an item, with what is the same for all services that make such records.
type Record struct {
	EventID      *string        `wire:"eventID"`
	EventName    *OperationType `wire:"eventName"`
	EventVersion *string        `wire:"eventVersion"`
	EventSource  *string        `wire:"eventSource"`
	AwsRegion    *string        `wire:"awsRegion"`
	Dynamodb     *StreamRecord  `wire:"dynamodb"`
	UserIdentity *Identity      `wire:"userIdentity"`
}

// StreamRecord is DynamoDB's part of a Record.
type StreamRecord struct {
	ApproximateCreationDateTime *Timestamp          `wire:"ApproximateCreationDateTime"`
	Keys                        item.JSON           `wire:"Keys"`
	NewImage                    item.JSON           `wire:"NewImage"`
	OldImage                    item.JSON           `wire:"OldImage"`
	SequenceNumber              *SequenceNumber     `wire:"SequenceNumber"`
	SizeBytes                   *PositiveLongObject `wire:"SizeBytes"`
	StreamViewType              *StreamViewType     `wire:"StreamViewType"`
}

// Identity says who deleted an item, if it was not a user.
type Identity struct {
	PrincipalId *string `wire:"PrincipalId"`
	Type        *string `wire:"Type"`
}
