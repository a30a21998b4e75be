package verdict

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

func newJudge(t testing.TB, change func(*Judge)) *Judge {
	e, err := policy.Compile(policytest.Orders())
	require.NoError(t, err)
	j := &Judge{Engine: e, Amend: true}
	if change != nil {
		change(j)
	}
	return j
}

var caller = request.Caller{AccessKey: "AK1"}

const (
	item2   = `{"pk":{"S":"ORDER#tenant001"},"sk":{"S":"ORDER#1"},"version":{"N":"2"},"a":{"S":"<&>"}}`
	item1   = `{"pk":{"S":"ORDER#tenant001"},"sk":{"S":"ORDER#1"},"version":{"N":"1"}}`
	foreign = `{"pk":{"S":"ORDER#tenant002"},"sk":{"S":"ORDER#1"},"version":{"N":"1"}}`
	key     = `{"pk":{"S":"ORDER#tenant001"},"sk":{"S":"ORDER#1"}}`
)

// TestAmendSameLength: a verdict says that a request was amended even if its length did not change.
func TestAmendSameLength(t *testing.T) {
	const rest = `"TableName":"data","Item":` + item2 + `}`
	j := newJudge(t, nil)
	long := len(j.Judge("PutItem", []byte("{"+rest), caller).Body)
	padded := "{" + strings.Repeat(" ", long-len(rest)-1) + rest
	v := j.Judge("PutItem", []byte(padded), caller)
	require.Len(t, v.Body, len(padded))
	assert.Contains(t, string(v.Body), memberCondition)
	assert.True(t, v.Amended)
}

func TestAmend(t *testing.T) {
	for _, c := range []struct{ name, operation, body, want string }{
		{"nothing to add", "PutItem", `{"TableName":"other", "Item":` + item2 + `}`, ""},
		{"a read", "GetItem", `{"TableName":"data","Key":` + key + `}`, ""},
		{"conditional on the version already", "PutItem",
			`{"TableName":"data","Item":` + item2 +
				`,"ConditionExpression":"version = :v","ExpressionAttributeValues":{":v":{"N":"1"}}}`, ""},
		{"a put", "PutItem", `{"TableName":"data","Item":` + item2 + `}`,
			`{"TableName":"data","Item":` + item2 +
				`,"ConditionExpression":"#kugiriVersion = :kugiriVersion",
			"ExpressionAttributeNames":{"#kugiriVersion":"version"},"ExpressionAttributeValues":{":kugiriVersion":{"N":"1"}}}`},
		{"null members", "PutItem",
			`{"TableName":"data","Item":` + item2 +
				`,"ConditionExpression":null,"ExpressionAttributeNames":null,"ExpressionAttributeValues":null}`,
			`{"TableName":"data","Item":` + item2 +
				`,"ConditionExpression":"#kugiriVersion = :kugiriVersion",
			"ExpressionAttributeNames":{"#kugiriVersion":"version"},"ExpressionAttributeValues":{":kugiriVersion":{"N":"1"}}}`},
		{"an update with another condition",
			"UpdateItem",
			`{"TableName":"data","Key":` + key +
				`,"UpdateExpression":"SET #v = :v","ConditionExpression":"a = :a OR b = :a",
			"ExpressionAttributeNames":{"#v":"version"},"ExpressionAttributeValues":{":v":{"N":"2"},":a":{"S":"x"}},"ReturnValues":"ALL_NEW"}`,
			`{"TableName":"data","Key":` + key +
				`,"UpdateExpression":"SET #v = :v","ConditionExpression":"(a = :a OR b = :a) AND (#kugiriVersion = :kugiriVersion)",
			"ExpressionAttributeNames":{"#v":"version","#kugiriVersion":"version"},"ExpressionAttributeValues":{":v":{"N":"2"},":a":{"S":"x"},":kugiriVersion":{"N":"1"}},"ReturnValues":"ALL_NEW"}`},
		{"the first of a transaction's two", "TransactWriteItems",
			`{"ClientRequestToken":"t","TransactItems":[{"Put":{"TableName":"command","Item":{"pk":{"S":"ORDER#tenant001"},"sk":{"S":"ORDER#1@1"},"version":{"N":"1"}}}},{"Delete":{"TableName":"other","Key":` + key + `}}]}`,
			`{"ClientRequestToken":"` + tokenOfTenant001 +
				`","TransactItems":[{"Put":{"TableName":"command","Item":{"pk":{"S":"ORDER#tenant001"},"sk":{"S":"ORDER#1@1"},"version":{"N":"1"}},
			"ConditionExpression":"attribute_not_exists(#kugiriKey)","ExpressionAttributeNames":{"#kugiriKey":"pk"}}},{"Delete":{"TableName":"other","Key":` + key + `}}]}`},
		{"a command that follows one", "TransactWriteItems",
			`{"TransactItems":[{"Put":{"TableName":"command","Item":{"pk":{"S":"ORDER#tenant001"},"sk":{"S":"ORDER#1@5"},"version":{"N":"5"}},"ConditionExpression":"attribute_not_exists(sk)"}}]}`,
			`{"TransactItems":[{"Put":{"TableName":"command","Item":{"pk":{"S":"ORDER#tenant001"},"sk":{"S":"ORDER#1@5"},"version":{"N":"5"}},"ConditionExpression":"attribute_not_exists(sk)"}},
			{"ConditionCheck":{"TableName":"command","Key":{"pk":{"S":"ORDER#tenant001"},"sk":{"S":"ORDER#1@4"}},"ConditionExpression":"attribute_exists(#kugiriKey)","ExpressionAttributeNames":{"#kugiriKey":"pk"}}}]}`},
		{"a command that follows one that is checked already", "TransactWriteItems",
			`{"TransactItems":[{"ConditionCheck":{"TableName":"command","Key":{"sk":{"S":"ORDER#1@4"},"pk":{"S":"ORDER#tenant001"}},"ConditionExpression":"a = b"}},
			{"Put":{"TableName":"command","Item":{"pk":{"S":"ORDER#tenant001"},"sk":{"S":"ORDER#1@5"},"version":{"N":"5"}},"ConditionExpression":"attribute_not_exists(sk)"}}]}`,
			`{"TransactItems":[{"ConditionCheck":{"TableName":"command","Key":{"sk":{"S":"ORDER#1@4"},"pk":{"S":"ORDER#tenant001"}},"ConditionExpression":"(a = b) AND (attribute_exists(#kugiriKey))","ExpressionAttributeNames":{"#kugiriKey":"pk"}}},
			{"Put":{"TableName":"command","Item":{"pk":{"S":"ORDER#tenant001"},"sk":{"S":"ORDER#1@5"},"version":{"N":"5"}},"ConditionExpression":"attribute_not_exists(sk)"}}]}`},
		{"two deletions of versions of one document", "TransactWriteItems",
			`{"TransactItems":[{"Delete":{"TableName":"documents","Key":{"id":{"S":"v1"}}}},{"Delete":{"TableName":"documents","Key":{"id":{"S":"v2"}}}}]}`,
			`{"TransactItems":[{"Delete":{"TableName":"documents","Key":{"id":{"S":"v1"}}}},{"Delete":{"TableName":"documents","Key":{"id":{"S":"v2"}}}},
			{"ConditionCheck":{"TableName":"documents","Key":{"id":{"S":"latest"}},"ConditionExpression":"(NOT #kugiriActual IN (:kugiriActual0, :kugiriWhole0)) AND (NOT #kugiriActual IN (:kugiriActual1, :kugiriWhole1))",
			"ExpressionAttributeNames":{"#kugiriActual":"actualVersion"},
			"ExpressionAttributeValues":{":kugiriActual0":{"S":"v1"},":kugiriWhole0":{"S":"v1"},":kugiriActual1":{"S":"v2"},":kugiriWhole1":{"S":"v2"}}}}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := newJudge(t, nil).Judge(c.operation, []byte(c.body), caller)
			require.Nil(t, v.Refusal)
			assert.Equal(t, c.want != "", v.Amended)
			if c.want == "" {
				assert.Equal(t, c.body, string(v.Body))
				return
			}
			assert.JSONEq(t, c.want, string(v.Body))
		})
	}
}

// tokenOfTenant001 is the token that tenant001 sends in place of t: the beginning of the SHA-256 of
// "tenant001#t".
const tokenOfTenant001 = "b1bd82bdc887f1f29beeda60d2142818c430"

// Two tenants with one client request token do not get one another's answers.
func TestTokensAreOfTheirTenants(t *testing.T) {
	const rest = `"TransactStatements":[{"Statement":"SELECT * FROM other WHERE pk='a' AND sk='b'"}]}`
	sent := func(key, token string) string {
		v := newJudge(t, nil).Judge("ExecuteTransaction",
			[]byte(`{"ClientRequestToken":`+token+`,`+rest), request.Caller{AccessKey: key})
		require.Nil(t, v.Refusal)
		var r struct{ ClientRequestToken *string }
		require.NoError(t, json.Unmarshal(v.Body, &r))
		if r.ClientRequestToken == nil {
			return "none"
		}
		return *r.ClientRequestToken
	}
	assert.Equal(t, tokenOfTenant001, sent("AK1", `"t"`))
	assert.Equal(t, sent("AK2", `"t"`), sent("AK2", `"t"`), "so that what is sent again is known")
	assert.NotEqual(t, sent("AK1", `"t"`), sent("AK2", `"t"`))
	assert.Equal(t, "none", sent("AK1", "null"))
	long := strings.Repeat("x", 37)
	assert.Equal(t, long, sent("AK1", `"`+long+`"`), "the database refuses it")
	assert.Equal(t, "t", sent("AK3", `"t"`), "a caller of no tenant, at an open table")
}

func TestRefuse(t *testing.T) {
	transaction := func(items ...string) string {
		for i, it := range items {
			items[i] = `{"Put":{"TableName":"data","Item":` + it + `}}`
		}
		return `{"TransactItems":[` + strings.Join(items, ",") + `]}`
	}
	for _, c := range []struct {
		name, operation, body string
		kind, message         string
		reasons               []string
	}{
		{"a put", "PutItem", `{"TableName":"data","Item":` + foreign + `}`, ValidationException,
			"tenant-crossing: ", nil},
		{"a batch", "BatchWriteItem",
			`{"RequestItems":{"other":[{"PutRequest":{"Item":` + item1 +
				`}}],"data":[{"PutRequest":{"Item":` + foreign + `}}]}}`, ValidationException,
			"tenant-crossing: ", nil},
		{"a part of a batch that cannot be conditional", "BatchWriteItem",
			`{"RequestItems":{"data":[{"PutRequest":{"Item":` + item2 + `}}]}}`,
			ValidationException, "version-sequence: ", nil},
		{"a transaction", "TransactWriteItems", transaction(item1, foreign),
			TransactionCanceledException,
			"Transaction cancelled, please refer cancellation reasons for specific reasons [None, ValidationError]", []string{"None", "ValidationError"}},
		{"reads of a transaction", "TransactGetItems",
			`{"TransactItems":[{"Get":{"TableName":"data","Key":` + key +
				`}},{"Get":{"TableName":"data","Key":{"pk":{"S":"ORDER#tenant002"},"sk":{"S":"ORDER#1"}}}},{"Get":{"TableName":"data","Key":` + key + `}}]}`,
			TransactionCanceledException, "[None, ValidationError, None]",
			[]string{"None", "ValidationError", "None"}},
		{"statements of a transaction", "ExecuteTransaction",
			`{"TransactStatements":[{"Statement":"SELECT * FROM data WHERE pk='ORDER#tenant002' AND sk='ORDER#1'"}]}`,
			TransactionCanceledException, "[ValidationError]", []string{"ValidationError"}},
		{"no JSON", "PutItem", `{`, ValidationException,
			"The request cannot be held to the conventions: ", nil},
		{"a member that is there twice", "PutItem",
			`{"TableName":"other","TableName":"data","Item":` + item1 + `}`, ValidationException,
			"cannot be held", nil},
		{"a placeholder of the conditions'", "PutItem",
			`{"TableName":"data","Item":` + item2 +
				`,"ConditionExpression":"#kugiriVersion > :z","ExpressionAttributeNames":{"#kugiriVersion":"a"},"ExpressionAttributeValues":{":z":{"N":"1"}}}`,
			ValidationException, "ExpressionAttributeNames has #kugiriVersion, which is kept", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := newJudge(t, nil).Judge(c.operation, []byte(c.body), caller)
			require.NotNil(t, v.Refusal)
			assert.Equal(t, c.kind, v.Refusal.Type)
			assert.Contains(t, v.Refusal.Message, c.message)
			var codes []string
			for _, r := range v.Refusal.Reasons {
				codes = append(codes, r.Code)
				assert.Equal(t, r.Code != "None", r.Message != "")
			}
			assert.Equal(t, c.reasons, codes)
			assert.Nil(t,
				newJudge(t, func(j *Judge) { j.Tell = true }).Judge(c.operation, []byte(c.body),
					caller).Refusal)
		})
	}
}

func TestConflictIsAFailedCondition(t *testing.T) {
	f := policy.Finding{
		Rule: policy.RuleVersionSequence, Severity: policy.Enforce, Action: 1, Conflict: true,
	}
	r := refuse(&request.Request{Operation: "PutItem"}, []policy.Finding{f})
	assert.Equal(t, ConditionalCheckFailedException, r.Type)
	r = refuse(&request.Request{
		Operation: "TransactWriteItems", Transaction: true,
		Writes: []request.Write{{}, {Action: 1}},
	}, []policy.Finding{f})
	assert.Equal(t, "ConditionalCheckFailed", r.Reasons[1].Code)
}

func TestRefusalJSON(t *testing.T) {
	r := &Refusal{Type: ValidationException, Message: "a <b>"}
	assert.Equal(t, `{"__type":"com.amazon.coral.validate#ValidationException","message":"a <b>"}`,
		string(r.JSON()))
	r = &Refusal{
		Type: TransactionCanceledException, Message: "m",
		Reasons: []Reason{{Code: "None"}, {"ValidationError", "v"}},
	}
	assert.Equal(t,
		`{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","CancellationReasons":[{"Code":"None"},{"Code":"ValidationError","Message":"v"}],"Message":"m"}`, string(r.JSON()))
}

func TestWarningsAreTold(t *testing.T) {
	j := newJudge(t, func(j *Judge) { j.State = j.Engine.NewState() })
	put := func(tenant, id string) *Verdict {
		body := strings.NewReplacer("tenant001", tenant, "ORDER#1",
			"ORDER#"+id).Replace(`{"TableName":"data","Item":` + item1 + `}`)
		v := j.Judge("PutItem", []byte(body),
			request.Caller{AccessKey: "AK" + tenant[len(tenant)-1:]})
		require.Nil(t, v.Refusal)
		return v
	}
	j.Sent(put("tenant001", "1"))
	assert.Empty(t, put("tenant001", "2").Findings)
	findings := put("tenant002", "1").Findings
	require.Len(t, findings, 1)
	assert.Equal(t, policy.RuleUnbounded, findings[0].Rule)
	assert.Equal(t, policy.Warn, findings[0].Severity)
}

// FuzzJudge: a Judge allows a request unchanged, or adds conditions that the database can read.
func FuzzJudge(f *testing.F) {
	f.Add("PutItem", `{"TableName":"data","Item":`+item2+`}`)
	f.Add("TransactWriteItems",
		`{"TransactItems":[{"Put":{"TableName":"data","Item":`+item2+
			`}},{"Put":null,"Update":{"TableName":"data","Key":`+key+
			`,"UpdateExpression":"SET version=:v","ExpressionAttributeValues":{":v":{"N":"5"}}}}]}`)
	f.Add("UpdateItem",
		`{"TableName":"data","Key":`+key+
			`,"UpdateExpression":"SET version=:v","ExpressionAttributeNames":null,"ExpressionAttributeValues":{":v":{"N":"5"}}}`)
	j := newJudge(f, nil)
	f.Fuzz(func(t *testing.T, operation, body string) {
		v := j.Judge(operation, []byte(body), caller)
		if v.Refusal != nil {
			assert.True(t, json.Valid(v.Refusal.JSON()))
			return
		}
		if !v.Amended {
			assert.Equal(t, body, string(v.Body))
			return
		}
		again := j.Judge(operation, v.Body, caller)
		require.Nil(t, again.Refusal)
		require.False(t, again.Amended, "%s", v.Body)
	})
}
