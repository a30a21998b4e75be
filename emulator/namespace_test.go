package emulator

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// as sends a request with an access key.
func (x *requestTest) as(accessKey, operation, body string) string {
	w := answerOf(x.emulator, rawRequest(operation, body, scoped(accessKey+"/20260102/us-east-1")))
	return w.Body.String()
}

// TestAccessKeysThatLeaveNothing: the state of clients that change nothing is bounded, and the data
// of others stay.
func TestAccessKeysThatLeaveNothing(t *testing.T) {
	const tokenOnly = `{"ClientRequestToken":"t","TransactItems":[{"ConditionCheck":{"TableName":"plain","Key":{"pk":{"S":"a"}},"ConditionExpression":"attribute_not_exists(pk)"}}]}`
	seed := newItemTest(t)
	seed.put("plain", `{"pk":{"S":"a"}}`)
	for _, c := range []struct {
		name string
		open func(t *testing.T) *durableTest
		seed bool
	}{
		{"in memory",
			func(t *testing.T) *durableTest {
				return &durableTest{requestTest: &requestTest{T: t, emulator: New()}}
			}, false},
		{"durable", func(t *testing.T) *durableTest { return newDurableTest(t) }, false},
		{"seeded", func(t *testing.T) *durableTest {
			return &durableTest{
				requestTest: &requestTest{T: t,
					emulator: New(WithInitialData(seed.emulator, "AKIDEXAMPLE", "us-east-1"))},
			}
		}, true},
		{"durable and seeded", func(t *testing.T) *durableTest {
			return newDurableTest(t, WithInitialData(seed.emulator, "AKIDEXAMPLE", "us-east-1"))
		}, true},
		{"a fork", func(t *testing.T) *durableTest {
			return &durableTest{requestTest: &requestTest{T: t, emulator: New().Fork()}}
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := c.open(t)
			if !c.seed {
				require.Contains(t, x.as("own", "CreateTable", itemTables[0]), "TableDescription")
			}
			require.Equal(t, `{}`,
				x.as("own", "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"own"}}}`))
			if c.seed {
				require.Equal(t, `{}`,
					x.as("deleter", "DeleteItem", `{"TableName":"plain","Key":{"pk":{"S":"a"}}}`))
				require.Contains(t,
					x.as("tagger", "UpdateTimeToLive",
						`{"TableName":"plain","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}}`), "ttl")
			}
			for i := range 2*serve.MaxCached + 10 {
				key := fmt.Sprint("reader", i)
				require.Equal(t, c.seed, strings.Contains(x.as(key, "ListTables", `{}`), "plain"))
				if c.seed && i%1000 == 0 {
					require.Contains(t,
						x.as(key, "TransactWriteItems",
							strings.Replace(tokenOnly, `"a"`, `"none"`, 1)), `{}`)
				}
			}
			assert.LessOrEqual(t, len(x.emulator.service.Namespaces.Stores), serve.MaxCached+20)
			for range 2 {
				assert.Contains(t, x.as("own", "Scan", `{"TableName":"plain"}`), `{"S":"own"}`)
				if c.seed {
					assert.Contains(t, x.as("deleter", "Scan", `{"TableName":"plain"}`),
						`"Count":0`)
					assert.Contains(t,
						x.as("tagger", "DescribeTimeToLive", `{"TableName":"plain"}`), `"ttl"`)
					assert.Contains(t, x.as("new", "Scan", `{"TableName":"plain"}`), `"Count":1`)
				}
				if x.dir == "" {
					break
				}
				x.reopen()
				assert.Less(t, len(x.emulator.service.Namespaces.Stores), 20,
					"the journal has only what was changed")
			}
		})
	}
}

// TestTokensOfForgottenNamespaces: an access key that only sent a transaction is kept as long as
// its token, even after a snapshot, which moves tokens to memory that forks share.
func TestTokensOfForgottenNamespaces(t *testing.T) {
	clock := NewClock(time.Unix(1_800_000_000, 0))
	seed := newItemTest(t)
	x := &requestTest{
		T: t, emulator: New(WithHeldClock(clock),
			WithInitialData(seed.emulator, "AKIDEXAMPLE", "us-east-1")),
	}
	const check = `{"ClientRequestToken":"t","TransactItems":[{"ConditionCheck":{"TableName":"plain","Key":{"pk":{"S":"KEY"}},"ConditionExpression":"attribute_not_exists(pk)"}}]}`
	forget := func() {
		// the next new namespace prunes others
		x.emulator.service.Namespaces.Begun = serve.MaxCached
		x.as(fmt.Sprint("new at ", clock.Now().Unix()), "ListTables", `{}`)
	}
	require.Equal(t, `{}`, x.as("own", "TransactWriteItems", strings.Replace(check, "KEY", "a", 1)))
	x.emulator.Snapshot()
	forget()
	assert.Contains(t, x.as("own", "TransactWriteItems", strings.Replace(check, "KEY", "b", 1)),
		"IdempotentParameterMismatchException")
	clock.Advance(items.TokenLifetime)
	forget()
	assert.NotContains(t, x.emulator.service.Namespaces.Stores, "own/us-east-1")
}

// TestAccessKeysThatLeaveNoTable: a namespace whose tables are all deleted is forgotten like one
// without tables. One with a stream is kept.
func TestAccessKeysThatLeaveNoTable(t *testing.T) {
	const streamed = `{"TableName":"streamed","BillingMode":"PAY_PER_REQUEST","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},` +
		`"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`
	seed := newItemTest(t)
	seeded := WithInitialData(seed.emulator, "AKIDEXAMPLE", "us-east-1")
	for _, c := range []struct {
		name   string
		e      *Emulator
		forget bool
	}{
		{"in memory", New(), true},
		{"seeded", New(seeded), false}, // its tables would exist again
		{"durable", newDurableTest(t).emulator, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := &requestTest{T: t, emulator: c.e}
			for _, table := range []string{"plain", "sorted", "another"} {
				create := strings.Replace(itemTables[0], `"plain"`, `"`+table+`"`, 1)
				if !strings.Contains(x.as("gone", "ListTables", `{}`), `"`+table+`"`) {
					require.Contains(t, x.as("gone", "CreateTable", create), "TableDescription")
				}
			}
			require.Contains(t, x.as("streams", "CreateTable", streamed), "TableDescription")
			require.Contains(t, x.as("streams", "DeleteTable", `{"TableName":"streamed"}`),
				"TableDescription")
			var left struct{ TableNames []string }
			require.NoError(t, json.Unmarshal([]byte(x.as("gone", "ListTables", `{}`)), &left))
			for _, table := range left.TableNames {
				require.Contains(t, x.as("gone", "DeleteTable", `{"TableName":"`+table+`"}`),
					"TableDescription")
			}
			x.emulator.service.Namespaces.Begun = serve.MaxCached
			x.as("new", "ListTables", `{}`)
			assert.Equal(t, c.forget, x.emulator.service.Namespaces.Stores["gone/us-east-1"] == nil)
			assert.NotNil(t, x.emulator.service.Namespaces.Stores["streams/us-east-1"])
			assert.Equal(t, `{"TableNames":[]}`, x.as("gone", "ListTables", `{}`))
		})
	}
}

// TestNamespacesWhileTheyAreForgotten: no change is lost because its namespace is forgotten at the
// same time.
func TestNamespacesWhileTheyAreForgotten(t *testing.T) {
	x := &requestTest{T: t, emulator: New()}
	x.emulator.service.Namespaces.Begun = serve.MaxCached
	var all sync.WaitGroup
	const each = 200
	for worker := range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range each {
				x.emulator.service.Namespaces.Mu.Lock()
				// the next new namespace prunes others
				x.emulator.service.Namespaces.Begun = serve.MaxCached
				x.emulator.service.Namespaces.Mu.Unlock()
				x.as(fmt.Sprint("reader", worker, ".", i), "ListTables", `{}`)
				runtime.Gosched()
				assert.Contains(t,
					x.as(fmt.Sprint("writer", worker, ".", i%50), "CreateTable",
						strings.Replace(itemTables[0], "plain", fmt.Sprint("table", i), 1)),
					"TableDescription")
			}
		}()
	}
	all.Wait()
	for worker := range 4 {
		for i := range each {
			require.Contains(t, x.as(fmt.Sprint("writer", worker, ".", i%50), "ListTables", `{}`),
				fmt.Sprintf(`"table%d"`, i))
		}
	}
}

// TestLongAccessKey: AWS has no access keys of more than 128 characters.
func TestLongAccessKey(t *testing.T) {
	x := &requestTest{T: t, emulator: New()}
	assert.Equal(t, `{"TableNames":[]}`, x.as(strings.Repeat("A", 128), "ListTables", `{}`))
	for _, n := range []int{129, 60_000} {
		assert.Equal(t,
			`{"__type":"com.amazon.coral.service#UnrecognizedClientException","message":"The security token included in the request is invalid."}`,
			x.as(strings.Repeat("A", n), "ListTables", `{}`))
	}
	w := answerOf(x.emulator,
		rawRequest("ListTables", `{}`, scoped("A/20260102/"+strings.Repeat("r", 65))))
	assert.Contains(t, w.Body.String(),
		`InvalidSignatureException","message":"Credential should be scoped to a valid region. "`)
	assert.Len(t, x.emulator.service.Namespaces.Stores, 1)
}

// TestListOfNamespaces: what has tables is listed by access key, and once if all callers share it.
func TestListOfNamespaces(t *testing.T) {
	const users = `{"TableName":"users","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]}`
	accounts, err := iam.Parse(
		[]byte(`{"accessKeys":{"a":{"account":"111122223333"},"b":{"account":"444455556666"},"c":{"account":"111122223333"}}}`))
	require.NoError(t, err)
	for _, c := range []struct {
		name   string
		option Option
		want   []string
	}{
		{"by access key", WithAccountID("111122223333"), []string{"a/us-east-1", "b/us-east-1"}},
		{"by account", WithIAM(accounts), []string{"a/us-east-1", "b/us-east-1", "c/us-east-1"}},
		{"shared", WithSharedData(), []string{"/"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := &requestTest{T: t, emulator: New(c.option)}
			assert.Empty(t, x.emulator.Inspect().Namespaces())
			for _, key := range []string{"b", "a"} {
				x.as(key, "CreateTable", users)
			}
			x.as("c", "ListTables", `{}`)
			var got []string
			for _, n := range x.emulator.Inspect().Namespaces() {
				assert.Equal(t, 1, n.Tables)
				got = append(got, n.AccessKey+"/"+n.Region)
			}
			assert.Equal(t, c.want, got)
			for _, key := range []string{"a", "b"} {
				x.as(key, "DeleteTable", `{"TableName":"users"}`)
			}
			assert.Empty(t, x.emulator.Inspect().Namespaces())
		})
	}
}
