package api

import "github.com/kugiri-db/kugiri/storage/item"

// TransactWriteItems

// ConditionCheck is the action that only checks an item.
type ConditionCheck struct {
	Key                                 item.Attributes                      `wire:"Key,required"`
	TableName                           *TableArn                            `wire:"TableName,required"`
	ConditionExpression                 *string                              `wire:"ConditionExpression,required"`
	ExpressionAttributeNames            Map[AttributeName]                   `wire:"ExpressionAttributeNames"`
	ExpressionAttributeValues           item.Attributes                      `wire:"ExpressionAttributeValues"`
	ReturnValuesOnConditionCheckFailure *ReturnValuesOnConditionCheckFailure `wire:"ReturnValuesOnConditionCheckFailure"`
}

// Put is the action that puts an item.
type Put struct {
	Item                                item.Attributes                      `wire:"Item,required"`
	TableName                           *TableArn                            `wire:"TableName,required"`
	ConditionExpression                 *string                              `wire:"ConditionExpression"`
	ExpressionAttributeNames            Map[AttributeName]                   `wire:"ExpressionAttributeNames"`
	ExpressionAttributeValues           item.Attributes                      `wire:"ExpressionAttributeValues"`
	ReturnValuesOnConditionCheckFailure *ReturnValuesOnConditionCheckFailure `wire:"ReturnValuesOnConditionCheckFailure"`
}

// Delete is the action that deletes an item.
type Delete struct {
	Key                                 item.Attributes                      `wire:"Key,required"`
	TableName                           *TableArn                            `wire:"TableName,required"`
	ConditionExpression                 *string                              `wire:"ConditionExpression"`
	ExpressionAttributeNames            Map[AttributeName]                   `wire:"ExpressionAttributeNames"`
	ExpressionAttributeValues           item.Attributes                      `wire:"ExpressionAttributeValues"`
	ReturnValuesOnConditionCheckFailure *ReturnValuesOnConditionCheckFailure `wire:"ReturnValuesOnConditionCheckFailure"`
}

// Update is the action that updates an item.
type Update struct {
	Key                                 item.Attributes                      `wire:"Key,required"`
	UpdateExpression                    *string                              `wire:"UpdateExpression,required"`
	TableName                           *TableArn                            `wire:"TableName,required"`
	ConditionExpression                 *string                              `wire:"ConditionExpression"`
	ExpressionAttributeNames            Map[AttributeName]                   `wire:"ExpressionAttributeNames"`
	ExpressionAttributeValues           item.Attributes                      `wire:"ExpressionAttributeValues"`
	ReturnValuesOnConditionCheckFailure *ReturnValuesOnConditionCheckFailure `wire:"ReturnValuesOnConditionCheckFailure"`
}

// TransactWriteItem is one of its members.
type TransactWriteItem struct {
	ConditionCheck *ConditionCheck `wire:"ConditionCheck"`
	Put            *Put            `wire:"Put"`
	Delete         *Delete         `wire:"Delete"`
	Update         *Update         `wire:"Update"`
}

type TransactWriteItemList []TransactWriteItem

type ClientRequestToken string

type TransactWriteItemsInput struct {
	TransactItems               TransactWriteItemList        `wire:"TransactItems,required"`
	ReturnConsumedCapacity      *ReturnConsumedCapacity      `wire:"ReturnConsumedCapacity"`
	ReturnItemCollectionMetrics *ReturnItemCollectionMetrics `wire:"ReturnItemCollectionMetrics"`
	ClientRequestToken          *ClientRequestToken          `wire:"ClientRequestToken"`
}

type TransactWriteItemsOutput struct {
	ConsumedCapacity      []ConsumedCapacity           `wire:"ConsumedCapacity"`
	ItemCollectionMetrics Map[[]ItemCollectionMetrics] `wire:"ItemCollectionMetrics"`
}

// TransactGetItems

// Get says what is to be read.
type Get struct {
	Key                      item.Attributes    `wire:"Key,required"`
	TableName                *TableArn          `wire:"TableName,required"`
	ProjectionExpression     *string            `wire:"ProjectionExpression"`
	ExpressionAttributeNames Map[AttributeName] `wire:"ExpressionAttributeNames"`
}

type TransactGetItem struct {
	Get *Get `wire:"Get,required"`
}

type TransactGetItemList []TransactGetItem

type TransactGetItemsInput struct {
	TransactItems          TransactGetItemList     `wire:"TransactItems,required"`
	ReturnConsumedCapacity *ReturnConsumedCapacity `wire:"ReturnConsumedCapacity"`
}

// ItemResponse has no Item if there is none.
type ItemResponse struct {
	Item item.JSON `wire:"Item"`
}

// ItemResponseList is in the order of the request.
type ItemResponseList []ItemResponse

type TransactGetItemsOutput struct {
	ConsumedCapacity []ConsumedCapacity `wire:"ConsumedCapacity"`
	Responses        ItemResponseList   `wire:"Responses"`
}
