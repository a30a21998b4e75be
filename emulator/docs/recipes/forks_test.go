// Testing / Give each parallel test its own data
//
// Tests that share tables depend on each other's leftovers, and cannot run in parallel. Tests that
// make their own tables spend most of their time on that.
//
// `Template` makes the tables once. Each test gets a fork of them, with everything: items, indexes,
// streams, clock. A fork takes microseconds, whatever the amount of data, and goes with its test.
// Tests in other languages ask the [admin API](../admin.md) for forks.

package recipes

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

var newLibrary = emulatortest.Template(func(t testing.TB, server *emulatortest.Server) {
	books := table("books", "isbn", "")
	for i := range 1000 {
		books.Items = append(books.Items, seed.Item{"isbn": fmt.Sprint(i), "lent": false})
	}
	server.SeedTables(t, books)
})

func TestForks(t *testing.T) {
	for i := range 20 {
		t.Run(fmt.Sprint("test ", i), func(t *testing.T) {
			t.Parallel()
			server := newLibrary(t)
			must(server.Client().DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
				TableName: aws.String("books"), Key: item{"isbn": str(fmt.Sprint(i))},
			}))
			if left := len(server.Items(t, "books")); left != 999 {
				t.Errorf("%d books are left", left)
			}
		})
	}
}
