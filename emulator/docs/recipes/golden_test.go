// Testing / Compare whole tables with a file
//
// A use case that writes five items needs five assertions, and none of them sees the sixth item
// that should not be there. A golden file has the whole tables: the test prints a diff, and
// `KUGIRI_UPDATE=1 go test` writes the file, for review with the change that caused it.
//
// What a test begins with may be files, too: `server.Seed` loads what `aws dynamodb` prints, and
// models of NoSQL Workbench ([Go tests](../go-tests.md)).

package recipes

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

func TestGolden(t *testing.T) {
	server := emulatortest.Start(t)
	server.Seed(t, "testdata/shop")
	must(server.Client().TransactWriteItems(
		t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{
				TableName: aws.String("orders"),
				Item:      item{"id": str("1"), "product": str("pen"), "count": num(2)},
			}},
			{Update: &types.Update{
				TableName: aws.String("stock"), Key: item{"product": str("pen")},
				UpdateExpression:          aws.String("SET #l = #l - :n"),
				ExpressionAttributeNames:  map[string]string{"#l": "left"},
				ExpressionAttributeValues: item{":n": num(2)},
			}},
		}}))
	server.Golden(t, "testdata/after-order.golden")
}
