package guard_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/conventions/guard"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

// shop is a policy, written out as an example is read alone. A program reads its own from a file:
// see package policyfile.
var shop = policy.Policy{Tables: []policy.Table{{
	Name: "shop-data",
	Role: policy.Data,
	Entities: []policy.Entity{
		{Name: "order", Prefix: "ORDER", Sort: policy.Pattern("ORDER#{order:ulid}")},
	},
}}}

// newGuarded returns a client of the database whose requests are held to the policy. A program
// gives dynamodb.NewFromConfig the same option, for DynamoDB itself.
func newGuarded(db *emulator.Emulator) *dynamodb.Client {
	engine, err := policy.Compile(shop)
	if err != nil {
		panic(err)
	}
	return emulatortest.NewClient(db,
		emulatortest.WithClientOptions(guard.New(engine, guard.Config{}).Options))
}

// newDatabase has the table of the policy, and no policy.
func newDatabase() *emulator.Emulator {
	e := emulator.New()
	key := func(name string) seed.Attribute { return seed.Attribute{Name: name, Type: "S"} }
	data, err := seed.Of(seed.Table{Name: "shop-data", PartitionKey: key("pk"), SortKey: key("sk")})
	if err == nil {
		err = data.Load(e.HTTPClient("test", "us-east-1"))
	}
	if err != nil {
		panic(err)
	}
	return e
}

// place writes a new order.
func place(ctx context.Context, client *dynamodb.Client, pk string) error {
	_, err := client.PutItem(
		ctx, &dynamodb.PutItemInput{TableName: aws.String(
			"shop-data"), Item: map[string]types.AttributeValue{
			"pk":      &types.AttributeValueMemberS{Value: pk},
			"sk":      &types.AttributeValueMemberS{Value: "ORDER#01HX7MBJK3V9WQBZ7XNDK5ZT2M"},
			"version": &types.AttributeValueMemberN{Value: "0"},
		}})
	return err
}

// A client writes its own tenant's orders. One for another tenant is refused before it is sent.
func Example() {
	db := newDatabase()
	client := newGuarded(db)
	ctx := guard.WithTenant(context.Background(), "tenant001")

	fmt.Println(place(ctx, client, "ORDER#tenant001"))

	err := place(ctx, client, "ORDER#tenant002")
	var refused *guard.Error
	if errors.As(err, &refused) {
		fmt.Println(refused.Operation, refused.Findings[0].Rule.ID)
	}
	fmt.Println(db.Inspect().TableSizes()[0].Items, "order")
	// Output:
	// <nil>
	// PutItem tenant-crossing
	// 1 order
}
