package emulator_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/dynamo"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
	"github.com/kugiri-db/kugiri/emulator"
)

const productPK = "PRODUCT#tenant001"

func product(version string, more ...string) map[string]types.AttributeValue {
	return itemOf(productPK, ulidA, append([]string{"version", "=" + version}, more...)...)
}

// items is everything in a table, as the operations' caller sees it.
func (g *policyTest) items(table string) []map[string]types.AttributeValue {
	g.Helper()
	out, err := g.as("ADMIN", "").Scan(g.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(g, err)
	return out.Items
}

// do makes requests that are all allowed.
func (g *policyTest) do(calls ...policyCall) {
	g.Helper()
	for _, call := range calls {
		require.NoError(g, call(g, g.Client))
	}
}

// A version that does not follow is a race that was lost: the application reads again and retries.
func TestPolicyVersionConflict(t *testing.T) {
	g := newPolicyTest(t, policytest.Shop())
	g.do(puts("data", product("1")), puts("data", product("2", "title", "x")))

	_, err := g.PutItem(
		t.Context(), &dynamodb.PutItemInput{TableName: aws.String("data"),
			Item:                                product("2", "title", "y"),
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld})
	var failed *types.ConditionalCheckFailedException
	require.ErrorAs(t, err, &failed)
	assert.Regexp(t, "^The conditional request failed: version-sequence: .*; instead, ",
		failed.ErrorMessage())
	assert.Equal(t, product("2", "title", "x"), failed.Item)

	err = updates("data", itemOf(productPK, ulidA), "SET version = :two", "")(g, g.Client)
	require.True(t, is[*types.ConditionalCheckFailedException](err), "the same version: %v", err)
	err = updates("data", itemOf(productPK, ulidA), "SET version = :four", "")(g, g.Client)
	require.True(t, is[*types.ConditionalCheckFailedException](err), "%v", err)
	err = statement(`UPDATE data SET version = ? WHERE pk = ? AND sk = ?`, "=4", productPK,
		ulidA)(g, g.Client)
	require.True(t, is[*types.ConditionalCheckFailedException](err), "%v", err)
	g.do(statement(`UPDATE data SET version = ? WHERE pk = ? AND sk = ? AND version = ?`, "=3",
		productPK, ulidA, "=2"))
	assert.Equal(t, []map[string]types.AttributeValue{product("3", "title", "x")}, g.items("data"))

	g.do(puts("commands", itemOf(productPK, ulidA+"@1", "version", "=1")))
	err = puts("commands",
		itemOf(productPK, ulidA+"@1", "version", "=1", "other", "x"))(g, g.Client)
	require.True(t, is[*types.ConditionalCheckFailedException](err), "%v", err)
	err = puts("commands", itemOf(productPK, ulidA+"@3", "version", "=3"))(g, g.Client)
	require.True(t, is[*types.ConditionalCheckFailedException](err), "there is no version 2: %v",
		err)
}

// Legacy parameters are seen like expressions.
func TestPolicyLegacyParameters(t *testing.T) {
	g := newPolicyTest(t, policytest.Shop())
	g.do(puts("data", product("1")))
	one := &types.AttributeValueMemberN{Value: "1"}
	in := &dynamodb.UpdateItemInput{TableName: aws.String("data"),
		Key: itemOf(productPK, ulidA), AttributeUpdates: map[string]types.AttributeValueUpdate{
			"title": {Value: &types.AttributeValueMemberS{Value: "x"}}}}
	_, err := g.UpdateItem(t.Context(), in)
	refusedFor(t, policy.RuleVersionNotRaised, err)

	in.Expected = map[string]types.ExpectedAttributeValue{"version": {Value: one}}
	_, err = g.UpdateItem(t.Context(), in)
	refusedFor(t, policy.RuleVersionNotRaised, err)

	in.Expected = nil
	in.AttributeUpdates["version"] = types.AttributeValueUpdate{
		Action: types.AttributeActionAdd, Value: one,
	}
	_, err = g.UpdateItem(t.Context(), in)
	require.NoError(t, err, "it raises the version")

	_, err = g.Query(
		t.Context(), &dynamodb.QueryInput{TableName: aws.String(
			"data"), KeyConditions: map[string]types.Condition{
			"pk": {ComparisonOperator: types.ComparisonOperatorEq,
				AttributeValueList: []types.AttributeValue{
					&types.AttributeValueMemberS{Value: "PRODUCT#tenant002"},
				}}}})
	refusedFor(t, policy.RuleTenantCrossing, err)
}

// What DynamoDB refuses it refuses by its own errors, whatever the policy would say; but a
// condition is not even looked at where the policy refuses the request.
func TestPolicyOrder(t *testing.T) {
	g := newPolicyTest(t, policytest.Shop())
	err := puts("data", attributes("pk", "nonsense"))(g, g.Client)
	assert.ErrorContains(t, err,
		"ValidationException: One or more parameter values were invalid: Missing the key sk in the item")
	err = gets("data", attributes("pk", "nonsense"))(g, g.Client)
	assert.ErrorContains(t, err, "The provided key element does not match the schema")
	err = puts("absent", itemOf("nonsense", "x"))(g, g.Client)
	assert.True(t, is[*types.ResourceNotFoundException](err), "%v", err)
	err = queries("data", "", "nonsense", "")(g, g.Client)
	refusedFor(t, policy.RuleUndeclaredPrefix, err)
	err = putsIf("data", "version = :one AND", attributes(":one", "=1"), itemOf("nonsense", "x"))(g,
		g.Client)
	assert.ErrorContains(t, err, "Invalid ConditionExpression")

	other := itemOf("PRODUCT#tenant002", ulidA, "version", "=1", "secret", "x")
	require.NoError(t, puts("data", other)(g, g.as("AK2", "")))
	_, err = g.DeleteItem(
		t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("data"),
			Key:                                 itemOf("PRODUCT#tenant002", ulidA),
			ConditionExpression:                 aws.String("attribute_not_exists(pk)"),
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld})
	refusedFor(t, policy.RuleTenantCrossing, err)
	check := &types.ConditionCheck{
		TableName: aws.String("data"), Key: itemOf("PRODUCT#tenant002", ulidA),
		ConditionExpression:                 aws.String("attribute_not_exists(pk)"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	out, err := g.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{{ConditionCheck: check}},
	})
	require.Nil(t, out)
	var cancelled *types.TransactionCanceledException
	require.ErrorAs(t, err, &cancelled)
	assert.Equal(t, "ValidationError", *cancelled.CancellationReasons[0].Code)
	assert.Empty(t, cancelled.CancellationReasons[0].Item)
}

// A transaction is cancelled for the actions that break a rule; nothing of it is written.
func TestPolicyTransactions(t *testing.T) {
	g := newPolicyTest(t, policytest.Shop())
	g.do(puts("data", product("1")))
	good := putAction("data", itemOf("ORDER#tenant001", "ORDER#"+ulidA, "version", "=0"))
	absent := putAction("data", itemOf("ORDER#tenant001", "ORDER#"+ulidB, "version", "=0"))
	absent.Put.ConditionExpression = aws.String("attribute_exists(pk)")
	free := putAction("free", itemOf("anything", "goes"))
	for _, c := range []struct {
		name    string
		actions []types.TransactWriteItem
		codes   []string
		message string // the message of the last reason
	}{
		{"a bad key",
			[]types.TransactWriteItem{good,
				putAction("data", itemOf("PRODUCT#tenant001", "42", "version", "=0"))},
			[]string{"None", "ValidationError"}, "^key-ulid: "},
		{"a version conflict",
			[]types.TransactWriteItem{good, free, putAction("data", product("3"))},
			[]string{"None", "None", "ConditionalCheckFailed"},
			"^The conditional request failed: version-sequence: "},
		{"what depends on the stored item",
			[]types.TransactWriteItem{good, {Update: &types.Update{TableName: aws.String("data"),
				Key:                       itemOf(productPK, ulidA),
				UpdateExpression:          aws.String("SET title = :x"),
				ExpressionAttributeValues: attributes(":x", "text")}}},
			[]string{"None", "ValidationError"}, "^version-not-raised: "},
		{"besides a failed condition",
			[]types.TransactWriteItem{absent,
				putAction("data", itemOf("PRODUCT", ulidA, "version", "=0"))},
			[]string{"ConditionalCheckFailed", "ValidationError"}, "^tenant-missing: "},
		{"a check of another tenant's item",
			[]types.TransactWriteItem{good,
				{ConditionCheck: &types.ConditionCheck{TableName: aws.String("data"),
					Key:                 itemOf("PRODUCT#tenant002", ulidA),
					ConditionExpression: aws.String("attribute_not_exists(pk)")}}},
			[]string{"None", "ValidationError"}, "^tenant-crossing: "},
		{"a version alone",
			[]types.TransactWriteItem{good,
				putAction("documents", attributes("documentVersion", "v1", "content", "a"))},
			[]string{"None", "ValidationError"}, "^latest-missing: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			codes, messages := reasonsOf(t, transacts(c.actions...)(g, g.Client))
			assert.Equal(t, c.codes, codes)
			assert.Regexp(t, c.message, messages[len(messages)-1])
			assert.Equal(t, []map[string]types.AttributeValue{product("1")}, g.items("data"))
			assert.Empty(t, g.items("free"))
			assert.Empty(t, g.items("documents"))
		})
	}
	g.do(transacts(good, free, putAction("data", product("2"))), publishes("v1", "a"))
	assert.Len(t, g.items("data"), 2)
	assert.Len(t, g.items("documents"), 2)
}

// With a hook a transaction is attempted twice; what is found in it is found once.
func TestPolicyTransactionHook(t *testing.T) {
	p := policytest.Shop()
	p.Severities = map[string]policy.Severity{policy.RuleULID.ID: policy.Warn}
	calls := 0
	g := newPolicyTest(t, p, emulator.WithTransactionHook(func(string) { calls++ }))
	g.do(transacts(putAction("data", itemOf(productPK, "42", "version", "=0")),
		putAction("data", itemOf(productPK, "43", "version", "=0"))))
	require.Equal(t, 1, calls)
	found := g.emulator.Findings()
	require.Len(t, found, 1)
	assert.EqualValues(t, 2, found[0].Count)
	_, err := g.TransactWriteItems(t.Context(),
		&dynamodb.TransactWriteItemsInput{
			TransactItems: []types.TransactWriteItem{putAction("data", itemOf("PRODUCT", "44"))},
		})
	require.Error(t, err)
	assert.Equal(t, 1, calls, "it is refused before the hook")
}

// Batches of writes are refused as a whole, batches of statements by statement.
func TestPolicyBatches(t *testing.T) {
	g := newPolicyTest(t, policytest.Shop())
	put := func(item map[string]types.AttributeValue) types.WriteRequest {
		return types.WriteRequest{PutRequest: &types.PutRequest{Item: item}}
	}
	write := func(requests ...types.WriteRequest) error {
		_, err := g.BatchWriteItem(t.Context(),
			&dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{"data": requests},
			})
		return err
	}
	refusedFor(t, policy.RuleULID,
		write(put(product("0")), put(itemOf(productPK, "42", "version", "=0"))))
	refusedFor(t, policy.RuleVersionFirst,
		write(put(product("0")), put(itemOf(productPK, ulidB, "version", "=7"))))
	assert.Empty(t, g.items("data"))
	require.NoError(t, write(put(product("1"))))
	// no condition can fail in a batch
	refusedFor(t, policy.RuleVersionSequence, write(put(product("1", "title", "x"))))
	refusedFor(t, policy.RuleVersionSequence,
		write(put(product("3")), put(itemOf(productPK, ulidB, "version", "=0"))))
	refusedFor(t, policy.RuleVersionFirst,
		write(put(product("3")), put(itemOf(productPK, ulidB, "version", "=7"))))

	one := func(text string, parameters ...string) types.BatchStatementRequest {
		return types.BatchStatementRequest{
			Statement: &text, Parameters: parametersOf(parameters...),
		}
	}
	executed := func(statements ...types.BatchStatementRequest) (
		codes []types.BatchStatementErrorCodeEnum, responses []types.BatchStatementResponse) {
		out, err := g.BatchExecuteStatement(t.Context(),
			&dynamodb.BatchExecuteStatementInput{Statements: statements})
		require.NoError(t, err)
		for _, r := range out.Responses {
			if r.Error == nil {
				codes = append(codes, "")
			} else {
				codes = append(codes, r.Error.Code)
			}
		}
		return codes, out.Responses
	}
	codes, responses := executed(
		one(`INSERT INTO data VALUE {'pk': ?, 'sk': ?, 'version': ?}`, productPK, "42", "=0"),
		one(`INSERT INTO data VALUE {'pk': ?, 'sk': ?, 'version': ?}`, productPK, ulidB, "=0"),
		one(`UPDATE data SET title = 'x' WHERE pk = ? AND sk = ?`, productPK, ulidA),
		one(`DELETE FROM data WHERE pk = ? AND sk = ?`, "PRODUCT#tenant002", ulidA),
	)
	assert.Equal(t,
		[]types.BatchStatementErrorCodeEnum{"ValidationError", "", "ValidationError",
			"ValidationError"}, codes)
	assert.Regexp(t, "^key-ulid: ", *responses[0].Error.Message)
	codes, _ = executed(
		one(`UPDATE data SET version = ? WHERE pk = ? AND sk = ?`, "=5", productPK, ulidA))
	assert.Equal(t, []types.BatchStatementErrorCodeEnum{"ConditionalCheckFailed"}, codes)
	assert.Len(t, g.items("data"), 2)
}

// Of two publishers that race from the same version one wins, and the other is told to read again.
func TestPolicyRaceOfPublishers(t *testing.T) {
	g := newPolicyTest(t, policytest.Shop())
	documents := dynamo.LatestTable{Name: "documents"}
	publish := func(version, previous string) error {
		in, err := dynamo.LatestTransaction(documents,
			dynamo.Publication{
				Version: version, Previous: previous, Content: attributes("content", version),
			})
		if err != nil {
			return err
		}
		_, err = g.TransactWriteItems(t.Context(), in)
		return err
	}
	require.NoError(t, publish("v0", ""))
	latest := "v0"
	for round := 1; round <= 20; round++ {
		var wg sync.WaitGroup
		errs := make([]error, 2)
		for i := range errs {
			wg.Add(1)
			go func() {
				defer wg.Done()
				errs[i] = publish(fmt.Sprintf("v%d-%d", round, i), latest)
			}()
		}
		wg.Wait()
		won := 0
		if errs[0] != nil {
			won = 1
		}
		require.NoError(t, errs[won])
		require.True(t, dynamo.Overtaken(errs[1-won]), "%v", errs[1-won])
		latest = fmt.Sprintf("v%d-%d", round, won)
	}
	out, err := g.GetItem(t.Context(),
		&dynamodb.GetItemInput{
			TableName: aws.String("documents"), Key: attributes("documentVersion", "latest"),
		})
	require.NoError(t, err)
	assert.Equal(t,
		attributes("documentVersion", "latest", "actualVersion", latest, "content", latest),
		out.Item)
	assert.Len(t, g.items("documents"), 22, "one version of each round, and the first, and latest")
	assert.Empty(t, g.emulator.Findings())
}

// Expired items of data tables are deleted; commands stay, also where TTL was enabled without the
// policy.
func TestPolicyExpiry(t *testing.T) {
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	soon := fmt.Sprintf("=%d", clock.Now().Add(time.Minute).Unix())
	p := policytest.Shop()
	p.Severities = map[string]policy.Severity{policy.RuleExpiry.ID: policy.Off}
	lax := newPolicyTest(t, p, emulator.WithHeldClock(clock))
	for _, table := range []string{"commands", "data"} {
		require.NoError(t, expires(table)(lax, lax.as("ADMIN", "")))
	}
	lax.do(puts("commands", itemOf(productPK, ulidA+"@1", "version", "=1", "expires", soon)),
		puts("data", product("1", "expires", soon)))

	engine, err := policy.Compile(policytest.Shop())
	require.NoError(t, err)
	g := servesPolicy(t, lax.emulator.Fork(emulator.WithPolicy(engine)))
	g.emulator.Clock().Advance(time.Hour)
	g.emulator.ExpireItems()
	assert.Empty(t, g.items("data"))
	assert.Len(t, g.items("commands"), 1)
	clock.Advance(time.Hour)
	assert.Empty(t, lax.items("commands"), "the rule is off")
}
