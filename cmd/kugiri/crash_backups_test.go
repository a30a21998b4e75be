package main

import (
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// TestBackupsSurviveKills: what was answered of backups, of point-in-time recovery and of restores
// is there after a kill.
func TestBackupsSurviveKills(t *testing.T) {
	var c *dynamodb.Client
	again := killable(t, &c, "--data-dir", filepath.Join(t.TempDir(), "data"))
	table := aws.String("table")
	put := func(v string) {
		_, err := c.PutItem(
			t.Context(),
			&dynamodb.PutItemInput{TableName: table, Item: map[string]types.AttributeValue{
				"pk": &types.AttributeValueMemberS{Value: "a"},
				"v":  &types.AttributeValueMemberN{Value: v}}})
		require.NoError(t, err)
	}
	holds := func(table, v string) {
		out, err := c.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &table,
			Key: map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "a"}}})
		require.NoError(t, err)
		require.Equal(t, &types.AttributeValueMemberN{Value: v}, out.Item["v"], table)
	}
	createTable(t, c)
	put("1")
	backup, err := c.CreateBackup(t.Context(),
		&dynamodb.CreateBackupInput{TableName: table, BackupName: aws.String("first")})
	require.NoError(t, err)
	again()
	put("2")
	_, err = c.UpdateContinuousBackups(
		t.Context(), &dynamodb.UpdateContinuousBackupsInput{TableName: table,
			PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
				PointInTimeRecoveryEnabled: aws.Bool(true),
			}})
	require.NoError(t, err)
	again() // the put is in another millisecond then
	put("3")
	again()
	put("4")
	_, err = c.RestoreTableFromBackup(t.Context(), &dynamodb.RestoreTableFromBackupInput{
		BackupArn: backup.BackupDetails.BackupArn, TargetTableName: aws.String("restored")})
	require.NoError(t, err)
	_, err = c.RestoreTableToPointInTime(t.Context(), &dynamodb.RestoreTableToPointInTimeInput{
		SourceTableName: table, TargetTableName: aws.String("recovered"),
		UseLatestRestorableTime: aws.Bool(true)})
	require.NoError(t, err)
	again()
	holds("table", "4")
	holds("restored", "1")
	holds("recovered", "2") // the latest time is that of enabling, for five minutes
	_, err = c.DeleteBackup(t.Context(),
		&dynamodb.DeleteBackupInput{BackupArn: backup.BackupDetails.BackupArn})
	require.NoError(t, err)
	_, err = c.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: table})
	require.NoError(t, err)
	again()
	list, err := c.ListBackups(t.Context(),
		&dynamodb.ListBackupsInput{BackupType: types.BackupTypeFilterAll})
	require.NoError(t, err)
	require.Len(t, list.BackupSummaries, 1)
	require.Equal(t, "table$DeletedTableBackup", *list.BackupSummaries[0].BackupName)
	holds("restored", "1")
}
