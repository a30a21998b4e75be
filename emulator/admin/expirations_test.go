package admin

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

func TestExpirations(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := serve(t, emulator.WithHeldClock(emulator.NewClock(start)))
	s.createTable("me")
	s.want(200, `{"clock":{"now":"2026-01-01T00:00:00Z","held":true},"expirations":[]}`, "GET",
		"expirations", "")
	_, err := s.client("me").UpdateTimeToLive(
		t.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("users"),
			TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String(
				"until"),
				Enabled: aws.Bool(true)}})
	require.NoError(t, err)
	for id, after := range map[string]time.Duration{
		"b": 2 * time.Hour, "a": time.Hour, "old": -6 * 366 * 24 * time.Hour,
	} {
		require.NoError(t, s.put("me", id, "until", fmt.Sprint(start.Add(after).Unix())))
	}
	require.NoError(t, s.put("me", "never"))
	// RFC 3339 cannot write its time
	require.NoError(t, s.put("me", "late", "until", "99999999999999"))

	one := func(id, at string) string {
		return `{"accessKey":"me","region":"us-east-1","table":"users","attribute":"until","time":"` + at + `","key":{"id":{"S":"` + id + `"}}}`
	}
	list := func(now string, all ...string) string {
		return `{"clock":{"now":"` + now + `","held":true},"expirations":[` +
			strings.Join(all, ",") + `]}`
	}
	a, b := one("a", "2026-01-01T01:00:00Z"), one("b", "2026-01-01T02:00:00Z")
	s.want(200, list("2026-01-01T00:00:00Z", a, b), "GET", "expirations", "")
	s.want(200, list("2026-01-01T00:00:00Z", a), "GET", "expirations?limit=1", "")
	s.do("POST", "clock/advance", `{"by":"90m"}`)
	s.want(200, list("2026-01-01T01:30:00Z", b), "GET", "expirations", "")
	s.wantError(400, `the limit "0"`, "GET", "expirations?limit=0", "")
	s.wantError(400, `the limit "many"`, "GET", "expirations?limit=many", "")
}
