package gateway_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/kugiri-db/kugiri/conventions/gateway"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

// shopPolicy is a policy that knows tenants by their access keys, written out as an example is read
// alone. A program reads its own from a file: see package policyfile.
var shopPolicy = policy.Policy{
	Tenants: policy.Tenants{Callers: map[string]string{"AKID1": "tenant001", "AKID2": "tenant002"}},
	Tables: []policy.Table{{
		Name: "shop-data",
		Role: policy.Data,
		Entities: []policy.Entity{
			{Name: "order", Prefix: "ORDER", Sort: policy.Pattern("ORDER#{order:ulid}")},
		},
	}},
}

// startDatabase serves a table, to requests that the gateway signs. It stands for DynamoDB.
func startDatabase() *emulator.Server {
	e := emulator.New()
	key := func(name string) seed.Attribute { return seed.Attribute{Name: name, Type: "S"} }
	data, err := seed.Of(seed.Table{Name: "shop-data", PartitionKey: key("pk"), SortKey: key("sk")})
	if err == nil {
		err = data.Load(e.HTTPClient("GATEWAY", "us-east-1"))
	}
	if err != nil {
		panic(err)
	}
	server, err := e.Start("127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	return server
}

// newGateway returns a gateway in front of the database, an http.Handler.
func newGateway(database string) *gateway.Gateway {
	engine, err := policy.Compile(shopPolicy)
	if err != nil {
		panic(err)
	}
	g, err := gateway.New(gateway.Config{
		Upstream: database,
		Policy:   engine,
		Credentials: credentials.NewStaticCredentialsProvider("GATEWAY", "secret of the gateway",
			""),
		Secrets: map[string]string{"AKID1": "secret of tenant001",
			"AKID2": "secret of tenant002"},
	})
	if err != nil {
		panic(err)
	}
	return g
}

// place writes an order of tenant001 by the client of an access key.
func place(url, accessKey, secret string) error {
	client := dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(url), Region: "us-east-1",
		Credentials: credentials.NewStaticCredentialsProvider(accessKey, secret, ""),
	})
	_, err := client.PutItem(
		context.Background(), &dynamodb.PutItemInput{TableName: aws.String(
			"shop-data"), Item: map[string]types.AttributeValue{
			"pk":      &types.AttributeValueMemberS{Value: "ORDER#tenant001"},
			"sk":      &types.AttributeValueMemberS{Value: "ORDER#01HX7MBJK3V9WQBZ7XNDK5ZT2M"},
			"version": &types.AttributeValueMemberN{Value: "0"},
		}})
	return err
}

// Clients in any language reach the database by way of the gateway, with their own access keys. A
// request for another tenant's data is refused in DynamoDB's form, and never sent.
func Example() {
	database := startDatabase()
	defer database.Close()
	g := newGateway(database.URL)
	defer g.Close()
	server := httptest.NewServer(g)
	defer server.Close()

	fmt.Println(place(server.URL, "AKID1", "secret of tenant001"))

	err := place(server.URL, "AKID2", "secret of tenant002")
	var refused smithy.APIError
	if errors.As(err, &refused) {
		fmt.Println(refused.ErrorCode())
		fmt.Println(refused.ErrorMessage())
	}
	// Output:
	// <nil>
	// ValidationException
	// tenant-crossing: a request of the tenant "tenant002" is for a key of the tenant "tenant001" (table shop-data); instead, use the caller's own tenant in the key
}
