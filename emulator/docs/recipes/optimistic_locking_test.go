// Writing / Change an item that others change, too
//
// Two writers read an item, change it, and put it back: the second one undoes the first. A version
// attribute prevents that. Each writer reads the version, and writes under the condition that it is
// still there. Who loses reads again, and tries again with the new state.
//
// In the test another writer comes between the first read and its write. See [Optimistic locking
// with version
// number](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/DynamoDBMapper.OptimisticLocking.html).

package recipes

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

func TestOptimisticLocking(t *testing.T) {
	server := emulatortest.Start(t)
	server.SeedTables(t,
		table("documents", "id", "", seed.Item{"id": "1", "text": "a", "version": 1}))
	client, name, key := server.Client(), aws.String("documents"), item{"id": str("1")}

	// add appends to the text. meanwhile is called between its read and its write.
	add := func(suffix string, meanwhile func()) (attempts int) {
		for {
			attempts++
			read := must(client.GetItem(t.Context(), &dynamodb.GetItemInput{
				TableName: name, Key: key, ConsistentRead: aws.Bool(true),
			})).Item
			meanwhile()
			text := read["text"].(*types.AttributeValueMemberS).Value
			_, err := client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
				TableName:                name,
				Key:                      key,
				UpdateExpression:         aws.String("SET #t = :text, version = version + :one"),
				ConditionExpression:      aws.String("version = :read"),
				ExpressionAttributeNames: map[string]string{"#t": "text"},
				ExpressionAttributeValues: item{":text": str(text + suffix), ":one": num(1),
					":read": read["version"]},
			})
			var lost *types.ConditionalCheckFailedException
			if !errors.As(err, &lost) {
				must(0, err)
				return attempts
			}
		}
	}
	first := true
	attempts := add("b", func() {
		if first {
			first = false
			add("c", func() {})
		}
	})
	if text := server.Item(t, "documents", seed.Item{"id": "1"})["text"]; text != "acb" ||
		attempts != 2 {
		t.Errorf("the text is %v after %d attempts", text, attempts)
	}
}
