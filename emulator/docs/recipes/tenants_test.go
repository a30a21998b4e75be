// Design / Keep tenants apart
//
// With all tenants in one table, every key has to name the tenant, and one forgotten prefix shows
// the data of others. No test of results finds it, as each test has one tenant.
//
// A policy finds it: it says which caller belongs to which tenant, and how keys name it. Requests
// that reach for another tenant are refused, whatever the operation. The same policy works in your
// client and in front of DynamoDB itself: [Where a policy
// runs](../../../conventions/docs/places.md).

package recipes

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

func TestTenants(t *testing.T) {
	engine := must(policyfile.Compile([]byte(`
tenants:
  callers: {AKID1: tenant001, AKID2: tenant002, ADMIN: admin} # by access key
  privileged: [admin]
tables:
  - name: shop
    role: plain
    entities: [{name: order, prefix: ORDER, sort: "ORDER#{order}"}]
`)))
	server := emulatortest.Start(t, emulatortest.WithAccessKey("ADMIN"),
		emulatortest.WithEmulator(emulator.WithPolicy(engine), emulator.WithSharedData()))
	server.SeedTables(t, table("shop", "pk", "sk",
		seed.Item{"pk": "ORDER#tenant001", "sk": "ORDER#1"},
		seed.Item{"pk": "ORDER#tenant002", "sk": "ORDER#2"}))
	client := emulatortest.NewClient(server.Emulator, emulatortest.WithAccessKey("AKID1"))

	query := func(tenant string) error {
		_, err := client.Query(t.Context(), &dynamodb.QueryInput{
			TableName:                 aws.String("shop"),
			KeyConditionExpression:    aws.String("pk = :t"),
			ExpressionAttributeValues: item{":t": str("ORDER#" + tenant)},
		})
		return err
	}
	if err := query("tenant001"); err != nil {
		t.Error(err)
	}
	if err := query("tenant002"); err == nil {
		t.Error("tenant001 reads the orders of tenant002")
	}
	if _, err := client.Scan(t.Context(), &dynamodb.ScanInput{
		TableName: aws.String("shop"),
	}); err == nil {
		t.Error("tenant001 reads everything")
	}
	for _, found := range server.Findings() {
		t.Logf("%s: %s", found.Rule, found.Example)
	}
}
