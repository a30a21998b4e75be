package wire

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/api"
)

// TestSum64: these requests have different sums. Journals keep such sums, so they must never
// change.
func TestSum64(t *testing.T) {
	long := strings.Repeat(`é\n\"`, 3000)
	seen := map[uint64]string{}
	for _, c := range []struct {
		name, body string
		in         any
		want       uint64
	}{
		{"nothing", `{}`, new(api.TransactWriteItemsInput), 0x2e1472b57af294d1},
		{"no actions", `{"TransactItems":[]}`, new(api.TransactWriteItemsInput),
			0xaf785706e1555c29},
		{"an empty action", `{"TransactItems":[{}]}`, new(api.TransactWriteItemsInput),
			0x1645299c376bc7ca},
		{"a put", `{"TransactItems":[{"Put":{"TableName":"t","Item":{"k":{"S":"a"},"n":{"N":"1"}}}}]}`, new(api.TransactWriteItemsInput), 0x69732728ca57f4f7},
		{"another item",
			`{"TransactItems":[{"Put":{"TableName":"t","Item":{"k":{"S":"a"},"n":{"N":"2"}}}}]}`,
			new(api.TransactWriteItemsInput), 0xbb5a5d81c389226b},
		{"no item", `{"TransactItems":[{"Put":{"TableName":"t"}}]}`,
			new(api.TransactWriteItemsInput), 0x3f8dcae571078f68},
		{"an empty item", `{"TransactItems":[{"Put":{"TableName":"t","Item":{}}}]}`,
			new(api.TransactWriteItemsInput), 0x605755014d40ddeb},
		{"another table",
			`{"TransactItems":[{"Put":{"TableName":"u","Item":{"k":{"S":"a"},"n":{"N":"1"}}}}]}`,
			new(api.TransactWriteItemsInput), 0xec3454047846ede2},
		{"a check",
			`{"TransactItems":[{"ConditionCheck":{"TableName":"t","Key":{"k":{"S":"a"},"n":{"N":"1"}}}}]}`, new(api.TransactWriteItemsInput), 0xb6c661834cf3fe9c},
		{"two puts",
			`{"TransactItems":[{"Put":{"Item":{"k":{"S":"a"}}}},{"Put":{"Item":{"k":{"S":"b"}}}}]}`,
			new(api.TransactWriteItemsInput), 0x554e365f1cedaae0},
		{"in another order",
			`{"TransactItems":[{"Put":{"Item":{"k":{"S":"b"}}}},{"Put":{"Item":{"k":{"S":"a"}}}}]}`,
			new(api.TransactWriteItemsInput), 0x224ca43b6b084d45},
		{"much of everything",
			`{"TransactItems":[{"Put":{"Item":{"k":{"S":"` + long +
				`"}},"ExpressionAttributeNames":{"#a":"b","#c":"` + long + `"}}},` +
				`{"Update":{"TableName":"t","Key":{"k":{"S":"1"}},"UpdateExpression":"` + long +
				`","ExpressionAttributeValues":{":v":{"L":[]}}}},{}],"ReturnConsumedCapacity":"TOTAL"}`, new(api.TransactWriteItemsInput), 0x8f9bcf2f92f20902},
		{"statements",
			`{"TransactStatements":[{"Statement":"` + long +
				`","Parameters":[{"S":"a"},{"N":"1"}]},{"Statement":"b"}]}`,
			new(api.ExecuteTransactionInput), 0xb2ed5d7d04dee6de},
		{"other parameters",
			`{"TransactStatements":[{"Statement":"` + long +
				`","Parameters":[{"S":"a"},{"N":"2"}]},{"Statement":"b"}]}`,
			new(api.ExecuteTransactionInput), 0xa9b78edf2a45ca58},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.NoError(t, Decode(c.body, c.in, nil))
			got := Sum64(c.in, nil)
			assert.Empty(t, seen[got])
			seen[got] = c.name
			assert.Equal(t, c.want, got, "%#x", got)

			again := reflect.New(reflect.TypeOf(c.in).Elem()).Interface()
			spaced := strings.ReplaceAll(c.body, `},"n":`, `} , "n" : `)
			require.NoError(t, Decode(spaced, again, new(Memory)))
			assert.Equal(t, got, Sum64(again, make([]byte, 0, 100)),
				"the same request written another way")
		})
	}
}
