package main

import (
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// TestInsightsSurviveKills: rules of contributor insights that were answered are there after a
// kill, of the table and of its index, with their modes.
func TestInsightsSurviveKills(t *testing.T) {
	var c *dynamodb.Client
	again := killable(t, &c, "--data-dir", filepath.Join(t.TempDir(), "data"))
	createTable(t, c)
	update := func(index *string, action types.ContributorInsightsAction,
		mode types.ContributorInsightsMode) {
		_, err := c.UpdateContributorInsights(t.Context(), &dynamodb.UpdateContributorInsightsInput{
			TableName: aws.String("table"), IndexName: index, ContributorInsightsAction: action,
			ContributorInsightsMode: mode})
		require.NoError(t, err)
	}
	wants := func(index *string, status types.ContributorInsightsStatus,
		mode types.ContributorInsightsMode, rules int) {
		t.Helper()
		got, err := c.DescribeContributorInsights(t.Context(),
			&dynamodb.DescribeContributorInsightsInput{
				TableName: aws.String("table"), IndexName: index,
			})
		require.NoError(t, err)
		require.Equal(t, status, got.ContributorInsightsStatus)
		require.Equal(t, mode, got.ContributorInsightsMode)
		require.Len(t, got.ContributorInsightsRuleList, rules)
	}
	const all, throttled = types.ContributorInsightsModeAccessedAndThrottledKeys, types.ContributorInsightsModeThrottledKeys
	byV := aws.String("by-v")
	update(nil, types.ContributorInsightsActionEnable, all)
	update(byV, types.ContributorInsightsActionEnable, throttled)
	again()
	wants(nil, types.ContributorInsightsStatusEnabled, all, 2)
	wants(byV, types.ContributorInsightsStatusEnabled, throttled, 1)
	update(byV, types.ContributorInsightsActionDisable, throttled)
	again()
	wants(nil, types.ContributorInsightsStatusEnabled, all, 2)
	wants(byV, types.ContributorInsightsStatusDisabled, throttled, 0)
}
