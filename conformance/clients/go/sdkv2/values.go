package main

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"example.com/clients/scenario"
)

func (c client) numbers(t *scenario.T) {
	type numbers struct {
		Customer string                  `dynamodbav:"customer"`
		At       int                     `dynamodbav:"at"`
		Numbers  []attributevalue.Number `dynamodbav:"numbers"`
	}
	digits := strings.Repeat("1234567890", 4)
	written := numbers{"numbers", 1, []attributevalue.Number{
		attributevalue.Number(digits[:38]), attributevalue.Number("-0." + digits[:38]), "0", "-42",
		"9007199254740993",
	}}
	written.Numbers = append(written.Numbers, "1"+attributevalue.Number(strings.Repeat("0", 125)),
		"-0."+attributevalue.Number(strings.Repeat("0", 129)+"1"))
	_, err := c.PutItem(t, &dynamodb.PutItemInput{TableName: c.table, Item: marshal(written)})
	require.NoError(t, err)
	out, err := c.GetItem(t,
		&dynamodb.GetItemInput{TableName: c.table, Key: order{Customer: "numbers", At: 1}.key()})
	require.NoError(t, err)
	var read numbers
	require.NoError(t, attributevalue.UnmarshalMap(out.Item, &read))
	require.Equal(t, written, read)

	var refused smithy.APIError
	written.Numbers = []attributevalue.Number{attributevalue.Number(digits[:39])}
	_, err = c.PutItem(t, &dynamodb.PutItemInput{TableName: c.table, Item: marshal(written)})
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "ValidationException", refused.ErrorCode())
	require.Contains(t, refused.ErrorMessage(),
		"Attempting to store more than 38 significant digits in a Number")
}

func (c client) values(t *scenario.T) {
	type nested struct {
		List []any          `dynamodbav:"list"`
		Map  map[string]any `dynamodbav:"map"`
	}
	type values struct {
		Customer string   `dynamodbav:"customer"`
		At       int      `dynamodbav:"at"`
		Strings  []string `dynamodbav:"strings,stringset"`
		Numbers  []int    `dynamodbav:"numbers,numberset"`
		Binaries [][]byte `dynamodbav:"binaries,binaryset"`
		Nested   nested   `dynamodbav:"nested"`
		Null     *string  `dynamodbav:"null"`
		True     bool     `dynamodbav:"true"`
		False    bool     `dynamodbav:"false"`
		Text     string   `dynamodbav:"text"`
		Binary   []byte   `dynamodbav:"binary"`
	}
	written := values{
		Customer: "values", At: 1, Strings: []string{"", "a", "ü"}, Numbers: []int{-1, 2},
		Binaries: [][]byte{{}, {0, 255}},
		Nested: nested{[]any{"a", 1.5, true, nil, []any{}},
			map[string]any{"deep": map[string]any{"er": "x"}}},
		True: true, Binary: []byte{},
	}
	_, err := c.PutItem(t, &dynamodb.PutItemInput{TableName: c.table, Item: marshal(written)})
	require.NoError(t, err)
	out, err := c.GetItem(t,
		&dynamodb.GetItemInput{TableName: c.table, Key: order{Customer: "values", At: 1}.key()})
	require.NoError(t, err)
	require.IsType(t, &types.AttributeValueMemberNULL{}, out.Item["null"])
	require.IsType(t, &types.AttributeValueMemberBS{}, out.Item["binaries"])
	var read values
	require.NoError(t, attributevalue.UnmarshalMap(out.Item, &read))
	require.ElementsMatch(t, written.Strings, read.Strings)
	require.ElementsMatch(t, written.Numbers, read.Numbers)
	require.ElementsMatch(t, written.Binaries, read.Binaries)
	read.Strings, read.Numbers, read.Binaries = written.Strings, written.Numbers, written.Binaries
	require.Equal(t, written, read)
}
