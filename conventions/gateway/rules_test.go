package gateway_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/dynamo"
	"github.com/kugiri-db/kugiri/conventions/gateway"
	"github.com/kugiri-db/kugiri/conventions/guard"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

const ulid1 = "01HX7MBJK3V9WQBZ7XNDK5ZT2M"

// shop has something to break for every rule that can be decided from requests.
func shop(t *testing.T) *policy.Engine {
	e, err := policy.Compile(policytest.Shop(func(e *policy.Entity) {
		switch e.Name {
		case "order-item": // its last segment may have a wrong value
			e.Sort = policy.Pattern("ORDER_ITEM#{order:ulid}#{item:number}")
		case "user": // tenants share users, and may not write them
			e.Writable = false
		case "activity": // the second partition is one too many
			e.MaxPartitions = 1
		}
	}))
	require.NoError(t, err)
	return e
}

type call func(context.Context, *dynamodb.Client) error

// attributes are strings by name and value, but that version is a number.
func attributes(pairs ...string) map[string]types.AttributeValue {
	it := map[string]types.AttributeValue{}
	for i := 0; i < len(pairs); i += 2 {
		it[pairs[i]] = text(pairs[i+1])
		if strings.TrimPrefix(pairs[i], ":") == "version" {
			it[pairs[i]] = &types.AttributeValueMemberN{Value: pairs[i+1]}
		}
	}
	return it
}

func key(pk, sk string) map[string]types.AttributeValue { return attributes("pk", pk, "sk", sk) }

func put(table string, it map[string]types.AttributeValue) call {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.PutItem(ctx, &dynamodb.PutItemInput{TableName: &table, Item: it})
		return err
	}
}

// putKey puts a first version.
func putKey(pk, sk string, more ...string) call {
	return put("data", attributes(append([]string{"pk", pk, "sk", sk, "version", "0"}, more...)...))
}

func get(table string, k map[string]types.AttributeValue) call {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: k})
		return err
	}
}

func update(table string, k map[string]types.AttributeValue, expression string,
	values ...string) call {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.UpdateItem(ctx,
			&dynamodb.UpdateItemInput{
				TableName: &table, Key: k, UpdateExpression: &expression,
				ExpressionAttributeValues: attributes(values...),
			})
		return err
	}
}

func remove(table string, k map[string]types.AttributeValue) call {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &table, Key: k})
		return err
	}
}

func query(table, index, condition string, values ...string) call {
	return func(ctx context.Context, c *dynamodb.Client) error {
		in := &dynamodb.QueryInput{
			TableName: &table, KeyConditionExpression: &condition,
			ExpressionAttributeValues: attributes(values...),
		}
		if index != "" {
			in.IndexName = &index
		}
		_, err := c.Query(ctx, in)
		return err
	}
}

func scan(table, index string) call {
	return func(ctx context.Context, c *dynamodb.Client) error {
		in := &dynamodb.ScanInput{TableName: &table}
		if index != "" {
			in.IndexName = &index
		}
		_, err := c.Scan(ctx, in)
		return err
	}
}

func transact(actions ...types.TransactWriteItem) call {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.TransactWriteItems(ctx,
			&dynamodb.TransactWriteItemsInput{TransactItems: actions})
		return err
	}
}

func putting(table string, it map[string]types.AttributeValue,
	condition ...string) types.TransactWriteItem {
	p := &types.Put{TableName: &table, Item: it}
	if condition != nil {
		p.ConditionExpression = &condition[0]
	}
	return types.TransactWriteItem{Put: p}
}

func execute(statement string) call {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.ExecuteStatement(ctx, &dynamodb.ExecuteStatementInput{Statement: &statement})
		return err
	}
}

// statements executes statements in one transaction.
func statements(texts ...string) call {
	return func(ctx context.Context, c *dynamodb.Client) error {
		in := &dynamodb.ExecuteTransactionInput{}
		for i := range texts {
			in.TransactStatements = append(in.TransactStatements,
				types.ParameterizedStatement{Statement: &texts[i]})
		}
		_, err := c.ExecuteTransaction(ctx, in)
		return err
	}
}

func publish(version, previous string) call {
	return func(ctx context.Context, c *dynamodb.Client) error {
		in, err := dynamo.LatestTransaction(dynamo.LatestTable{Name: "documents"},
			dynamo.Publication{
				Version: version, Previous: previous, Content: attributes("content", "text"),
			})
		if err != nil {
			return err
		}
		_, err = c.TransactWriteItems(ctx, in)
		return err
	}
}

func both(calls ...call) call {
	return func(ctx context.Context, c *dynamodb.Client) (err error) {
		for _, do := range calls {
			if err = do(ctx, c); err != nil {
				return err
			}
		}
		return nil
	}
}

// Each rule is found by the gateway and by the guard, through each operation that can break it;
// what is enforced is not sent, what is a warning is.
func TestRulesThroughGatewayAndGuard(t *testing.T) {
	const product, foreign = "PRODUCT#tenant001", "PRODUCT#tenant002"
	latest := attributes("documentVersion", "latest", "content", "text", "actualVersion", "v2")
	conditional := "attribute_not_exists(documentVersion)"
	data := aws.String("data")
	cases := []struct {
		name string
		call call
		rule *policy.Rule // nil: none is broken
		code string       // the code of a refusal that is no ValidationException
	}{
		{"a product", putKey(product, ulid1), nil, ""},
		{"a product read", get("data", key(product, ulid1)), nil, ""},
		{"an order's items",
			query("data", "", "pk = :pk AND begins_with(sk, :sk)", ":pk", "ORDER#tenant001", ":sk",
				"ORDER_ITEM#"+ulid1), nil, ""},
		{"a category",
			query("data", "by-category", "gsi1pk = :pk", ":pk", "CATEGORY#tenant001#books"), nil,
			""},
		{"a command",
			put("command",
				attributes("pk", "ORDER#tenant001", "sk", "ORDER#"+ulid1+"@1", "version", "1")),
			nil, ""},
		{"a version with its latest item",
			transact(putting("documents", attributes("documentVersion", "v2", "content", "text")),
				putting("documents", latest, conditional)), nil, ""},

		{"a first version, by the helper", publish("v1", ""), nil, ""},
		{"the next version, by the helper", publish("v2", "v1"), nil, ""},

		{"a prefix", putKey("PRODUCTS#tenant001", ulid1), policy.RuleUndeclaredPrefix, ""},
		{"a separator", putKey("ORDER#tenant001", "ORDER-"+ulid1), policy.RuleSeparator, ""},
		{"segments", putKey("ORDER#tenant001", "ORDER_ITEM#"+ulid1), policy.RuleSegments, ""},
		{"too much", putKey("ORDER#tenant001", "ORDER#2024-01-15#electronics#high-priority#"+ulid1),
			policy.RuleOverloaded, ""},
		{"a state", putKey("ORDER#tenant001", "ORDER#pending#"+ulid1), policy.RuleMutable, ""},
		{"an id", putKey(product, "1"), policy.RuleULID, ""},
		{"an id of another item", putKey(product, ulid1, "id", product+"#1"), policy.RuleID, ""},
		{"an id that an update sets",
			update("data", key(product, ulid1), "SET version = :version, id = :id", ":version", "0",
				":id", "1"), policy.RuleID, ""},
		{"another item's command", putKey(product, ulid1, "cpk", product, "csk", "1@1"),
			policy.RuleVersionCommand, ""},
		{"a value", putKey("ORDER#tenant001", "ORDER_ITEM#"+ulid1+"#first"), policy.RuleValue, ""},
		{"a partition too many",
			both(putKey("USER_ACTIVITY#u1", "2024-01-15T10:30:00Z"),
				putKey("USER_ACTIVITY#u2", "2024-01-15T10:30:00Z")), policy.RuleUnbounded, ""},
		{"one partition", putKey("DOCUMENT", "2024-01-15T10:30:00Z"), policy.RuleFixedPartition,
			""},
		{"several entities",
			query("data", "", "pk = :pk AND begins_with(sk, :sk)", ":pk", "ORDER#tenant001", ":sk",
				"ORDER"), policy.RuleMixedRead, ""},
		{"a scan", scan("shared", ""), policy.RuleScan, ""},

		{"no tenant", putKey("PRODUCT", ulid1), policy.RuleTenantMissing, ""},
		{"the tenant in the sort key", putKey("PRODUCT", "tenant001#1"), policy.RuleTenantInSortKey,
			""},
		{"shared data of a tenant", putKey("USER#tenant001", "sso#1"), policy.RuleTenantCommon, ""},
		{"what tenants share",
			put("data", attributes("pk", "USER#common", "sk", "sso#abc", "version", "0")),
			policy.RuleTenantShared, ""},
		{"an address in a key",
			get("data", attributes("pk", "USER#common", "sk", "sso#bob@example.com")),
			policy.RuleAtSign, ""},
		{"a tenant's scan", scan("data", ""), policy.RuleTenantScan, ""},
		{"a tenant's scan of an index", scan("data", "by-category"), policy.RuleTenantScan, ""},
		{"a tenant's scan in PartiQL", execute(`SELECT * FROM data`), policy.RuleTenantScan, ""},
		{"crossing: PutItem", putKey(foreign, ulid1), policy.RuleTenantCrossing, ""},
		{"crossing: GetItem", get("data", key(foreign, ulid1)), policy.RuleTenantCrossing, ""},
		{"crossing: UpdateItem",
			update("data", key(foreign, ulid1), "SET version = :version", ":version", "0"),
			policy.RuleTenantCrossing, ""},
		{"crossing: DeleteItem", remove("data", key(foreign, ulid1)), policy.RuleTenantCrossing,
			""},
		{"crossing: Query", query("data", "", "pk = :pk", ":pk", foreign),
			policy.RuleTenantCrossing, ""},
		{"crossing: Query of an index",
			query("data", "by-category", "gsi1pk = :pk", ":pk", "CATEGORY#tenant002#books"),
			policy.RuleTenantCrossing, ""},
		{"crossing: an item's place in an index",
			putKey(product, ulid1, "gsi1pk", "CATEGORY#tenant002#books", "gsi1sk", ulid1),
			policy.RuleTenantCrossing, ""},
		{"crossing: BatchGetItem", func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.BatchGetItem(ctx,
				&dynamodb.BatchGetItemInput{
					RequestItems: map[string]types.KeysAndAttributes{
						"data": {Keys: []map[string]types.AttributeValue{key(product, ulid1),
							key(foreign, ulid1)}},
					},
				})
			return err
		}, policy.RuleTenantCrossing, ""},
		{"crossing: BatchWriteItem", func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.BatchWriteItem(ctx,
				&dynamodb.BatchWriteItemInput{
					RequestItems: map[string][]types.WriteRequest{
						"data": {{DeleteRequest: &types.DeleteRequest{Key: key(foreign, ulid1)}}},
					},
				})
			return err
		}, policy.RuleTenantCrossing, ""},
		{"crossing: TransactGetItems", func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.TransactGetItems(ctx,
				&dynamodb.TransactGetItemsInput{
					TransactItems: []types.TransactGetItem{
						{Get: &types.Get{TableName: data, Key: key(foreign, ulid1)}},
					},
				})
			return err
		}, policy.RuleTenantCrossing, "TransactionCanceledException"},
		{"crossing: a transaction's Put",
			transact(putting("data", attributes("pk", foreign, "sk", ulid1, "version", "0"))),
			policy.RuleTenantCrossing, "TransactionCanceledException"},
		{"crossing: a transaction's Update",
			transact(types.TransactWriteItem{Update: &types.Update{TableName: data,
				Key: key(foreign, ulid1), UpdateExpression: aws.String("SET version = :version"),
				ExpressionAttributeValues: attributes(":version", "0")}}),
			policy.RuleTenantCrossing,
			"TransactionCanceledException"},
		{"crossing: a transaction's Delete",
			transact(types.TransactWriteItem{
				Delete: &types.Delete{TableName: data, Key: key(foreign, ulid1)},
			}), policy.RuleTenantCrossing, "TransactionCanceledException"},
		{"crossing: a transaction's ConditionCheck",
			transact(types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{TableName: data,
				Key:                 key(foreign, ulid1),
				ConditionExpression: aws.String("attribute_exists(pk)")}}),
			policy.RuleTenantCrossing,
			"TransactionCanceledException"},
		{"crossing: SELECT", execute(`SELECT * FROM "data" WHERE pk = 'PRODUCT#tenant002'`),
			policy.RuleTenantCrossing, ""},
		{"crossing: SELECT of several",
			execute(`SELECT * FROM "data" WHERE pk IN ('PRODUCT#tenant001', 'PRODUCT#tenant002')`),
			policy.RuleTenantCrossing, ""},
		{"crossing: SELECT of an index",
			execute(`SELECT * FROM "data"."by-category" WHERE gsi1pk = 'CATEGORY#tenant002#books'`),
			policy.RuleTenantCrossing, ""},
		{"crossing: INSERT",
			execute(`INSERT INTO data VALUE {'pk':'PRODUCT#tenant002','sk':'` +
				ulid1 + `','version':0}`), policy.RuleTenantCrossing, ""},
		{"crossing: UPDATE",
			execute(`UPDATE data SET version = 1 WHERE pk = 'PRODUCT#tenant002' AND sk = '` +
				ulid1 + `' AND version = 0`), policy.RuleTenantCrossing, ""},
		{"crossing: DELETE",
			execute(`DELETE FROM data WHERE pk = 'PRODUCT#tenant002' AND sk = '` + ulid1 + `'`),
			policy.RuleTenantCrossing, ""},
		{"crossing: BatchExecuteStatement", func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.BatchExecuteStatement(ctx,
				&dynamodb.BatchExecuteStatementInput{
					Statements: []types.BatchStatementRequest{
						{Statement: aws.String(
							`SELECT * FROM data WHERE pk = 'PRODUCT#tenant002' AND sk = '` +
								ulid1 + `'`)},
					},
				})
			return err
		}, policy.RuleTenantCrossing, ""},
		{"crossing: ExecuteTransaction", func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.ExecuteTransaction(ctx,
				&dynamodb.ExecuteTransactionInput{
					TransactStatements: []types.ParameterizedStatement{
						{Statement: aws.String(
							`DELETE FROM data WHERE pk = 'PRODUCT#tenant002' AND sk = '` +
								ulid1 + `'`)},
					},
				})
			return err
		}, policy.RuleTenantCrossing, "TransactionCanceledException"},
		{"crossing: an update whose index key nobody can see",
			update("data", key(product, ulid1), "SET gsi1pk = tmp, version = :version", ":version",
				"0"), policy.RuleTenantCrossing, ""},
		{"crossing: UPDATE whose index key nobody can see",
			execute(`UPDATE data SET gsi1pk = tmp SET version = 1 WHERE pk = 'PRODUCT#tenant001' AND sk = '` + ulid1 + `' AND version = 0`), policy.RuleTenantCrossing, ""},
		{"an undeclared table", get("other", key(product, ulid1)), policy.RuleTenantUndeclared, ""},
		{"an undeclared index", query("data", "by-email", "email = :e", ":e", "a@example.com"),
			policy.RuleTenantUndeclared, ""},
		{"an undeclared key", get("data", attributes("PK", product, "SK", ulid1)),
			policy.RuleTenantUndeclared, ""},
		{"DescribeTable of an undeclared table", func(ctx context.Context,
			c *dynamodb.Client) error {
			_, err := c.DescribeTable(ctx,
				&dynamodb.DescribeTableInput{TableName: aws.String("other")})
			return err
		}, policy.RuleTenantUndeclared, ""},
		{"DeleteTable", func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: data})
			return err
		}, policy.RuleTenantOperation, ""},
		{"PutResourcePolicy", func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.PutResourcePolicy(ctx,
				&dynamodb.PutResourcePolicyInput{
					ResourceArn: aws.String(
						"arn:aws:dynamodb:eu-central-1:000000000000:table/data"),
					Policy: aws.String("{}"),
				})
			return err
		}, policy.RuleTenantOperation, ""},
		{"ListTables", func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.ListTables(ctx, &dynamodb.ListTablesInput{})
			return err
		}, policy.RuleTenantOperation, ""},
		{"nobody", nil, policy.RuleTenantCaller, ""},

		{"a version in a data table", get("data", key(product, ulid1+"@3")),
			policy.RuleVersionInDataKey, ""},
		{"a command without a version",
			put("command", attributes("pk", "ORDER#tenant001", "sk", "ORDER#"+ulid1)),
			policy.RuleVersionMissing, ""},
		{"a version that is none", put("data", attributes("pk", product, "sk", ulid1)),
			policy.RuleVersionFirst, ""},
		{"another version in the attribute",
			put("command",
				attributes("pk", "ORDER#tenant001", "sk", "ORDER#"+ulid1+"@1", "version", "2")),
			policy.RuleVersionAttribute, ""},
		{"an update without a version",
			update("data", key(product, ulid1), "SET a = :a", ":a", "x"),
			policy.RuleVersionNotRaised, ""},
		{"a deletion of any version", remove("data", key(product, ulid1)),
			policy.RuleVersionDeleted, ""},
		{"a deletion of any version in PartiQL",
			execute(`DELETE FROM data WHERE pk = '` + product + `' AND sk = '` + ulid1 + `'`),
			policy.RuleVersionDeleted, ""},
		{"a command updated",
			update("command", key("ORDER#tenant001", "ORDER#"+ulid1+"@1"), "SET a = :a", ":a", "x"),
			policy.RuleHistory, ""},
		{"a command deleted", remove("command", key("ORDER#tenant001", "ORDER#"+ulid1+"@1")),
			policy.RuleHistory, ""},
		{"a command deleted in PartiQL",
			execute(`DELETE FROM command WHERE pk = 'ORDER#tenant001' AND sk = 'ORDER#` +
				ulid1 + `@1'`), policy.RuleHistory, ""},

		{"a session without its end", putKey("SESSION#tenant001", "s"),
			policy.RuleExpiryMissing, ""},
		{"a version without its latest item", put("documents", attributes("documentVersion", "v2")),
			policy.RuleLatestMissing, ""},
		{"another version in the latest item",
			transact(putting("documents", attributes("documentVersion", "v3", "content", "text")),
				putting("documents", latest, conditional)), policy.RuleLatestVersion,
			"TransactionCanceledException"},
		{"other content in the latest item",
			transact(putting("documents", attributes("documentVersion", "v2", "content", "other")),
				putting("documents", latest, conditional)), policy.RuleLatestContent,
			"TransactionCanceledException"},
		{"a version rewritten",
			transact(types.TransactWriteItem{Update: &types.Update{TableName: aws.String(
				"documents"), Key: attributes("documentVersion", "v2"),
				UpdateExpression:          aws.String("SET content = :c"),
				ConditionExpression:       aws.String("content = :c"),
				ExpressionAttributeValues: attributes(":c", "text")}},
				putting("documents", latest, conditional)), nil, ""},
		{"a version rewritten in PartiQL", statements(
			`UPDATE documents SET content = 'text' WHERE documentVersion = 'v2'`,
			`UPDATE documents SET content = 'text' SET actualVersion = 'v2' WHERE documentVersion = 'latest' AND actualVersion = 'v2'`),
			policy.RuleLatestRewritten, "TransactionCanceledException"},
		{"no condition on the latest item",
			transact(putting("documents", attributes("documentVersion", "v2", "content", "text")),
				putting("documents", latest)), policy.RuleLatestCondition,
			"TransactionCanceledException"},
	}
	for _, c := range cases {
		for _, through := range []string{"gateway", "guard"} {
			for _, warnOnly := range []bool{false, true} {
				name := c.name + ", " + through
				if warnOnly {
					name += ", warnings only"
				}
				t.Run(name,
					func(t *testing.T) { throughOne(t, through, warnOnly, c.call, c.rule, c.code) })
			}
		}
	}
}

// throughOne makes a call through gateway or guard to a database that answers everything with
// nothing.
func throughOne(t *testing.T, through string, warnOnly bool, do call, rule *policy.Rule,
	refusal string) {
	var mu sync.Mutex
	var told []string
	worst := policy.Off
	tell := func(f policy.Finding) {
		mu.Lock()
		defer mu.Unlock()
		told, worst = append(told, f.Rule.ID), max(worst, f.Severity)
	}
	sent := atomic.Int64{}
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent.Add(1)
		_, _ = io.WriteString(w, "{}")
	}))
	defer up.Close()
	caller := "AK1"
	if do == nil {
		caller, do = "AK9", get("data", key("PRODUCT#tenant001", ulid1))
	}
	var c *dynamodb.Client
	if through == "gateway" {
		c = client(start(t, up.URL, func(c *gateway.Config) {
			c.Policy, c.WarnOnly = shop(t), warnOnly
			c.Found = func(_ context.Context, f policy.Finding, _ request.Caller) { tell(f) }
		}), caller, "any")
	} else {
		plain := client(up.URL, caller, "any")
		g := guard.New(shop(t),
			guard.Config{
				WarnOnly: warnOnly, Found: func(_ context.Context, f policy.Finding) { tell(f) },
			})
		c = dynamodb.New(plain.Options(), g.Options)
	}
	kind, message := code(do(t.Context(), c))
	if rule == nil {
		require.Empty(t, kind, message)
		require.Empty(t, told)
		return
	}
	require.NotEmpty(t, told)
	require.Equal(t, rule.ID, told[0])
	if warnOnly || worst == policy.Warn {
		require.Empty(t, kind, message)
		require.NotZero(t, sent.Load())
		return
	}
	if refusal == "" {
		refusal = "ValidationException"
		require.True(t, strings.HasPrefix(message, rule.ID+": "), message)
	}
	require.Equal(t, refusal, kind)
	require.Zero(t, sent.Load())
}
