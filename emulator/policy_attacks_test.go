package emulator_test

import (
	"cmp"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator"
)

// attack is a request for what is another's: of tenanta unless it has another access key.
type attack struct {
	Name, Operation string
	Body            json.RawMessage
	Want            string // part of the answer
	Key             string
	Headers         []string // values of x-tenant
}

// TestAttacks plays requests by hand that are for the data of tenantb, by every path there is. None
// gives it out, and none changes what is not tenanta's.
func TestAttacks(t *testing.T) {
	text, err := os.ReadFile("testdata/attacks.json")
	require.NoError(t, err)
	var attacks []attack
	require.NoError(t, json.Unmarshal(text, &attacks))
	e := attackedWorld(t)
	before := beyondTenantA(t, e)
	for _, a := range attacks {
		t.Run(a.Name, func(t *testing.T) {
			f := e.Fork()
			answer := a.send(t, f)
			assert.Contains(t, answer, a.Want)
			assert.NotContains(t, answer, "secret of tenantb")
			assert.Equal(t, before, beyondTenantA(t, f))
		})
	}
}

func (a *attack) send(t *testing.T, e *emulator.Emulator) string {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost",
		strings.NewReader(string(a.Body)))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+a.Operation)
	r.Header["X-Tenant"] = a.Headers
	answer, err := e.HTTPClient(cmp.Or(a.Key, "AKA"), "us-east-1").Do(r)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return string(text)
}

// attackedWorld has items of two tenants, and shared ones.
func attackedWorld(t *testing.T) *emulator.Emulator {
	engine, err := policyfile.CompileFile("testdata/attacks.yaml")
	require.NoError(t, err)
	e := emulator.New(emulator.WithPolicy(engine), emulator.WithSharedData(),
		emulator.WithLogger(slog.New(slog.DiscardHandler)))
	do := func(key, operation, body string) {
		a := attack{Operation: operation, Body: json.RawMessage(body), Key: key}
		require.NotContains(t, a.send(t, e), "__type", body)
	}
	const keys = `"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
		{"AttributeName":"sk","AttributeType":"S"}`
	const schema = `"BillingMode":"PAY_PER_REQUEST","KeySchema":[
		{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]`
	do("OPS", "CreateTable", `{"TableName":"plain",`+schema+`,`+keys+`]}`)
	do("OPS", "CreateTable", `{"TableName":"data",`+schema+`,`+keys+`,
		{"AttributeName":"gsi1pk","AttributeType":"S"},
		{"AttributeName":"gsi1sk","AttributeType":"S"}],
		"GlobalSecondaryIndexes":[{"IndexName":"by-status","Projection":{"ProjectionType":"ALL"},
		"KeySchema":[{"AttributeName":"gsi1pk","KeyType":"HASH"},
			{"AttributeName":"gsi1sk","KeyType":"RANGE"}]}]}`)
	for key, tenant := range map[string]string{"AKA": "tenanta", "AKB": "tenantb"} {
		for _, order := range []string{"1", "2"} {
			it := `"pk":{"S":"ORDER#` + tenant + `"},"sk":{"S":"ORDER#` + order +
				`"},"secret":{"S":"secret of ` + tenant + `"}`
			do(key, "PutItem", `{"TableName":"plain","Item":{`+it+`}}`)
			do(key, "PutItem", `{"TableName":"data","Item":{`+it+`,"gsi1pk":{"S":"STATUS#`+
				tenant+`#open"},"gsi1sk":{"S":"`+order+`"}}}`)
		}
	}
	do("OPS", "PutItem", `{"TableName":"data","Item":{"pk":{"S":"USER#common"},
		"sk":{"S":"local#u"},"name":{"S":"shared"}}}`)
	do("OPS", "PutItem", `{"TableName":"data","Item":{"pk":{"S":"USER_TENANT#common"},
		"sk":{"S":"tenantb#u"},"secret":{"S":"secret of tenantb"}}}`)
	return e
}

// beyondTenantA returns all that is stored and not an order of tenanta's.
func beyondTenantA(t *testing.T, e *emulator.Emulator) (all []string) {
	for _, table := range []string{"data", "plain"} {
		scan := attack{Operation: "Scan", Body: json.RawMessage(`{"TableName":"` + table +
			`","FilterExpression":"pk <> :a",
			"ExpressionAttributeValues":{":a":{"S":"ORDER#tenanta"}}}`), Key: "OPS"}
		var out struct{ Items []json.RawMessage }
		require.NoError(t, json.Unmarshal([]byte(scan.send(t, e)), &out))
		require.NotEmpty(t, out.Items)
		for _, it := range out.Items {
			all = append(all, string(it))
		}
		x := attack{Operation: "Query", Body: json.RawMessage(`{"TableName":"data",
			"IndexName":"by-status","KeyConditionExpression":"gsi1pk = :p",
			"ExpressionAttributeValues":{":p":{"S":"STATUS#tenantb#open"}}}`), Key: "OPS"}
		all = append(all, x.send(t, e))
	}
	list := attack{Operation: "ListTables", Body: json.RawMessage(`{}`), Key: "OPS"}
	return append(all, list.send(t, e))
}
