package main

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A tenant is not told how many items all tenants have, at the server and at the gateway.
func TestPolicyHidesCounts(t *testing.T) {
	for _, c := range []struct {
		name, caller, table, policy string
		want                        int64
	}{
		{name: "a tenant", table: "data"},
		{name: "a privileged caller", caller: "ADMIN", table: "data", want: 1},
		{name: "a table whose keys name no tenant", table: "documents", want: 1},
		{name: "an open table", table: "data", want: 1,
			policy: "tenants: {callers: {AK1: tenant001}}\n" +
				"tables: [{name: data, open: true}, {name: command, role: command}]"},
		{name: "a policy without tenants", table: "data", want: 1,
			policy: "tables: [{name: data}]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			of := placeCase{caller: c.caller, policy: c.policy, stored: []types.Put{
				stored("data", "pk", "ORDER#tenant002", "sk", "ORDER#1", "gsi1pk",
					"CATEGORY#tenant002", "gsi1sk", "1"),
				stored("documents", "documentVersion", "v1")}}
			for _, at := range []place{inServer, inGateway} {
				s := of.start(t, at)
				out, err := s.client.DescribeTable(t.Context(),
					&dynamodb.DescribeTableInput{TableName: &c.table})
				require.NoError(t, err)
				assert.Equal(t, c.want, aws.ToInt64(out.Table.ItemCount), "%s", at)
				assert.Equal(t, c.want > 0, aws.ToInt64(out.Table.TableSizeBytes) > 0, "%s", at)
				if c.table == "data" {
					x := out.Table.GlobalSecondaryIndexes[0]
					assert.Equal(t, c.want, aws.ToInt64(x.ItemCount), "%s", at)
					assert.Equal(t, c.want > 0, aws.ToInt64(x.IndexSizeBytes) > 0, "%s", at)
				}
				assert.NotNil(t, out.Table.CreationDateTime)
			}
		})
	}
}
