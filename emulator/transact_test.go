package emulator

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newTransactTest makes a requestTest of an emulator with options.
func newTransactTest(t *testing.T, opts ...Option) *requestTest {
	x := &requestTest{T: t, emulator: New(opts...)}
	for _, table := range itemTables {
		answer := x.do("CreateTable", table)
		require.True(t, strings.HasPrefix(answer, "{"), answer)
	}
	return x
}

const canceledText = "TransactionCanceledException: "

// held is an emulator in which transactions with the token "held" stay open.
type heldTest struct {
	*requestTest
	opened, close chan struct{}
}

func newHeldTest(t *testing.T) *heldTest {
	h := &heldTest{opened: make(chan struct{}), close: make(chan struct{})}
	h.requestTest = newTransactTest(t, WithTransactionHook(func(token string) {
		if token == "held" {
			h.opened <- struct{}{}
			<-h.close
		}
	}))
	return h
}

// hold begins a transaction and returns once it is open; what it returns ends
// the transaction and gives its answer.
func (h *heldTest) hold(actions string) (end func() string) {
	answer := make(chan string)
	go func() {
		answer <- h.do("TransactWriteItems",
			`{"ClientRequestToken":"held","TransactItems":[`+actions+`]}`)
	}()
	<-h.opened
	return func() string {
		h.close <- struct{}{}
		return <-answer
	}
}

// heldActions use each kind of action; their items are {"pk":"put"} and so on.
const heldActions = `{"Put":{"TableName":"plain","Item":{"pk":{"S":"put"},"a":{"N":"2"}}}},
	{"Update":{"TableName":"plain","Key":{"pk":{"S":"update"}},"UpdateExpression":"SET a = :v","ExpressionAttributeValues":{":v":{"N":"2"}}}},
	{"Delete":{"TableName":"plain","Key":{"pk":{"S":"delete"}}}},
	{"ConditionCheck":{"TableName":"plain","Key":{"pk":{"S":"check"}},"ConditionExpression":"attribute_exists(pk)"}}`

func TestOpenTransactionConflicts(t *testing.T) {
	h := newHeldTest(t)
	for _, pk := range []string{"put", "update", "delete", "check", "free"} {
		h.put("plain", `{"pk":{"S":"`+pk+`"},"a":{"N":"1"}}`)
	}
	end := h.hold(heldActions)
	const conflict = "TransactionConflictException: Transaction is ongoing for the item"
	refused := func(codes string) string {
		return canceledText +
			"Transaction cancelled, please refer cancellation reasons for specific reasons [" +
			codes + "]"
	}
	before := h.stored()
	for _, pk := range []string{"put", "update", "delete", "check"} {
		h.Run(pk, func(t *testing.T) {
			x := &requestTest{T: t, emulator: h.emulator}
			key := `"TableName":"plain","Key":{"pk":{"S":"` + pk + `"}}`
			item := `"Item":{"pk":{"S":"` + pk + `"}}`
			x.want(conflict, "PutItem", `{"TableName":"plain",`+item+`}`)
			x.want(conflict, "DeleteItem", `{`+key+`}`)
			x.want(conflict, "UpdateItem", `{`+key+`,"UpdateExpression":"REMOVE a"}`)
			x.want(conflict, "UpdateItem",
				`{`+key+`,"UpdateExpression":"REMOVE a","ConditionExpression":"attribute_not_exists(pk)"}`)
			free := `{"Update":{"TableName":"plain","Key":{"pk":{"S":"free"}},"UpdateExpression":"REMOVE a"}}`
			x.want(refused("None, TransactionConflict"), "TransactWriteItems",
				`{"TransactItems":[`+free+`,{"Delete":{`+key+`}}]}`)
			x.want(refused("TransactionConflict, None"), "TransactGetItems",
				`{"TransactItems":[{"Get":{`+key+
					`}},{"Get":{"TableName":"plain","Key":{"pk":{"S":"free"}}}}]}`)
			x.want(`{"UnprocessedItems":{"plain":[{"PutRequest":{`+item+`}}]}}`, "BatchWriteItem",
				`{"RequestItems":{"plain":[{"PutRequest":{`+item+`}}]}}`)
			x.wantItem(`{"pk":{"S":"`+pk+`"},"a":{"N":"1"}}`, "plain", `{"pk":{"S":"`+pk+`"}}`)
		})
	}
	assert.Equal(h, before, h.stored(), "reads see what was before, and nothing else was written")
	h.want("TransactionInProgressException: "+serve.ErrTokenOpen.Message, "TransactWriteItems",
		`{"ClientRequestToken":"held","TransactItems":[`+heldActions+`]}`)
	h.put("ranged", `{"pk":{"S":"put"},"sk":{"N":"1"}}`) // the key is held in another table only
	assert.Equal(h, `{}`, end())
	h.wantItem(`{"pk":{"S":"put"},"a":{"N":"2"}}`, "plain", `{"pk":{"S":"put"}}`)
	h.wantItem(`{"pk":{"S":"update"},"a":{"N":"2"}}`, "plain", `{"pk":{"S":"update"}}`)
	h.wantItem("", "plain", `{"pk":{"S":"delete"}}`)
	h.put("plain", `{"pk":{"S":"check"}}`) // released
	h.want(`{}`, "TransactWriteItems",
		`{"ClientRequestToken":"held","TransactItems":[`+heldActions+`]}`)
}

func TestTransactionThatFailsIsNotHeld(t *testing.T) {
	called := 0
	x := newTransactTest(t, WithTransactionHook(func(string) { called++ }))
	x.want(canceledText+
		"Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]", "TransactWriteItems",
		`{"TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"a"}}}},{"Delete":{"TableName":"plain","Key":{"pk":{"S":"b"}},"ConditionExpression":"attribute_exists(pk)"}}]}`)
	assert.Zero(t, called)
	x.put("plain", `{"pk":{"S":"a"}}`)
	x.want(`{}`, "TransactWriteItems",
		`{"TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"b"}}}}]}`)
	assert.Equal(t, 1, called)
}

// TestHookMaySendRequests: also ones of the transaction's own items.
func TestHookMaySendRequests(t *testing.T) {
	var x *requestTest
	var seen string
	x = newTransactTest(t, WithTransactionHook(func(string) {
		seen = x.do("DeleteItem", `{"TableName":"plain","Key":{"pk":{"S":"a"}}}`)
	}))
	x.want(`{}`, "TransactWriteItems",
		`{"TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"a"}}}}]}`)
	assert.Equal(t, "TransactionConflictException: Transaction is ongoing for the item", seen)
}

// TestHookThatPanics: the request fails, and nothing is held any more.
func TestHookThatPanics(t *testing.T) {
	x := newTransactTest(t, WithTransactionHook(func(string) { panic("hook") }),
		WithLogger(slog.New(slog.DiscardHandler)))
	answer := x.do("TransactWriteItems",
		`{"ClientRequestToken":"t","TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"a"}}}}]}`)
	assert.Contains(t, answer, "InternalServerError")
	x.wantItem("", "plain", `{"pk":{"S":"a"}}`)
	x.put("plain", `{"pk":{"S":"a"}}`)
}

// TestTableThatGoesWhileItIsHeld: the transaction cannot be committed any more.
func TestTableThatGoesWhileItIsHeld(t *testing.T) {
	h := newHeldTest(t)
	end := h.hold(`{"Put":{"TableName":"plain","Item":{"pk":{"S":"a"}}}}`)
	h.do("DeleteTable", `{"TableName":"plain"}`)
	assert.Equal(t, noSuchTable, end())
}

func TestTokensExpire(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	x := newTransactTest(t, WithClock(func() time.Time { return now }))
	add := func(token string) string {
		return fmt.Sprintf(
			`{"ClientRequestToken":%q,"TransactItems":[{"Update":{"TableName":"plain","Key":{"pk":{"S":"n"}},`+
				`"UpdateExpression":"ADD n :one","ExpressionAttributeValues":{":one":{"N":"1"}}}}]}`,
			token)
	}
	counted := func(n string) {
		t.Helper()
		x.wantItem(`{"pk":{"S":"n"},"n":{"N":"`+n+`"}}`, "plain", `{"pk":{"S":"n"}}`)
	}
	x.want(`{}`, "TransactWriteItems", add("a"))
	now = now.Add(items.TokenLifetime - time.Nanosecond)
	x.want(`{}`, "TransactWriteItems", add("a"))
	counted("1")
	x.want(`{}`, "TransactWriteItems", add("b"))
	now = now.Add(time.Nanosecond) // a replay does not make a token last longer
	x.want(`{}`, "TransactWriteItems", add("a"))
	counted("3")
	x.want(`{}`, "TransactWriteItems", add("a"))
	x.want(`{}`, "TransactWriteItems", add("b"))
	counted("3")
	now = now.Add(items.TokenLifetime)
	x.want(`{}`, "TransactWriteItems", add("a"))
	counted("4")
}

// TestTokenFingerprint: what makes another request of a request.
func TestTokenFingerprint(t *testing.T) {
	const put = `{"Put":{"TableName":"plain","Item":{"pk":{"S":"a"},"b":{"N":"1.0"}}}}`
	const first = `{"ClientRequestToken":"%s","TransactItems":[` + put + `]}`
	for _, tc := range []struct {
		name, again string
		same        bool
	}{
		{"the same", first, true},
		{"attributes in another order, equal numbers, spaces",
			`{"TransactItems": [ {"Put":{"Item":{"b":{"N":"1"},"pk":{"S":"a"}},"TableName":"plain"}} ], "ClientRequestToken":"%s"}`, true},
		{"another value",
			`{"ClientRequestToken":"%s","TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"a"},"b":{"N":"2"}}}}]}`, false},
		{"another table",
			`{"ClientRequestToken":"%s","TransactItems":[{"Put":{"TableName":"ranged","Item":{"pk":{"S":"a"},"b":{"N":"1.0"}}}}]}`, false},
		{"another action",
			`{"ClientRequestToken":"%s","TransactItems":[{"Delete":{"TableName":"plain","Key":{"pk":{"S":"a"}}}}]}`, false},
		{"one more action",
			`{"ClientRequestToken":"%s","TransactItems":[` + put +
				`,{"Put":{"TableName":"plain","Item":{"pk":{"S":"b"}}}}]}`, false},
		{"a condition",
			`{"ClientRequestToken":"%s","TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"a"},"b":{"N":"1.0"}},"ConditionExpression":"attribute_exists(pk)"}}]}`, false},
		{"another ReturnConsumedCapacity",
			`{"ClientRequestToken":"%s","ReturnConsumedCapacity":"NONE","TransactItems":[` +
				put + `]}`, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x := newTransactTest(t)
			x.want(`{}`, "TransactWriteItems", fmt.Sprintf(first, "a"))
			want := `{}`
			if !tc.same {
				want = "IdempotentParameterMismatchException: " + items.ErrTokenReused.Message
			}
			x.want(want, "TransactWriteItems", fmt.Sprintf(tc.again, "a"))
		})
	}
}

// TestAnswersOfTransactionErrors: whole bodies, member by member.
func TestAnswersOfTransactionErrors(t *testing.T) {
	reasons := apierr.Cancellation{Actions: 2}
	require.NoError(t,
		reasons.Add(1,
			&apierr.Error{Type: apierr.ConditionFailed, Message: "m", Item: `{"a":{"S":"b"}}`}))
	for _, tc := range []struct {
		name string
		err  error
		want string
	}{
		{"canceled", reasons.Canceled(),
			`{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",` +
				`"Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]",` +
				`"CancellationReasons":[{"Code":"None"},{"Code":"ConditionalCheckFailed","Item":{"a":{"S":"b"}},"Message":"m"}]}`},
		{"conflict", serve.ErrConflict,
			`{"__type":"com.amazonaws.dynamodb.v20120810#TransactionConflictException","message":"Transaction is ongoing for the item"}`},
		{"in progress", serve.ErrTokenOpen,
			`{"__type":"com.amazonaws.dynamodb.v20120810#TransactionInProgressException","Message":"Transaction from previous request is still in progress"}`},
		{"mismatch", items.ErrTokenReused,
			`{"__type":"com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException",` +
				`"Message":"Specified idempotent token was used with different request parameters within the idempotency window"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.want, string(bytes.TrimSpace(apierr.As(tc.err).Append(nil))))
		})
	}
	assert.NoError(t, (&apierr.Cancellation{Actions: 2}).Canceled())
	assert.Equal(t, serve.ErrNotFound, reasons.Add(0, serve.ErrNotFound), "no reason")
}

// TestCollectionLimitInATransaction: one action alone may be fine, both are not.
func TestCollectionLimitInATransaction(t *testing.T) {
	x := newTransactTest(t, WithLimits(Limits{CollectionBytes: 100}))
	put := func(sk string) string {
		return `{"Put":{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"` + sk +
			`"},"text":{"S":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}}}`
	}
	x.want(`{}`, "TransactWriteItems", `{"TransactItems":[`+put("1")+`]}`)
	x.want(canceledText+
		"Transaction cancelled, please refer cancellation reasons for specific reasons [None, ItemCollectionSizeLimitExceeded]",
		"TransactWriteItems", `{"TransactItems":[`+put("1")+`,`+put("2")+`]}`)
}

// TestTransactionIsOneCommit: its changes reach listeners together.
func TestTransactionIsOneCommit(t *testing.T) {
	e := New()
	c := &serve.Call{
		Service: e.service,
		Data:    e.service.NewAccountData(storage.New(storage.Options{Now: e.service.Clock})),
		Owner:   arn.Owner{Account: e.service.Account, Region: "us-east-1"},
	}
	c.Store = c.Data.Store
	_, err := serveOperation(c, "CreateTable", itemTables[0], nil)
	require.NoError(t, err)
	var commits []int
	defer c.Store.Listen(
		func(changes []storage.Change) { commits = append(commits, len(changes)) })()
	c.Operation = operationsByTarget["DynamoDB_20120810.TransactWriteItems"]
	serve := c.Operation.Serve
	_, err = serve(c,
		`{"ClientRequestToken":"t","TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"a"}}}},{"Put":{"TableName":"plain","Item":{"pk":{"S":"b"}}}}]}`, nil)
	require.NoError(t, err)
	_, err = serve(c,
		`{"TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"c"}}}},{"Delete":{"TableName":"plain","Key":{"pk":{"S":"b"}},"ConditionExpression":"attribute_not_exists(pk)"}}]}`, nil)
	require.Error(t, err)
	assert.Equal(t, []int{2}, commits)
}
