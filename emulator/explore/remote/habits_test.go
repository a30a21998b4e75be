package remote

import (
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

const table = `{"TableName": "numbers", "BillingMode": "PAY_PER_REQUEST",
	"AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}],
	"KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}]}`

func post(t *testing.T, to search.Sender, operation, body string) {
	r, err := http.NewRequest(http.MethodPost, "http://explore/", strings.NewReader(body))
	if assert.NoError(t, err) {
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		answer, err := to.Do(r)
		if assert.NoError(t, err) {
			assert.Equal(t, http.StatusOK, answer.StatusCode)
			answer.Body.Close()
		}
	}
}

// adds sends a request that adds to a number.
func adds(t *testing.T, client *search.WorkerClient, n string, done chan<- bool) {
	go func() {
		defer func() { done <- true }()
		post(t, client, "UpdateItem", `{"TableName": "numbers", "Key": {"k": {"S": "a"}}, "UpdateExpression":
			"SET n = :n", "ExpressionAttributeValues": {":n": {"N": "`+n+`"}}}`)
	}()
}

// end ends a worker after some of its requests.
func end(t *testing.T, x *Exploration, run int, worker string, done <-chan bool, requests int) {
	for range requests {
		<-done
	}
	_, err := x.Ended(run, worker, Result{})
	assert.NoError(t, err)
}

// TestFullHabits: what is known of a point is corrected also when there is no room for another, or
// the gate would wait there in each run for a request that does not come any more.
func TestFullHabits(t *testing.T) {
	h, known := habits{}, habit{worker: place{"0", 0}}
	for n := range maxHabits {
		h.remember(habit{worker: place{strconv.Itoa(n), 0}}, 2)
	}
	h.remember(known, 1)
	h.remember(habit{worker: place{"another", 0}}, 1)
	assert.Equal(t, 1, h[known])
	assert.Len(t, h, maxHabits)
}

// TestRequestsTogether: once a worker has had two requests wait at a time, the gate waits for the
// second after the same answers, however late it is.
func TestRequestsTogether(t *testing.T) {
	e := emulator.New()
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	post(t, e.HTTPClient("a", "us-east-1"), "CreateTable", table)
	s := &search.Search{Options: search.DefaultOptions(), Emulator: e, AccessKey: "a",
		Region: "us-east-1"}
	s.Naive = true
	x := Explore(e, s, Program{Workers: []Worker{{Name: "alice"}, {Name: "bob"}},
		Patience: time.Minute, Idle: time.Minute}, func() {})
	t.Cleanup(x.Close)
	late := 0
	for {
		step, err := x.Next(t.Context())
		require.NoError(t, err)
		if step.Do == Finish {
			require.NoError(t, step.Err)
			assert.Equal(t, 6, step.Report.Runs, "the orders of alice's two requests and bob's")
			assert.True(t, step.Report.Complete, "%s", step.Report)
			assert.Positive(t, late)
			return
		}
		require.Equal(t, Start, step.Do)
		gate, lives := x.host.run.Gate(), x.host.lives
		alice, bob := lives[place{"alice", 0}], lives[place{"bob", 0}]
		one, two := make(chan bool), make(chan bool)
		adds(t, bob.client, "3", one)
		adds(t, alice.client, "1", two)
		if step.Run > firstRuns {
			for gate.Waiting(alice.client)+gate.Waiting(bob.client) < 2 {
				runtime.Gosched()
			}
			assert.Equal(t, missing, x.host.presence(gate))
			late++
		}
		adds(t, alice.client, "2", two)
		go end(t, x, step.Run, "bob", one, 1)
		go end(t, x, step.Run, "alice", two, 2)
	}
}
