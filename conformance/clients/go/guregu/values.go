package main

import (
	"errors"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/guregu/dynamo/v2"
	"github.com/stretchr/testify/require"

	"example.com/clients/scenario"
)

// number keeps all digits of a number.
type number string

// MarshalDynamo implements dynamo.Marshaler.
func (n number) MarshalDynamo() (types.AttributeValue, error) {
	return &types.AttributeValueMemberN{Value: string(n)}, nil
}

// UnmarshalDynamo implements dynamo.Unmarshaler.
func (n *number) UnmarshalDynamo(value types.AttributeValue) error {
	v, ok := value.(*types.AttributeValueMemberN)
	if !ok {
		return errors.New("it is no number")
	}
	*n = number(v.Value)
	return nil
}

var (
	_ dynamo.Marshaler   = number("")
	_ dynamo.Unmarshaler = (*number)(nil)
)

func (c client) numbers(t *scenario.T) {
	type numbers struct {
		Customer string   `dynamo:"customer"`
		At       int      `dynamo:"at"`
		Numbers  []number `dynamo:"numbers"`
	}
	digits := number(strings.Repeat("1234567890", 4))
	zeros := func(n int) number { return number(strings.Repeat("0", n)) }
	written := numbers{"numbers", 1, []number{
		digits[:38], "-0." + digits[:38], "0", "-42", "9007199254740993", "1" + zeros(125),
		"-0." + zeros(129) + "1",
	}}
	require.NoError(t, c.table.Put(written).Run(t))
	var read numbers
	require.NoError(t, c.one("numbers", 1).One(t, &read))
	require.Equal(t, written, read)

	var refused smithy.APIError
	written.Numbers = []number{digits[:39]}
	require.ErrorAs(t, c.table.Put(written).Run(t), &refused)
	require.Equal(t, "ValidationException", refused.ErrorCode())
	require.Contains(t, refused.ErrorMessage(),
		"Attempting to store more than 38 significant digits in a Number")
}

func (c client) values(t *scenario.T) {
	type nested struct {
		List []any          `dynamo:"list,null"`
		Map  map[string]any `dynamo:"map"`
	}
	type values struct {
		Customer string              `dynamo:"customer"`
		At       int                 `dynamo:"at"`
		Strings  map[string]struct{} `dynamo:"strings,set"`
		Numbers  map[int]bool        `dynamo:"numbers,set"`
		Binaries [][]byte            `dynamo:"binaries,set"`
		Nested   nested              `dynamo:"nested"`
		Null     *string             `dynamo:"null,null"`
		True     bool                `dynamo:"true"`
		False    bool                `dynamo:"false"`
		Text     string              `dynamo:"text,allowempty"`
		Binary   []byte              `dynamo:"binary,allowempty"`
	}
	written := values{
		Customer: "values", At: 1, Strings: map[string]struct{}{"a": {}, "ü": {}},
		Numbers:  map[int]bool{-1: true, 2: true},
		Binaries: [][]byte{{1}, {0, 255}},
		Nested: nested{[]any{"a", 1.5, true, []any{}},
			map[string]any{"deep": map[string]any{"er": "x"}}},
		True: true, Binary: []byte{},
	}
	require.NoError(t, c.table.Put(written).Run(t))
	var raw dynamo.Item
	require.NoError(t, c.one("values", 1).One(t, &raw))
	require.Equal(t, &types.AttributeValueMemberNULL{Value: true}, raw["null"])
	require.Equal(t, &types.AttributeValueMemberS{Value: ""}, raw["text"])
	require.Equal(t, &types.AttributeValueMemberB{Value: []byte{}}, raw["binary"])
	require.IsType(t, &types.AttributeValueMemberNS{}, raw["numbers"])
	var read values
	require.NoError(t, c.one("values", 1).One(t, &read))
	require.ElementsMatch(t, written.Binaries, read.Binaries)
	read.Binaries = written.Binaries
	require.Equal(t, written, read)
}
