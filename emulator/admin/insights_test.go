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

// TestInsights: the rules of all access keys, with the keys by minute.
func TestInsights(t *testing.T) {
	s := serve(t,
		emulator.WithHeldClock(emulator.NewClock(time.Date(2026, 1, 1, 12, 0, 30, 0, time.UTC))))
	s.want(200, `{"insights":[]}`, "GET", "insights", "")
	s.createTable("me")
	_, err := s.client("me").UpdateContributorInsights(
		t.Context(), &dynamodb.UpdateContributorInsightsInput{
			TableName:                 aws.String("users"),
			ContributorInsightsAction: types.ContributorInsightsActionEnable})
	require.NoError(t, err)
	require.NoError(t, s.put("me", "1"))
	const rule = `"accessKey":"me","region":"us-east-1","table":"users","rule":"DynamoDBContributorInsights-`
	s.want(200, `{"insights":[
		{`+rule+`PKC-users-1767268830000","kind":"PKC","minutes":[{"start":"2026-01-01T12:00:00Z","sum":3,"contributors":[{"keys":["\"1\""],"value":3}]}]},
		{`+rule+`PKT-users-1767268830000","kind":"PKT","minutes":[]}]}`, "GET", "insights", "")
}
