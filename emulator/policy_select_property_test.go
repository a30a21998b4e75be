package emulator_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/policy"
)

// anyWhere is a WHERE clause on keys of the tenants a, ab and common, of the attributes of a table
// or an index.
func anyWhere(r *rapid.T, pk, sk string, depth int) string {
	partition := func() string {
		return "'PRODUCT#" + rapid.SampledFrom([]string{"a", "a", "ab", "common", ""}).Draw(r,
			"tenant") + "'"
	}
	sort := func() string {
		return "'" + rapid.SampledFrom([]string{"1", "2", ""}).Draw(r, "sort") + "'"
	}
	kind := rapid.IntRange(0, 11).Draw(r, "kind")
	if depth == 0 {
		kind = min(kind, 7)
	}
	switch kind {
	case 0, 1:
		return pk + " = " + partition()
	case 2:
		return partition() + " = " + pk
	case 3:
		return pk + " IN [" + partition() + ", " + partition() + "]"
	case 4:
		return "begins_with(" + pk + ", " + partition() + ")"
	case 5:
		return pk + rapid.SampledFrom([]string{" >= ", " <= ", " <> "}).Draw(r, "op") + partition()
	case 6:
		return sk + " = " + sort()
	case 7:
		return pk + " BETWEEN " + partition() + " AND " + partition()
	case 8:
		return "NOT (" + anyWhere(r, pk, sk, depth-1) + ")"
	case 9:
		return "(" + anyWhere(r, pk, sk, depth-1) + " OR " + anyWhere(r, pk, sk, depth-1) + ")"
	}
	return "(" + anyWhere(r, pk, sk, depth-1) + " AND " + anyWhere(r, pk, sk, depth-1) + ")"
}

// Whatever a tenant selects, it never sees another's items.
func TestPolicySelectProperty(t *testing.T) {
	g := newPolicyTest(t, policy.Policy{
		Tenants: policy.Tenants{Callers: map[string]string{"AK1": "a", "ADMIN": "admin"},
			Privileged: []string{"admin"}},
		Tables: []policy.Table{{Name: "data", Role: policy.Plain,
			Entities: []policy.Entity{
				{Name: "product", Prefix: "PRODUCT", Sort: policy.Pattern("{id}")},
			},
			Indexes: []policy.Index{{Name: "by-category",
				Key: policy.KeySchema{Partition: "gsi1pk", Sort: "gsi1sk"},
				Entities: []policy.Entity{
					{Name: "product", Prefix: "PRODUCT", Sort: policy.Pattern("{id}")},
				}}},
		}},
	})
	for _, tenant := range []string{"a", "ab", "b", "common"} {
		for _, id := range []string{"1", "2"} {
			pk := "PRODUCT#" + tenant
			require.NoError(t,
				puts("data", itemOf(pk, id, "gsi1pk", pk, "gsi1sk", id))(g, g.as("ADMIN", "")))
		}
	}
	allowed := 0
	rapid.Check(t, func(r *rapid.T) {
		from, pk, sk := "data", "pk", "sk"
		if rapid.Bool().Draw(r, "index") {
			from, pk, sk = `data."by-category"`, "gsi1pk", "gsi1sk"
		}
		text := fmt.Sprintf("SELECT * FROM %s WHERE %s", from, anyWhere(r, pk, sk, 3))
		out, err := g.ExecuteStatement(t.Context(),
			&dynamodb.ExecuteStatementInput{Statement: aws.String(text)})
		if err != nil {
			return
		}
		allowed++
		for _, it := range out.Items {
			pk := it["pk"].(*types.AttributeValueMemberS).Value
			require.True(r, strings.HasSuffix(pk, "#a") || strings.HasSuffix(pk, "#common"),
				"%s: %s", text, pk)
		}
	})
	require.Positive(t, allowed)
}
