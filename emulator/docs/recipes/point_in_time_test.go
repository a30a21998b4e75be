// Streams and time / Rehearse a recovery
//
// A backup that nobody has ever restored is a hope. With point-in-time recovery a table can be
// restored as of any second of the last 35 days, into a *new* table, without the TTL, the tags and
// the stream of the old one. Other emulators do not know the operations, or accept them and do
// nothing ([localstack #7569](https://github.com/localstack/localstack/issues/7569),
// [amazon-dynamodb-local-samples
// #17](https://github.com/awslabs/amazon-dynamodb-local-samples/issues/17)).
//
// Here the items are those of the time. See [Point-in-time
// recovery](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Point-in-time-recovery.html).

package recipes

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

func TestPointInTime(t *testing.T) {
	server := emulatortest.Start(t, emulatortest.WithClockAt(noon))
	server.SeedTables(t, table("users", "id", ""))
	client, name := server.Client(), aws.String("users")
	must(client.UpdateContinuousBackups(t.Context(), &dynamodb.UpdateContinuousBackupsInput{
		TableName: name,
		PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: aws.Bool(true),
		},
	}))
	must(client.PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: name, Item: item{"id": str("ada")},
	}))
	server.Clock().Advance(time.Hour)
	must(client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
		TableName: name, Key: item{"id": str("ada")},
	})) // the deletion is a mistake
	server.Clock().Advance(time.Hour)

	must(client.RestoreTableToPointInTime(t.Context(), &dynamodb.RestoreTableToPointInTimeInput{
		SourceTableName: name,
		TargetTableName: aws.String("users-restored"),
		RestoreDateTime: aws.Time(noon.Add(30 * time.Minute)),
	}))
	if user := server.Item(t, "users-restored", seed.Item{"id": "ada"}); user == nil {
		t.Error("the user is not in the restored table")
	}
	if user := server.Item(t, "users", seed.Item{"id": "ada"}); user != nil {
		t.Error("the restore changed the old table")
	}
}
