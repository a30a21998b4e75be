package emulator_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

// TestTableSizesOfAll: what access keys have in tables of one name is added up, and what is being
// deleted counts until it is gone.
func TestTableSizesOfAll(t *testing.T) {
	clock := emulator.NewClock(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	e := emulator.New(emulator.WithHeldClock(clock), emulator.WithTableDelays(0, 0, time.Minute))
	one, other := emulatortest.NewClient(e), emulatortest.NewClient(e,
		emulatortest.WithAccessKey("OTHER"))
	for _, client := range []*dynamodb.Client{one, other} {
		_, err := client.CreateTable(
			t.Context(), &dynamodb.CreateTableInput{TableName: aws.String("users"),
				BillingMode: types.BillingModePayPerRequest,
				AttributeDefinitions: []types.AttributeDefinition{
					{AttributeName: aws.String("id"), AttributeType: "S"},
				},
				KeySchema: []types.KeySchemaElement{
					{AttributeName: aws.String("id"), KeyType: "HASH"},
				}})
		require.NoError(t, err)
		_, err = client.PutItem(t.Context(),
			&dynamodb.PutItemInput{TableName: aws.String("users"), Item: userItem("1")})
		require.NoError(t, err)
	}
	assert.Equal(t, []emulator.TableSize{{Table: "users", Items: 2, Bytes: 6}},
		e.Inspect().TableSizes())
	_, err := one.DeleteTable(t.Context(),
		&dynamodb.DeleteTableInput{TableName: aws.String("users")})
	require.NoError(t, err)
	assert.Equal(t, []emulator.TableSize{{Table: "users", Items: 2, Bytes: 6}},
		e.Inspect().TableSizes())
	clock.Advance(time.Minute)
	assert.Equal(t, []emulator.TableSize{{Table: "users", Items: 1, Bytes: 3}},
		e.Inspect().TableSizes())
}
