package wire

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/api"
)

// TestMemory decodes requests of several kinds and sizes into the same memory. Each result is as if
// there were no others, before and after it.
func TestMemory(t *testing.T) {
	write := func(n int) string {
		actions := make([]string, n)
		for i := range actions {
			switch i % 3 {
			case 0:
				actions[i] = fmt.Sprintf(
					`{"Put":{"Item":{"k":{"N":"%d"}},"TableName":"t%d","ExpressionAttributeNames":{"#n%d":"n"}}}`, i, i, i)
			case 1:
				actions[i] = fmt.Sprintf(`{"Delete":{"Key":{"k":{"N":"%d"}},"TableName":"t%d"}}`, i,
					i)
			default:
				actions[i] = `{}`
			}
		}
		return `{"TransactItems":[` + strings.Join(actions, ",") + `]}`
	}
	get := func(n int) string {
		tables := make([]string, n)
		for i := range tables {
			tables[i] = fmt.Sprintf(`"t%d":{"Keys":[{"k":{"N":"%d"}}%s]}`, i, i,
				strings.Repeat(`,{"l":{"S":"v"}}`, i%7))
		}
		return `{"RequestItems":{` + strings.Join(tables, ",") + `}}`
	}
	const query = `{"TableName":"t","IndexName":"i","KeyConditions":{"k":{"AttributeValueList":[{"S":"v"}],"ComparisonOperator":"EQ"}}}`
	var m Memory
	for _, n := range []int{1, 10, 0, 300, 2, 2000, 10, 0, 10} {
		var a api.TransactWriteItemsInput
		var b api.BatchGetItemInput
		var c api.QueryInput
		require.NoError(t, Decode(write(n), &a, &m))
		require.NoError(t, Decode(get(n), &b, &m))
		require.NoError(t, Decode(query, &c, &m))
		assert.Equal(t, write(n), string(Append(nil, &a)))
		assert.Equal(t, get(n), string(Append(nil, &b)))
		assert.Equal(t, query, string(Append(nil, &c)))
		m.Reset()
		var none api.TransactWriteItemsInput
		require.NoError(t,
			Decode(`{"TransactItems":[{"Put":{}},{"Delete":{}},{},{"Get":{}}]}`, &none, &m))
		assert.Equal(t, `{"TransactItems":[{"Put":{}},{"Delete":{}},{},{}]}`,
			string(Append(nil, &none)), "memory is not clear")
		m.Reset()
	}
}

// TestMemoryIsBounded: a Memory does not keep the memory of a large request for small ones.
func TestMemoryIsBounded(t *testing.T) {
	var m Memory
	put := `{"Put":{"TableName":"t"}}`
	var in api.TransactWriteItemsInput
	require.NoError(t, Decode(`{"TransactItems":[`+strings.Repeat(put+",", 5000)+put+`]}`, &in, &m))
	m.Reset()
	assert.LessOrEqual(t, cap(m.texts), keepTexts)
	for _, pl := range []*plan{model.of(reflect.TypeFor[api.Put]()),
		model.of(reflect.TypeFor[api.TransactWriteItemList]())} {
		assert.LessOrEqual(t, uintptr(m.slabs[pl.number].cap)*pl.stride, uintptr(keepSlabBytes),
			"%v", pl.typ)
	}
}

// TestNoMemory: without a Memory a shape has memory of its own, which stays valid.
func TestNoMemory(t *testing.T) {
	var first, second api.PutItemInput
	const body = `{"TableName":"t","Item":{"k":{"S":"v"}},"ConditionExpression":"a"}`
	require.NoError(t, Decode(body, &first, nil))
	require.NoError(t, Decode(`{"TableName":"other","Item":{}}`, &second, nil))
	assert.Equal(t, body, string(Append(nil, &first)))
	assert.Nil(t, (*Memory)(nil).Items())
}
