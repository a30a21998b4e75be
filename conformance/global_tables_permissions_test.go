package conformance

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/iam"
)

// allowed has the actions that a policy allows on the table songs in regions.
type allowed struct {
	actions string
	regions string
}

// permitted returns a function that sends requests to a region as the root user, and one that sends
// them as a user whose policy has statements.
func permitted(t *testing.T, statements ...allowed) (root,
	user func(region, op, body string) (map[string]any, error)) {
	list := []any{
		map[string]any{"Effect": "Allow", "Action": "dynamodb:DescribeTable", "Resource": "*"},
	}
	for _, s := range statements {
		resources := []string{"arn:aws:dynamodb::111122223333:global-table/songs"}
		for _, region := range strings.Fields(s.regions) {
			resources = append(resources, "arn:aws:dynamodb:"+region+":111122223333:table/songs")
		}
		var actions []string
		for _, action := range strings.Fields(s.actions) {
			actions = append(actions, "dynamodb:"+action)
		}
		list = append(list,
			map[string]any{"Effect": "Allow", "Action": actions, "Resource": resources})
	}
	policy, _ := json.Marshal(map[string]any{"Version": "2012-10-17", "Statement": list})
	directory, err := iam.Parse(
		[]byte(`{"accessKeys":{"ROOT":{"account":"111122223333"},"USER":{"account":"111122223333","user":"alice","policies":[` + string(policy) + `]}}}`))
	require.NoError(t, err)
	server, err := emulator.New(emulator.WithIAM(directory)).Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	as := func(key string) func(region, op, body string) (map[string]any, error) {
		return func(region, op, body string) (map[string]any, error) {
			client := dynamodb.New(dynamodb.Options{BaseEndpoint: aws.String(server.URL),
				Region: region, RetryMaxAttempts: 1,
				Credentials: credentials.NewStaticCredentialsProvider(key, "secret", "")})
			return invoke(context.Background(), client, op, body)
		}
	}
	return as("ROOT"), as("USER")
}

// TestPermissionsOfReplicas: Developer Guide, "DynamoDB global tables security", "How global tables
// use AWS IAM".
func TestPermissionsOfReplicas(t *testing.T) {
	t.Parallel()
	const (
		onItems = " Query Scan UpdateItem PutItem GetItem DeleteItem BatchWriteItem"
		create  = "CreateTable CreateTableReplica" + onItems
		second  = `{"TableName":"songs","ReplicaUpdates":[{"Create":{"RegionName":"us-east-2"}}]}`
		remove  = `{"TableName":"songs","ReplicaUpdates":[{"Delete":{"RegionName":"us-west-2"}}]}`
		witness = `{"TableName":"songs","MultiRegionConsistency":"STRONG","ReplicaUpdates":[{"Create":{"RegionName":"us-west-2"}}],"GlobalTableWitnessUpdates":[{"Create":{"RegionName":"us-east-2"}}]}`
		back    = `{"TableName":"songs","ReplicaUpdates":[{"Delete":{"RegionName":"us-west-2"}}],"GlobalTableWitnessUpdates":[{"Delete":{"RegionName":"us-east-2"}}]}`
		enable  = `{"TableName":"songs","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}}`
	)
	denied := func(action, region string) string {
		return "AccessDeniedException: User: arn:aws:iam::111122223333:user/alice is not authorized to perform: dynamodb:" + action +
			" on resource: arn:aws:dynamodb:" + region +
			":111122223333:table/songs because no identity-based policy allows the dynamodb:" +
			action + " action"
	}
	update := allowed{"UpdateTable", "us-east-1"}
	for _, c := range []struct {
		name   string
		before string // the global table that there is already
		may    []allowed
		op, in string
		err    string
	}{
		{"add without any", "", []allowed{update}, "UpdateTable", replicate,
			denied("CreateTable", "us-west-2")},
		{"add without CreateTableReplica", "",
			[]allowed{update, {"CreateTable" + onItems, "us-west-2"}}, "UpdateTable", replicate,
			denied("CreateTableReplica", "us-west-2")},
		{"add without Scan", "",
			[]allowed{update, {strings.Replace(create, " Scan", "", 1), "us-west-2"}},
			"UpdateTable", replicate, denied("Scan", "us-west-2")},
		{"add with those of the local region", "", []allowed{update, {create, "us-east-1"}},
			"UpdateTable", replicate, denied("CreateTable", "us-west-2")},
		{"add without UpdateTable", "", []allowed{{create, "us-west-2"}}, "UpdateTable", replicate,
			denied("UpdateTable", "us-east-1")},
		{"add", "", []allowed{update, {create, "us-west-2"}}, "UpdateTable", replicate, ""},
		{"add another", replicate, []allowed{update, {create, "us-east-2"}}, "UpdateTable", second,
			""},
		{"remove without DeleteTableReplica", replicate,
			[]allowed{update, {"DeleteTable", "us-west-2"}}, "UpdateTable", remove,
			denied("DeleteTableReplica", "us-west-2")},
		{"remove without DeleteTable", replicate,
			[]allowed{update, {"DeleteTableReplica", "us-west-2"}}, "UpdateTable", remove,
			denied("DeleteTable", "us-west-2")},
		{"remove", replicate, []allowed{update, {"DeleteTable DeleteTableReplica", "us-west-2"}},
			"UpdateTable", remove, ""},
		{"add a witness without CreateGlobalTableWitness", "",
			[]allowed{update, {create, "us-west-2"},
				{"CreateGlobalTableWitness", "us-east-1 us-west-2"}}, "UpdateTable", witness,
			denied("CreateGlobalTableWitness", "us-east-2")},
		{"add a witness", "",
			[]allowed{update, {create, "us-west-2"},
				{"CreateGlobalTableWitness", "us-east-1 us-west-2 us-east-2"}}, "UpdateTable",
			witness, ""},
		{"remove a witness without DeleteGlobalTableWitness", witness,
			[]allowed{update, {"DeleteTable DeleteTableReplica", "us-west-2"}}, "UpdateTable", back,
			denied("DeleteGlobalTableWitness", "us-east-1")},
		{"remove a witness", witness,
			[]allowed{update, {"DeleteTable DeleteTableReplica", "us-west-2"},
				{"DeleteGlobalTableWitness", "us-east-1 us-west-2 us-east-2"}}, "UpdateTable", back,
			""},
		{"TTL in one region", replicate, []allowed{{"UpdateTimeToLive", "us-east-1"}},
			"UpdateTimeToLive", enable, denied("UpdateTimeToLive", "us-west-2")},
		{"TTL in all regions", replicate, []allowed{{"UpdateTimeToLive", "us-east-1 us-west-2"}},
			"UpdateTimeToLive", enable, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, user := permitted(t, c.may...)
			_, err := root("us-east-1", "CreateTable", createSongs)
			require.NoError(t, err)
			if c.before != "" {
				_, err := root("us-east-1", "UpdateTable", c.before)
				require.NoError(t, err)
			}
			_, err = user("us-east-1", c.op, c.in)
			if c.err != "" {
				assertError(t, c.err, err, c.name)
				return
			}
			require.NoError(t, err)
		})
	}
}

// TestPermissionsOfLegacyReplicas: "you must have the dynamodb:CreateGlobalTable permission for the
// global table and for each of its replica tables" (Developer Guide, "Using IAM with global
// tables").
func TestPermissionsOfLegacyReplicas(t *testing.T) {
	t.Parallel()
	streamed := strings.Replace(createSongs, `{`,
		`{"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},`, 1)
	const (
		create = `{"GlobalTableName":"songs","ReplicationGroup":[{"RegionName":"us-east-1"},{"RegionName":"us-west-2"}]}`
		add    = `{"GlobalTableName":"songs","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]}`
	)
	for _, c := range []struct {
		name     string
		may      []allowed
		of       string // the account that creates the global table
		add      bool   // the user adds a replica
		creating string // error
	}{
		{"one replica", []allowed{{"CreateGlobalTable", "us-east-1"}}, "user", false,
			"AccessDeniedException: *"},
		{"all replicas", []allowed{{"CreateGlobalTable", "us-east-1 us-west-2"}}, "user", false,
			""},
		{"add without the new one",
			[]allowed{{"CreateGlobalTable UpdateGlobalTable", "us-east-1 us-west-2"}}, "root", true,
			"AccessDeniedException: *"},
		{"add without the old ones",
			[]allowed{{"CreateGlobalTable UpdateGlobalTable", "eu-west-1"}}, "root", true,
			"AccessDeniedException: *"},
		{"add", []allowed{{"CreateGlobalTable UpdateGlobalTable", "us-east-1 us-west-2 eu-west-1"}},
			"root", true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, user := permitted(t, c.may...)
			for _, region := range []string{"us-east-1", "us-west-2", "eu-west-1"} {
				_, err := root(region, "CreateTable", streamed)
				require.NoError(t, err)
			}
			creator := map[string]func(region, op, body string) (map[string]any, error){
				"root": root, "user": user,
			}[c.of]
			_, err := creator("us-east-1", "CreateGlobalTable", create)
			if c.add {
				require.NoError(t, err)
				_, err = user("us-east-1", "UpdateGlobalTable", add)
			}
			if c.creating != "" {
				assertError(t, c.creating, err, c.name)
				return
			}
			require.NoError(t, err)
		})
	}
}

// TestServiceLinkedRoleDenied: "if you deny required SLR permissions, replication to and from
// affected replicas will stop, and the replica table status will change to
// REPLICATION_NOT_AUTHORIZED" (Developer Guide, "DynamoDB global tables security"); adding and
// deleting replicas then fails ("DynamoDB resource-based policy considerations").
func TestServiceLinkedRoleDenied(t *testing.T) {
	t.Parallel()
	const (
		west   = "arn:aws:dynamodb:us-west-2:111122223333:table/songs"
		role   = "arn:aws:iam::111122223333:role/aws-service-role/replication.dynamodb.amazonaws.com/AWSServiceRoleForDynamoDBReplication"
		second = `{"TableName":"songs","ReplicaUpdates":[{"Create":{"RegionName":"us-east-2"}}]}`
	)
	deny := func(condition string) string {
		return putPolicy(
			west, `{"Version":"2012-10-17","Statement":{"Effect":"Deny","Principal":"*","Action":"dynamodb:PutItem","Resource":"`+west+`",
			"Condition":{"`+condition+`":{"aws:PrincipalArn":["`+role+
				`","arn:aws:iam::111122223333:root"]}}}}`)
	}
	root, _ := permitted(t)
	followIn(t, root, []regionalStep{
		{"us-east-1", step{name: "create", op: "CreateTable", body: createSongs}},
		{"us-east-1", step{name: "replicate", op: "UpdateTable", body: replicate}},
		{"us-west-2",
			step{name: "deny others", op: "PutResourcePolicy", body: deny("StringNotEquals")}},
		{"us-east-1",
			step{name: "active", op: "DescribeTable", body: describeSong,
				has: `{"Table":{"Replicas":[{"ReplicaStatus":"ACTIVE"}]}}`}},
		{"us-west-2",
			step{name: "deny the role", op: "PutResourcePolicy", body: deny("StringEquals")}},
		{"us-west-2",
			step{name: "not authorized", op: "DescribeTable", body: describeSong,
				has: `{"Table":{"TableStatus":"REPLICATION_NOT_AUTHORIZED"}}`}},
		{"us-east-1", step{name: "put", op: "PutItem", body: putSong}},
		{"us-west-2",
			step{name: "not replicated", op: "GetItem", body: getSong, has: `{"Item":null}`}},
		{"us-east-1",
			step{name: "add another", op: "UpdateTable", body: second,
				err: "AccessDeniedException: *"}},
		{"us-east-1",
			step{name: "delete the replica", op: "UpdateTable",
				body: `{"TableName":"songs","ReplicaUpdates":[{"Delete":{"RegionName":"us-west-2"}}]}`, err: "AccessDeniedException: *"}},
		{"us-west-2",
			step{name: "allow the role", op: "DeleteResourcePolicy",
				body: `{"ResourceArn":"` + west + `"}`}},
		{"us-west-2",
			step{name: "replicated", op: "GetItem", body: getSong,
				has: `{"Item":{"v":{"S":"1"}}}`}},
		{"us-east-1", step{name: "add another later", op: "UpdateTable", body: second}},
	})
}

// TestStrongServiceLinkedRoleDenied: "denying required permissions results in AccessDeniedException
// for write and strongly consistent read operations" (Developer Guide, "DynamoDB global tables
// security").
func TestStrongServiceLinkedRoleDenied(t *testing.T) {
	t.Parallel()
	const west = "arn:aws:dynamodb:us-west-2:111122223333:table/songs"
	root, _ := permitted(t)
	consistent := strings.Replace(getSong, `{`, `{"ConsistentRead":true,`, 1)
	followIn(t, root, []regionalStep{
		{"us-east-1", step{name: "create", op: "CreateTable", body: createSongs}},
		{"us-east-1", step{name: "replicate", op: "UpdateTable",
			body: `{"TableName":"songs","MultiRegionConsistency":"STRONG","ReplicaUpdates":[{"Create":{"RegionName":"us-west-2"}},{"Create":{"RegionName":"us-east-2"}}]}`}},
		{"us-west-2", step{name: "deny",
			op: "PutResourcePolicy", body: putPolicy(
				west, `{"Version":"2012-10-17","Statement":{"Effect":"Deny","Resource":"*","Action":"dynamodb:UpdateItem",
			"Principal":{"AWS":"arn:aws:iam::111122223333:role/aws-service-role/replication.dynamodb.amazonaws.com/AWSServiceRoleForDynamoDBReplication"}}}`)}},
		{"us-west-2",
			step{name: "put", op: "PutItem", body: putSong, err: "AccessDeniedException: *"}},
		{"us-west-2",
			step{name: "strongly consistent", op: "GetItem", body: consistent,
				err: "AccessDeniedException: *"}},
		{"us-west-2",
			step{name: "eventually consistent", op: "GetItem", body: getSong,
				has: `{"Item":null}`}},
		{"us-east-1", step{name: "put elsewhere", op: "PutItem", body: putSong}},
		{"us-east-2",
			step{name: "read elsewhere", op: "GetItem", body: consistent,
				has: `{"Item":{"v":{"S":"1"}}}`}},
		{"us-west-2",
			step{name: "allow", op: "DeleteResourcePolicy",
				body: `{"ResourceArn":"` + west + `"}`}},
		{"us-west-2",
			step{name: "strongly consistent again", op: "GetItem", body: consistent,
				has: `{"Item":{"v":{"S":"1"}}}`}},
	})
}
