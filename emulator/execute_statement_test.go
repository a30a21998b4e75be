package emulator

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kugiri-db/kugiri/emulator/internal/where"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStatementsAnswerFailedConditionsWithTheItem(t *testing.T) {
	x := newItemTest(t)
	x.do("PutItem", `{"TableName":"plain","Item":{"pk":{"S":"a"},"n":{"N":"1"}}}`)
	for _, k := range []struct{ name, statement, want string }{
		{"update", `UPDATE plain SET n = 2 WHERE pk = 'a' AND n = 3`,
			` {"n":{"N":"1"},"pk":{"S":"a"}}`},
		{"delete", `DELETE FROM plain WHERE pk = 'a' AND n = 3`, ` {"n":{"N":"1"},"pk":{"S":"a"}}`},
		{"no item", `UPDATE plain SET n = 2 WHERE pk = 'b'`, ""},
	} {
		t.Run(k.name, func(t *testing.T) {
			answer := x.do("ExecuteStatement",
				`{"Statement":"`+k.statement+`","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`)
			assert.Equal(t,
				conditionFailed+k.want, answer)
		})
	}
}

// TestColumnsAreNamedByTheEndOfTheirPath: the service's names are unconfirmed.
func TestColumnsAreNamedByTheEndOfTheirPath(t *testing.T) {
	x := newItemTest(t)
	x.do("PutItem",
		`{"TableName":"plain","Item":{"pk":{"S":"a"},"m":{"M":{"l":{"L":[{"N":"1"},{"L":[{"N":"2"}]}]}}}}}`)
	for columns, want := range map[string]string{
		`m.l`:              `{"l":{"L":[{"N":"1"},{"L":[{"N":"2"}]}]}}`,
		`m.l[0]`:           `{"l[0]":{"N":"1"}}`,
		`m.l[1]`:           `{"l[1]":{"L":[{"N":"2"}]}}`,
		`m.l[1][0], pk`:    `{"l[1][0]":{"N":"2"},"pk":{"S":"a"}}`,
		`m.l[7], m.none.x`: `{}`,
	} {
		assert.Equal(t, `{"Items":[`+want+`]}`,
			x.do("ExecuteStatement",
				`{"Statement":"SELECT `+columns+` FROM plain WHERE pk = 'a'"}`), columns)
	}
}

// TestStatementsRespectTransactions: an item that a transaction is about to write
// is written by nobody else, nor read by another transaction.
func TestStatementsRespectTransactions(t *testing.T) {
	x := newItemTest(t)
	var write, read, batch string
	x.emulator = New(WithTransactionHook(func(string) {
		write = x.do("ExecuteStatement", `{"Statement":"UPDATE plain SET n = 2 WHERE pk = 'a'"}`)
		read = x.do("ExecuteTransaction",
			`{"TransactStatements":[{"Statement":"SELECT * FROM plain WHERE pk = 'a'"}]}`)
		batch = x.do("BatchExecuteStatement",
			`{"Statements":[{"Statement":"DELETE FROM plain WHERE pk = 'a'"}]}`)
	}))
	for _, table := range itemTables {
		x.do("CreateTable", table)
	}
	assert.Equal(t, `{"Responses":[]}`,
		x.do("ExecuteTransaction",
			`{"TransactStatements":[{"Statement":"INSERT INTO plain VALUE {'pk': 'a'}"}]}`))
	assert.Equal(t, "TransactionConflictException: Transaction is ongoing for the item", write)
	assert.True(t, strings.HasPrefix(read, "TransactionCanceledException: "), read)
	assert.Equal(t,
		`{"Responses":[{"Error":{"Code":"TransactionConflict","Message":"Transaction is ongoing for the item"},"TableName":"plain"}]}`, batch)
}

// FuzzExecuteStatement: whatever a statement says, by itself, in a batch or in a transaction, the
// answer is one of the service's and no failure of ours.
func FuzzExecuteStatement(f *testing.F) {
	for _, text := range []string{
		`SELECT sk, a.b[0] FROM "indexed"."gsi1" WHERE gh = 'p' AND (gr > 1 OR gr IN [0, -1]) ORDER BY gh DESC`,
		`UPDATE plain SET a = list_append(a, [1]) SET s = set_add(s, <<'x'>>) REMOVE b WHERE pk = 'a' AND size(a) = (b = 1)`,
		`FROM plain WHERE pk = 'a' AND attribute_exists(m.n) SET n = n + 1 RETURNING ALL NEW *`,
		`INSERT INTO plain VALUE {'pk': 'a', 'l': [1, {'x': <<2>>}]}`,
		`DELETE FROM plain WHERE pk IN ['a'] AND begins_with(pk)`,
		`EXISTS(SELECT * FROM plain WHERE pk = 'a' AND contains(a, begins_with()) IS NOT STRING)`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		quoted, err := json.Marshal(text)
		require.NoError(t, err)
		x := newItemTest(t)
		one := `{"Statement":` + string(quoted) + `}`
		for operation, body := range map[string]string{
			"ExecuteStatement": one, "ExecuteTransaction": `{"TransactStatements":[` + one + `]}`,
			"BatchExecuteStatement": `{"Statements":[` + one + `]}`,
		} {
			assert.NotContains(t, x.do(operation, body), "InternalServerError", "%s %s", operation,
				text)
		}
	})
}

// TestStatementsOfManyBranches: a clause whose branches multiply is refused.
func TestStatementsOfManyBranches(t *testing.T) {
	x := newItemTest(t)
	multiply := strings.Repeat(` AND (sk > '1' OR sk < '2')`, 60)
	assert.Equal(t, "ValidationException: "+string(where.ErrTooManyReads), x.do("ExecuteStatement",
		`{"Statement":"SELECT * FROM indexed WHERE pk = 'a'`+multiply+`"}`))
}
