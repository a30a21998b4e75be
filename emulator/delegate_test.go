package emulator

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	keyA = "A/20260102/us-east-1"
	keyB = "B/20260102/us-east-1"
)

// tableNames is the answer to ListTables.
func tableNames(e *Emulator, scope string) string {
	return answerOf(e, rawRequest("ListTables", `{}`, scoped(scope))).Body.String()
}

func createAs(t *testing.T, e *Emulator, scope string) {
	w := answerOf(e, rawRequest("CreateTable", itemTables[0], scoped(scope)))
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
}

const (
	noTables  = `{"TableNames":[]}`
	thatTable = `{"TableNames":["plain"]}`
)

func TestDelegate(t *testing.T) {
	e := New()
	createAs(t, e, keyA)
	f := e.ForkAs("A", "B")
	assert.Equal(t, []string{"A"}, e.Inspect().AccessKeys())
	assert.Equal(t, []string{"B"}, f.Inspect().AccessKeys())

	e.Delegate("B", f)
	assert.Equal(t, thatTable, tableNames(e, keyB))
	assert.Equal(t, noTables, tableNames(e, "B/20260102/eu-west-1"))
	answerOf(e, rawRequest("DeleteTable", `{"TableName":"plain"}`, scoped(keyB)))
	assert.Equal(t, noTables, tableNames(e, keyB))
	assert.Equal(t, thatTable, tableNames(e, keyA))
	assert.NotContains(t, e.Inspect().AccessKeys(), "B", "e has not seen it")

	e.Delegate("C", f)
	e.Delegate("B", nil)
	e.Delegate("never", nil)
	createAs(t, e, keyB)
	assert.Equal(t, []string{"A", "B"}, e.Inspect().AccessKeys())
	e.Delegate("C", nil)
	assert.Nil(t, e.delegates.All())
}

func TestForkAsOfSharedData(t *testing.T) {
	e := New(WithSharedData())
	createAs(t, e, keyA)
	assert.True(t, e.Inspect().SharesData())
	assert.Equal(t, thatTable, tableNames(e.ForkAs("", "B"), keyB))
	assert.Empty(t, e.Inspect().AccessKeys())
}

func TestDelegatesExpire(t *testing.T) {
	now := time.Unix(1000, 0)
	e := New(WithClock(func() time.Time { return now }))
	x := &requestTest{T: t, emulator: e.Fork()}
	held := &requestTest{T: t, emulator: e.Fork(WithHeldClock(NewClock(now)))}
	for _, x := range []*requestTest{x, held} {
		x.do("CreateTable", ttlTable)
		x.do("UpdateTimeToLive",
			`{"TableName":"sessions","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`)
		x.put("sessions", `{"pk":{"S":"a"},"ttl":{"N":"1001"}}`)
	}
	e.Delegate("A", x.emulator)
	e.Delegate("B", held.emulator)
	now = time.Unix(1002, 0)
	e.delegates.expire()
	x.wantItem("", "sessions", `{"pk":{"S":"a"}}`)
	held.wantItem(`{"pk":{"S":"a"},"ttl":{"N":"1001"}}`, "sessions", `{"pk":{"S":"a"}}`)
}

func TestInitialData(t *testing.T) {
	seed := New()
	createAs(t, seed, keyA)
	answerOf(seed,
		rawRequest("PutItem", `{"TableName":"plain","Item":{"pk":{"S":"a"}}}`, scoped(keyA)))
	option := WithInitialData(seed, "A", "us-east-1")
	seed.Reset() // the reset comes later

	count := func(e *Emulator, scope string) string {
		return answerOf(e,
			rawRequest("Scan", `{"TableName":"plain","Select":"COUNT"}`,
				scoped(scope))).Body.String()
	}
	const one, none = `{"Count":1,"ScannedCount":1}`, `{"Count":0,"ScannedCount":0}`
	drop := func(e *Emulator, scope string) {
		answerOf(e,
			rawRequest("DeleteItem", `{"TableName":"plain","Key":{"pk":{"S":"a"}}}`, scoped(scope)))
	}
	e := New(option)
	drop(e, keyB)
	assert.Equal(t, none, count(e, keyB))
	assert.Equal(t, one, count(e, "B/20260102/eu-west-1"))
	f := e.Fork()
	assert.Equal(t, none, count(f, keyB))
	assert.Equal(t, one, count(f, "C/20260102/us-east-1"), "a fork has new access keys begin alike")
	assert.Equal(t, one, count(e.ForkAs("", "B"), keyB))
	e.Reset()
	assert.Equal(t, one, count(e, keyB))
	e.check(t)

	shared := New(option, WithSharedData())
	drop(shared, keyA)
	assert.Equal(t, none, count(shared, keyB))
}

func TestRoute(t *testing.T) {
	of := func(text string) Option {
		return WithRoute("/"+text+"/", func(*Emulator) http.Handler {
			return http.HandlerFunc(
				func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(text + r.URL.Path)) })
		})
	}
	e := New(of("a"), of("b"))
	for path, want := range map[string]string{
		"/a/x": "a/a/x", "/b/": "b/b/", "/c/": "<UnknownOperationException/>\n",
		"/a": "<UnknownOperationException/>\n",
	} {
		for _, e := range []*Emulator{e, e.Fork()} {
			r, err := http.NewRequest(http.MethodPost, "http://localhost"+path, http.NoBody)
			require.NoError(t, err)
			assert.Equal(t, want, answerOf(e, r).Body.String())
		}
	}
}

// Routes are made for the first request to them: forks are many, and most of them are asked for
// operations only.
func TestRoutesAreMadeWhenAsked(t *testing.T) {
	made := 0
	e := New(WithRoute("/a/", func(*Emulator) http.Handler {
		made++
		return http.NotFoundHandler()
	}))
	for _, e := range []*Emulator{e, e.Fork()} {
		made = 0
		assert.Equal(t, http.StatusOK, answerOf(e, rawRequest("ListTables", `{}`)).Code)
		assert.Zero(t, made)
		for range 2 {
			r, err := http.NewRequest(http.MethodGet, "http://localhost/a/", http.NoBody)
			require.NoError(t, err)
			assert.Equal(t, http.StatusNotFound, answerOf(e, r).Code)
			assert.Equal(t, 1, made)
		}
	}
}

// TestIntercept: a handler gets the calls of an access key, and nothing else.
func TestIntercept(t *testing.T) {
	e := New()
	createAs(t, e, keyA)
	e.Intercept("A", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusTeapot)
	}))
	call := func(scope string) int {
		return answerOf(e, rawRequest("ListTables", `{}`, scoped(scope))).Code
	}
	assert.Equal(t, http.StatusTeapot, call(keyA))
	assert.Equal(t, http.StatusOK, call(keyB))
	unsigned := rawRequest("ListTables", `{}`, scoped(keyA))
	unsigned.Header.Del("Authorization")
	assert.Equal(t, http.StatusBadRequest, answerOf(e, unsigned).Code)
	assert.Equal(t, thatTable, tableNames(e.Fork(), keyA), "forks intercept nothing")
	e.Intercept("A", nil)
	assert.Equal(t, thatTable, tableNames(e, keyA))
	assert.Nil(t, e.front.Intercepted.All())
	assert.False(t, e.Inspect().VerifiesSignatures())
	assert.True(t, New(WithCredentials(nil)).Inspect().VerifiesSignatures())
}
