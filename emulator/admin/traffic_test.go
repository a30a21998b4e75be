package admin

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// TestTraffic: a recording begins, shows what was read, begins anew, and ends.
func TestTraffic(t *testing.T) {
	s := serve(t, emulator.WithHeldClock(emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))))
	get := func() {
		_, err := s.client("me").GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("users"), Key: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "1"}}})
		require.NoError(t, err)
	}
	s.want(404, `{"error":"no requests are recorded: POST to this path records them from then on"}`, "GET", "traffic", "")
	s.createTable("me")
	const none = `{"since":"2026-01-01T00:00:00Z","until":"2026-01-01T00:00:00Z","requests":0,"keys":[]}`
	s.want(201, none, "POST", "traffic", "")
	get()
	const one = `{"since":"2026-01-01T00:00:00Z","until":"2026-01-01T00:00:00Z","requests":1,"keys":[{"operation":"GetItem","table":"users",
		"descending":false,"consistent":false,"requests":1,"returned":0,"examples":[{"values":[{"S":"1"}],"requests":1}]}]}`
	s.want(200, one, "GET", "traffic", "")
	s.want(201, none, "POST", "traffic", "")
	get()
	s.want(200, one, "DELETE", "traffic", "")
	s.want(404, `{"error":"no requests are recorded: POST to this path records them from then on"}`, "DELETE", "traffic", "")
}
