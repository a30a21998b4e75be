package api

import "github.com/kugiri-db/kugiri/storage/item"

// PartiQLStatement is the text of a statement.
type PartiQLStatement string

// PreparedStatementParameters are the values of a statement's question marks.
type PreparedStatementParameters []AttributeValue

// PartiQLNextToken says where a SELECT goes on.
type PartiQLNextToken string

// ExecuteStatementInput is the request of ExecuteStatement.
type ExecuteStatementInput struct {
	Statement                           *PartiQLStatement                    `wire:"Statement,required"`
	Parameters                          PreparedStatementParameters          `wire:"Parameters"`
	ConsistentRead                      *bool                                `wire:"ConsistentRead"`
	NextToken                           *PartiQLNextToken                    `wire:"NextToken"`
	ReturnConsumedCapacity              *ReturnConsumedCapacity              `wire:"ReturnConsumedCapacity"`
	Limit                               *PositiveIntegerObject               `wire:"Limit"`
	ReturnValuesOnConditionCheckFailure *ReturnValuesOnConditionCheckFailure `wire:"ReturnValuesOnConditionCheckFailure"`
}

// ExecuteStatementOutput is the answer of ExecuteStatement.
type ExecuteStatementOutput struct {
	Items            []item.JSON       `wire:"Items"`
	NextToken        *PartiQLNextToken `wire:"NextToken"`
	ConsumedCapacity *ConsumedCapacity `wire:"ConsumedCapacity"`
	LastEvaluatedKey item.JSON         `wire:"LastEvaluatedKey"`
}

// BatchStatementRequest is one statement of a batch.
type BatchStatementRequest struct {
	Statement                           *PartiQLStatement                    `wire:"Statement,required"`
	Parameters                          PreparedStatementParameters          `wire:"Parameters"`
	ConsistentRead                      *bool                                `wire:"ConsistentRead"`
	ReturnValuesOnConditionCheckFailure *ReturnValuesOnConditionCheckFailure `wire:"ReturnValuesOnConditionCheckFailure"`
}

// PartiQLBatchRequest is the statements of a batch.
type PartiQLBatchRequest []BatchStatementRequest

// BatchExecuteStatementInput is the request of BatchExecuteStatement.
type BatchExecuteStatementInput struct {
	Statements             PartiQLBatchRequest     `wire:"Statements,required"`
	ReturnConsumedCapacity *ReturnConsumedCapacity `wire:"ReturnConsumedCapacity"`
}

// BatchStatementErrorCodeEnum is what kind of error a statement of a batch has.
type BatchStatementErrorCodeEnum string

// BatchStatementError is why a statement of a batch failed.
type BatchStatementError struct {
	Code    *BatchStatementErrorCodeEnum `wire:"Code"`
	Message *string                      `wire:"Message"`
	Item    item.JSON                    `wire:"Item"`
}

// BatchStatementResponse is the answer to one statement of a batch.
type BatchStatementResponse struct {
	Error     *BatchStatementError `wire:"Error"`
	TableName *TableName           `wire:"TableName"`
	Item      item.JSON            `wire:"Item"`
}

// BatchExecuteStatementOutput is the answer of BatchExecuteStatement.
type BatchExecuteStatementOutput struct {
	Responses        []BatchStatementResponse `wire:"Responses"`
	ConsumedCapacity []ConsumedCapacity       `wire:"ConsumedCapacity"`
}

// ParameterizedStatement is one statement of a transaction.
type ParameterizedStatement struct {
	Statement                           *PartiQLStatement                    `wire:"Statement,required"`
	Parameters                          PreparedStatementParameters          `wire:"Parameters"`
	ReturnValuesOnConditionCheckFailure *ReturnValuesOnConditionCheckFailure `wire:"ReturnValuesOnConditionCheckFailure"`
}

// ParameterizedStatements are the statements of a transaction.
type ParameterizedStatements []ParameterizedStatement

// ExecuteTransactionInput is the request of ExecuteTransaction.
type ExecuteTransactionInput struct {
	TransactStatements     ParameterizedStatements `wire:"TransactStatements,required"`
	ClientRequestToken     *ClientRequestToken     `wire:"ClientRequestToken"`
	ReturnConsumedCapacity *ReturnConsumedCapacity `wire:"ReturnConsumedCapacity"`
}

// ExecuteTransactionOutput is the answer of ExecuteTransaction.
type ExecuteTransactionOutput struct {
	Responses        ItemResponseList   `wire:"Responses"`
	ConsumedCapacity []ConsumedCapacity `wire:"ConsumedCapacity"`
}
