// Indexes / Add an index to a table in use
//
// A new global index is `CREATING` while the service fills it from the table. Until it is `ACTIVE`,
// a query of it is refused, and no second index can be made. A deployment that does not wait
// breaks. Items that lack a key attribute of the index, or have it with another type, are not in
// the index.
//
// `WithTableDelays` gives tables and indexes these states, and the held clock ends them, so the
// test takes no time. See [Adding a global secondary
// index](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.OnlineOps.html).

package recipes

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

func TestNewIndex(t *testing.T) {
	server := emulatortest.Start(t, emulatortest.WithClockAt(noon),
		emulatortest.WithEmulator(emulator.WithTableDelays(0, time.Minute, 0)))
	server.SeedTables(t,
		table("users", "id", "", seed.Item{"id": "1", "email": "ada@example.org"},
			seed.Item{"id": "2"}),
	)
	name := aws.String("users")

	must(server.Client().UpdateTable(t.Context(), &dynamodb.UpdateTableInput{
		TableName: name,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("email"), AttributeType: "S"},
		},
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
			IndexName: aws.String("by-email"),
			KeySchema: []types.KeySchemaElement{
				{AttributeName: aws.String("email"), KeyType: "HASH"},
			},
			Projection: &types.Projection{ProjectionType: "ALL"},
		}}},
	}))
	status := func() types.IndexStatus {
		out := must(server.Client().DescribeTable(t.Context(), &dynamodb.DescribeTableInput{
			TableName: name,
		}))
		return out.Table.GlobalSecondaryIndexes[0].IndexStatus
	}
	if s := status(); s != types.IndexStatusCreating {
		t.Errorf("the index is %s", s)
	}
	scan := &dynamodb.ScanInput{TableName: name, IndexName: aws.String("by-email")}
	if _, err := server.Client().Scan(t.Context(), scan); err == nil {
		t.Error("the index can be read while it is filled")
	}
	server.Clock().Advance(2 * time.Minute) // one until the filling begins, and one for it
	if s := status(); s != types.IndexStatusActive {
		t.Errorf("two minutes later, the index is %s", s)
	}
	if found := must(server.Client().Scan(t.Context(), scan)).Count; found != 1 {
		t.Errorf("the index has %d items", found)
	}
}
