package conformance

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestAtomicCounter: Developer Guide, Working with items, Atomic counters.
func TestAtomicCounter(t *testing.T) {
	t.Parallel()
	pk, workers, each := newKey(), 8, 25
	body := expand(t,
		`{"TableName":"@hash","Key":{"pk":{"S":"`+pk+
			`"}},"UpdateExpression":"SET a = if_not_exists(a, :z) + :o ADD b :o","ExpressionAttributeValues":{":z":{"N":"0"},":o":{"N":"1"}}}`, "")
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range each {
				_, err := send("UpdateItem", body, false)
				assert.NoError(t, err)
			}
		})
	}
	wg.Wait()
	answer := call(t, "GetItem",
		`{"TableName":"@hash","ConsistentRead":true,"Key":{"pk":{"S":"`+pk+`"}}}`)
	want := fmt.Sprint(workers * each)
	assert.Equal(t, []string{want, want},
		[]string{textAt(t, answer["Item"], "a"), textAt(t, answer["Item"], "b")})
}

// TestOneWinner: Developer Guide, Condition expressions, Conditional put: of several clients that
// create an item one succeeds.
func TestOneWinner(t *testing.T) {
	t.Parallel()
	pk := newKey()
	var winners atomic.Int64
	var wg sync.WaitGroup
	for i := range 16 {
		body := expand(t,
			fmt.Sprintf(
				`{"TableName":"@hash","Item":{"pk":{"S":"%s"},"who":{"N":"%d"}},"ConditionExpression":"attribute_not_exists(pk)"}`, pk, i), "")
		wg.Go(func() {
			if _, err := send("PutItem", body, false); err == nil {
				winners.Add(1)
			} else {
				assertError(t, conditionFailed, err, body)
			}
		})
	}
	wg.Wait()
	assert.EqualValues(t, 1, winners.Load())
}
