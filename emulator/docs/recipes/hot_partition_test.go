// Capacity / Find a hot partition before production does
//
// The items with one partition key get 1000 write units a second at most, however much the table
// has. A key such as the date sends all writes of a day to one partition. On an idle test table
// this cannot be seen.
//
// `WithThroughput` enforces the limits, here with 10 units a partition, and the held clock shows
// when they are used up. A suffix spreads the key over several partitions; reads then query each of
// them. See [Write
// sharding](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-sharding.html).

package recipes

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

func TestHotPartition(t *testing.T) {
	for _, c := range []struct {
		name     string
		shards   int
		accepted int
	}{
		{"one partition", 1, 10},
		{"four partitions", 4, 40},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := emulatortest.Start(t, emulatortest.WithClockAt(noon),
				emulatortest.WithEmulator(
					emulator.WithThroughput(emulator.Throughput{PartitionWrites: 10})),
				emulatortest.WithClientOptions(
					func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 }))
			server.SeedTables(t, table("events", "day", "id"))
			accepted := 0
			for i := range 100 {
				_, err := server.Client().PutItem(t.Context(), &dynamodb.PutItemInput{
					TableName: aws.String("events"),
					Item: item{"day": str(fmt.Sprint("2026-01-01#", i%c.shards)),
						"id": str(fmt.Sprint(i))},
				})
				if err == nil {
					accepted++
				}
			}
			if accepted != c.accepted {
				t.Errorf("%d writes were accepted in the same second", accepted)
			}
		})
	}
}
