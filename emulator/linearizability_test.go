package emulator

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The test checks histories of operations on registers, which are items with a number. linear is
// one such operation. It can be sent as a request and applied to the model.
type linear struct {
	kind string // see linearKinds
	keys [3]int
	n    int // the number to write
	old  int // the number that a condition expects; 0: no item
}

// registers are the model's state: numbers by key, 0 for no item.
type registers [4]int

// linearResult is the result of an operation: whether it succeeded, and the numbers that it read.
type linearResult struct {
	done bool
	read [3]int
}

// linearKinds has the request of each kind of operation and its effect on the model.
var linearKinds = map[string]struct {
	operation string
	body      func(o linear) string
	apply     func(s registers, o linear) (registers, linearResult)
}{
	"put": {"PutItem", func(o linear) string { return `{"TableName":"plain",` + o.item(0) + `}` },
		func(s registers, o linear) (registers, linearResult) {
			s[o.keys[0]] = o.n
			return s, linearResult{done: true}
		}},
	"compare and swap": {"UpdateItem", func(o linear) string { return o.swap(0) },
		func(s registers, o linear) (registers, linearResult) { return swapAll(s, o, 1) }},
	"delete": {"DeleteItem",
		func(o linear) string { return `{"TableName":"plain",` + o.key(0) + `}` },
		func(s registers, o linear) (registers, linearResult) {
			s[o.keys[0]] = 0
			return s, linearResult{done: true}
		}},
	"get": {"GetItem",
		func(o linear) string {
			return `{"TableName":"plain","ConsistentRead":true,` + o.key(0) + `}`
		},
		func(s registers, o linear) (registers, linearResult) {
			return s, linearResult{done: true, read: [3]int{s[o.keys[0]]}}
		}},
	"transaction": {"TransactWriteItems", func(o linear) string {
		return `{"TransactItems":[{"Update":` + o.swap(0) + `},{"Put":{"TableName":"plain",` +
			o.item(1) + `}},{"ConditionCheck":{"TableName":"plain",` +
			o.key(2) + `,` + o.condition() + `}}]}`
	}, func(s registers, o linear) (registers, linearResult) {
		if s[o.keys[2]] != o.old {
			return s, linearResult{}
		}
		s, result := swapAll(s, o, 1)
		if result.done {
			s[o.keys[1]] = o.n
		}
		return s, result
	}},
	"read transaction": {"TransactGetItems", func(o linear) string {
		var gets []string
		for i := range o.keys {
			gets = append(gets, `{"Get":{"TableName":"plain",`+o.key(i)+`}}`)
		}
		return `{"TransactItems":[` + strings.Join(gets, ",") + `]}`
	}, func(s registers, o linear) (registers, linearResult) {
		return s, linearResult{done: true, read: [3]int{s[o.keys[0]], s[o.keys[1]], s[o.keys[2]]}}
	}},
}

func (o linear) key(i int) string { return fmt.Sprintf(`"Key":{"pk":{"S":"%d"}}`, o.keys[i]) }
func (o linear) item(i int) string {
	return fmt.Sprintf(`"Item":{"pk":{"S":"%d"},"n":{"N":"%d"}}`, o.keys[i], o.n)
}

// swap sets key i to n if it is old.
func (o linear) swap(i int) string {
	condition := strings.Replace(o.condition(), `{":old"`,
		fmt.Sprintf(`{":n":{"N":"%d"},":old"`, o.n), 1)
	return `{"TableName":"plain",` + o.key(i) + `,"UpdateExpression":"SET n = :n",` +
		condition + `}`
}

// condition expects old. 0 means no item.
func (o linear) condition() string {
	return fmt.Sprintf(
		`"ConditionExpression":"n = :old OR attribute_not_exists(pk) AND :old = :zero","ExpressionAttributeValues":{":old":{"N":"%d"},":zero":{"N":"0"}}`, o.old)
}

// swapAll applies a compare-and-swap of the first n keys to the model.
func swapAll(s registers, o linear, n int) (registers, linearResult) {
	for _, k := range o.keys[:n] {
		if s[k] != o.old {
			return s, linearResult{}
		}
		s[k] = o.n
	}
	return s, linearResult{done: true}
}

// result parses an answer. The only allowed errors are failed conditions.
func (o linear) result(t *testing.T, answer string) linearResult {
	if !strings.HasPrefix(answer, "{") {
		failed := strings.HasPrefix(answer, "ConditionalCheckFailedException: ") ||
			strings.HasPrefix(answer, "TransactionCanceledException: ") &&
				strings.Contains(answer, "ConditionalCheckFailed")
		assert.True(t, failed, answer)
		return linearResult{}
	}
	type found struct {
		Item struct {
			N struct {
				N int `json:",string"`
			} `json:"n"`
		}
	}
	var got struct {
		found
		Responses []found
	}
	assert.NoError(t, json.Unmarshal([]byte(answer), &got), answer)
	result := linearResult{done: true, read: [3]int{got.Item.N.N}}
	for i, r := range got.Responses {
		result.read[i] = r.Item.N.N
	}
	return result
}

// linearModel is the model in the form of porcupine.
var linearModel = porcupine.Model{
	Init: func() any { return registers{} },
	Step: func(state, input, output any) (bool, any) {
		o := input.(linear)
		next, want := linearKinds[o.kind].apply(state.(registers), o)
		return want == output.(linearResult), next
	},
}

// linearHistory makes clients send random operations concurrently and records the results.
func linearHistory(t *testing.T, e *Emulator, clients, each int,
	seed uint64) []porcupine.Operation {
	kinds := []string{"compare and swap", "delete", "get", "put", "read transaction", "transaction",
		"transaction"}
	var clock atomic.Int64
	var wg sync.WaitGroup
	histories := make([][]porcupine.Operation, clients)
	for client := range clients {
		wg.Add(1)
		go func() {
			defer wg.Done()
			x := &requestTest{T: t, emulator: e}
			random := rand.New(rand.NewPCG(seed, uint64(client)))
			for range each {
				o := linear{
					kind: kinds[random.IntN(len(kinds))], n: 1 + random.IntN(3),
					old: random.IntN(4),
				}
				copy(o.keys[:], random.Perm(len(registers{})))
				kind := linearKinds[o.kind]
				body := kind.body(o)
				call := clock.Add(1)
				answer := x.do(kind.operation, body)
				end := clock.Add(1)
				histories[client] = append(histories[client],
					porcupine.Operation{
						ClientId: client, Input: o, Call: call, Output: o.result(t, answer),
						Return: end,
					})
			}
		}()
	}
	wg.Wait()
	var all []porcupine.Operation
	for _, h := range histories {
		all = append(all, h...)
	}
	return all
}

// TestLinearizable: concurrent puts, conditional updates, deletions, transactions and consistent
// reads behave as if each happened at one point in time between its request and its answer.
func TestLinearizable(t *testing.T) {
	kinds := map[string]int{} // those that succeed: in one history all transactions may conflict
	for seed := range uint64(20) {
		x := newTransactTest(t)
		history := linearHistory(t, x.emulator, 6, 60, seed)
		for _, o := range history {
			if o.Output.(linearResult).done {
				kinds[o.Input.(linear).kind]++
			}
		}
		result := porcupine.CheckOperationsTimeout(linearModel, history, time.Minute)
		require.Equal(t, porcupine.Ok, result, "seed %d", seed)
	}
	require.Len(t, kinds, len(linearKinds), "each kind of operation succeeds at times: %v", kinds)
}

// TestLinearModelFindsFaults: the model rejects a history in which a read sees a part of a
// transaction, and one with a stale read.
func TestLinearModelFindsFaults(t *testing.T) {
	write := linear{kind: "transaction", keys: [3]int{0, 1, 2}, n: 3}
	done := linearResult{done: true}
	op := func(call, end int64, o linear, r linearResult) porcupine.Operation {
		return porcupine.Operation{Input: o, Call: call, Output: r, Return: end}
	}
	get := func(key, n int) (linear, linearResult) {
		return linear{kind: "get", keys: [3]int{key}}, linearResult{done: true, read: [3]int{n}}
	}
	all := linear{kind: "read transaction", keys: [3]int{0, 1, 2}}
	stale, nothing := get(1, 0)
	for name, tc := range map[string]struct {
		history []porcupine.Operation
		ok      bool
	}{
		"read after": {
			[]porcupine.Operation{op(1, 2, write, done),
				op(3, 4, all, linearResult{true, [3]int{3, 3, 0}})}, true,
		},
		"read during, before": {
			[]porcupine.Operation{op(1, 4, write, done), op(2, 3, all, linearResult{done: true})},
			true,
		},
		"half of it": {
			[]porcupine.Operation{op(1, 4, write, done),
				op(2, 3, all, linearResult{true, [3]int{3, 0, 0}})}, false,
		},
		"stale read": {
			[]porcupine.Operation{op(1, 2, write, done), op(3, 4, stale, nothing)}, false,
		},
		"done though the check fails": {
			[]porcupine.Operation{op(1, 2, write, done), op(3, 4, write, done)}, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tc.ok, porcupine.CheckOperations(linearModel, tc.history))
		})
	}
}
