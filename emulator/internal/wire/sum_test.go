package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
)

// TestSum64: journals keep such sums, so they must stay what they are.
func TestSum64(t *testing.T) {
	long := strings.Repeat(`"é\n`, 3000)
	quoted := strings.NewReplacer(`"`, `\"`, "\n", `\n`).Replace(long)
	for _, c := range []struct {
		name, body string
		in         any
	}{
		{"nothing", `{}`, new(api.TransactWriteItemsInput)},
		{"no actions", `{"TransactItems":[]}`, new(api.TransactWriteItemsInput)},
		{"all actions", `{"TransactItems":[{"Put":{"TableName":"t","Item":{"k":{"S":"` + quoted + `"},"n":{"N":"1"}},"ConditionExpression":"a = :v","ExpressionAttributeNames":{"#a":"b","#c":"` + quoted + `"}}},` +
			`{"Update":{"TableName":"t","Key":{"k":{"S":"1"}},"UpdateExpression":"` + quoted + `","ExpressionAttributeValues":{":v":{"L":[]}}}},` +
			`{"Delete":{"Key":{},"TableName":"t"}},{"ConditionCheck":{"TableName":"t","Key":{"k":{"N":"1"}},"ConditionExpression":"x"}},{}],` +
			`"ReturnConsumedCapacity":"TOTAL","ClientRequestToken":"token"}`, new(api.TransactWriteItemsInput)},
		{"statements", `{"TransactStatements":[{"Statement":"` + quoted + `","Parameters":[{"S":"a"},{"N":"1"}]},{"Statement":"b"}]}`, new(api.ExecuteTransactionInput)},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.NoError(t, Decode(c.body, c.in, nil))
			text := Append(nil, c.in)
			require.Equal(t, fmt.Sprint(xxhash.Sum64(text)), fmt.Sprint(Sum64(c.in, nil)), string(text))
		})
	}
}
