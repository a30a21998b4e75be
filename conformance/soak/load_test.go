package soak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/assert"
)

// The accounts. Transfers move money between them, so the sum stays the same.
const (
	accounts = 10
	money    = 1000
)

// load is the load of a round, and counts what it must leave in the tables.
type load struct {
	*soak
	client

	counted   atomic.Int64 // answered additions to the item "counted"
	attempted atomic.Int64 // attempted additions to the item "counted"
	whole     atomic.Int64 // additions to the item "whole", without waiting for answers
}

// workers returns the actions of the workers. Each goroutine repeats one.
func (l *load) workers() []func(*rand.Rand) {
	return []func(*rand.Rand){l.transfer, l.transfer, l.audit, l.write, l.write, l.write, l.read,
		l.read, l.count}
}

// must sends a request that must succeed, or fail with one of the allowed errors.
func (l *load) must(operation, body string, allowed ...string) []byte {
	answer, err := l.send(context.Background(), operation, body)
	var refused refusal
	if errors.As(err, &refused) {
		for _, reason := range allowed {
			if strings.Contains(string(refused), reason) {
				return nil
			}
		}
	}
	assert.NoError(l, err, body[:min(len(body), 200)])
	return answer
}

// transferBody moves an amount between two accounts, if the first has it.
func transferBody(r *rand.Rand) string {
	from, amount := r.IntN(accounts), 1+r.IntN(20)
	to := (from + 1 + r.IntN(accounts-1)) % accounts
	return fmt.Sprintf(`{"ClientRequestToken":"%x","TransactItems":[`+
		`{"Update":{"TableName":"accounts","Key":{"id":{"S":"%d"}},"UpdateExpression":"SET b = b - :a","ConditionExpression":"b >= :a","ExpressionAttributeValues":{":a":{"N":"%d"}}}},`+
		`{"Update":{"TableName":"accounts","Key":{"id":{"S":"%d"}},"UpdateExpression":"ADD b :a","ExpressionAttributeValues":{":a":{"N":"%[3]d"}}}}]}`,
		r.Uint64(), from, amount, to)
}

func (l *load) transfer(r *rand.Rand) {
	l.must("TransactWriteItems", transferBody(r), "ConditionalCheckFailed")
}

// audit checks the sum of the money.
func (l *load) audit(*rand.Rand) {
	var gets []string
	for i := range accounts {
		gets = append(gets,
			fmt.Sprintf(`{"Get":{"TableName":"accounts","Key":{"id":{"S":"%d"}}}}`, i))
	}
	var found struct{ Responses []struct{ Item account } }
	answer := l.must("TransactGetItems", `{"TransactItems":[`+strings.Join(gets, ",")+`]}`)
	if !assert.NoError(l, json.Unmarshal(answer, &found)) {
		return
	}
	sum := 0
	for _, r := range found.Responses {
		sum += r.Item.B.N
	}
	assert.Equal(l, money, sum)
}

// randomKey returns one of a few keys, so that workers use the same items.
func randomKey(r *rand.Rand) string {
	return fmt.Sprintf(`"pk":{"S":"p%d"},"sk":{"N":"%d"}`, r.IntN(4), r.IntN(50))
}

// randomItem returns an item that is sometimes in the index and sometimes large.
func randomItem(r *rand.Rand, key string) string {
	inIndex := ""
	if r.IntN(2) == 0 {
		inIndex = fmt.Sprintf(`,"g":{"S":"g%d"}`, r.IntN(3))
	}
	size := 10 << r.IntN(11)
	return fmt.Sprintf(`{%s,"n":{"N":"%d"},"v":{"S":"%s"}%s}`, key, r.IntN(1_000_000),
		strings.Repeat("v", size), inIndex)
}

func (l *load) write(r *rand.Rand) {
	switch r.IntN(5) {
	case 0, 1:
		l.must("PutItem", `{"TableName":"items","Item":`+randomItem(r, randomKey(r))+`}`)
	case 2:
		l.must("UpdateItem", fmt.Sprintf(
			`{"TableName":"items","Key":{%s},"UpdateExpression":"SET n = :n, g = :g REMOVE v","ReturnValues":"ALL_OLD",`+
				`"ExpressionAttributeValues":{":n":{"N":"%d"},":g":{"S":"g%d"}}}`, randomKey(r),
			r.IntN(1_000_000), r.IntN(3)))
	case 3:
		l.must("DeleteItem", fmt.Sprintf(`{"TableName":"items","Key":{%s}}`, randomKey(r)))
	case 4:
		puts := map[string]string{} // a request may have a key only once
		for range 10 {
			key := randomKey(r)
			puts[key] = `{"PutRequest":{"Item":` + randomItem(r, key) + `}}`
		}
		var all []string
		for _, put := range puts {
			all = append(all, put)
		}
		l.must("BatchWriteItem", `{"RequestItems":{"items":[`+strings.Join(all, ",")+`]}}`)
	}
}

func (l *load) read(r *rand.Rand) {
	switch r.IntN(3) {
	case 0:
		l.must("Query",
			fmt.Sprintf(
				`{"TableName":"items","KeyConditionExpression":"pk = :p AND sk > :s","ExpressionAttributeValues":{":p":{"S":"p%d"},":s":{"N":"%d"}}}`, r.IntN(4), r.IntN(50)))
	case 1:
		l.must("Query",
			fmt.Sprintf(
				`{"TableName":"items","IndexName":"by-g","Limit":%d,"KeyConditionExpression":"g = :g","ExpressionAttributeValues":{":g":{"S":"g%d"}}}`, 1+r.IntN(40), r.IntN(3)))
	case 2:
		l.must("Scan",
			fmt.Sprintf(
				`{"TableName":"items","FilterExpression":"n > :n","ExpressionAttributeValues":{":n":{"N":"%d"}}}`, r.IntN(1_000_000)))
	}
}

// addition adds one to an item.
func addition(id string) string {
	return `{"TableName":"accounts","Key":{"id":{"S":"` + id +
		`"}},"UpdateExpression":"ADD c :one","ExpressionAttributeValues":{":one":{"N":"1"}}}`
}

// count adds one to an item. Half of the time it soon cancels the request.
func (l *load) count(r *rand.Rand) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if r.IntN(2) == 0 {
		defer time.AfterFunc(time.Duration(r.IntN(2000))*time.Microsecond, cancel).Stop()
	}
	l.attempted.Add(1)
	_, err := l.send(ctx, "UpdateItem", addition("counted"))
	if err == nil {
		l.counted.Add(1)
	} else if ctx.Err() == nil {
		assert.NoError(l, err)
	}
}
