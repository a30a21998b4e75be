// Testing / What the recipes share
//
// The recipes use short names for the SDK's attribute values, and `must` for calls that are
// to succeed.

package recipes

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// item is an item, or a key, as the SDK has it.
type item = map[string]types.AttributeValue

func str(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func num(n any) types.AttributeValue { return &types.AttributeValueMemberN{Value: fmt.Sprint(n)} }

// must returns the answer of a call. It panics for an error, as template.Must does.
func must[T any](answer T, err error) T {
	if err != nil {
		panic(err)
	}
	return answer
}
