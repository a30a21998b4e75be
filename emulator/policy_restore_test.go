package emulator_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
)

// TestPolicyOfARestoredTable checks that the rules do not apply to a restore, and that the
// partition keys of restored items count.
func TestPolicyOfARestoredTable(t *testing.T) {
	p := policytest.Shop()
	p.Severities = map[string]policy.Severity{policy.RuleUnbounded.ID: policy.Enforce}
	g := newPolicyTest(t, p)
	activity := func(user string) policyCall {
		return puts("data", itemOf("USER_ACTIVITY#"+user, "2024-01-15T10:30:00Z", "version", "=0"))
	}
	g.do(activity("user1"), activity("user2"))
	gate := g.as("ADMIN", "")
	backup, err := gate.CreateBackup(t.Context(),
		&dynamodb.CreateBackupInput{TableName: aws.String("data"), BackupName: aws.String("first")})
	require.NoError(t, err)
	_, err = gate.DeleteTable(t.Context(),
		&dynamodb.DeleteTableInput{TableName: aws.String("data")})
	require.NoError(t, err)
	_, err = gate.RestoreTableFromBackup(t.Context(), &dynamodb.RestoreTableFromBackupInput{
		BackupArn: backup.BackupDetails.BackupArn, TargetTableName: aws.String("data")})
	require.NoError(t, err)
	require.Len(t, g.items("data"), 2)
	require.ErrorContains(t, activity("user3")(g, g.Client), "key-unbounded")
}
