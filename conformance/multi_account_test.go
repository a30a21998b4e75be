package conformance

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/iam"
)

// The replicas of the Developer Guide, "Tutorials: Creating multi-account global tables", and a
// third one.
const (
	ohio     = "arn:aws:dynamodb:us-east-2:111122223333:table/songs"
	virginia = "arn:aws:dynamodb:us-east-1:444455556666:table/songs"
	ireland  = "arn:aws:dynamodb:eu-west-1:123456789012:table/songs"
)

// replicaAccess are the access keys of the accounts that have the replicas.
const replicaAccess = `{"accessKeys":{
	"OHIO":{"account":"111122223333"},
	"VIRGINIA":{"account":"444455556666"},
	"IRELAND":{"account":"123456789012"},
	"CLERK":{"account":"444455556666","user":"clerk","policies":["creates"]},
	"CLEANER":{"account":"444455556666","user":"cleaner","policies":["deletes"]}},
	"policies":{"deletes":{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:DeleteTable","Resource":"*"}},
		"creates":{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":["dynamodb:CreateTable","dynamodb:PutResourcePolicy"],"Resource":"*"}}}}`

// regionOfKey are the regions in which the access keys send their requests.
var regionOfKey = map[string]string{
	"OHIO": "us-east-2", "VIRGINIA": "us-east-1", "IRELAND": "eu-west-1", "CLERK": "us-east-1",
	"CLEANER": "us-east-1",
}

// several serves an emulator with several accounts and returns a function that sends a request with
// an access key to the region of its replica.
func several(t *testing.T, options ...emulator.Option) func(key, op, body string) (map[string]any,
	error) {
	directory, err := iam.Parse([]byte(replicaAccess))
	require.NoError(t, err)
	server, err := emulator.New(append(options, emulator.WithIAM(directory))...).Start(
		"127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	return func(key, op, body string) (map[string]any, error) {
		client := dynamodb.New(dynamodb.Options{BaseEndpoint: aws.String(server.URL),
			Region: regionOfKey[key], RetryMaxAttempts: 1,
			Credentials: credentials.NewStaticCredentialsProvider(key, "secret", "")})
		return invoke(context.Background(), client, op, body)
	}
}

// keyStep is a step with an access key.
type keyStep struct {
	key string
	step
}

func followAs(t *testing.T, send func(key, op, body string) (map[string]any, error),
	steps []keyStep) {
	t.Helper()
	for _, s := range steps {
		follow(t, func(_, op, body string) (map[string]any, error) { return send(s.key, op, body) },
			[]step{s.step})
	}
}

// policyForReplicas returns the policy of a replica that replicates with others, and that accounts
// may add replicas to.
func policyForReplicas(replica string, joining []string, with ...string) string {
	var accounts []string
	for _, arn := range with {
		accounts = append(accounts, strings.Split(arn, ":")[4])
	}
	statements := []any{map[string]any{"Effect": "Allow",
		"Action": []string{"dynamodb:ReadDataForReplication", "dynamodb:WriteDataForReplication",
			"dynamodb:ReplicateSettings"},
		"Resource":  replica,
		"Principal": map[string]any{"Service": []string{"replication.dynamodb.amazonaws.com"}},
		"Condition": map[string]any{
			"StringEquals": map[string]any{"aws:SourceAccount": accounts, "aws:SourceArn": with},
		}}}
	if joining != nil {
		statements = append(statements,
			map[string]any{"Effect": "Allow",
				"Action": "dynamodb:AssociateTableReplica", "Resource": replica,
				"Principal": map[string]any{"AWS": joining}})
	}
	text, _ := json.Marshal(map[string]any{"Version": "2012-10-17", "Statement": statements})
	return string(text)
}

// with returns a request for the table songs with further members.
func with(members map[string]any) string {
	members["TableName"] = "songs"
	text, _ := json.Marshal(members)
	return string(text)
}

func createSource(policy string) string {
	return strings.Replace(createSongs, `{`,
		`{"GlobalTableSettingsReplicationMode":"ENABLED","ResourcePolicy":`+quoted(policy)+`,`, 1)
}

func joinSource(source, policy string) string {
	return with(map[string]any{
		"GlobalTableSourceArn": source, "GlobalTableSettingsReplicationMode": "ENABLED",
		"ResourcePolicy": policy,
	})
}

func putPolicy(replica, policy string) string {
	text, _ := json.Marshal(map[string]any{"ResourceArn": replica, "Policy": policy})
	return string(text)
}

func quoted(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// TestMultiAccountGlobalTable: Developer Guide, "Tutorials: Creating multi-account global tables"
// and "DynamoDB global tables security".
func TestMultiAccountGlobalTable(t *testing.T) {
	t.Parallel()
	clock := emulator.NewClock(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	send := several(t, emulator.WithHeldClock(clock))
	forBoth := func(replica string, joining ...string) string {
		return policyForReplicas(replica, joining, ohio, virginia)
	}
	followAs(t, send, []keyStep{
		{"OHIO", step{name: "create", op: "CreateTable",
			body: createSource(forBoth(ohio, "444455556666")),
			has:  `{"TableDescription":{"GlobalTableSettingsReplicationMode":"ENABLED"}}`}},
		{"OHIO", step{name: "put", op: "PutItem", body: putSong}},
		{"IRELAND", step{name: "join without leave", op: "CreateTable",
			body: joinSource(ohio, forBoth(ireland)),
			err: "AccessDeniedException: User: arn:aws:iam::123456789012:root is not authorized to perform: dynamodb:AssociateTableReplica on resource: " + ohio +
				" because no resource-based policy allows the dynamodb:AssociateTableReplica action"}},
		{"CLERK", step{name: "join without permissions", op: "CreateTable",
			body: joinSource(ohio, forBoth(virginia)),
			err: "AccessDeniedException: User: arn:aws:iam::444455556666:user/clerk is not authorized to perform: dynamodb:CreateTableReplica on resource: " + virginia +
				" because no identity-based policy allows the dynamodb:CreateTableReplica action"}},
		{"VIRGINIA", step{name: "join without a policy", op: "CreateTable",
			body: with(
				map[string]any{"GlobalTableSourceArn": ohio,
					"GlobalTableSettingsReplicationMode": "ENABLED"}),
			err: "AccessDeniedException: *"}},
		{"VIRGINIA",
			step{name: "join with a policy for itself", op: "CreateTable",
				body: joinSource(ohio, policyForReplicas(virginia, nil, virginia)),
				err:  "AccessDeniedException: *"}},
		{"VIRGINIA",
			step{name: "nothing was created", op: "DescribeTable", body: describeSong,
				err: "ResourceNotFoundException: Requested resource not found: Table: songs not found"}},
		{"VIRGINIA",
			step{name: "join", op: "CreateTable", body: joinSource(ohio, forBoth(virginia)),
				has: `{"TableDescription":{"TableStatus":"CREATING","TableArn":"` +
					virginia + `"}}`}},
		{"OHIO", step{name: "the source is described", op: "DescribeTable", body: describeSong,
			has: `{"Table":{"TableStatus":"ACTIVE","GlobalTableVersion":"2019.11.21","GlobalTableSettingsReplicationMode":"ENABLED","MultiRegionConsistency":"EVENTUAL",
				"Replicas":[{"RegionName":"us-east-1","ReplicaStatus":"ACTIVE","ReplicaArn":"` + virginia + `","GlobalTableSettingsReplicationMode":"ENABLED"}]}}`}},
		{"VIRGINIA", step{name: "the replica is described", op: "DescribeTable", body: describeSong,
			has: `{"Table":{"TableStatus":"ACTIVE","GlobalTableSettingsReplicationMode":"ENABLED","StreamSpecification":{"StreamViewType":"NEW_AND_OLD_IMAGES"},
				"Replicas":[{"RegionName":"us-east-2","ReplicaStatus":"ACTIVE","ReplicaArn":"` + ohio + `"}]}}`}},
		{"VIRGINIA",
			step{name: "the replica has the items", op: "GetItem", body: getSong,
				has: `{"Item":{"v":{"S":"1"}}}`}},
		{"VIRGINIA", step{name: "delete", op: "DeleteItem", body: getSong}},
		{"OHIO", step{name: "the item is gone", op: "GetItem", body: getSong,
			has: `{"Item":null}`}},
		{"VIRGINIA",
			step{name: "enable TTL", op: "UpdateTimeToLive",
				body: `{"TableName":"songs","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}}`}},
		{"OHIO", step{name: "TTL is enabled", op: "DescribeTimeToLive", body: describeSong,
			has: `{"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"ttl"}}`}},
		{"OHIO", step{name: "another table class", op: "UpdateTable",
			body: `{"TableName":"songs","TableClass":"STANDARD_INFREQUENT_ACCESS"}`}},
		{"VIRGINIA",
			step{name: "the class is not synchronized", op: "DescribeTable", body: describeSong,
				has: `{"Table":{"TableClassSummary":null}}`}},
		{"OHIO", step{name: "a maximum", op: "UpdateTable",
			body: `{"TableName":"songs","OnDemandThroughput":{"MaxReadRequestUnits":7}}`}},
		{"VIRGINIA",
			step{name: "the maximum is synchronized", op: "DescribeTable", body: describeSong,
				has: `{"Table":{"OnDemandThroughput":{"MaxReadRequestUnits":7}}}`}},
		{"OHIO", step{name: "a replica of the same account", op: "UpdateTable", body: replicate,
			err: "ValidationException: *"}},
		{"OHIO", step{name: "delete the other's replica", op: "UpdateTable",
			body: `{"TableName":"songs","ReplicaUpdates":[{"Delete":{"RegionName":"us-east-1"}}]}`,
			err:  "ValidationException: *"}},
		{"OHIO", step{name: "the mode stays", op: "UpdateTable",
			body: `{"TableName":"songs","GlobalTableSettingsReplicationMode":"DISABLED"}`,
			err:  "ValidationException: *"}},
		{"OHIO", step{name: "delete the source", op: "DeleteTable", body: describeSong,
			err: "ValidationException: Replica cannot be deleted because it has acted as a source region for new replica(s) being added to the table in the last 24 hours."}},
		{"CLEANER", step{name: "delete the replica without a permission", op: "DeleteTable",
			body: describeSong,
			err: "AccessDeniedException: User: arn:aws:iam::444455556666:user/cleaner is not authorized to perform: dynamodb:DeleteTableReplica on resource: " + virginia +
				" because no identity-based policy allows the dynamodb:DeleteTableReplica action"}},
		{"VIRGINIA", step{name: "delete the replica", op: "DeleteTable", body: describeSong}},
		{"OHIO", step{name: "the source is a table of its own", op: "DescribeTable",
			body: describeSong,
			has:  `{"Table":{"Replicas":null,"GlobalTableSettingsReplicationMode":"ENABLED"}}`}},
	})
}

// TestMultiAccountRequests: Developer Guide, "How DynamoDB global tables work" (multi-account), and
// API Reference, CreateTable and UpdateTable, GlobalTableSettingsReplicationMode.
func TestMultiAccountRequests(t *testing.T) {
	t.Parallel()
	send := several(t)
	policy := policyForReplicas(virginia, nil, ohio, virginia)
	join := func(members map[string]any) string {
		all := map[string]any{
			"GlobalTableSourceArn": ohio, "GlobalTableSettingsReplicationMode": "ENABLED",
			"ResourcePolicy": policy,
		}
		for name, value := range members {
			all[name] = value
			if value == nil {
				delete(all, name)
			}
		}
		return with(all)
	}
	const invalid, denied = "ValidationException: *", "AccessDeniedException: *"
	update := func(mode string) string {
		return with(map[string]any{"GlobalTableSettingsReplicationMode": mode})
	}
	followAs(t, send, []keyStep{
		{"VIRGINIA", step{name: "no source", op: "CreateTable", body: join(nil), err: denied}},
		{"OHIO", step{name: "create with another mode", op: "CreateTable",
			body: strings.Replace(createSongs, `{`,
				`{"GlobalTableSettingsReplicationMode":"ENABLED_WITH_OVERRIDES",`, 1),
			err: invalid}},
		{"OHIO", step{name: "create", op: "CreateTable", body: createSongs,
			has: `{"TableDescription":{"GlobalTableSettingsReplicationMode":null}}`}},
		{"OHIO", step{name: "policy", op: "PutResourcePolicy",
			body: putPolicy(ohio,
				policyForReplicas(ohio, []string{"444455556666"}, ohio, virginia))}},
		{"VIRGINIA",
			step{name: "a source that keeps its settings", op: "CreateTable", body: join(nil),
				err: invalid}},
		{"OHIO", step{name: "overrides", op: "UpdateTable", body: update("ENABLED_WITH_OVERRIDES"),
			err: invalid}},
		{"OHIO", step{name: "enable", op: "UpdateTable", body: update("ENABLED")}},
		{"OHIO", step{name: "disable", op: "UpdateTable", body: update("DISABLED")}},
		{"OHIO", step{name: "disabled", op: "DescribeTable", body: describeSong,
			has: `{"Table":{"GlobalTableSettingsReplicationMode":"DISABLED"}}`}},
		{"VIRGINIA",
			step{name: "a source that keeps its settings again", op: "CreateTable", body: join(nil),
				err: invalid}},
		{"OHIO", step{name: "enable again", op: "UpdateTable", body: update("ENABLED")}},
		{"VIRGINIA",
			step{name: "no mode", op: "CreateTable",
				body: join(map[string]any{"GlobalTableSettingsReplicationMode": nil}),
				err:  invalid}},
		{"VIRGINIA",
			step{name: "mode disabled", op: "CreateTable",
				body: join(map[string]any{"GlobalTableSettingsReplicationMode": "DISABLED"}),
				err:  invalid}},
		{"VIRGINIA",
			step{name: "a synchronized setting", op: "CreateTable",
				body: join(map[string]any{"BillingMode": "PAY_PER_REQUEST"}), err: invalid}},
		{"VIRGINIA",
			step{name: "an AWS managed key", op: "CreateTable",
				body: join(map[string]any{"SSESpecification": map[string]any{"Enabled": true}}),
				err:  invalid}},
		{"VIRGINIA",
			step{name: "another name", op: "CreateTable",
				body: join(map[string]any{"GlobalTableSourceArn": ohio + "2"}), err: invalid}},
		{"VIRGINIA",
			step{name: "its own account", op: "CreateTable",
				body: join(
					map[string]any{
						"GlobalTableSourceArn": strings.Replace(virginia, "us-east-1", "us-east-2",
							1),
					}), err: invalid}},
		{"VIRGINIA",
			step{name: "its own region", op: "CreateTable",
				body: join(
					map[string]any{
						"GlobalTableSourceArn": strings.Replace(ohio, "us-east-2", "us-east-1", 1),
					}), err: invalid}},
		{"VIRGINIA",
			step{name: "another partition", op: "CreateTable",
				body: join(
					map[string]any{
						"GlobalTableSourceArn": "arn:aws-cn:dynamodb:cn-north-1:111122223333:table/songs",
					}), err: invalid}},
		{"VIRGINIA",
			step{name: "a stranger's table", op: "CreateTable",
				body: join(
					map[string]any{
						"GlobalTableSourceArn": strings.Replace(ohio, "111122223333",
							"999999999999", 1),
					}), err: denied}},
		{"VIRGINIA",
			step{name: "no ARN", op: "CreateTable",
				body: join(map[string]any{"GlobalTableSourceArn": "songs"}), err: invalid}},
		{"VIRGINIA", step{name: "its own settings",
			op: "CreateTable", body: join(map[string]any{"TableClass": "STANDARD_INFREQUENT_ACCESS",
				"DeletionProtectionEnabled": true,
				"Tags":                      []any{map[string]any{"Key": "a", "Value": "b"}}})}},
		{"VIRGINIA", step{name: "they are there", op: "DescribeTable", body: describeSong,
			has: `{"Table":{"TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"},"DeletionProtectionEnabled":true}}`}},
		{"VIRGINIA",
			step{name: "the tags too", op: "ListTagsOfResource",
				body: `{"ResourceArn":"` + virginia + `"}`,
				has:  `{"Tags":[{"Key":"a","Value":"b"}]}`}},
		{"VIRGINIA",
			step{name: "join again", op: "CreateTable", body: join(nil),
				err: "ResourceInUseException: Table already exists: songs"}},
	})
}

// TestMultiAccountOfOneAccount: "Converting an existing same-account global table into a
// multi-account setup is not supported" (Developer Guide, "How DynamoDB global tables work",
// multi-account).
func TestMultiAccountOfOneAccount(t *testing.T) {
	t.Parallel()
	followAs(t, several(t), []keyStep{
		{"OHIO", step{name: "create", op: "CreateTable",
			body: createSource(policyForReplicas(ohio, []string{"444455556666"}, ohio, virginia))}},
		{"OHIO", step{name: "replicate", op: "UpdateTable", body: replicate}},
		{"OHIO", step{name: "settings can be overridden", op: "DescribeTable", body: describeSong,
			has: `{"Table":{"GlobalTableSettingsReplicationMode":"ENABLED_WITH_OVERRIDES"}}`}},
		{"VIRGINIA",
			step{name: "join", op: "CreateTable",
				body: joinSource(ohio, policyForReplicas(virginia, nil, ohio, virginia)),
				err:  "ValidationException: *"}},
	})
}

// TestThreeAccounts: "the IAM principal performing the action must be authorized by all existing
// members" (Developer Guide, "DynamoDB global tables security", multi-account).
func TestThreeAccounts(t *testing.T) {
	t.Parallel()
	all := func(replica string, joining ...string) string {
		return policyForReplicas(replica, joining, ohio, virginia, ireland)
	}
	both := func(replica string, joining ...string) string {
		return policyForReplicas(replica, joining, ohio, virginia)
	}
	followAs(t, several(t), []keyStep{
		{"OHIO", step{name: "create", op: "CreateTable",
			body: createSource(all(ohio, "444455556666", "123456789012"))}},
		{"VIRGINIA", step{name: "join", op: "CreateTable", body: joinSource(ohio, both(virginia))}},
		{"IRELAND",
			step{name: "join without leave of one", op: "CreateTable",
				body: joinSource(ohio, all(ireland)), err: "AccessDeniedException: *"}},
		{"VIRGINIA",
			step{name: "leave to join", op: "PutResourcePolicy",
				body: putPolicy(virginia, both(virginia, "123456789012"))}},
		{"IRELAND",
			step{name: "join without replication of one", op: "CreateTable",
				body: joinSource(ohio, all(ireland)), err: "AccessDeniedException: *"}},
		{"VIRGINIA",
			step{name: "leave to replicate", op: "PutResourcePolicy",
				body: putPolicy(virginia, all(virginia, "123456789012"))}},
		{"IRELAND",
			step{name: "join a replica", op: "CreateTable",
				body: joinSource(virginia, all(ireland))}},
		{"IRELAND", step{name: "put", op: "PutItem", body: putSong}},
		{"OHIO", step{name: "get", op: "GetItem", body: getSong, has: `{"Item":{"v":{"S":"1"}}}`}},
		{"VIRGINIA",
			step{name: "get", op: "GetItem", body: getSong, has: `{"Item":{"v":{"S":"1"}}}`}},
		{"OHIO", step{name: "two others", op: "DescribeTable", body: describeSong,
			has: `{"Table":{"Replicas":[{"RegionName":"us-east-1"},{"RegionName":"eu-west-1","ReplicaArn":"` + ireland + `"}]}}`}},
		{"VIRGINIA",
			step{name: "unprotect", op: "UpdateTable",
				body: `{"TableName":"songs","DisassociationProtectionEnabled":false}`}},
		{"VIRGINIA",
			step{name: "leave", op: "UpdateTable",
				body: `{"TableName":"songs","ReplicaUpdates":[{"Disassociate":{"RegionName":"us-east-1","DisassociationMode":"WAIT_FOR_REPLICATION"}}]}`}},
		{"OHIO", step{name: "delete", op: "DeleteItem", body: getSong}},
		{"IRELAND", step{name: "deleted", op: "GetItem", body: getSong, has: `{"Item":null}`}},
		{"VIRGINIA",
			step{name: "its own table", op: "GetItem", body: getSong,
				has: `{"Item":{"v":{"S":"1"}}}`}},
	})
}

// TestReplicationNotAuthorized: Developer Guide, "DynamoDB global tables security", "Settings
// management service-linked role", and "How DynamoDB global tables work", "Handling Replication
// Latency Issues in Multi-account Global Tables".
func TestReplicationNotAuthorized(t *testing.T) {
	t.Parallel()
	clock := emulator.NewClock(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	send := several(t, emulator.WithHeldClock(clock))
	forBoth := func(replica string, joining ...string) string {
		return policyForReplicas(replica, joining, ohio, virginia)
	}
	away := keyStep{"VIRGINIA",
		step{name: "take the policy away", op: "DeleteResourcePolicy",
			body: `{"ResourceArn":"` + virginia + `"}`}}
	followAs(t, send, []keyStep{
		{"OHIO", step{name: "create", op: "CreateTable",
			body: createSource(forBoth(ohio, "444455556666"))}},
		{"VIRGINIA",
			step{name: "join", op: "CreateTable", body: joinSource(ohio, forBoth(virginia))}},
		away,
		{"OHIO", step{name: "the replica's state", op: "DescribeTable", body: describeSong,
			has: `{"Table":{"TableStatus":"ACTIVE","Replicas":[{"RegionName":"us-east-1","ReplicaStatus":"REPLICATION_NOT_AUTHORIZED"}]}}`}},
		{"VIRGINIA", step{name: "the table's state", op: "DescribeTable", body: describeSong,
			has: `{"Table":{"TableStatus":"REPLICATION_NOT_AUTHORIZED","Replicas":[{"RegionName":"us-east-2","ReplicaStatus":"ACTIVE"}]}}`}},
		{"OHIO", step{name: "put", op: "PutItem", body: putSong}},
		{"VIRGINIA",
			step{name: "not replicated", op: "GetItem", body: getSong, has: `{"Item":null}`}},
		{"VIRGINIA",
			step{name: "put there", op: "PutItem",
				body: strings.Replace(putSong, `"a"`, `"b"`, 1)}},
		{"OHIO", step{name: "not replicated from there", op: "GetItem",
			body: strings.Replace(getSong, `"a"`, `"b"`, 1), has: `{"Item":null}`}},
		{"OHIO", step{name: "settings stay", op: "UpdateTable",
			body: `{"TableName":"songs","OnDemandThroughput":{"MaxReadRequestUnits":7}}`,
			err:  "AccessDeniedException: *"}},
		{"OHIO", step{name: "TTL stays", op: "UpdateTimeToLive",
			body: `{"TableName":"songs","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}}`, err: "AccessDeniedException: *"}},
		{"VIRGINIA",
			step{name: "give the policy back", op: "PutResourcePolicy",
				body: putPolicy(virginia, forBoth(virginia))}},
		{"VIRGINIA",
			step{name: "replicated", op: "GetItem", body: getSong,
				has: `{"Item":{"v":{"S":"1"}}}`}},
		{"OHIO", step{name: "replicated from there", op: "GetItem",
			body: strings.Replace(getSong, `"a"`, `"b"`, 1), has: `{"Item":{"v":{"S":"1"}}}`}},
		{"OHIO", step{name: "active again", op: "DescribeTable", body: describeSong,
			has: `{"Table":{"Replicas":[{"ReplicaStatus":"ACTIVE"}]}}`}},
		away,
	})
	clock.Advance(20 * time.Hour)
	followAs(t, send, []keyStep{
		{"VIRGINIA",
			step{name: "after 20 hours", op: "DescribeTable", body: describeSong,
				has: `{"Table":{"TableStatus":"REPLICATION_NOT_AUTHORIZED"}}`}},
	})
	clock.Advance(time.Second)
	followAs(t, send, []keyStep{
		{"VIRGINIA",
			step{name: "after more than 20 hours", op: "DescribeTable", body: describeSong,
				has: `{"Table":{"TableStatus":"ACTIVE","Replicas":null,"GlobalTableVersion":null}}`}},
		{"OHIO", step{name: "the last replica", op: "DescribeTable", body: describeSong,
			has: `{"Table":{"TableStatus":"ACTIVE","Replicas":null,"GlobalTableVersion":null}}`}},
		{"VIRGINIA",
			step{name: "the policy comes too late", op: "PutResourcePolicy",
				body: putPolicy(virginia, forBoth(virginia))}},
		{"OHIO", step{name: "delete", op: "DeleteItem", body: getSong}},
		{"VIRGINIA",
			step{name: "the data stay", op: "GetItem", body: getSong,
				has: `{"Item":{"v":{"S":"1"}}}`}},
	})
}
