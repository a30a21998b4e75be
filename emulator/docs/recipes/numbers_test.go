// Values / Keep all digits of a number
//
// A DynamoDB number has up to 38 digits. A float64 has 15 to 17, so that an id or an amount of
// money that goes through one comes back as another number, without any error. The SDK sends
// numbers as text: keep them as text, as integers, or as decimals.
//
// DynamoDB removes zeros that say nothing, compares by value, and refuses a 39th digit. See
// [Numbers](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html#HowItWorks.DataTypes.Number).

package recipes

import (
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

func TestNumbers(t *testing.T) {
	server := emulatortest.Start(t)
	server.SeedTables(t, table("amounts", "id", ""))
	store := func(digits string) (string, error) {
		_, err := server.Client().PutItem(t.Context(), &dynamodb.PutItemInput{
			TableName: aws.String("amounts"), Item: item{"id": str("1"), "amount": num(digits)},
		})
		if err != nil {
			return "", err
		}
		out := must(server.Client().GetItem(t.Context(), &dynamodb.GetItemInput{
			TableName: aws.String("amounts"), Key: item{"id": str("1")},
		}))
		return number(out.Item["amount"]), nil
	}
	const long = "12345678901234567890123456789012345678"
	for sent, want := range map[string]string{
		long: long, "9007199254740993": "9007199254740993", "1.50": "1.5", "0012": "12",
	} {
		if got := must(store(sent)); got != want {
			t.Errorf("%s came back as %s", sent, got)
		}
	}
	through := strconv.FormatFloat(must(strconv.ParseFloat("9007199254740993", 64)), 'f', -1, 64)
	if through != "9007199254740992" {
		t.Errorf("a float64 keeps %s", through)
	}
	if _, err := store(long + "9"); err == nil ||
		!strings.Contains(err.Error(), "38 significant digits") {
		t.Errorf("39 digits: %v", err)
	}
}
