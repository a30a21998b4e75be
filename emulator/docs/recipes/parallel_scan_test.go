// Reading / Scan a table with several workers
//
// A scan of a large table takes long, page after page. With `TotalSegments` the table is split, and
// each worker reads the pages of its own `Segment`. Each item is in exactly one segment, so nothing
// is read twice. A worker must read all pages of its segment, and must not pass its
// `LastEvaluatedKey` to another one. See [Parallel
// scan](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Scan.html#Scan.ParallelScan).

package recipes

import (
	"fmt"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

func TestParallelScan(t *testing.T) {
	server := emulatortest.Start(t)
	users := table("users", "id", "")
	for i := range 500 {
		users.Items = append(users.Items, seed.Item{"id": fmt.Sprint("user-", i)})
	}
	server.SeedTables(t, users)

	const workers = 4
	var mu sync.Mutex
	seen := map[string]int{}
	var wg sync.WaitGroup
	for segment := range int32(workers) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			pages := dynamodb.NewScanPaginator(server.Client(), &dynamodb.ScanInput{
				TableName:     aws.String("users"),
				Segment:       aws.Int32(segment),
				TotalSegments: aws.Int32(workers),
				Limit:         aws.Int32(50),
			})
			for pages.HasMorePages() {
				page := must(pages.NextPage(t.Context()))
				mu.Lock()
				for _, user := range page.Items {
					seen[user["id"].(*types.AttributeValueMemberS).Value]++
				}
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	for id, times := range seen {
		if times != 1 {
			t.Errorf("%s was read %d times", id, times)
		}
	}
	if len(seen) != 500 {
		t.Errorf("%d users were read", len(seen))
	}
}
