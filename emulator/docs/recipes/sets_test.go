// Values / Store bytes and sets
//
// A binary value is sent as Base64, by the SDK: code that encodes it itself stores it twice
// encoded. A set has no order, no duplicates, and is never empty: what removes the last element
// removes the attribute. `ADD` and `DELETE` change a set without reading it, so two writers do not
// undo each other. A list can do none of that. See
// [Sets](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html#HowItWorks.DataTypes.SetTypes).

package recipes

import (
	"bytes"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

func TestSets(t *testing.T) {
	server := emulatortest.Start(t)
	server.SeedTables(t, table("users", "id", "", seed.Item{"id": "ada", "key": []byte{0, 1, 255}}))
	update := func(expression string, roles ...string) item {
		return must(server.Client().UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
			TableName: aws.String("users"), Key: item{"id": str("ada")}, ReturnValues: "ALL_NEW",
			UpdateExpression:          aws.String(expression),
			ExpressionAttributeNames:  map[string]string{"#r": "roles"},
			ExpressionAttributeValues: item{":r": &types.AttributeValueMemberSS{Value: roles}},
		})).Attributes
	}
	update("ADD #r :r", "reader")
	user := update("ADD #r :r", "writer", "reader")
	roles := user["roles"].(*types.AttributeValueMemberSS).Value
	slices.Sort(roles) // a set has no order
	if want := []string{"reader", "writer"}; !slices.Equal(roles, want) {
		t.Errorf("roles: %v", roles)
	}
	if key := user["key"].(*types.AttributeValueMemberB).Value; !bytes.Equal(key,
		[]byte{0, 1, 255}) {
		t.Errorf("the key is %v", key)
	}
	if user := update("DELETE #r :r", "reader", "writer"); user["roles"] != nil {
		t.Errorf("an empty set: %v", user["roles"])
	}
}
