package main

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"example.com/clients/scenario"
)

func (c client) transactions(t *scenario.T) {
	list := orders("transactions", "", 3)
	c.put(t, list...)
	rise := build(t,
		expression.NewBuilder().WithUpdate(
			expression.Add(expression.Name("total"), expression.Value(1))))
	is := func(total int) expression.Expression {
		return build(t,
			expression.NewBuilder().WithCondition(
				expression.Name("total").Equal(expression.Value(total))))
	}
	write := func(checked expression.Expression, token *string) *dynamodb.TransactWriteItemsInput {
		return &dynamodb.TransactWriteItemsInput{
			ClientRequestToken: token,
			TransactItems: []types.TransactWriteItem{
				{Put: &types.Put{TableName: c.table,
					Item: marshal(order{Customer: "transactions", At: 4, Total: 40})}},
				{Update: &types.Update{TableName: c.table, Key: list[0].key(),
					UpdateExpression:          rise.Update(),
					ExpressionAttributeNames:  rise.Names(),
					ExpressionAttributeValues: rise.Values()}},
				{Delete: &types.Delete{TableName: c.table, Key: list[1].key()}},
				{ConditionCheck: &types.ConditionCheck{TableName: c.table, Key: list[2].key(),
					ConditionExpression:                 checked.Condition(),
					ExpressionAttributeNames:            checked.Names(),
					ExpressionAttributeValues:           checked.Values(),
					ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld}},
			},
		}
	}
	var cancelled *types.TransactionCanceledException
	_, err := c.TransactWriteItems(t, write(is(31), nil)) // the SDK makes a token
	require.ErrorAs(t, err, &cancelled)
	var codes []string
	for _, reason := range cancelled.CancellationReasons {
		codes = append(codes, *reason.Code)
	}
	require.Equal(t, []string{"None", "None", "None", "ConditionalCheckFailed"}, codes)
	var old order
	require.NoError(t, attributevalue.UnmarshalMap(cancelled.CancellationReasons[3].Item, &old))
	require.Equal(t, list[2], old)
	require.Equal(t, list[0], c.get(t, "transactions", 1))

	for range 2 { // a repeat changes nothing
		_, err := c.TransactWriteItems(t, write(is(30), aws.String("once")))
		require.NoError(t, err)
	}
	out, err := c.TransactGetItems(
		t, &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
			{Get: &types.Get{TableName: c.table, Key: list[0].key()}},
			{Get: &types.Get{TableName: c.table, Key: list[1].key()}},
		}})
	require.NoError(t, err)
	require.Equal(t, marshal(order{Customer: "transactions", At: 1, Total: 11}),
		out.Responses[0].Item)
	require.Nil(t, out.Responses[1].Item)
	require.Equal(t, 40, c.get(t, "transactions", 4).Total)
}

// parameters returns those of a statement.
func parameters(t *scenario.T, values ...any) []types.AttributeValue {
	list, err := attributevalue.MarshalList(values)
	require.NoError(t, err)
	return list
}

func (c client) partiQL(t *scenario.T) {
	insert := aws.String(`INSERT INTO orders VALUE {'customer': ?, 'at': ?, 'total': ?}`)
	for i := range 5 {
		_, err := c.ExecuteStatement(t,
			&dynamodb.ExecuteStatementInput{
				Statement: insert, Parameters: parameters(t, "partiql", i+1, 10*i),
			})
		require.NoError(t, err)
	}
	in := &dynamodb.ExecuteStatementInput{
		Statement:  aws.String(`SELECT * FROM orders WHERE customer = ? AND total >= ?`),
		Parameters: parameters(t, "partiql", 10), Limit: aws.Int32(3),
	}
	var found []order
	for more := true; more; more = in.NextToken != nil {
		out, err := c.ExecuteStatement(t, in)
		require.NoError(t, err)
		var page []order
		require.NoError(t, attributevalue.UnmarshalListOfMaps(out.Items, &page))
		found, in.NextToken = append(found, page...), out.NextToken
	}
	require.Len(t, found, 4)
	require.Equal(t, order{Customer: "partiql", At: 5, Total: 40}, found[3])

	update := aws.String(
		`UPDATE orders SET total = total + ? WHERE customer = ? AND "at" = ? RETURNING ALL NEW *`)
	out, err := c.ExecuteStatement(t,
		&dynamodb.ExecuteStatementInput{
			Statement: update, Parameters: parameters(t, 1, "partiql", 1),
		})
	require.NoError(t, err)
	require.Equal(t, []map[string]types.AttributeValue{{
		"customer": &types.AttributeValueMemberS{Value: "partiql"},
		"at":       &types.AttributeValueMemberN{Value: "1"},
		"total":    &types.AttributeValueMemberN{Value: "1"},
	}}, out.Items)

	batch, err := c.BatchExecuteStatement(
		t, &dynamodb.BatchExecuteStatementInput{Statements: []types.BatchStatementRequest{
			{Statement: insert, Parameters: parameters(t, "partiql", 6, 60)},
			{Statement: insert, Parameters: parameters(t, "partiql", 1, 0)},
		}})
	require.NoError(t, err)
	require.Nil(t, batch.Responses[0].Error)
	require.Equal(t, types.BatchStatementErrorCodeEnumDuplicateItem, batch.Responses[1].Error.Code)

	change := aws.String(`UPDATE orders SET total = 0 WHERE customer = ? AND "at" = ?`)
	_, err = c.ExecuteTransaction(
		t, &dynamodb.ExecuteTransactionInput{TransactStatements: []types.ParameterizedStatement{
			{Statement: change, Parameters: parameters(t, "partiql", 5)},
			{Statement: change, Parameters: parameters(t, "partiql", 6)},
		}})
	require.NoError(t, err)
	require.Zero(t, c.get(t, "partiql", 6).Total)
}
