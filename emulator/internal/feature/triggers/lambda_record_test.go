package triggers

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/conventions/api"
)

// TestLambdaRecordOfTTL: Lambda spells the members of userIdentity with small letters (service
// facts L.1).
func TestLambdaRecordOfTTL(t *testing.T) {
	r := api.Record{
		EventName: api.Ref(api.OperationType("REMOVE")),
		UserIdentity: &api.Identity{
			PrincipalId: api.Ref("dynamodb.amazonaws.com"), Type: api.Ref("Service"),
		},
	}
	assert.JSONEq(t, `{"eventName":"REMOVE","userIdentity":{"type":"Service",
		"principalId":"dynamodb.amazonaws.com"},"eventSourceARN":"arn"}`,
		string(lambdaRecord(r, "arn")))
	r.UserIdentity = nil
	assert.JSONEq(t, `{"eventName":"REMOVE","eventSourceARN":"arn"}`, string(lambdaRecord(r, "arn")))
}
