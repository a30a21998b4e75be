// Writing / Create an item only once
//
// PutItem overwrites. `attribute_not_exists` on the partition key makes it a creation: it fails if
// an item with this key is there. `ReturnValuesOnConditionCheckFailure` returns that item with the
// error, so that no second read is needed, which could see a third state. See [Condition
// expressions](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ConditionExpressions.html).

package recipes

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

func TestCreateOnce(t *testing.T) {
	server := emulatortest.Start(t)
	server.SeedTables(t, table("users", "email", ""))
	register := func(name string) error {
		_, err := server.Client().PutItem(t.Context(), &dynamodb.PutItemInput{
			TableName: aws.String("users"),
			Item: item{"email": str("ada@example.org"),
				"name": str(name)},
			ConditionExpression:                 aws.String("attribute_not_exists(email)"),
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		})
		return err
	}
	if err := register("Ada"); err != nil {
		t.Fatal(err)
	}
	var taken *types.ConditionalCheckFailedException
	if err := register("Eve"); !errors.As(err, &taken) {
		t.Fatalf("the second registration: %v", err)
	}
	if owner := taken.Item["name"].(*types.AttributeValueMemberS).Value; owner != "Ada" {
		t.Errorf("the address belongs to %s", owner)
	}
}
