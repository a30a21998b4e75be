package emulator

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Conditions and updates of one item do not overtake each other: every increment
// counts, and of the conditional writes for one version exactly one succeeds.
func TestConcurrentWrites(t *testing.T) {
	const writers, rounds = 8, 50
	x := newItemTest(t)
	x.put("plain", `{"pk":{"S":"a"},"n":{"N":"0"},"version":{"N":"0"}}`)
	won := make([]int, writers)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range rounds {
				x.want(`{}`, "UpdateItem",
					updatePlain+
						`,"UpdateExpression":"SET n = n + :one","ExpressionAttributeValues":{":one":{"N":"1"}}}`)
				answer := x.do(
					"UpdateItem", updatePlain+fmt.Sprintf(
						`,"UpdateExpression":"SET version = :next","ConditionExpression":"version = :this",`+
							`"ExpressionAttributeValues":{":this":{"N":"%d"},":next":{"N":"%d"}}}`,
						i,
						i+1))
				if answer == `{}` {
					won[w]++
				} else {
					assert.True(t, strings.HasPrefix(answer, "ConditionalCheckFailedException"),
						answer)
				}
			}
		}()
	}
	wg.Wait()
	total := 0
	for _, n := range won {
		total += n
	}
	x.wantItem(
		fmt.Sprintf(`{"pk":{"S":"a"},"n":{"N":"%d"},"version":{"N":"%d"}}`, writers*rounds, total),
		"plain", `{"pk":{"S":"a"}}`)
	assert.Positive(t, total)
}

// A batch is seen by readers as a whole or not at all.
func TestBatchWriteIsOneCommit(t *testing.T) {
	const n = 25
	x := newItemTest(t)
	batch := func(version int) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = fmt.Sprintf(`{"PutRequest":{"Item":{"pk":{"S":"%02d"},"v":{"N":"%d"}}}}`, i,
				version)
		}
		return `{"RequestItems":{"plain":[` + strings.Join(parts, ",") + `]}}`
	}
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf(`{"pk":{"S":"%02d"}}`, i)
	}
	get := `{"RequestItems":{"plain":{"Keys":[` + strings.Join(keys, ",") +
		`],"AttributesToGet":["v"]}}}`
	x.want(`{"UnprocessedItems":{}}`, "BatchWriteItem", batch(0))
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for version := range 50 {
			x.want(`{"UnprocessedItems":{}}`, "BatchWriteItem", batch(version))
		}
	}()
	for range 50 {
		answer := x.do("BatchGetItem", get)
		first, _, _ := strings.Cut(answer[strings.Index(answer, `{"v"`):], ",")
		first = strings.TrimRight(first, "]")
		assert.Equal(t, n, strings.Count(answer, first), answer)
	}
	wg.Wait()
}
