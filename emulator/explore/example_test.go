package explore_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

// Two workers reserve the last pieces of the same article. In a package of tests this is
// TestReserve(t *testing.T), and it calls Run, which fails the test. Search only returns the
// report.
func Example() {
	explore.AsTest("TestReserve", func(t *testing.T) {
		report := explore.Search(t, newShop, func(x *explore.X) {
			for _, name := range []string{"alice", "bob"} {
				x.Go(name, func(ctx context.Context, db *dynamodb.Client) error {
					return reserveBroken(ctx, db, "sku1")
				})
			}
		})
		fmt.Println(report.Failures[0])
	})
	// Output:
	// lost update: alice overwrites, without a condition, what bob has changed since alice read it:
	// left of {sku: "sku1"} in stock
	// the condition left = :read on this PutItem would have refused it (:read was 10)
	//
	//      alice                   bob
	//   1  GetItem                                        ← reads what is about to change
	//        stock {sku: "sku1"}
	//        reads left: 10
	//   2                          GetItem
	//                                stock {sku: "sku1"}
	//                                reads left: 10
	//   3                          PutItem                ← changes it
	//                                stock {sku: "sku1"}
	//                                left: 10 → 9
	//   4  PutItem                                        ← overwrites the change
	//        stock {sku: "sku1"}
	//        writes what is there
	//      returns nil             returns nil
	//
	// Run it again:
	//   KUGIRI_EXPLORE='alice,bob,bob,alice' go test -run '^TestReserve$'
}
