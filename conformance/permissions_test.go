package conformance

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/iam"
)

// TestPermissions: what callers with policies get (IAM User Guide, "Troubleshoot access denied
// error messages"; Developer Guide, "Using IAM policy conditions for fine-grained access control";
// Service Authorization Reference, "Amazon DynamoDB").
func TestPermissions(t *testing.T) {
	t.Parallel()
	d, err := iam.Parse([]byte(`{"accessKeys":{
		"KEY":{"account":"111122223333","user":"dev/alice","policies":["own-items"]},
		"ROOT":{"account":"111122223333"},
		"BOUND":{"account":"111122223333","user":"bob","policies":["all"],"boundary":"own-items"},
		"SESSION":{"account":"111122223333","role":"app","session":"run-1","policies":["all"],"sessionPolicies":["own-items"]},
		"WRITER":{"account":"111122223333","user":"cod","policies":["no-items-back"]},
		"STRANGER":{"account":"444455556666","user":"eve","policies":["all"]}},
		"policies":{
			"all":{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"}},
			"no-items-back":{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:*","Resource":"*",
				"Condition":{"StringEqualsIfExists":{"dynamodb:ReturnValues":"NONE"}}}},
			"own-items":{"Version":"2012-10-17","Statement":[
				{"Effect":"Allow","Action":["dynamodb:GetItem","dynamodb:Query","dynamodb:PutItem"],"Resource":"arn:aws:dynamodb:*:*:table/games",
					"Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":"${aws:username}"}}},
				{"Effect":"Deny","Action":"dynamodb:DeleteItem","Resource":"*"}]}}}`))
	require.NoError(t, err)
	send := private(t, emulator.WithIAM(d))
	const games = "arn:aws:dynamodb:eu-west-3:111122223333:table/games"
	_, err = send("ROOT", "CreateTable", `{"TableName":"games",`+keys("pk:S")+`}`)
	require.NoError(t, err)
	const own, others = `"Key":{"pk":{"S":"alice"}}`, `"Key":{"pk":{"S":"bob"}}`
	denied := func(who, action, resource, why string) string {
		return "AccessDeniedException: User: arn:aws:" + who +
			" is not authorized to perform: dynamodb:" +
			action + " on resource: " + resource + " " + why
	}
	none := func(kind, action string) string {
		return "because no " + kind + " allows the dynamodb:" + action + " action"
	}
	part := func(action, returns string) string {
		return `{"TransactItems":[{"` + action + `":{"TableName":"games",` + own +
			`,"ConditionExpression":"attribute_not_exists(pk)","ReturnValuesOnConditionCheckFailure":"` + returns + `"}}]}`
	}
	for _, c := range []struct{ name, key, op, body, err string }{
		{"own item", "KEY", "GetItem", `{"TableName":"games",` + own + `}`, ""},
		{"another's item", "KEY", "GetItem", `{"TableName":"games",` + others + `}`,
			denied("iam::111122223333:user/dev/alice", "GetItem", games,
				none("identity-based policy", "GetItem"))},
		{"another operation", "KEY", "Scan", `{"TableName":"games"}`,
			denied("iam::111122223333:user/dev/alice", "Scan", games,
				none("identity-based policy", "Scan"))},
		{"a table that is not there", "KEY", "Scan", `{"TableName":"no-such-table"}`,
			denied("iam::111122223333:user/dev/alice", "Scan",
				"arn:aws:dynamodb:eu-west-3:111122223333:table/no-such-table",
				none("identity-based policy", "Scan"))},
		{"an explicit deny", "KEY", "DeleteItem", `{"TableName":"games",` + own + `}`,
			denied("iam::111122223333:user/dev/alice", "DeleteItem", games,
				"with an explicit deny in an identity-based policy")},
		{"a part of a transaction", "KEY", "TransactWriteItems",
			`{"TransactItems":[{"ConditionCheck":{"TableName":"games",` + own +
				`,"ConditionExpression":"attribute_exists(pk)"}}]}`,
			denied("iam::111122223333:user/dev/alice", "ConditionCheckItem", games,
				none("identity-based policy", "ConditionCheckItem"))},
		{"a check that returns an item", "WRITER", "TransactWriteItems",
			part("ConditionCheck", "ALL_OLD"), "AccessDeniedException: *"},
		{"a delete in a transaction that returns an item", "WRITER", "TransactWriteItems",
			part("Delete", "ALL_OLD"), "AccessDeniedException: *"},
		{"a check that returns nothing", "WRITER", "TransactWriteItems",
			part("ConditionCheck", "NONE"), ""},
		{"a statement", "KEY", "ExecuteStatement", `{"Statement":"SELECT * FROM games"}`,
			denied("iam::111122223333:user/dev/alice", "PartiQLSelect", games,
				none("identity-based policy", "PartiQLSelect"))},
		{"all tables", "KEY", "ListTables", `{}`,
			denied("iam::111122223333:user/dev/alice", "ListTables",
				"arn:aws:dynamodb:eu-west-3:111122223333:table/*",
				none("identity-based policy", "ListTables"))},
		{"a fault of the request", "KEY", "Scan", `{"TableName":"games","Limit":0}`,
			"ValidationException: *"},
		{"a boundary", "BOUND", "Scan", `{"TableName":"games"}`,
			denied("iam::111122223333:user/bob", "Scan", games,
				none("permissions boundary", "Scan"))},
		{"an explicit deny of a boundary", "BOUND", "DeleteItem",
			`{"TableName":"games",` + own + `}`,
			denied("iam::111122223333:user/bob", "DeleteItem", games,
				"with an explicit deny in a permissions boundary")},
		{"within a boundary", "BOUND", "GetItem", `{"TableName":"games",` + others + `}`, ""},
		{"a session policy", "SESSION", "Scan", `{"TableName":"games"}`,
			denied("sts::111122223333:assumed-role/app/run-1", "Scan", games,
				none("session policy", "Scan"))},
		{"another account", "STRANGER", "GetItem", `{"TableName":"` + games + `",` + own + `}`,
			denied("iam::444455556666:user/eve", "GetItem", games,
				none("resource-based policy", "GetItem"))},
		{"an unknown access key", "NOBODY", "ListTables", `{}`,
			"UnrecognizedClientException: The security token included in the request is invalid."},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := send(c.key, c.op, c.body)
			if c.err == "" {
				assert.NoError(t, err)
				return
			}
			assertError(t, c.err, err, c.name)
		})
	}
}
