package emulator

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// policyRequest returns a PutResourcePolicy for a resource of account A.
func policyRequest(resource, policy string, more ...string) string {
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(policy)
	return `{"ResourceArn":"` + tableA(resource) + `","Policy":"` + quoted + `"` + strings.Join(
		append([]string{""}, more...), ",") + `}`
}

// grant returns a policy that allows a principal an action on everything.
func grant(principal, action string) string {
	return `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":"` +
		principal + `"},"Action":"` + action + `","Resource":"*"}]}`
}

const bobARN = "arn:aws:iam::" + accountB + ":user/bob"

// TestAccessAcrossAccounts: a policy of a table lets principals of another account in.
func TestAccessAcrossAccounts(t *testing.T) {
	x := newIAMTest(t, allow("dynamodb:*", "*"))
	x.as("ROOT", "PutItem",
		`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"b"},"gh":{"S":"c"},"gr":{"N":"1"}}}`)
	arn := tableA("indexed")
	get := `{"TableName":"` + arn + `","Key":{"pk":{"S":"a"},"sk":{"S":"b"}}}`
	require.Contains(t, x.as("BOB", "GetItem", get), "no resource-based policy")
	require.Contains(t,
		x.as("ROOT", "PutResourcePolicy", policyRequest("indexed", grant(bobARN, "dynamodb:*"))),
		"RevisionId")
	assert.Contains(t, x.as("BOB", "GetItem", get), `"gh"`)
	assert.Contains(t, x.as("OTHER", "GetItem", get), "no resource-based policy",
		"only bob is named")
	for _, c := range []struct{ operation, body, want string }{
		{"Query", `{"TableName":"` + arn +
			`","IndexName":"gsi1","KeyConditionExpression":"gh = :c","ExpressionAttributeValues":{":c":{"S":"c"}}}`, `"Count":1`},
		{"BatchGetItem",
			`{"RequestItems":{"` + arn + `":{"Keys":[{"pk":{"S":"a"},"sk":{"S":"b"}}]}}}`, `"gh"`},
		{"PutItem", `{"TableName":"` + arn + `","Item":{"pk":{"S":"from bob"},"sk":{"S":"b"}}}`,
			`{}`},
		{"TransactWriteItems",
			`{"TransactItems":[{"Put":{"TableName":"` + arn +
				`","Item":{"pk":{"S":"bob too"},"sk":{"S":"b"}}}}]}`, `{}`},
		{"DescribeTable", `{"TableName":"` + arn + `"}`, `"TableArn":"` + arn + `"`},
		{"Scan", `{"TableName":"` + arn + `"}`, `"Count":3`},
		{"TagResource", `{"ResourceArn":"` + arn + `","Tags":[{"Key":"k","Value":"v"}]}`, ``},
		{"ExecuteStatement", `{"Statement":"SELECT * FROM \"` + arn + `\""}`,
			"no resource-based policy allows the dynamodb:PartiQLSelect action"},
		{"UpdateTimeToLive",
			`{"TableName":"` + arn +
				`","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}}`,
			"no resource-based policy"},
		{"GetResourcePolicy", `{"ResourceArn":"` + arn + `"}`,
			"This action is only supported by accounts that match the resource owner’s account."},
		{"ListTables", `{}`, noTables},
		{"DeleteTable", `{"TableName":"` + arn + `"}`, `"TableStatus":"DELETING"`},
	} {
		assert.Contains(t, x.as("BOB", c.operation, c.body), c.want, c.operation)
	}
	assert.Contains(t, x.as("ROOT", "DescribeTable", `{"TableName":"indexed"}`),
		"ResourceNotFoundException")
	for key, a := range x.emulator.service.Namespaces.Stores {
		assert.Zero(t, a.Borrowers.Load(), "%s is given back", key)
	}
	x.emulator.check(t)
}

// TestUnsupportedAcrossAccounts: a policy cannot give other accounts what only its own may do.
func TestUnsupportedAcrossAccounts(t *testing.T) {
	x := newIAMTest(t, allow("dynamodb:*", "*"))
	require.Contains(t,
		x.as("ROOT", "PutResourcePolicy", policyRequest("plain", grant(bobARN, "dynamodb:*"))),
		"RevisionId")
	assert.Contains(t, x.as("BOB", "DescribeTimeToLive", `{"TableName":"`+tableA("plain")+`"}`),
		"no resource-based policy allows the dynamodb:DescribeTimeToLive action")
}

// TestPolicyOfOwnAccount: grants and denies of a table's policy to principals of its account.
func TestPolicyOfOwnAccount(t *testing.T) {
	const get = `{"TableName":"plain","Key":{"pk":{"S":"a"}}}`
	alice := "arn:aws:iam::" + accountA + ":user/alice"
	x := newIAMTest(t, allow("dynamodb:Query", "*"))
	assert.Equal(t, denied("GetItem", tableA("plain"), implicitly("GetItem")),
		x.as("ALICE", "GetItem", get))
	require.Contains(t,
		x.as("ROOT", "PutResourcePolicy", policyRequest("plain", grant(alice, "dynamodb:GetItem"))),
		"RevisionId")
	assert.Equal(t, `{}`, x.as("ALICE", "GetItem", get))
	deny := `{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":["dynamodb:GetItem","dynamodb:DeleteResourcePolicy"],"Resource":"` + tableA("plain") + `"}]}`
	require.Contains(t, x.as("ROOT", "PutResourcePolicy", policyRequest("plain", deny)),
		"RevisionId")
	assert.Equal(t,
		denied("GetItem", tableA("plain"), "with an explicit deny in a resource-based policy"),
		x.as("ALICE", "GetItem", get))
	assert.Contains(t, x.as("ROOT", "GetItem", get), "explicit deny in a resource-based policy")
	assert.Contains(t,
		x.as("ROOT", "DeleteResourcePolicy", `{"ResourceArn":"`+tableA("plain")+`"}`), "RevisionId",
		"the root user may always delete it")
	assert.Equal(t, `{}`, x.as("ROOT", "GetItem", get))
}

// TestLockout: a policy that the caller could not change later needs a confirmation.
func TestLockout(t *testing.T) {
	lockout :=
		`{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"dynamodb:PutResourcePolicy","Resource":"*",
		"Condition":{"ArnEquals":{"aws:PrincipalArn":"arn:aws:iam::` + accountA +
			`:user/alice"}}}]}`
	x := newIAMTest(t, allow("dynamodb:*", "*"))
	assert.Equal(t,
		`{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"The new resource policy will not allow you to update the resource policy in the future."}`,
		x.as("ALICE", "PutResourcePolicy", policyRequest("plain", lockout)))
	assert.Contains(t, x.as("ALICE", "GetResourcePolicy", `{"ResourceArn":"`+tableA("plain")+`"}`),
		"PolicyNotFoundException")
	assert.Contains(t,
		x.as("ALICE", "PutResourcePolicy",
			policyRequest("plain", lockout, `"ConfirmRemoveSelfResourceAccess":true`)),
		"RevisionId")
	assert.Contains(t,
		x.as("ALICE", "PutResourcePolicy",
			policyRequest("plain", lockout, `"ConfirmRemoveSelfResourceAccess":true`)),
		"explicit deny in a resource-based policy")
	assert.Contains(t, x.as("ROOT", "PutResourcePolicy", policyRequest("plain", lockout)),
		"RevisionId", "the same policy changes nothing")
}

// policyTest is a durable emulator with the table plain, whose clock a test turns.
func policyTest(t *testing.T, opts ...Option) (*durableTest, *Clock) {
	clock := NewClock(time.UnixMilli(1791505774000))
	x := newDurableTest(t, append(opts, WithHeldClock(clock), WithAccountID(accountA))...)
	require.Contains(t, x.do("CreateTable", itemTables[0]), "{")
	clock.Advance(time.Hour)
	return x, clock
}

// TestPolicyTakesEffectLater: GetResourcePolicy and decisions see a change after a delay, in which
// no other change is possible.
func TestPolicyTakesEffectLater(t *testing.T) {
	x, clock := policyTest(t, WithTableDelays(0, 2*time.Second, 0),
		WithPolicyInterval(15*time.Second))
	get := `{"ResourceArn":"` + tableA("plain") + `"}`
	first, second := grant(bobARN, "dynamodb:GetItem"), grant(bobARN, "dynamodb:PutItem")
	assert.Equal(t, `{"RevisionId":"1791509374000"}`,
		x.do("PutResourcePolicy", policyRequest("plain", first)))
	assert.Contains(t, x.do("GetResourcePolicy", get), "PolicyNotFoundException")
	assert.Equal(t,
		"ResourceInUseException: Attempt to change a resource which is still in use: Table is pending previous resource-based policy update: plain",
		x.do("PutResourcePolicy",
			policyRequest("plain", second, `"ExpectedRevisionId":"1791509374000"`)))
	x.reopen("GetResourcePolicy " + get)
	clock.Advance(2 * time.Second)
	assert.Contains(t, x.do("GetResourcePolicy", get), `"RevisionId":"1791509374000"`)
	throttled :=
		"ThrottlingException: Resource-based policy for table plain modified within the previous 15000 milliseconds. Please try again after 2026-10-09T01:29:49.000Z."
	assert.Equal(t, throttled, x.do("PutResourcePolicy", policyRequest("plain", second)))
	assert.Equal(t, throttled, x.do("DeleteResourcePolicy", get))
	assert.Equal(t, `{"RevisionId":"1791509374000"}`,
		x.do("PutResourcePolicy", policyRequest("plain", " "+first)), "the same policy")
	clock.Advance(13 * time.Second)
	assert.Equal(t, `{"RevisionId":"1791509389000"}`,
		x.do("PutResourcePolicy", policyRequest("plain", second)))
	assert.Contains(t, x.do("GetResourcePolicy", get), "dynamodb:GetItem", "the one before")
	clock.Advance(15 * time.Second)
	assert.Equal(t, `{"RevisionId":"1791509389000"}`, x.do("DeleteResourcePolicy", get))
	assert.Contains(t, x.do("GetResourcePolicy", get), "dynamodb:PutItem", "the one before")
	assert.Equal(t, `{"RevisionId":"1791509404000"}`, x.do("DeleteResourcePolicy", get),
		"the revision of the deletion")
	clock.Advance(2 * time.Second)
	x.reopen("GetResourcePolicy " + get)
	assert.Contains(t, x.do("GetResourcePolicy", get), "PolicyNotFoundException")
}

// TestPolicyLives: forks, snapshots, backups, restores and deletions with policies.
func TestPolicyLives(t *testing.T) {
	x, _ := policyTest(t)
	get := `{"ResourceArn":"` + tableA("plain") + `"}`
	require.Contains(t,
		x.do("PutResourcePolicy", policyRequest("plain", grant(bobARN, "dynamodb:GetItem"))),
		"RevisionId")
	kept := x.do("GetResourcePolicy", get)
	snapshot := x.emulator.Snapshot()
	f := &requestTest{T: t, emulator: x.emulator.Fork()}
	assert.Equal(t, kept, f.do("GetResourcePolicy", get))
	require.Contains(t, f.do("DeleteResourcePolicy", get), "RevisionId")
	assert.Equal(t, kept, x.do("GetResourcePolicy", get))
	x.reopen("GetResourcePolicy " + get)

	require.Contains(t, x.do("CreateBackup", `{"TableName":"plain","BackupName":"name"}`),
		"BackupDetails")
	require.Contains(t,
		x.do("UpdateContinuousBackups",
			`{"TableName":"plain","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`), "ENABLED")
	require.Contains(t,
		x.do("RestoreTableToPointInTime",
			`{"SourceTableName":"plain","TargetTableName":"restored","UseLatestRestorableTime":true}`), "TableDescription")
	assert.Contains(t, x.do("GetResourcePolicy", strings.Replace(get, "plain", "restored", 1)),
		"PolicyNotFoundException", "policies are not restored")
	require.Contains(t, x.do("DeleteTable", `{"TableName":"plain"}`), "TableDescription")
	assert.Equal(t,
		"ResourceNotFoundException: Requested resource not found: Table: plain not found",
		x.do("GetResourcePolicy", get))
	require.Contains(t, x.do("CreateTable", itemTables[0]), "{")
	assert.Contains(t, x.do("GetResourcePolicy", get), "PolicyNotFoundException",
		"a new table has no policy")
	x.emulator.Restore(snapshot)
	assert.Equal(t, kept, x.do("GetResourcePolicy", get))
	x.reopen("GetResourcePolicy " + get)
}

// TestPolicyOfStream: a stream has a policy of its own.
func TestPolicyOfStream(t *testing.T) {
	x, _ := policyTest(t)
	require.Contains(t,
		x.do("UpdateTable",
			`{"TableName":"plain","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`), "LatestStreamLabel")
	_, label, _ := strings.Cut(x.do("DescribeTable", `{"TableName":"plain"}`),
		`"LatestStreamLabel":"`)
	label, _, _ = strings.Cut(label, `"`)
	stream := "plain/stream/" + label
	get := `{"ResourceArn":"` + tableA(stream) + `"}`
	require.Contains(t,
		x.do("PutResourcePolicy", policyRequest(stream, grant(bobARN, "dynamodb:GetRecords"))),
		"RevisionId")
	assert.Contains(t, x.do("GetResourcePolicy", get), "GetRecords")
	assert.Contains(t, x.do("GetResourcePolicy", `{"ResourceArn":"`+tableA("plain")+`"}`),
		"PolicyNotFoundException")
	assert.Equal(t,
		"ValidationException: One or more parameter values were invalid: Invalid policy document: The following action names are invalid: \"dynamodb:ListStreams\"",
		x.do("PutResourcePolicy", policyRequest(stream, grant(bobARN, "dynamodb:ListStreams"))))
	// service facts F.35
	assert.Equal(t,
		`ValidationException: One or more parameter values were invalid: Invalid policy document: The relative-id "table/plain" is invalid for ARN "`+tableA("plain")+`"`,
		x.do("PutResourcePolicy", policyRequest(stream, strings.Replace(
			grant(bobARN, "dynamodb:GetItem"), `"*"`, `"`+tableA("plain")+`"`, 1))))
	assert.Equal(t,
		"ResourceNotFoundException: Requested resource not found: Stream: 2000-01-01T00:00:00.000 not found for Table: plain",
		x.do("GetResourcePolicy",
			`{"ResourceArn":"`+tableA("plain/stream/2000-01-01T00:00:00.000")+`"}`))
	x.reopen("GetResourcePolicy " + get)
}

// TestPolicyOfNewTable: a policy of CreateTable has effect at once.
func TestPolicyOfNewTable(t *testing.T) {
	x, _ := policyTest(t, WithTableDelays(0, 2*time.Second, 0))
	quoted := strings.ReplaceAll(grant(bobARN, "dynamodb:GetItem"), `"`, `\"`)
	create := strings.Replace(strings.Replace(itemTables[0], "plain", "new", 1), "{",
		`{"ResourcePolicy":"`+quoted+`",`, 1)
	require.Contains(t, x.do("CreateTable", create), "TableDescription")
	assert.Contains(t, x.do("GetResourcePolicy", `{"ResourceArn":"`+tableA("new")+`"}`), bobARN)
}
