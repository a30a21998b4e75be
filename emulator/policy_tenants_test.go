package emulator_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
)

func batchGets(keys ...map[string]types.AttributeValue) policyCall {
	return func(g *policyTest, c *dynamodb.Client) error {
		_, err := c.BatchGetItem(g.Context(),
			&dynamodb.BatchGetItemInput{
				RequestItems: map[string]types.KeysAndAttributes{"data": {Keys: keys}},
			})
		return err
	}
}

func batchWrites(requests ...types.WriteRequest) policyCall {
	return func(g *policyTest, c *dynamodb.Client) error {
		_, err := c.BatchWriteItem(g.Context(),
			&dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{"data": requests},
			})
		return err
	}
}

func transactGets(keys ...map[string]types.AttributeValue) policyCall {
	return func(g *policyTest, c *dynamodb.Client) error {
		in := &dynamodb.TransactGetItemsInput{}
		for _, key := range keys {
			in.TransactItems = append(in.TransactItems,
				types.TransactGetItem{Get: &types.Get{TableName: aws.String("data"), Key: key}})
		}
		_, err := c.TransactGetItems(g.Context(), in)
		return err
	}
}

func transactStatements(texts ...string) policyCall {
	return func(g *policyTest, c *dynamodb.Client) error {
		in := &dynamodb.ExecuteTransactionInput{}
		for _, text := range texts {
			in.TransactStatements = append(in.TransactStatements,
				types.ParameterizedStatement{Statement: aws.String(text)})
		}
		_, err := c.ExecuteTransaction(g.Context(), in)
		return err
	}
}

// tenantCase is a request for one tenant's data, which that tenant may make and no other.
type tenantCase struct {
	name        string
	call        func(tenant string) policyCall
	transaction bool // it is refused by a cancellation
	scan        bool // it is no tenant's at all
}

var tenantCases = []tenantCase{
	{name: "GetItem",
		call: func(tenant string) policyCall {
			return gets("data", itemOf("PRODUCT#"+tenant, ulidA))
		}},
	{name: "PutItem", call: func(tenant string) policyCall {
		return puts("data", itemOf("ORDER#"+tenant, "ORDER#"+ulidB, "version", "=0"))
	}},
	{name: "UpdateItem", call: func(tenant string) policyCall {
		return updates("data", itemOf("PRODUCT#"+tenant, ulidA), "ADD version :one", "")
	}},
	{name: "DeleteItem", call: func(tenant string) policyCall {
		return deletesIf("data", "version = :zero", itemOf("PRODUCT#"+tenant, ulidA))
	}},
	{name: "Query",
		call: func(tenant string) policyCall { return queries("data", "", "PRODUCT#"+tenant, "") }},
	{name: "Query of an index",
		call: func(tenant string) policyCall {
			return queries("data", "by-category", "CATEGORY#"+tenant+"#books", "")
		}},
	{name: "Scan", call: func(string) policyCall { return scans("data", "") }, scan: true},
	{name: "Scan of an index",
		call: func(string) policyCall { return scans("data", "by-category") },
		scan: true},
	{name: "BatchGetItem", call: func(tenant string) policyCall {
		return batchGets(itemOf("USER#common", "sso#abc"), itemOf("PRODUCT#"+tenant, ulidA))
	}},
	{name: "BatchWriteItem", call: func(tenant string) policyCall {
		return batchWrites(
			types.WriteRequest{
				PutRequest: &types.PutRequest{
					Item: itemOf("PRODUCT#"+tenant, ulidB, "version", "=0"),
				},
			})
	}},
	{name: "an item that enters an index", call: func(tenant string) policyCall {
		return updatesWith("data", itemOf("USER#common", "sso#abc"),
			"SET gsi1pk = :p, gsi1sk = :s ADD version :one", "",
			attributes(":p", "CATEGORY#"+tenant+"#books", ":s", ulidA, ":one", "=1"))
	}},
	{name: "an association with a tenant", call: func(tenant string) policyCall {
		return puts("data", itemOf("USER_TENANT#common", tenant+"#user123", "version", "=0"))
	}},
	{name: "TransactGetItems", transaction: true, call: func(tenant string) policyCall {
		return transactGets(itemOf("USER#common", "sso#abc"), itemOf("PRODUCT#"+tenant, ulidA))
	}},
	{name: "TransactWriteItems", transaction: true, call: func(tenant string) policyCall {
		return transacts(
			putAction("data", itemOf("USER#common", "sso#of-"+tenant, "version", "=0")),
			putAction("data", itemOf("ORDER#"+tenant, "ORDER#"+ulidA, "version", "=0")))
	}},
	{name: "SELECT",
		call: func(tenant string) policyCall {
			return statement(`SELECT * FROM data WHERE pk = ?`, "PRODUCT#"+tenant)
		}},
	{name: "SELECT of several", call: func(tenant string) policyCall {
		return statement(`SELECT * FROM data WHERE pk IN ('USER#common', ?)`, "PRODUCT#"+tenant)
	}},
	{name: "SELECT by OR", call: func(tenant string) policyCall {
		return statement(`SELECT * FROM data WHERE pk = 'USER#common' OR pk = ?`, "PRODUCT#"+tenant)
	}},
	{name: "SELECT of an index", call: func(tenant string) policyCall {
		return statement(`SELECT * FROM data."by-category" WHERE gsi1pk = ?`,
			"CATEGORY#"+tenant+"#books")
	}},
	{name: "SELECT of everything", scan: true,
		call: func(string) policyCall { return statement(`SELECT * FROM data`) }},
	{name: "INSERT", call: func(tenant string) policyCall {
		return statement(`INSERT INTO data VALUE {'pk': ?, 'sk': ?, 'version': 0}`,
			"MASTER#"+tenant, "DATA#books#novels")
	}},
	{name: "UPDATE", call: func(tenant string) policyCall {
		return statement(`UPDATE data SET version = version + 1 WHERE pk = ? AND sk = ?`,
			"PRODUCT#"+tenant, ulidA)
	}},
	{name: "DELETE", call: func(tenant string) policyCall {
		return statement(`DELETE FROM data WHERE pk = ? AND sk = ? AND version = 0`,
			"PRODUCT#"+tenant, ulidA)
	}},
	{name: "ExecuteTransaction of reads", transaction: true, call: func(tenant string) policyCall {
		return transactStatements(`SELECT * FROM data WHERE pk = 'USER#common' AND sk = 'sso#abc'`,
			`SELECT * FROM data WHERE pk = 'PRODUCT#`+tenant+`' AND sk = '`+ulidA+`'`)
	}},
	{name: "ExecuteTransaction of writes", transaction: true, call: func(tenant string) policyCall {
		return transactStatements(
			`EXISTS(SELECT * FROM data WHERE pk = 'USER#common' AND sk = 'sso#abc' AND version IS NOT MISSING)`,
			`UPDATE data SET version = version + 1 WHERE pk = 'PRODUCT#`+
				tenant+`' AND sk = '`+ulidA+`'`)
	}},
}

// Tenants reach their own data and what is shared, whether they are known by their access key or by
// a header, by whatever operation.
func TestPolicyTenants(t *testing.T) {
	for _, tc := range tenantCases {
		t.Run(tc.name, func(t *testing.T) {
			g := newPolicyTest(t, policytest.Shop())
			gate := g.as("ADMIN", "")
			for _, item := range []map[string]types.AttributeValue{
				itemOf("USER#common", "sso#abc", "version", "=0"),
				itemOf("PRODUCT#tenant001", ulidA, "version", "=0", "gsi1pk",
					"CATEGORY#tenant001#books", "gsi1sk", ulidA),
				itemOf("PRODUCT#tenant002", ulidA, "version", "=0", "gsi1pk",
					"CATEGORY#tenant002#books", "gsi1sk", ulidA),
			} {
				require.NoError(t, puts("data", item)(g, gate))
			}
			before := g.items("data")
			refused := func(err error, rule *policy.Rule) {
				t.Helper()
				if tc.transaction {
					codes, messages := reasonsOf(t, err)
					first := "None"
					if rule == policy.RuleTenantCaller { // shared data is not for them, either
						first = "ValidationError"
					}
					assert.Equal(t, []string{first, "ValidationError"}, codes)
					assert.Regexp(t, "^"+rule.ID+": ", messages[1])
				} else {
					refusedFor(t, rule, err)
				}
				assert.ElementsMatch(t, before, g.items("data"))
			}
			crossing, stranger := policy.RuleTenantCrossing, policy.RuleTenantCaller
			if tc.scan {
				crossing = policy.RuleTenantScan
			}
			refused(tc.call("tenant002")(g, g.Client), crossing)
			// a key's tenant is not changed by a header
			refused(tc.call("tenant001")(g, g.as("AK2", "tenant001")), crossing)
			refused(tc.call("tenant002")(g, g.as("ADMIN", "tenant001")), crossing)
			refused(tc.call("tenant002")(g, g.as("STRANGER", "tenant001")), crossing)
			refused(tc.call("tenant001")(g, g.as("STRANGER", "")), stranger)
			if tc.scan {
				return
			}
			require.NoError(t, tc.call("tenant001")(g, g.as("ADMIN", "tenant001")))
			require.NoError(t, tc.call("tenant002")(g, g.as("AK2", "")))
		})
	}
}

// A tenant reads, in an index that the policy does not name, the items that the keys show to be its
// own.
func TestPolicyUndeclaredIndex(t *testing.T) {
	p := policytest.Shop()
	p.Tables[0].Indexes = nil
	g := newPolicyTest(t, p)
	for _, tenant := range []string{"tenant001", "tenant002"} {
		require.NoError(t,
			puts("data",
				itemOf("PRODUCT#"+tenant, ulidA, "version", "=0", "gsi1pk", "books", "gsi1sk",
					ulidA, "seller", "SHOP#tenant001"))(g, g.as("ADMIN", "")))
	}
	refusedFor(t, policy.RuleTenantUndeclared,
		queries("data", "by-category", "books", "")(g, g.Client))
	for where, rule := range map[string]*policy.Rule{
		`gsi1pk = 'books'`: policy.RuleTenantUndeclared,
		`gsi1pk = 'books' AND seller = 'SHOP#tenant001'`: policy.RuleTenantUndeclared,
		`gsi1pk = 'books' AND pk = 'PRODUCT#tenant001'`:  nil,
		`gsi1pk = 'books' AND pk = 'PRODUCT#tenant002'`:  policy.RuleTenantCrossing,
	} {
		t.Run(where, func(t *testing.T) {
			err := statement(`SELECT * FROM data."by-category" WHERE `+where)(g, g.Client)
			if rule == nil {
				require.NoError(t, err)
			} else {
				refusedFor(t, rule, err)
			}
		})
	}
}
