// Values / Handle an item that is too large
//
// An item has at most 400 KB, with the names of its attributes. One that grows, by a list that is
// appended to, fails one day, and then each time. An UpdateItem of a short value fails as well if
// the item as a whole becomes too large.
//
// `WithLimits` makes that day come at 200 bytes. The program below then begins a new part, an item
// of its own. See [Large
// items](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-use-s3-too.html).

package recipes

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

func TestItemTooLarge(t *testing.T) {
	limits := emulator.WithLimits(emulator.Limits{ItemBytes: 200})
	server := emulatortest.Start(t, emulatortest.WithEmulator(limits))
	server.SeedTables(t, table("logs", "id", "part"))
	grow := func(part int, line string) error {
		_, err := server.Client().UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
			TableName: aws.String("logs"),
			Key: item{"id": str("deploy"),
				"part": str(fmt.Sprintf("%04d", part))},
			UpdateExpression: aws.String(
				"SET #l = list_append(if_not_exists(#l, :none), :line)"),
			ExpressionAttributeNames:  map[string]string{"#l": "lines"},
			ExpressionAttributeValues: item{":none": list(), ":line": list(str(line))},
		})
		return err
	}
	part := 0
	for i := range 50 {
		err := grow(part, fmt.Sprintf("line %02d", i))
		if tooLarge(err) {
			part++
			err = grow(part, fmt.Sprintf("line %02d", i))
		}
		must(0, err)
	}
	if parts := len(server.Items(t, "logs")); parts != part+1 || part == 0 {
		t.Errorf("%d parts are stored, and the last one is %d", parts, part)
	}
}

func list(elements ...types.AttributeValue) types.AttributeValue {
	return &types.AttributeValueMemberL{Value: elements}
}

func tooLarge(err error) bool {
	var refused smithy.APIError
	return errors.As(err, &refused) &&
		strings.Contains(refused.ErrorMessage(), "maximum allowed size")
}
