package traffic_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/traffic"
)

// TestExplainAccess: a plan names the statements that decided.
func TestExplainAccess(t *testing.T) {
	d, err := iam.Parse([]byte(`{"accessKeys":{
		"ROOT":{"account":"111122223333"},
		"ALICE":{"account":"111122223333","user":"alice","policies":["readers"]}},
		"policies":{"readers":{"Version":"2012-10-17","Statement":[
			{"Effect":"Deny","Action":"dynamodb:GetItem","Resource":"arn:aws:dynamodb:*:*:table/secrets"},
			{"Sid":"Read","Effect":"Allow","Action":["dynamodb:GetItem","dynamodb:DescribeTable"],"Resource":"*"}]}}}`))
	require.NoError(t, err)
	e := emulator.New(emulator.WithIAM(d))
	const gets = `{"TransactItems":[{"Get":{"TableName":"orders","Key":{"id":{"S":"a"}}}},{"Get":{"TableName":"secrets","Key":{"id":{"S":"a"}}}}]}`
	for _, c := range []struct{ name, key, operation, body, want string }{
		{"a statement", "ALICE", "TransactGetItems", gets, `[
			{"action":"dynamodb:GetItem","resource":"arn:aws:dynamodb:us-east-1:111122223333:table/orders","allowed":true,"by":"identity-based policy","policy":"readers","statement":1,"sid":"Read"},
			{"action":"dynamodb:GetItem","resource":"arn:aws:dynamodb:us-east-1:111122223333:table/secrets","allowed":false,"by":"identity-based policy","policy":"readers","statement":0}]`},
		{"no statement", "ALICE", "Scan", `{"TableName":"orders"}`,
			`[{"action":"dynamodb:Scan","resource":"arn:aws:dynamodb:us-east-1:111122223333:table/orders","allowed":false,"by":"identity-based policy"}]`},
		{"a root user", "ROOT", "Scan", `{"TableName":"orders"}`,
			`[{"action":"dynamodb:Scan","resource":"arn:aws:dynamodb:us-east-1:111122223333:table/orders","allowed":true}]`},
		{"an operation on tables", "ALICE", "DescribeTable", `{"TableName":"orders"}`,
			`[{"action":"dynamodb:DescribeTable","resource":"arn:aws:dynamodb:us-east-1:111122223333:table/orders","allowed":true,"by":"identity-based policy","policy":"readers","statement":1,"sid":"Read"}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := traffic.ExplainRequest(e,
				&traffic.Request{
					AccessKey: c.key, Region: "us-east-1", Operation: c.operation,
					Body: []byte(c.body),
				})
			require.NoError(t, err)
			got, err := json.Marshal(plan.Access)
			require.NoError(t, err)
			assert.JSONEq(t, c.want, string(got))
		})
	}
	plan, err := traffic.ExplainRequest(e,
		&traffic.Request{
			AccessKey: "ALICE", Region: "us-east-1", Operation: "TransactGetItems",
			Body: []byte(gets),
		})
	require.NoError(t, err)
	assert.Contains(t, plan.String(), `
Permissions
  dynamodb:GetItem on arn:aws:dynamodb:us-east-1:111122223333:table/orders: allowed by statement 1 (Read) of the identity-based policy readers
  dynamodb:GetItem on arn:aws:dynamodb:us-east-1:111122223333:table/secrets: denied by statement 0 of the identity-based policy readers
`)
	plan, err = traffic.ExplainRequest(e,
		&traffic.Request{
			AccessKey: "ALICE", Region: "us-east-1", Operation: "Scan",
			Body: []byte(`{"TableName":"orders"}`),
		})
	require.NoError(t, err)
	assert.Contains(t, plan.String(), "denied: no statement of an identity-based policy allows it")
}
