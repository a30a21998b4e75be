package admin

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

func (s *served) get(table, id string) error {
	_, err := s.client("me").GetItem(s.Context(),
		&dynamodb.GetItemInput{
			TableName: &table,
			Key: map[string]types.AttributeValue{
				"id": &types.AttributeValueMemberS{Value: id},
			},
		})
	return err
}

// TestTraffic: a recording begins, shows what was read, begins anew, and ends.
func TestTraffic(t *testing.T) {
	s := serve(t,
		emulator.WithHeldClock(emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))))
	s.want(404, `{"error":"no requests are recorded: POST to this path records them from then on"}`,
		"GET", "traffic", "")
	s.createTable("me")
	const none = `{"since":"2026-01-01T00:00:00Z","until":"2026-01-01T00:00:00Z","requests":0,"readUnits":0,"writeUnits":0,
		"operations":[],"latencies":[],"capacity":[],"reads":[],"keys":[],"writes":[],"partitions":[]}`
	s.want(201, none, "POST", "traffic", "")
	require.NoError(t, s.get("users", "1"))
	const one = `{"since":"2026-01-01T00:00:00Z","until":"2026-01-01T00:00:00Z","requests":1,"readUnits":0.5,"writeUnits":0,
		"operations":[{"operation":"GetItem","table":"users","requests":1}],
		"latencies":[{"operation":"GetItem","requests":1,"p50":0,"p90":0,"p99":0,"max":0}],
		"capacity":[{"operation":"GetItem","table":"users","read":0.5,"write":0}],"reads":[],
		"keys":[{"operation":"GetItem","table":"users",
		"descending":false,"consistent":false,"requests":1,"returned":0,"examples":[{"values":[{"S":"1"}],"requests":1}]}],"writes":[],
		"partitions":[{"table":"users","key":"\"1\"","units":0.5,"share":1}]}`
	s.want(200, one, "GET", "traffic", "")
	s.want(201, none, "POST", "traffic", "")
	require.NoError(t, s.get("users", "1"))
	s.want(200, one, "DELETE", "traffic", "")
	s.want(404, `{"error":"no requests are recorded: POST to this path records them from then on"}`,
		"DELETE", "traffic", "")
}

// operations returns the operations after an id: as "1 GetItem users", with the error and what it
// read.
func (s *served) operations(after string) (list []string, missed int64) {
	s.Helper()
	status, text := s.do("GET", "traffic/operations?after="+after, "")
	require.Equal(s, 200, status, text)
	var got operationsInfo
	require.NoError(s, json.Unmarshal([]byte(text), &got))
	for _, o := range got.Operations {
		line := fmt.Sprint(o.ID, " ", o.Operation, " ", strings.Join(o.Tables, ","), " ",
			o.ReadUnits, "+", o.WriteUnits)
		for _, one := range o.Items {
			line += " " + string(one.Key)
		}
		for _, r := range o.Reads {
			line += fmt.Sprintf(" %s %s %d>%d", r.KeyCondition, r.Values, r.Evaluated, r.Returned)
		}
		list = append(list, strings.TrimSpace(line+" "+o.Error))
	}
	return list, got.Missed
}

func TestOperations(t *testing.T) {
	s := serve(t)
	s.createTable("me")
	s.want(404, `{"error":"no requests are recorded: POST to this path records them from then on"}`,
		"GET", "traffic/operations", "")
	s.do("POST", "traffic", "")
	require.NoError(t, s.get("users", "1"))
	_, err := s.client("me").PutItem(
		t.Context(), &dynamodb.PutItemInput{TableName: aws.String(
			"users"), Item: map[string]types.AttributeValue{
			"id":    &types.AttributeValueMemberS{Value: `"quoted"`},
			"other": &types.AttributeValueMemberN{Value: "1"}}})
	require.NoError(t, err)
	_, err = s.client("me").Query(
		t.Context(), &dynamodb.QueryInput{TableName: aws.String("users"),
			KeyConditionExpression: aws.String("id = :i"),
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":i": &types.AttributeValueMemberS{Value: "x"},
			}})
	require.NoError(t, err)
	require.Error(t, s.get("nothing", "1"))
	require.NoError(t, s.get("users", strings.Repeat("x", maxKey))) // a key that is not kept

	all, missed := s.operations("")
	assert.Equal(t, []string{
		`1 GetItem users 0.5+0 {"id":{"S":"1"}}`,
		`2 PutItem users 0+1 {"id":{"S":"\"quoted\""}}`,
		`3 Query users 0.5+0 id = ? [{"S":"x"}] 0>0`,
		`4 GetItem nothing 0+0 ResourceNotFoundException`,
		`5 GetItem users 0.5+0`,
	}, all)
	assert.Zero(t, missed)
	after, _ := s.operations("3")
	assert.Equal(t, all[3:], after)
	after, _ = s.operations("5")
	assert.Empty(t, after)
	after, _ = s.operations("6")
	assert.Equal(t, all, after, "the id is of an earlier recording")
	for _, wrong := range []string{"x", "-1", "1.5"} {
		s.want(400, `{"error":"after is the id of an operation, not \"`+wrong+`\""}`, "GET",
			"traffic/operations?after="+wrong, "")
	}
}

// TestBodiesOfOperations: the bodies of the latest requests are kept, as many as there is room for.
func TestBodiesOfOperations(t *testing.T) {
	s := serve(t)
	s.createTable("me")
	s.do("POST", "traffic", "")
	require.NoError(t, s.get("users", "1"))
	require.Error(t, s.get("nothing", "1"))
	exchange := func(id string) (got exchangeInfo) {
		status, text := s.do("GET", "traffic/operations/"+id, "")
		require.Equal(t, 200, status, text)
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		return got
	}
	first, second := exchange("1"), exchange("2")
	assert.JSONEq(t, `{"TableName": "users", "Key": {"id": {"S": "1"}}}`, first.Request)
	assert.Equal(t, "{}", first.Answer)
	assert.True(t, first.Kept && first.RequestWhole && first.AnswerWhole)
	assert.Contains(t, second.Answer, "ResourceNotFoundException")
	for id, want := range map[string]int{"3": 404, "0": 404, "-1": 404, "x": 400} {
		status, _ := s.do("GET", "traffic/operations/"+id, "")
		assert.Equal(t, want, status, id)
	}

	large := &dynamodb.PutItemInput{TableName: aws.String("users"),
		Item: map[string]types.AttributeValue{
			"id":   &types.AttributeValueMemberS{Value: "large"},
			"text": &types.AttributeValueMemberS{Value: strings.Repeat("界", maxKept)}}}
	for range maxBodies/maxKept + 1 {
		_, err := s.client("me").PutItem(t.Context(), large)
		require.NoError(t, err)
	}
	assert.Equal(t, exchangeInfo{ID: 1}, exchange("1"), "it had to make room")
	last := exchange(fmt.Sprint(maxBodies/maxKept + 3))
	assert.True(t, last.Kept && last.AnswerWhole)
	assert.False(t, last.RequestWhole)
	assert.True(t, strings.HasSuffix(last.Request, "界"), "characters are whole")
}

// TestOperationsOfTheProcess: what the process itself asks is not recorded.
func TestOperationsOfTheProcess(t *testing.T) {
	e := emulator.New()
	r := startRecording(e)
	db := dynamodb.New(dynamodb.Options{HTTPClient: e.HTTPClient("me", "us-east-1"),
		Region: "us-east-1", BaseEndpoint: aws.String("http://localhost/"),
		Credentials: credentials.NewStaticCredentialsProvider("me", "me", "")})
	_, err := db.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	require.NoError(t, err)
	list, last, _ := r.latest.after(0)
	assert.Empty(t, list)
	assert.Zero(t, last)
	assert.Zero(t, r.recorder.Report().Requests)
	assert.Empty(t, r.latencies.list())
}

// TestLatestOperations: a recording keeps the latest, and counts those that it drops.
func TestLatestOperations(t *testing.T) {
	var l latest
	for n := range maxOperations + 5 {
		l.add(&emulator.Event{RequestID: strconv.Itoa(n + 1)})
	}
	list, last, missed := l.after(2)
	require.Len(t, list, maxOperations)
	assert.Equal(t, int64(6), list[0].ID)
	for _, o := range list {
		assert.Equal(t, strconv.FormatInt(o.ID, 10), o.RequestID)
	}
	assert.Equal(t, int64(maxOperations+5), last)
	assert.Equal(t, int64(3), missed)
	list, _, missed = l.after(last - 1)
	assert.Len(t, list, 1)
	assert.Zero(t, missed)
}

func TestLatencies(t *testing.T) {
	var l latencies
	for n := range 1000 {
		l.add("GetItem", time.Duration(n+1)*time.Millisecond)
	}
	l.add("", 3*time.Hour)
	list := l.list()
	require.Len(t, list, 2)
	assert.Equal(t, 10_800_000.0, list[0].Max, "longer than the last range")
	got := list[1]
	assert.Equal(t, int64(1000), got.Requests)
	for _, c := range []struct {
		want, got float64
	}{{500, got.P50}, {900, got.P90}, {990, got.P99}} {
		assert.GreaterOrEqual(t, c.got, c.want)
		assert.LessOrEqual(t, c.got, c.want*1.0906)
	}
	assert.Equal(t, 1000.0, got.Max)
}
