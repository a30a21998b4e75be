package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

// work runs a worker, and returns its values.
type work func(ctx context.Context, db *dynamodb.Client) ([]string, error)

// explored is a program that is explored over HTTP, as one of another language is.
type explored struct {
	*served
	workers map[string]work
	// a consumer's work with an event, and its response
	handle  func(ctx context.Context, db *dynamodb.Client, event string) (string, error)
	check   func(ctx context.Context, db *dynamodb.Client) error
	always  func(ctx context.Context, db *dynamodb.Client) error
	clients map[string]*dynamodb.Client
	mu      sync.Mutex
	starts  int // how often workers have started
	working sync.WaitGroup
}

// post sends a request to an exploration and reads the answer.
func (x *explored) post(path, body string, into any) (status int, text string) {
	status, text = x.do(http.MethodPost, path, body)
	if status < 300 {
		assert.NoError(x, json.Unmarshal([]byte(text), into))
	}
	return status, text
}

func (x *explored) clientOf(key string) *dynamodb.Client {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.clients[key] == nil {
		x.clients[key] = dynamodb.New(dynamodb.Options{
			BaseEndpoint: aws.String(x.url), Region: "us-east-1", RetryMaxAttempts: 2,
			Credentials: credentials.NewStaticCredentialsProvider(key, "secret", ""),
		})
	}
	return x.clients[key]
}

// run explores, and returns the report.
func (x *explored) run(body string) *explorationReport {
	x.clients = map[string]*dynamodb.Client{}
	var made newID
	status, text := x.post("explorations", body, &made)
	require.Equal(x, 201, status, text)
	path := "explorations/" + made.ID
	defer x.want(200, `{}`, http.MethodDelete, path, "")
	for {
		var step stepInfo
		status, text := x.post(path+"/next", "", &step)
		require.Equal(x, 200, status, text)
		switch step.Do {
		case "run":
			x.start(path, &step)
		case "handle":
			x.working.Add(1)
			go x.handles(path, &step)
		case "always":
			end := checksEnd{Run: step.Run}
			if err := x.always(x.Context(), x.clientOf(step.AccessKey)); err != nil {
				end.Error = aws.String(err.Error())
			}
			x.send(path+"/checked", end, &struct{}{})
		case "check":
			end := checksEnd{Run: step.Run}
			if err := x.check(x.Context(), x.clientOf(step.AccessKey)); err != nil {
				end.Error = aws.String(err.Error())
			}
			x.send(path+"/checked", end, &struct{}{})
		case "report":
			x.working.Wait() // their last answers may come after the report
			return step.Report
		}
	}
}

func (x *explored) send(path string, in, out any) {
	body, err := json.Marshal(in)
	assert.NoError(x, err)
	status, text := x.post(path, string(body), out)
	assert.Equal(x, 200, status, text)
}

// start starts the workers of a run.
func (x *explored) start(path string, step *stepInfo) {
	for _, w := range step.Workers {
		x.working.Add(1)
		go x.work(path, step.Run, w)
	}
}

func (x *explored) work(path string, run int, w seatInfo) {
	defer x.working.Done()
	for again := true; again; {
		x.mu.Lock()
		x.starts++
		x.mu.Unlock()
		values, err := x.workers[w.Name](x.Context(), x.clientOf(w.AccessKey))
		end := workerEnd{Run: run, Worker: w.Name, Values: values}
		if err != nil {
			end.Error = aws.String(err.Error())
			var refused *types.ConditionalCheckFailedException
			end.Aborted = errors.As(err, &refused)
			end.Broken = errors.Is(err, errAssertion)
		}
		var ended workerEnded
		x.send(path+"/ended", end, &ended)
		again = ended.Again
	}
}

// handles handles a batch.
func (x *explored) handles(path string, step *stepInfo) {
	defer x.working.Done()
	w := step.Workers[0]
	end := workerEnd{Run: step.Run, Worker: w.Name, Delivery: step.Delivery}
	var err error
	end.Response, err = x.handle(x.Context(), x.clientOf(w.AccessKey), string(step.Event))
	if err != nil {
		end.Error = aws.String(err.Error())
	}
	body, _ := json.Marshal(end)
	status, text := x.do(http.MethodPost, path+"/ended", string(body))
	if status != 200 && status != 409 { // 409: the run is over
		assert.Fail(x, text)
	}
}

// counter returns a server that has a number: 10.
func counter(t *testing.T) *explored { return counterWith(t, Enable(Options{})) }

func counterWith(t *testing.T, enabled emulator.Option) *explored {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := serveOnly(t, enabled, emulator.WithHeldClock(emulator.NewClock(at)))
	s.createTable("A")
	require.NoError(t, s.put("A", "a", "n", "10"))
	return &explored{served: s, workers: map[string]work{}}
}

var theItem = map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "a"}}

// numberOf returns the number.
func numberOf(ctx context.Context, db *dynamodb.Client) (string, error) {
	out, err := db.GetItem(ctx,
		&dynamodb.GetItemInput{TableName: aws.String("users"), Key: theItem})
	if err != nil {
		return "", err
	}
	return out.Item["n"].(*types.AttributeValueMemberN).Value, nil
}

// subtract takes one from the number that it has read, and puts it with a condition or without.
func subtract(condition string) work {
	return func(ctx context.Context, db *dynamodb.Client) ([]string, error) {
		n, err := numberOf(ctx, db)
		if err != nil {
			return nil, err
		}
		var left int
		_, err = fmt.Sscan(n, &left)
		if err != nil {
			return nil, err
		}
		in := &dynamodb.PutItemInput{TableName: aws.String("users"),
			Item: map[string]types.AttributeValue{"id": theItem["id"],
				"n": &types.AttributeValueMemberN{Value: fmt.Sprint(left - 1)}}}
		if condition != "" {
			in.ConditionExpression = aws.String(condition)
			in.ExpressionAttributeValues = map[string]types.AttributeValue{
				":n": &types.AttributeValueMemberN{Value: n}}
		}
		_, err = db.PutItem(ctx, in)
		return []string{n}, err
	}
}

// add takes one from the number, whatever it is.
func add(ctx context.Context, db *dynamodb.Client) ([]string, error) {
	_, err := db.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String("users"),
		Key: theItem, UpdateExpression: aws.String("ADD n :d"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":d": &types.AttributeValueMemberN{Value: "-1"}}})
	return nil, err
}

func isEight(ctx context.Context, db *dynamodb.Client) error {
	n, err := numberOf(ctx, db)
	if err == nil && n != "8" {
		err = fmt.Errorf("%s are left", n)
	}
	return err
}

// backwards fails if the number goes back up, which nobody makes it do.
func backwards(ctx context.Context, db *dynamodb.Client) ([]string, error) {
	before, err := numberOf(ctx, db)
	after, err2 := numberOf(ctx, db)
	if err := errors.Join(err, err2); err != nil {
		return nil, err
	}
	if before == "9" && after == "10" {
		return nil, errAssertion
	}
	return nil, nil
}

const two = `"name":"T","from":"A","workers":[{"name":"alice"},{"name":"bob"}]`

var errAssertion = errors.New("1 is not 2")

// TestExplorations: what is found in programs of another process, and what the report says.
func TestExplorations(t *testing.T) {
	const nothing = ""
	for _, c := range []struct {
		name       string
		alice, bob work
		check      func(context.Context, *dynamodb.Client) error
		body       string
		kind       string // the kind of the failure
		says       string // a text of its page, or else of the report
	}{
		{"a lost update", subtract(nothing), subtract(nothing), nil, two, "lost update",
			"KUGIRI_EXPLORE='alice,bob,bob,alice' run T"},
		{"a condition", subtract("n = :n"), subtract("n = :n"), nil, two, "",
			"all orders were tried"},
		{"a check", add, add, func(ctx context.Context, db *dynamodb.Client) error {
			return errors.New("never right")
		}, two + `,"checks":true`, "check", "never right"},
		{"a check that holds", add, add, isEight, two + `,"checks":true`, "",
			"2 runs, of 2 orders: all orders were tried"},
		{"a retry after a lost answer", add, add, isEight,
			two + `,"checks":true,"faults":1,"kinds":["lost"]`, "check", "fault: lost"},
		{"a death", add, subtract("n = :n"), nil, `"name":"T","from":"A",
			"workers":[{"name":"alice","restarts":true},{"name":"bob"}],
			"faults":1,"kinds":["dies-after"],"serializable":true`, "not serializable",
			"in no serial order bob returns"},
		{"an assertion of a worker", add, func(context.Context, *dynamodb.Client) ([]string,
			error) {
			return nil, errAssertion
		}, nil, two, "worker", "bob: 1 is not 2"},
		{"refusals that have done nothing", subtract("n = :n"), subtract("n = :n"), nil,
			two + `,"serializable":true`, "", "all orders were tried"},
		{"a result of no serial order", func(ctx context.Context, db *dynamodb.Client) ([]string,
			error) {
			n, err := numberOf(ctx, db)
			m, err2 := numberOf(ctx, db)
			return []string{n, m}, errors.Join(err, err2)
		}, add, nil, two + `,"serializable":true`, "not serializable",
			"in no serial order alice returns"},
		{"a cache whose nodes disagree", backwards, add, nil, two + `,"faults":1,"kinds":["cached"],
			"cachedReads":{"workers":["alice"],"lag":"1s"}`, "worker", "reads n: 10, which is old"},
		{"a cache of one node", backwards, add, nil, two + `,"faults":1,"kinds":["cached"],
			"cachedReads":{"itemTTL":"1m","queryTTL":"0"}`, "", "placements of faults tried"},
		{"a clock that workers do not see", add, add, nil,
			two + `,"faults":1,"kinds":["later"],"clockMoves":"1h"`, "",
			"the clock of the service moved, and those of the workers did not"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := counter(t)
			x.workers["alice"], x.workers["bob"], x.check = c.alice, c.bob, c.check
			report := x.run(`{"command":"run T",` + c.body + `}`)
			if c.kind == "" {
				assert.Empty(t, report.Failures)
				assert.Contains(t, report.Text, c.says)
				assert.True(t, report.Complete)
				return
			}
			require.Len(t, report.Failures, 1)
			assert.Equal(t, c.kind, report.Failures[0].Kind)
			assert.Contains(t, report.Failures[0].Page, c.says)
			assert.NotContains(t, report.Failures[0].Page, "nil", "that is a word of Go")
			assert.Contains(t, report.Failures[0].HTML, "<!DOCTYPE html>")
		})
	}
}

// TestConsumersOfExplorations: a worker that consumes a stream gets the records that a run adds,
// one batch after the other, and again if it fails or dies.
func TestConsumersOfExplorations(t *testing.T) {
	const count, keep = "ADD n :d", "SET n = :d"
	adds := func(how string) func(context.Context, *dynamodb.Client, string) (string, error) {
		return func(ctx context.Context, db *dynamodb.Client, event string) (string, error) {
			_, err := db.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String("users"),
				Key: theItem, UpdateExpression: &how,
				ExpressionAttributeValues: map[string]types.AttributeValue{
					":d": &types.AttributeValueMemberN{Value: fmt.Sprint(
						strings.Count(event, `"INSERT"`))}}})
			return "", err
		}
	}
	is := func(want string) func(context.Context, *dynamodb.Client) error {
		return func(ctx context.Context, db *dynamodb.Client) error {
			n, err := numberOf(ctx, db)
			if err == nil && n != want {
				err = fmt.Errorf("n is %s", n)
			}
			return err
		}
	}
	for _, c := range []struct {
		name    string
		handle  func(context.Context, *dynamodb.Client, string) (string, error)
		want    string // the number at the end
		options string
		kind    string
		says    string
	}{
		{"every division into batches", adds(count), "12", "", "", "all orders were tried"},
		{"a division", adds(keep), "2", "", "check", "n is 1"},
		{"a batch once more", adds(count), "12", `,"faults":1,"kinds":["redelivered"]`, "check",
			"fault: redelivered"},
		{"a death after a request", adds(count), "12", `,"faults":1,"kinds":["dies-after"]`, "check",
			"fault: dies-after"},
		{"a death that does no harm", adds(count), "12", `,"faults":1,"kinds":["dies-before"]`, "",
			"all orders were tried"},
		{"an error that gives up", func(context.Context, *dynamodb.Client, string) (string, error) {
			return "", errors.New("no")
		}, "10", "", "", "all orders were tried"},
		{"a response of failures that gives up", func(_ context.Context, _ *dynamodb.Client,
			event string) (string, error) {
			_, number, _ := strings.Cut(event, `"SequenceNumber":"`)
			number, _, _ = strings.Cut(number, `"`)
			return `{"batchItemFailures":[{"itemIdentifier":"` + number + `"}]}`, nil
		}, "10", "", "", "all orders were tried"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := counter(t)
			_, err := x.client("A").UpdateTable(t.Context(), &dynamodb.UpdateTableInput{
				TableName: aws.String("users"), StreamSpecification: &types.StreamSpecification{
					StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeKeysOnly}})
			require.NoError(t, err)
			x.workers["shop"] = func(ctx context.Context, db *dynamodb.Client) ([]string, error) {
				for _, id := range []string{"b", "c"} {
					_, err := db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("users"),
						Item: map[string]types.AttributeValue{
							"id": &types.AttributeValueMemberS{Value: id}}})
					if err != nil {
						return nil, err
					}
				}
				return nil, nil
			}
			x.handle, x.check = c.handle, is(c.want)
			report := x.run(`{"name":"T","from":"A","checks":true` + c.options + `,
				"workers":[{"name":"shop"},{"name":"invoices","consumes":"users",
				"mapping":{"MaximumRetryAttempts":1,"FunctionResponseTypes":["ReportBatchItemFailures"],
				"FilterCriteria":{"Filters":[{"Pattern":"{\"eventName\":[\"INSERT\"]}"}]}}}]}`)
			if c.kind == "" {
				assert.Empty(t, report.Failures)
				assert.Contains(t, report.Text, c.says)
				return
			}
			require.Len(t, report.Failures, 1)
			assert.Equal(t, c.kind, report.Failures[0].Kind)
			assert.Contains(t, report.Failures[0].Page, c.says)
		})
	}
}

// TestConsumersNeedStreams: an exploration whose consumer could never get a record ends, and says
// why.
func TestConsumersNeedStreams(t *testing.T) {
	for table, says := range map[string]string{
		"users": `the consumer "invoices": the table "users" has no stream`,
		"user":  `the consumer "invoices": there is no table "user" in us-east-1`,
	} {
		t.Run(table, func(t *testing.T) {
			x := counter(t)
			var made newID
			x.post("explorations", `{"name":"T","from":"A","workers":[{"name":"shop"},
				{"name":"invoices","consumes":"`+table+`"}]}`, &made)
			x.wantError(409, says, "POST", "explorations/"+made.ID+"/next", "")
		})
	}
}

// TestExplorationsChangeNothing: the tables that runs begin with stay as they are.
func TestExplorationsChangeNothing(t *testing.T) {
	x := counter(t)
	x.workers["alice"], x.workers["bob"] = add, add
	assert.Equal(t, 2, x.run(`{`+two+`}`).Runs)
	n, err := numberOf(t.Context(), x.client("A"))
	require.NoError(t, err)
	assert.Equal(t, "10", n)
	x.want(200, `{"accessKeys":["A"],"namespaces":[{"accessKey":"A","region":"us-east-1","tables":1}],
		"snapshots":[],"faults":[],"clock":{"now":"2026-01-02T03:04:05Z","held":true}}`,
		"GET", "", "")
}

// TestReplays: a schedule runs one order again.
func TestReplays(t *testing.T) {
	x := counter(t)
	x.workers["alice"], x.workers["bob"] = subtract(""), subtract("")
	report := x.run(`{` + two + `,"schedule":"alice,bob,bob,alice"}`)
	assert.True(t, report.Replayed)
	require.Len(t, report.Failures, 1)
	assert.Equal(t, 10, x.starts, "the run, three that tell a lost update, and that for its page")
	_, text := x.do("POST", "explorations", `{`+two+`,"schedule":"carol"}`)
	var made newID
	require.NoError(t, json.Unmarshal([]byte(text), &made))
	path := "explorations/" + made.ID
	var step stepInfo
	x.post(path+"/next", "", &step)
	assert.Equal(t, "run", step.Do)
	x.start(path, &step)
	defer x.working.Wait()
	x.wantError(409, `names a worker that has no request waiting: "carol"`, "POST", path+"/next", "")
}

// TestDeadlocksOfExplorations: workers that neither send nor end are reported, and what they send
// later is no part of another run.
func TestDeadlocksOfExplorations(t *testing.T) {
	x := counter(t)
	free := make(chan struct{})
	var late error
	left := make(chan struct{})
	x.workers["alice"] = func(ctx context.Context, db *dynamodb.Client) ([]string, error) {
		<-free
		_, late = add(ctx, db)
		close(left)
		return nil, errors.New("late")
	}
	x.workers["bob"] = add
	var made newID
	x.clients = map[string]*dynamodb.Client{}
	x.post("explorations", `{`+two+`,"patience":"50ms","all":true}`, &made)
	path := "explorations/" + made.ID
	var step stepInfo
	x.post(path+"/next", "", &step)
	require.Equal(t, "run", step.Do)
	key := step.Workers[0].AccessKey
	x.clientOf(key)
	for _, w := range step.Workers {
		go func() {
			_, err := x.workers[w.Name](t.Context(), x.clientOf(w.AccessKey))
			if err == nil {
				x.send(path+"/ended", workerEnd{Run: step.Run, Worker: w.Name}, &workerEnded{})
			}
		}()
	}
	step = stepInfo{}
	x.post(path+"/next", "", &step)
	require.Equal(t, "report", step.Do, "a deadlock is not run again")
	require.Len(t, step.Report.Failures, 1)
	f := step.Report.Failures[0]
	assert.Equal(t, "deadlock", f.Kind)
	assert.Contains(t, f.Text, "alice wait forever")
	assert.Contains(t, f.Text, "for 50ms or longer they have neither sent a request nor ended")
	close(free)
	<-left
	assert.ErrorContains(t, late, "the run of this worker is over")
	x.want(200, `{}`, "DELETE", path, "")
}

// TestSeveralAtATime: a worker that sends several requests at a time has them run in each order.
func TestSeveralAtATime(t *testing.T) {
	x := counter(t)
	x.workers["alice"] = func(ctx context.Context, db *dynamodb.Client) ([]string, error) {
		errs := make(chan error, 2)
		for range 2 {
			go func() {
				_, err := subtract("")(ctx, db)
				errs <- err
			}()
		}
		return nil, errors.Join(<-errs, <-errs)
	}
	x.check = isEight
	report := x.run(`{"name":"T","from":"A","workers":[{"name":"alice"}],"checks":true}`)
	require.Len(t, report.Failures, 1)
	assert.Equal(t, "check", report.Failures[0].Kind)
	assert.Contains(t, report.Failures[0].Schedule, "alice~1")
}

// TestExplorationRefusals: what is refused.
func TestExplorationRefusals(t *testing.T) {
	s := counter(t).served
	worker := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`{"name":"w%d"}`, i))
		}
		return strings.Join(list, ",")
	}
	for _, c := range []struct{ name, body, says string }{
		{"no name", `{"name":"","workers":[{"name":"a"}]}`, "name: 1 to 1000 bytes"},
		{"no workers", `{"name":"T","workers":[]}`, "there are 1 to 64 of them"},
		{"too many workers", `{"name":"T","workers":[` + worker(65) + `]}`, "there are 1 to 64"},
		{"a worker without a name", `{"name":"T","workers":[{"name":""}]}`, "1 to 128 bytes"},
		{"two of a name", `{"name":"T","workers":[{"name":"a"},{"name":"a"}]}`,
			`there are two workers "a"`},
		{"an unknown fault", `{"name":"T","workers":[{"name":"a"}],"kinds":["fire"]}`,
			`there is no fault "fire"; there are lost, error`},
		{"too many faults", `{"name":"T","workers":[{"name":"a"}],"faults":11}`, "0 to 10, not 11"},
		{"a budget below 0", `{"name":"T","workers":[{"name":"a"}],"budget":-1}`, "not -1"},
		{"no patience", `{"name":"T","workers":[{"name":"a"}],"patience":"0s"}`, "above 0"},
		{"much patience", `{"name":"T","workers":[{"name":"a"}],"patience":"2m"}`, "at most 1m0s"},
		{"serial orders of many", `{"name":"T","serializable":true,"workers":[` + worker(8) + `]}`,
			"at most 7 workers"},
		{"a region", `{"name":"T","workers":[{"name":"a"}],"region":"a/b"}`, "region"},
		{"a mapping of nothing", `{"name":"T","workers":[{"name":"a","mapping":{}}]}`,
			`"a" consumes no stream`},
		{"a mapping that cannot be", `{"name":"T","workers":[{"name":"a","consumes":"t",
			"mapping":{"BatchSize":0}}]}`, "BatchSize is 0"},
		{"an unknown member of a mapping", `{"name":"T","workers":[{"name":"a","consumes":"t",
			"mapping":{"Size":1}}]}`, "unknown field"},
		{"a destination of failures", `{"name":"T","workers":[{"name":"a","consumes":"t",
			"mapping":{"DestinationConfig":{"OnFailure":{"Destination":"f"}}}}]}`, "not possible here"},
		{"a consumer that restarts", `{"name":"T","workers":[{"name":"a","consumes":"t",
			"restarts":true}]}`, "its batch comes again"},
		{"an unknown member", `{"name":"T","workers":[{"name":"a"}],"x":1}`, "unknown field"},
		{"cached reads without faults", `{"name":"T","workers":[{"name":"a"}],"cachedReads":{}}`,
			"they make no difference"},
		{"cached reads of nobody", `{"name":"T","workers":[{"name":"a"}],"faults":1,
			"cachedReads":{"workers":["b"]}}`, `there is no worker "b"`},
		{"a life below 0", `{"name":"T","workers":[{"name":"a"}],"faults":1,
			"cachedReads":{"itemTTL":"-1s"}}`, "no duration such as 5m"},
		{"a cache of nobody", `{"name":"T","workers":[{"name":"a"}],"faults":1,
			"kinds":["cached"]}`, "for workers of cachedReads"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.TB = t
			s.wantError(400, c.says, "POST", "explorations", c.body)
		})
	}
	s.TB = t
	s.wantError(404, "it was never used", "POST", "explorations",
		`{"name":"T","from":"nobody","workers":[{"name":"a"}]}`)
	s.wantError(404, "no exploration with this id", "POST", "explorations/x/next", "")
	for range maxExplorations {
		s.do("POST", "explorations", `{`+two+`}`)
	}
	s.wantError(409, "there are 16 explorations already", "POST", "explorations", `{`+two+`}`)
}

// TestExplorationProtocol: what a program says at the wrong time is refused.
func TestExplorationProtocol(t *testing.T) {
	x := counter(t)
	var made newID
	x.post("explorations", `{`+two+`,"checks":true}`, &made)
	path := "explorations/" + made.ID
	var step stepInfo
	x.post(path+"/next", "", &step)
	assert.Equal(t, 1, step.Run)
	x.wantError(409, `run 2 has no worker "alice"`, "POST", path+"/ended",
		`{"run":2,"worker":"alice"}`)
	x.wantError(409, `run 1 has no worker "carol"`, "POST", path+"/ended",
		`{"run":1,"worker":"carol"}`)
	x.wantError(409, "run 1 has no checks", "POST", path+"/checked", `{"run":1}`)
	x.wantError(400, "at most 16384 bytes", "POST", path+"/ended",
		`{"run":1,"worker":"alice","values":["`+strings.Repeat("x", maxResult+1)+`"]}`)
	x.wantError(409, `run 1 has no worker "alice"`, "POST", path+"/ended",
		`{"run":1,"worker":"alice","delivery":1}`)
	x.wantError(400, "the call of a consumer has none", "POST", path+"/ended",
		`{"run":1,"worker":"alice","delivery":1,"values":["a"]}`)
	x.wantError(400, "it is the call of a consumer", "POST", path+"/ended",
		`{"run":1,"worker":"alice","response":"{}"}`)
	x.want(200, `{"again":false}`, "POST", path+"/ended", `{"run":1,"worker":"alice"}`)
	x.wantError(409, `run 1 has no worker "alice" that has not ended`, "POST", path+"/ended",
		`{"run":1,"worker":"alice"}`)
	_, err := add(t.Context(), x.client(step.Workers[0].AccessKey))
	assert.ErrorContains(t, err, "the run of this worker is over", "it has ended")
	x.want(200, `{"again":false}`, "POST", path+"/ended", `{"run":1,"worker":"bob"}`)
	step = stepInfo{}
	x.post(path+"/next", "", &step)
	assert.Equal(t, "check", step.Do)
	_, err = add(t.Context(), x.client(step.AccessKey))
	assert.NoError(t, err)
	x.want(200, `{}`, "POST", path+"/checked", `{"run":1}`)
	_, err = add(t.Context(), x.client(step.AccessKey))
	assert.ErrorContains(t, err, "the run of this worker is over")
	for range 2 { // the end stays
		x.wantError(409, "no worker has sent a request through the client that it gets",
			"POST", path+"/next", "")
	}
	x.want(200, `{}`, "DELETE", path, "")
	x.wantError(404, "no exploration", "DELETE", path, "")
	_, err = add(t.Context(), x.client("other"))
	assert.ErrorContains(t, err, "ResourceNotFound", "other access keys are not affected")
}

// list returns the explorations of the server.
func (x *explored) list() []explorationInfo {
	var out explorationList
	_, text := x.do("GET", "explorations", "")
	require.NoError(x, json.Unmarshal([]byte(text), &out), text)
	return out.Explorations
}

// show returns an exploration of the server.
func (x *explored) show(id string) (out shownExploration) {
	_, text := x.do("GET", "explorations/"+id, "")
	require.NoError(x, json.Unmarshal([]byte(text), &out), text)
	return out
}

// TestListOfExplorations: explorations are listed while they run, and what they have found
// afterwards, until that is forgotten.
func TestListOfExplorations(t *testing.T) {
	x := counter(t)
	assert.Empty(t, x.list())
	x.workers["alice"], x.workers["bob"] = subtract(""), subtract("")
	x.run(`{` + two + `}`)
	x.workers["alice"], x.workers["bob"] = add, add
	x.run(`{` + strings.Replace(two, `"T"`, `"U"`, 1) + `}`)
	var open newID
	x.post("explorations", `{`+strings.Replace(two, `"T"`, `"V"`, 1)+`}`, &open)
	x.post("explorations/"+open.ID+"/next", "", &stepInfo{})

	list := x.list()
	require.Len(t, list, 3)
	for i, want := range []explorationInfo{
		{Name: "V", State: "running", Runs: 1, Failures: []string{}},
		{Name: "U", State: "passed", Runs: 8, Failures: []string{}},
		{Name: "T", State: "failed", Failures: []string{"lost update"}},
	} {
		_, err := time.Parse(time.RFC3339, list[i].Began)
		require.NoError(t, err)
		if want.Runs == 0 {
			want.Runs = list[i].Runs
		}
		want.ID, want.Began = list[i].ID, list[i].Began
		assert.Equal(t, want, list[i])
	}
	assert.Nil(t, x.show(open.ID).Report)
	assert.Equal(t, "passed", x.show(list[1].ID).State)

	failed := x.show(list[2].ID)
	require.Len(t, failed.Report.Failures, 1)
	d := failed.Report.Failures[0].Diagram
	assert.Equal(t, []search.DiagramWorker{{Name: "alice", Result: "returns 10"},
		{Name: "bob", Result: "returns 10"}}, d.Workers)
	require.Len(t, d.Steps, 4)
	assert.Equal(t, search.DiagramStep{Worker: 1, Operation: "PutItem",
		Lines: []string{`users {id: "a"}`, "n: 10 → 9"}, Mark: "← changes it",
		Items: []search.DiagramItem{{Table: "users", Key: `{id: "a"}`,
			Before: map[string]string{"id": `"a"`, "n": "10"},
			After:  map[string]string{"id": `"a"`, "n": "9"}}}}, d.Steps[2])

	x.want(200, `{}`, "DELETE", "explorations/"+open.ID, "")
	assert.Equal(t, "closed", x.list()[0].State)
	x.want(200, `{}`, "DELETE", "explorations", "")
	assert.Empty(t, x.list())
	x.wantError(404, "no exploration with this id", "GET", "explorations/"+open.ID, "")
}

// TestBoundOfExplorations: what is kept of explorations that have ended is bounded.
func TestBoundOfExplorations(t *testing.T) {
	x := counter(t)
	for i := range maxPast + 2 {
		var made newID
		x.post("explorations", fmt.Sprintf(`{"name":"T%d","workers":[{"name":"a"}]}`, i), &made)
		x.want(200, `{}`, "DELETE", "explorations/"+made.ID, "")
	}
	list := x.list()
	require.Len(t, list, maxPast)
	assert.Equal(t, "T17", list[0].Name)
	assert.Equal(t, "T2", list[maxPast-1].Name)

	big := explorationFailure{HTML: strings.Repeat("x", maxPastReports/4)}
	r := &explorationReport{Failures: []explorationFailure{big, big, big, big}}
	r.bound()
	assert.Len(t, r.Failures, 2)
	big.HTML = strings.Repeat("x", maxPastReports)
	r.Failures = []explorationFailure{big, big}
	r.bound()
	assert.Len(t, r.Failures, 1, "the first one stays")
}

// TestExplorationRegion: requests to another region are refused.
func TestExplorationRegion(t *testing.T) {
	x := counter(t)
	var made newID
	x.post("explorations", `{`+two+`,"region":"eu-west-1"}`, &made)
	var step stepInfo
	x.post("explorations/"+made.ID+"/next", "", &step)
	_, err := add(t.Context(), x.client(step.Workers[0].AccessKey))
	assert.ErrorContains(t, err, "an exploration has one region")
}

// TestExplorationsAndSignatures: the gate cannot verify signatures.
func TestExplorationsAndSignatures(t *testing.T) {
	s := serve(t, emulator.WithCredentials(map[string]emulator.Secret{"A": {Key: "secret"}}))
	s.wantError(409, "verifies signatures", "POST", "explorations",
		`{"name":"T","workers":[{"name":"a"}]}`)
}

// TestBoundsOfExplorations: parts of a search, what is allowed, and a bound in time.
func TestBoundsOfExplorations(t *testing.T) {
	const begin = `{"name":"n","from":"A","workers":[{"name":"alice"},{"name":"bob"}]`
	x := counter(t)
	x.workers = map[string]work{"alice": subtract(""), "bob": subtract("")}
	report := x.run(begin + `,"within":"1h","all":true,` +
		`"allow":[{"kind":"lost update","table":"users","reason":"the last one wins"}]}`)
	assert.Empty(t, report.Failures)
	assert.True(t, report.Complete)
	assert.Nil(t, report.Part)
	assert.Contains(t, report.Text, "lost updates in users allowed: the last one wins")

	x.workers = map[string]work{"alice": add, "bob": add}
	var parts []search.PartReport
	for _, part := range []string{"1/2", "2/2"} {
		report := x.run(begin + `,"part":"` + part + `"}`)
		require.NotNil(t, report.Part, report.Text)
		parts = append(parts, *report.Part)
	}
	merged, err := search.Merge(parts)
	require.NoError(t, err)
	require.Len(t, merged, 1)
	assert.Equal(t, "n: 2 parts, 2 runs of 2 orders: all orders were tried", merged[0].Text)
	assert.True(t, merged[0].Complete)

	for body, says := range map[string]string{
		`"part":"3/2"`:                             "part: ",
		`"part":"1/2","schedule":"alice"`:          "a schedule is run whole",
		`"kinds":["skewed"]`:                       "kinds: skewed",
		`"within":"soon"`:                          "within: ",
		`"allow":[{"kind":"lost update"}]`:         "allow: it wants the name of a table",
		`"allow":[{"kind":"check","table":"t"}]`:   "allow: kind: ",
		`"allow":[{"kind":"lost update","on":""}]`: "unknown field",
	} {
		status, text := x.do(http.MethodPost, "explorations", begin+","+body+"}")
		assert.Equal(t, 400, status, body)
		assert.Contains(t, text, says)
	}
}

// TestAlwaysOfExplorations: what has to hold between requests is looked at there, and only reads.
func TestAlwaysOfExplorations(t *testing.T) {
	x := counter(t)
	x.workers = map[string]work{"alice": add, "bob": add}
	x.always = func(ctx context.Context, db *dynamodb.Client) error {
		n, err := numberOf(ctx, db)
		if n == "9" {
			return errors.New("it is 9")
		}
		return err
	}
	report := x.run(`{` + two + `,"always":true}`)
	require.Len(t, report.Failures, 1, report.Text)
	assert.Equal(t, search.Invariant, report.Failures[0].Kind)
	assert.Contains(t, report.Failures[0].Text, "after request 1 of alice (UpdateItem): it is 9")

	x.always = func(ctx context.Context, db *dynamodb.Client) error {
		_, err := add(ctx, db)
		return err
	}
	report = x.run(`{` + two + `,"always":true}`)
	require.Len(t, report.Failures, 1, report.Text)
	assert.Contains(t, report.Failures[0].Text, "before the first request: ")
	assert.Contains(t, report.Failures[0].Text, "only reads: UpdateItem is refused")
}
