package emulator

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// leaving is the context of a client that goes after so many looks at it.
type leaving struct {
	context.Context
	looks atomic.Int64
}

func (l *leaving) Err() error {
	if l.looks.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestReadsWhoseClientHasGone: a long read looks at its client from time to time, and stops without
// an answer when the client has gone.
func TestReadsWhoseClientHasGone(t *testing.T) {
	const items = 10 * serve.Patience
	x := &requestTest{T: t, emulator: New()}
	x.do("CreateTable",
		tableRequest("table", defs("pk", "sk"), keySchema("pk", "sk"), onDemandBilling))
	for i := range items / 20 {
		puts := ""
		for j := range 20 {
			puts += fmt.Sprintf(
				`,{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"S":"%05d"},"m":{"M":{"n":{"N":"1"}}}}}}`, 20*i+j)
		}
		require.Equal(t, `{"UnprocessedItems":{}}`,
			x.do("BatchWriteItem", `{"RequestItems":{"table":[`+puts[1:]+`]}}`))
	}
	for _, c := range []struct{ name, operation, body string }{
		{"a filter of a Scan", "Scan", `{"TableName":"table","FilterExpression":"pk <> sk"}`},
		{"a projection of a Scan", "Scan", `{"TableName":"table","ProjectionExpression":"sk"}`},
		{"a filter of a Query", "Query",
			`{"TableName":"table","KeyConditionExpression":"pk = :a","FilterExpression":"m.n = :n",` +
				`"ExpressionAttributeValues":{":a":{"S":"a"},":n":{"N":"2"}}}`},
		{"a condition of a SELECT", "ExecuteStatement",
			`{"Statement":"SELECT * FROM \"table\" WHERE m.n = 2"}`},
		{"columns of a SELECT", "ExecuteStatement", `{"Statement":"SELECT m.n FROM \"table\""}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := &leaving{Context: context.Background()}
			answerTo := func(looks int64) (answer *httptest.ResponseRecorder) {
				client.looks.Store(looks)
				answer = httptest.NewRecorder()
				r := rawRequest(c.operation, c.body, scoped("AKIDEXAMPLE/20260102/us-east-1"))
				x.emulator.Handler().ServeHTTP(answer, r.WithContext(client))
				return answer
			}
			answer := answerTo(items)
			require.Equal(t, http.StatusOK, answer.Code, answer.Body)
			assert.Equal(t, int64(items-items/serve.Patience), client.looks.Load())
			assert.PanicsWithValue(t, http.ErrAbortHandler, func() { answerTo(4) })
			assert.Equal(t, int64(-1), client.looks.Load(), "it stops at once")
		})
	}
}

// TestSearchesWhoseClientHasGone: so does a search of vectors, which looks once for each block.
func TestSearchesWhoseClientHasGone(t *testing.T) {
	x := &requestTest{T: t, emulator: New()}
	x.do("CreateTable", tableRequest("table", defs("pk"), keySchema("pk"), onDemandBilling,
		`"VectorIndexes":[{"IndexName":"vix","VectorAttribute":{"AttributeName":"v"},"Dimensions":1,"DistanceFunction":"EUCLIDEAN","Projection":{"ProjectionType":"ALL"}}]`))
	for i := range 250 {
		puts := ""
		for j := range 20 {
			puts += fmt.Sprintf(
				`,{"PutRequest":{"Item":{"pk":{"S":"%05d"},"v":{"L":[{"N":"%d"}]}}}}`, 20*i+j, j)
		}
		require.Equal(t, `{"UnprocessedItems":{}}`,
			x.do("BatchWriteItem", `{"RequestItems":{"table":[`+puts[1:]+`]}}`))
	}
	client := &leaving{Context: context.Background()}
	search := func(looks int64) (code int) {
		client.looks.Store(looks)
		answer := httptest.NewRecorder()
		r := rawRequest("SearchVectors",
			`{"TableName":"table","IndexName":"vix","TopK":1,"SearchVector":[{"N":"1"}]}`,
			scoped("AKIDEXAMPLE/20260102/us-east-1"))
		x.emulator.Handler().ServeHTTP(answer, r.WithContext(client))
		return answer.Code
	}
	require.Equal(t, http.StatusOK, search(1000))
	assert.Less(t, client.looks.Load(), int64(1000-2), "it looks more than once")
	assert.PanicsWithValue(t, http.ErrAbortHandler, func() { search(1) })
	assert.Less(t, client.looks.Load(), int64(0))
}
