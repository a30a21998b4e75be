package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/kugiri-db/kugiri/storage/rapidseed"
)

// ofCallers are the rules that lint cannot see: an item does not say who wrote it.
var ofCallers = map[string]bool{"tenant-crossing": true, "tenant-shared": true,
	"tenant-caller": true, "tenant-undeclared": true}

// TestPolicyPlacesProperty: whatever a policy says of keys and tenants, and whatever is put, got or
// deleted, the server, the guard and the gateway say the same, and lint finds what they refuse for
// an item's own sake. Rules on versions and latest items are not here: they need what is stored,
// which the guard and the gateway do not see. The cases of TestPolicyPlaces have them.
func TestPolicyPlacesProperty(t *testing.T) {
	policies, requests, refused := 0, 0, map[string]int{}
	rapid.Check(t, func(r *rapid.T) {
		c := placeCase{policy: anyPlacesPolicy(r)}
		c.caller = rapid.SampledFrom([]string{"AK1", "AK2", "NOBODY"}).Draw(r, "caller")
		sites := map[place]*site{}
		for _, at := range []place{inServer, inGuard, inGateway, inLint} {
			sites[at] = c.start(t, at)
		}
		policies++
		for i := range rapid.IntRange(1, 8).Draw(r, "requests") {
			do, puts := anyPlacesRequest(r)
			requests++
			said := map[place]string{}
			for at, s := range sites {
				verdict, err := verdictOf(t, do(t.Context(), s.client))
				require.NotEqual(r, invalidRequest, verdict, "%v", err)
				said[at] = verdict
			}
			refused[said[inServer]]++
			require.Equal(r, said[inServer], said[inGuard], "request %d at the guard", i)
			require.Equal(r, said[inServer], said[inGateway], "request %d at the gateway", i)
			if puts != nil && !ofCallers[said[inServer]] {
				s := &site{engine: sites[inLint].engine, emulator: sites[inLint].emulator}
				require.Equal(r, said[inServer], s.lint(t, said[inServer]), "request %d", i)
			}
			clearPlace(t, sites[inLint])
		}
	})
	t.Logf("the places agreed on %d requests under %d policies: %v", requests, policies,
		refused)
}

// clearPlace deletes what a request has left behind in the table data.
func clearPlace(t *testing.T, s *site) {
	past := s.client
	out, err := past.Scan(t.Context(), &dynamodb.ScanInput{TableName: ptr("data")})
	require.NoError(t, err)
	for _, it := range out.Items {
		_, err := past.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: ptr("data"),
			Key: map[string]types.AttributeValue{"pk": it["pk"], "sk": it["sk"]}})
		require.NoError(t, err)
	}
}

func ptr(s string) *string { return &s }

// anyPlacesPolicy declares the entities of a plain table in one way or another.
func anyPlacesPolicy(t *rapid.T) string {
	var entities []string
	for _, e := range []string{`{name: order, prefix: ORDER, sort: "ORDER#{order}"}`,
		`{name: product, prefix: PRODUCT, sort: "{product:ulid}"}`,
		`{name: log, prefix: LOG, partition: "{month:month}", sort: "{n:number}"}`,
		`{name: user, prefix: USER, tenant: common, sort: "{user}", writable: true}`,
		`{name: country, prefix: COUNTRY, tenant: common, sort: "{country}"}`,
		`{name: member, prefix: MEMBER, tenant: common, sort: "{tenant:tenant}#{user}"}`,
	} {
		if rapid.Bool().Draw(t, "has") {
			entities = append(entities, e)
		}
	}
	known := ""
	if rapid.Bool().Draw(t, "known") {
		known = ", known: [tenant001, tenant002]"
	}
	var severities []string
	for _, rule := range []string{"key-undeclared-prefix", "key-ulid", "key-value", "key-segments",
		"key-separator", "key-mutable", "key-overloaded"} {
		severities = append(severities, rule+": "+
			rapid.SampledFrom([]string{"enforce", "enforce", "off"}).Draw(t, rule))
	}
	return fmt.Sprintf("severities: {%s}\ntenants: {callers: {AK1: tenant001, AK2: tenant002}%s}\n"+
		"tables: [{name: data, role: plain, entities: [%s]}]\n",
		strings.Join(severities, ", "), known, strings.Join(entities, ", "))
}

// anyPlacesRequest puts, gets or deletes by a key. puts is the item of a put.
func anyPlacesRequest(t *rapid.T) (do clientRequest, puts *types.TransactWriteItem) {
	pk := rapid.SampledFrom([]string{"ORDER", "PRODUCT", "LOG", "USER", "COUNTRY", "MEMBER",
		"OTHER"}).Draw(t, "prefix")
	pk += rapid.SampledFrom([]string{"#tenant001", "#tenant001", "#tenant002", "#common",
		"#tenant003", "", "#"}).Draw(t, "tenant")
	pk += rapid.SampledFrom([]string{"", "", "", "#2024-01", "#2024-13"}).Draw(t, "more")
	sk := rapid.SampledFrom([]string{"ORDER#1", "ORDER#pending#1", "ORDER-1", "1", "x",
		"01HX7MBJK3V9WQBZ7XNDK5ZT2M", "tenant001#u", "tenant002#u", "ORDER#1#2#3"}).Draw(t, "sort")
	w := put("data", "", "pk", pk, "sk", sk)
	switch rapid.SampledFrom([]string{"put", "put", "batch", "transaction", "get", "delete"}).Draw(
		t, "operation") {
	case "batch":
		return batched(w), &w
	case "transaction":
		return together(w), &w
	case "get":
		return gotten(pk, sk), nil
	case "delete":
		return alone(remove("data", "", "pk", pk, "sk", sk)), nil
	}
	return alone(w), &w
}

func gotten(pk, sk string) clientRequest {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: ptr("data"),
			Key: attributes("pk", pk, "sk", sk)})
		return err
	}
}
