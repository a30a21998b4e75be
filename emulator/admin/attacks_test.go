package admin

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
)

// ofTwoTenants returns a policy with the tenants one and two, and the table that the tests of the
// API have, without entities.
func ofTwoTenants(t *testing.T) *policy.Engine {
	engine, err := policy.Compile(policy.Policy{
		Tenants: policy.Tenants{Privileged: []string{"admin"},
			Callers: map[string]string{"AK1": "one", "AK2": "two", "ADMIN": "admin"}},
		Tables: []policy.Table{{Name: "users", Role: policy.Plain,
			Key: policy.KeySchema{Partition: "id"}}},
	})
	require.NoError(t, err)
	return engine
}

// attacked is a server with the tenants one and two, and items of both in a table with a stream;
// with poor, tenant two has none.
func attacked(t *testing.T, poor bool) *served {
	s := serve(t, emulator.WithPolicy(ofTwoTenants(t)), emulator.WithSharedData(),
		emulator.WithLogger(slog.New(slog.DiscardHandler)))
	s.createTable("ADMIN")
	answer := s.raw("ADMIN", "DynamoDB_20120810.UpdateTable", `{"TableName":"users",
		"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}`)
	require.NotContains(t, answer, "__type")
	for _, tenant := range []string{"one", "two"} {
		if tenant == "two" && poor {
			continue
		}
		for range 2 { // a change is in the stream as well
			answer := s.raw("ADMIN", "DynamoDB_20120810.PutItem", `{"TableName":"users","Item":{
				"id":{"S":"USER#`+tenant+`"},"secret":{"S":"secret of `+tenant+`"}}}`)
			require.NotContains(t, answer, "__type")
		}
	}
	status, answer := s.do("POST", "snapshots", `{"name":"before"}`)
	require.Equal(t, 201, status, answer)
	return s
}

// raw sends a request of an access key, and returns its answer.
func (s *served) raw(key, target, body string) string {
	r, err := http.NewRequestWithContext(s.Context(), http.MethodPost, s.url,
		strings.NewReader(body))
	require.NoError(s, err)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", target)
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+key+
		"/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0")
	r.Header.Set("X-Amz-Date", "20260101T000000Z")
	answer, err := http.DefaultClient.Do(r)
	require.NoError(s, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(s, err)
	return string(text)
}

// wayToFork makes an access key by the API that is of tenant one, or of nobody.
type wayToFork struct {
	name  string
	steps []string // paths, each with a body behind a space
	key   string
}

var waysToFork = []wayToFork{
	{"its own access key", nil, "AK1"},
	{"its own, after a restore", []string{`snapshots/before/restore `}, "AK1"},
	{"a fork from it", []string{`forks {"accessKey":"f","from":"AK1"}`}, "f"},
	{"a fork with its tenant", []string{`forks {"accessKey":"f","tenant":"one"}`}, "f"},
	{"a fork under its own access key", []string{`forks {"accessKey":"AK1","from":"AK1"}`}, "AK1"},
	{"a fork from another's key, under its own", []string{
		`forks {"accessKey":"AK1","from":"AK2"}`}, "AK1"},
	{"a fork of a fork", []string{`forks {"accessKey":"a","from":"AK1"}`,
		`forks {"accessKey":"f","from":"a"}`}, "f"},
	{"a fork of another's fork with its tenant", []string{`forks {"accessKey":"b","tenant":"two"}`,
		`forks {"accessKey":"f","from":"b","tenant":"one"}`}, "f"},
	{"a fork of a snapshot", []string{`forks {"accessKey":"f","from":"AK1","snapshot":"before"}`},
		"f"},
	{"a fork with a clock", []string{`forks {"accessKey":"f","from":"AK1","clock":"held"}`,
		`forks/f/clock/advance {"by":"1h"}`}, "f"},
	{"a fork that was restored", []string{`forks {"accessKey":"f","from":"AK1"}`,
		`forks/f/snapshots {"name":"s"}`, `forks/f/snapshots/s/restore `}, "f"},
	{"a fork with stale reads", []string{`forks {"accessKey":"f","from":"AK1"}`,
		`forks/f/faults {"when":{"access":"read"},"do":{"staleReads":{"writes":1}}}`}, "f"},
	{"a fork whose batches are left", []string{`forks {"accessKey":"f","from":"AK1"}`,
		`forks/f/faults {"when":{"table":"users"},"do":{"unprocessed":0.5}}`}, "f"},
	{"a fork of nobody", []string{`forks {"accessKey":"f"}`}, "f"},
}

// attacksOnTwo are requests for the items of tenant two, by the operation.
func attacksOnTwo() (all [][2]string) {
	const key, own = `{"id":{"S":"USER#two"}}`, `{"id":{"S":"USER#one"}}`
	const item = `{"id":{"S":"USER#two"},"secret":{"S":"x"}}`
	const arn = `"arn:aws:dynamodb:us-east-1:000000000000:table/users"`
	const where = ` WHERE id = 'USER#two'`
	add := func(operation, body string) {
		all = append(all, [2]string{"DynamoDB_20120810." + operation, body})
	}
	on := func(more string) string { return `{"TableName":"users",` + more + `}` }
	query := func(id, more string) string {
		return on(`"KeyConditionExpression":"id = :i","ExpressionAttributeValues":{":i":{"S":"` + id +
			`"}}` + more)
	}
	add("GetItem", on(`"Key":`+key))
	add("GetItem", on(`"Key":`+key+`,"ConsistentRead":true,"ReturnConsumedCapacity":"TOTAL"`))
	add("BatchGetItem", `{"RequestItems":{"users":{"Keys":[`+own+`,`+key+`]}}}`)
	add("TransactGetItems", `{"TransactItems":[{"Get":`+on(`"Key":`+own)+`},{"Get":`+
		on(`"Key":`+key)+`}]}`)
	add("Query", query("USER#two", ""))
	add("Query", query("USER#two", `,"Select":"COUNT"`))
	add("Query", query("USER#one", `,"ExclusiveStartKey":`+key))
	add("Scan", `{"TableName":"users"}`)
	add("Scan", on(`"Select":"COUNT"`))
	add("Scan", on(`"ExclusiveStartKey":`+own))
	for segment := range 3 {
		add("Scan", on(fmt.Sprintf(`"Segment":%d,"TotalSegments":3`, segment)))
	}
	add("PutItem", on(`"ReturnValues":"ALL_OLD","Item":`+item))
	add("UpdateItem", on(`"Key":`+key+`,"UpdateExpression":"SET a = id","ReturnValues":"ALL_OLD"`))
	add("DeleteItem", on(`"Key":`+key+`,"ReturnValues":"ALL_OLD"`))
	add("DeleteItem", on(`"Key":`+key+`,"ConditionExpression":"attribute_not_exists(id)",`+
		`"ReturnValuesOnConditionCheckFailure":"ALL_OLD"`))
	add("BatchWriteItem", `{"RequestItems":{"users":[{"PutRequest":{"Item":`+item+`}}]}}`)
	add("BatchWriteItem", `{"RequestItems":{"users":[{"DeleteRequest":{"Key":`+key+`}}]}}`)
	add("TransactWriteItems", `{"TransactItems":[{"Put":`+on(`"Item":`+own)+
		`},{"ConditionCheck":`+on(`"Key":`+key+`,"ConditionExpression":"attribute_exists(id)",`+
		`"ReturnValuesOnConditionCheckFailure":"ALL_OLD"`)+`}]}`)
	add("TransactWriteItems", `{"TransactItems":[{"Delete":`+on(`"Key":`+key)+`}]}`)
	for _, statement := range []string{`SELECT * FROM users` + where, `SELECT * FROM users`,
		`SELECT * FROM users WHERE id IN ['USER#one', 'USER#two']`,
		`UPDATE users SET a = 1` + where, `DELETE FROM users` + where + ` RETURNING ALL OLD *`,
		`INSERT INTO users VALUE {'id': 'USER#two'}`} {
		add("ExecuteStatement", `{"Statement":"`+statement+`"}`)
		add("BatchExecuteStatement", `{"Statements":[{"Statement":"`+statement+`"}]}`)
		add("ExecuteTransaction", `{"TransactStatements":[{"Statement":"`+statement+`"}]}`)
	}
	add("DescribeTable", `{"TableName":"users"}`)
	add("ListTagsOfResource", `{"ResourceArn":`+arn+`}`)
	add("ExportTableToPointInTime", `{"S3Bucket":"b","TableArn":`+arn+`}`)
	add("ListExports", `{}`)
	add("StartBulkPutItems", on(`"InputS3Configuration":{"S3Bucket":"b","InputFormat":`+
		`"DYNAMODB_JSON"},"OutputS3Configuration":{"S3Bucket":"b","S3KeyPrefix":"r","OutputType":`+
		`["ERROR"]}`))
	add("CreateBackup", on(`"BackupName":"mine"`))
	add("RestoreTableToPointInTime", `{"SourceTableName":"users","TargetTableName":"users2",`+
		`"UseLatestRestorableTime":true}`)
	add("DescribeContributorInsights", `{"TableName":"users"}`)
	add("DeleteTable", `{"TableName":"users"}`)
	return all
}

// records returns what an access key reads of the streams.
func (s *served) records(key string) (all string) {
	ask := func(operation, body string, out any) {
		all += s.raw(key, "DynamoDBStreams_20120810."+operation, body)
		text := s.raw(key, "DynamoDBStreams_20120810."+operation, body)
		_ = json.Unmarshal([]byte(text), out) // a refusal has nothing of it
	}
	var listed struct{ Streams []struct{ StreamArn string } }
	ask("ListStreams", `{}`, &listed)
	for _, stream := range listed.Streams {
		var described struct {
			StreamDescription struct{ Shards []struct{ ShardId string } }
		}
		ask("DescribeStream", `{"StreamArn":"`+stream.StreamArn+`"}`, &described)
		for _, shard := range described.StreamDescription.Shards {
			var it struct{ ShardIterator string }
			ask("GetShardIterator", `{"StreamArn":"`+stream.StreamArn+`","ShardId":"`+shard.ShardId+
				`","ShardIteratorType":"TRIM_HORIZON"}`, &it)
			ask("GetRecords", `{"ShardIterator":"`+it.ShardIterator+`"}`, &struct{}{})
		}
	}
	return all
}

// varying matches texts that differ between two servers.
var varying = regexp.MustCompile(`"(?:CreationDateTime|LastUpdateToPayPerRequestDateTime|TableId|` +
	`LatestStreamArn|LatestStreamLabel)":("[^"]*"|[0-9.E]+)`)

// TestAttacksByForks plays requests for the items of tenant two under each access key of tenant one
// that the API makes, in a world where they are there and in one where they are not. The answers
// are equal, show nothing of them, and change nothing.
func TestAttacksByForks(t *testing.T) {
	for _, way := range waysToFork {
		t.Run(way.name, func(t *testing.T) {
			worlds := []*served{attacked(t, false), attacked(t, true)}
			for _, s := range worlds {
				for _, step := range way.steps {
					path, body, _ := strings.Cut(step, " ")
					status, answer := s.do("POST", path, body)
					require.Less(t, status, 300, answer)
				}
			}
			before := worlds[0].raw("ADMIN", "DynamoDB_20120810.Scan", `{"TableName":"users"}`)
			require.Contains(t, before, "secret of two")
			attacks := attacksOnTwo()
			for _, a := range attacks {
				got := varying.ReplaceAllString(worlds[0].raw(way.key, a[0], a[1]), "")
				assert.NotContains(t, got, "secret of two", "%v", a)
				assert.Equal(t, varying.ReplaceAllString(worlds[1].raw(way.key, a[0], a[1]), ""),
					got, "%v", a)
			}
			records := worlds[0].records(way.key)
			assert.NotContains(t, records, "two")
			if way.name != "a fork of nobody" { // it reaches its own
				assert.Contains(t, worlds[0].raw(way.key, "DynamoDB_20120810.GetItem",
					`{"TableName":"users","Key":{"id":{"S":"USER#one"}}}`), "secret of one")
				assert.Contains(t, records, "secret of one")
			}
			after := worlds[0].raw("ADMIN", "DynamoDB_20120810.Scan", `{"TableName":"users"}`)
			assert.Equal(t, before, after)
			t.Logf("%d attacks", len(attacks)+1)
		})
	}
}

// TestAttacksByExplorations: the workers of an exploration are callers of the access key that it is
// from, or nobody.
func TestAttacksByExplorations(t *testing.T) {
	for from, want := range map[string]string{"AK1": "tenant-crossing", "nobody": "tenant-caller"} {
		t.Run(from, func(t *testing.T) {
			s := attacked(t, false)
			if from == "nobody" {
				s.do("POST", "forks", `{"accessKey":"nobody"}`)
			}
			var said []string
			x := &explored{served: s, workers: map[string]work{"alice": func(ctx context.Context,
				db *dynamodb.Client) ([]string, error) {
				own := map[string]types.AttributeValue{
					"id": &types.AttributeValueMemberS{Value: "USER#one"}}
				theirs := map[string]types.AttributeValue{
					"id": &types.AttributeValueMemberS{Value: "USER#two"}}
				for _, in := range []*dynamodb.GetItemInput{
					{TableName: aws.String("users"), Key: own},
					{TableName: aws.String("users"), Key: theirs}} {
					out, err := db.GetItem(ctx, in)
					if err != nil {
						said = append(said, err.Error())
						continue
					}
					said = append(said, fmt.Sprint(len(out.Item)))
				}
				return nil, nil
			}}}
			x.run(`{"name":"T","from":"` + from + `","workers":[{"name":"alice"}]}`)
			require.GreaterOrEqual(t, len(said), 2)
			assert.Contains(t, said[1], want)
			if from == "AK1" {
				assert.Equal(t, "2", said[0], "its own item")
			}
		})
	}
}
