package emulator

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// accountsTest is a table songs with a replica in Virginia that the access key A1 sees, and one in
// Oregon that B1 sees.
type accountsTest struct {
	*durableTest
	clock *Clock
}

func newAccountsTest(t *testing.T, opts ...Option) *accountsTest {
	clock := NewClock(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	x := &accountsTest{
		newDurableTest(t, append(opts, WithHeldClock(clock), WithIAM(twoAccounts(t)))...), clock,
	}
	x.in(virginia,
		"CreateTable", tableRequest("songs", defs("pk"), keySchema("pk"), onDemandBilling,
			`"GlobalTableSettingsReplicationMode":"ENABLED"`,
			`"ResourcePolicy":`+replicaPolicy("444455556666")))
	x.in(oregon,
		"CreateTable",
		`{"TableName":"songs","GlobalTableSourceArn":"arn:aws:dynamodb:us-east-1:111122223333:table/songs",
		"GlobalTableSettingsReplicationMode":"ENABLED","ResourcePolicy":`+replicaPolicy("")+`}`)
	return x
}

// replicaPolicy returns a policy, as a JSON string, that allows replication between the replicas,
// and an account to add one.
func replicaPolicy(joining string) string {
	policy := `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"replication.dynamodb.amazonaws.com"},"Resource":"*",
		"Action":["dynamodb:ReadDataForReplication","dynamodb:WriteDataForReplication","dynamodb:ReplicateSettings"],
		"Condition":{"StringEquals":{"aws:SourceAccount":["111122223333","444455556666"]}}}`
	if joining != "" {
		policy += `,{"Effect":"Allow","Principal":{"AWS":"` + joining +
			`"},"Action":"dynamodb:AssociateTableReplica","Resource":"*"}`
	}
	text, _ := json.Marshal(policy + `]}`)
	return string(text)
}

// in sends a request in a region, which succeeds.
func (x *accountsTest) in(region, operation, body string) string {
	x.Helper()
	return x.inOf(x.emulator, region, operation, body)
}

func (x *accountsTest) inOf(e *Emulator, region, operation, body string) string {
	x.Helper()
	key := map[string]string{virginia: "A1", oregon: "B1"}[region]
	w := answerOf(e, rawRequest(operation, body, scoped(key+"/20260102/"+region)))
	require.Equal(x, 200, w.Code, "%s in %s: %s", operation, region, w.Body)
	return w.Body.String()
}

func (x *accountsTest) put(region, pk string) {
	x.Helper()
	x.in(region, "PutItem", fmt.Sprintf(`{"TableName":"songs","Item":{"pk":{"S":%q}}}`, pk))
}

// has reports whether a replica has an item.
func (x *accountsTest) has(e *Emulator, region, pk string) bool {
	x.Helper()
	return strings.Contains(
		x.inOf(e, region, "GetItem",
			fmt.Sprintf(`{"TableName":"songs","Key":{"pk":{"S":%q}}}`, pk)), `"Item"`)
}

// deny takes the policy of the replica in Oregon away, and allow gives it back.
func (x *accountsTest) deny() {
	x.Helper()
	x.in(oregon, "DeleteResourcePolicy",
		`{"ResourceArn":"arn:aws:dynamodb:us-west-2:444455556666:table/songs"}`)
}

func (x *accountsTest) allow() {
	x.Helper()
	x.in(oregon, "PutResourcePolicy",
		`{"ResourceArn":"arn:aws:dynamodb:us-west-2:444455556666:table/songs","Policy":`+
			replicaPolicy("")+`}`)
}

func (x *accountsTest) status(region string) string {
	x.Helper()
	var out struct{ Table struct{ TableStatus string } }
	require.NoError(x,
		json.Unmarshal([]byte(x.in(region, "DescribeTable", `{"TableName":"songs"}`)), &out))
	return out.Table.TableStatus
}

func TestMultiAccountReplicasSurvive(t *testing.T) {
	x := newAccountsTest(t)
	x.put(virginia, "a")
	x.deny()
	x.put(virginia, "late")
	x.reopen()
	assert.Equal(t, "REPLICATION_NOT_AUTHORIZED", x.status(oregon))
	assert.True(t, x.has(x.emulator, oregon, "a"))
	assert.False(t, x.has(x.emulator, oregon, "late"))
	x.allow()
	x.reopen()
	assert.Equal(t, "ACTIVE", x.status(oregon))
	assert.True(t, x.has(x.emulator, oregon, "late"))
	x.put(oregon, "b")
	assert.True(t, x.has(x.emulator, virginia, "b"))
}

func TestMultiAccountReplicasOfForks(t *testing.T) {
	x := newAccountsTest(t)
	x.deny()
	x.put(virginia, "a")
	fork := x.emulator.Fork()
	snapshot := x.emulator.Snapshot()
	x.allow()
	assert.True(t, x.has(x.emulator, oregon, "a"))
	assert.False(t, x.has(fork, oregon, "a"))
	x.inOf(fork, oregon, "PutResourcePolicy",
		`{"ResourceArn":"arn:aws:dynamodb:us-west-2:444455556666:table/songs","Policy":`+
			replicaPolicy("")+`}`)
	assert.True(t, x.has(fork, oregon, "a"))
	x.emulator.Restore(snapshot)
	assert.False(t, x.has(x.emulator, oregon, "a"))
	x.allow()
	assert.True(t, x.has(x.emulator, oregon, "a"))
}

// TestDenialAfterADelay: with a delay of changes, a policy that is taken away allows replication
// until the change has effect.
func TestDenialAfterADelay(t *testing.T) {
	const delay = 2 * time.Second
	x := newAccountsTest(t)
	x.emulator.service.Delays.Update = delay
	x.deny()
	x.put(virginia, "a")
	assert.True(t, x.has(x.emulator, oregon, "a"))
	x.clock.Advance(delay)
	x.put(virginia, "b")
	assert.False(t, x.has(x.emulator, oregon, "b"))
	x.allow()
	assert.Equal(t, "REPLICATION_NOT_AUTHORIZED", x.status(oregon))
	x.clock.Advance(delay)
	assert.Equal(t, "ACTIVE", x.status(oregon))
	assert.True(t, x.has(x.emulator, oregon, "b"))
}

// TestLeaveWhileDenied: a replica can be deleted while its changes cannot be sent.
func TestLeaveWhileDenied(t *testing.T) {
	x := newAccountsTest(t)
	x.deny()
	x.put(oregon, "a")
	x.in(oregon, "DeleteTable", `{"TableName":"songs"}`)
	assert.False(t, x.has(x.emulator, virginia, "a"))
	assert.Equal(t, "ACTIVE", x.status(virginia))
}
