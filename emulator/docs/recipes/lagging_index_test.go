// Indexes / Do not trust a global index at once
//
// A global secondary index follows its table with a delay, and cannot be read consistently. A
// program that looks for an item by index right after it wrote the item may not find it, or finds
// it under its old key. Both happen rarely enough to pass all tests.
//
// The fault `LaggingIndexes` keeps the index behind. What is read from it is a hint: read the item
// itself, consistently, before deciding anything by it. See [Global secondary
// indexes](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html).

package recipes

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

func TestLaggingIndex(t *testing.T) {
	server := emulatortest.Start(t, emulatortest.WithClockAt(noon))
	jobs := table("jobs", "id", "")
	jobs.GlobalIndexes = []seed.Index{
		{Name: "by-state", PartitionKey: seed.Attribute{Name: "state", Type: "S"}},
	}
	server.SeedTables(t, jobs)
	server.SetFaults(t,
		fault.MustHit(fault.Fault{Do: fault.LaggingIndexes(fault.Bound{Writes: 1})}))

	put := func(state string) {
		must(server.Client().PutItem(t.Context(), &dynamodb.PutItemInput{
			TableName: aws.String("jobs"), Item: item{"id": str("1"), "state": str(state)},
		}))
	}
	open := func() int32 {
		return must(server.Client().Query(t.Context(), &dynamodb.QueryInput{
			TableName:                 aws.String("jobs"),
			IndexName:                 aws.String("by-state"),
			KeyConditionExpression:    aws.String("#s = :open"),
			ExpressionAttributeNames:  map[string]string{"#s": "state"},
			ExpressionAttributeValues: item{":open": str("open")},
		})).Count
	}
	late := 0
	for range 20 {
		put("open")
		put("done")
		if open() > 0 {
			late++
		}
	}
	if late == 0 {
		t.Error("the index was never behind")
	}
	if state := server.Item(t, "jobs", seed.Item{"id": "1"})["state"]; state != "done" {
		t.Errorf("the job itself is %v", state)
	}
}
