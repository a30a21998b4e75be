package emulator

import (
	"strings"
	"testing"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newLimitedTest has limits.
func newLimitedTest(t *testing.T, l Limits) *requestTest {
	x := &requestTest{T: t, emulator: New(WithLimits(l))}
	for _, table := range itemTables {
		answer := x.do("CreateTable", table)
		require.True(t, strings.HasPrefix(answer, "{"), answer)
	}
	return x
}

func TestScaledLimits(t *testing.T) {
	const one, two, three = `{"pk":{"S":"a"}}`, `{"pk":{"S":"b"}}`, `{"pk":{"S":"c"}}`
	keys := one + "," + two + "," + three
	put := func(i string) string { return `{"PutRequest":{"Item":` + i + `}}` }
	puts := put(one) + "," + put(two) + "," + put(three)
	get := func(k string) string { return `{"Get":{"TableName":"plain","Key":` + k + `}}` }
	for _, c := range []struct {
		name            string
		limits          Limits
		operation, body string
		want            string // a part of the answer
	}{
		{"keys of one table", Limits{BatchGetItems: 2}, "BatchGetItem",
			`{"RequestItems":{"plain":{"Keys":[` + keys + `]}}}`,
			"at 'RequestItems.plain.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 2"},
		{"keys of all tables", Limits{BatchGetItems: 2}, "BatchGetItem",
			`{"RequestItems":{"plain":{"Keys":[` + one + "," + two +
				`]},"ranged":{"Keys":[{"pk":{"S":"a"},"sk":{"N":"1"}}]}}}`,
			"ValidationException: Too many items requested for the BatchGetItem call"},
		{"as many keys as there may be", Limits{BatchGetItems: 3}, "BatchGetItem",
			`{"RequestItems":{"plain":{"Keys":[` + keys + `]}}}`, `"UnprocessedKeys":{}`},
		{"bytes of a BatchGetItem", Limits{BatchGetBytes: 5}, "BatchGetItem",
			`{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"stored1"}},{"pk":{"S":"stored2"}}]}}}`,
			`"UnprocessedKeys":{"plain":{"Keys":[{"pk":{"S":"stored2"}}]}}`},
		{"writes of one table", Limits{BatchWriteItems: 2}, "BatchWriteItem",
			`{"RequestItems":{"plain":[` + puts + `]}}`,
			"Map value must satisfy constraint: [Member must have length less than or equal to 2, Member must have length greater than or equal to 1]"},
		{"writes of all tables", Limits{BatchWriteItems: 2}, "BatchWriteItem",
			`{"RequestItems":{"plain":[` +
				put(one) + "," + put(two) + `],"ranged":[` + put(
				`{"pk":{"S":"a"},"sk":{"N":"1"}}`) + `]}}`,
			"ValidationException: Too many items requested for the BatchWriteItem call"},
		{"actions", Limits{TransactItems: 2}, "TransactGetItems",
			`{"TransactItems":[` + get(one) + "," + get(two) + "," + get(three) + `]}`,
			"at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 2"},
		{"bytes of a transaction", Limits{TransactBytes: 10}, "TransactGetItems",
			`{"TransactItems":[` +
				get(`{"pk":{"S":"stored1"}}`) + "," + get(`{"pk":{"S":"stored2"}}`) + `]}`,
			"ValidationException: Aggregated size of the items in the transaction exceeds the limit of 10 bytes"},
		{"statements of a batch", Limits{BatchStatements: 1}, "BatchExecuteStatement",
			`{"Statements":[{"Statement":"a"},{"Statement":"b"}]}`,
			"at 'statements' failed to satisfy constraint: Member must have length less than or equal to 1"},
		{"statements of a transaction", Limits{TransactItems: 1}, "ExecuteTransaction",
			`{"TransactStatements":[{"Statement":"a"},{"Statement":"b"}]}`,
			"at 'transactStatements' failed to satisfy constraint: Member must have length less than or equal to 1"},
		{"an item", Limits{ItemBytes: 10}, "PutItem",
			`{"TableName":"plain","Item":{"pk":{"S":"123456789"}}}`,
			tooLargeItem},
		{"a page", Limits{PageBytes: 5}, "Scan", `{"TableName":"plain"}`,
			`"Count":1,"ScannedCount":1,"LastEvaluatedKey":`},
		{"a body", Limits{BodyBytes: 20}, "Scan", `{"TableName":"plain"}`,
			"RequestEntityTooLargeException"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := newLimitedTest(t, Limits{})
			x.put("plain", `{"pk":{"S":"stored1"}}`)
			x.put("plain", `{"pk":{"S":"stored2"}}`)
			x.emulator = x.emulator.Fork(WithLimits(c.limits))
			assert.Contains(t, x.do(c.operation, c.body), c.want)
		})
	}
}

func TestLimitsThatAreNotGiven(t *testing.T) {
	e := New(WithLimits(Limits{PageBytes: 1}), WithLimits(Limits{ItemBytes: 2}))
	want := serve.StandardLimits
	want.PageBytes, want.ItemBytes = 1, 2
	assert.Equal(t, want, e.service.Limits)
	assert.Nil(t, e.service.Validator)
	assert.PanicsWithValue(t, "emulator: the limit ItemBytes is negative: -1",
		func() { New(WithLimits(Limits{ItemBytes: -1})) })
}
