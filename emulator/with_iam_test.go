package emulator

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/iam"
)

const unknownClient = `{"__type":"com.amazon.coral.service#UnrecognizedClientException","message":"The security token included in the request is invalid."}`

// twoAccounts has the access keys A1 and A2 of one account, and B1 of another.
func twoAccounts(t *testing.T) *iam.Directory {
	d, err := iam.Parse([]byte(`{"accessKeys":{
		"A1":{"account":"111122223333","user":"alice","policies":["all"]},
		"A2":{"account":"111122223333","role":"app","session":"run-1","policies":["all"]},
		"B1":{"account":"444455556666"}},
		"policies":{"all":` + policyOf(allow("*", "*")) + `}}`))
	require.NoError(t, err)
	return d
}

// TestAccountsOwnTables: access keys of an account see the same tables, those of another do not,
// and those of none are refused.
func TestAccountsOwnTables(t *testing.T) {
	x := newDurableTest(t, WithIAM(twoAccounts(t)))
	require.Contains(t, x.as("A1", "CreateTable", itemTables[0]),
		"arn:aws:dynamodb:us-east-1:111122223333:table/plain")
	for range 2 {
		assert.Equal(t, thatTable, x.as("A2", "ListTables", `{}`))
		assert.Equal(t, noTables, x.as("B1", "ListTables", `{}`))
		assert.Equal(t, noTables, tableNames(x.emulator, "A1/20260102/eu-west-1"))
		assert.Equal(t, unknownClient, x.as("A3", "ListTables", `{}`))
		seen, unseen := x.emulator.Inspect().CountTables()
		assert.Equal(t, []int{1, 0}, []int{seen, unseen})
		f := x.emulator.Fork()
		assert.Equal(t, thatTable, tableNames(f, "A2/20260102/us-east-1"))
		assert.Equal(t, unknownClient, tableNames(f, "A3/20260102/us-east-1"))
		x.reopen()
	}
	assert.Equal(t, []string{"A1", "A2"}, x.emulator.Inspect().AccessKeys())
}

// TestForkAsPrincipal: in a fork for an access key that has no principal it acts as another one.
func TestForkAsPrincipal(t *testing.T) {
	e := New(WithIAM(twoAccounts(t)))
	createAs(t, e, "A1/20260102/us-east-1")
	f := e.ForkAs("A2", "T")
	e.Delegate("T", f)
	assert.Equal(t, thatTable, tableNames(e, "T/20260102/us-east-1"))
	assert.Equal(t, thatTable, tableNames(f, "A1/20260102/us-east-1"), "the fork has all accounts")
	assert.Nil(t, e.service.IAM.Principal("T"), "the original is as before")
	e.Delegate("T", nil)
	assert.Equal(t, unknownClient, tableNames(e, "T/20260102/us-east-1"))
}

// TestUnseenTables: what was written without accounts belongs to none of them.
func TestUnseenTables(t *testing.T) {
	x := newDurableTest(t)
	require.Contains(t, x.as("A1", "CreateTable", itemTables[0]), "TableDescription")
	x.opts = []Option{WithIAM(twoAccounts(t))}
	x.reopen()
	seen, unseen := x.emulator.Inspect().CountTables()
	assert.Equal(t, []int{0, 1}, []int{seen, unseen})
	assert.Equal(t, noTables, x.as("A1", "ListTables", `{}`))
	assert.True(t, x.emulator.Inspect().HasIAM())
}

// TestBorrowOf: the owner of data is an access key or, with WithIAM, an account.
func TestBorrowOf(t *testing.T) {
	for _, c := range []struct {
		name  string
		e     *Emulator
		owner string
	}{
		{"without accounts", New(), "A1"},
		{"with accounts", New(WithIAM(twoAccounts(t))), "111122223333"},
		{"shared", New(WithSharedData()), "anybody"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := answerOf(c.e,
				rawRequest("CreateTable", itemTables[0], scoped("A1/20260102/us-east-1")))
			require.Equal(t, http.StatusOK, w.Code)
			a := c.e.service.Namespaces.BorrowOf(c.owner, "us-east-1")
			defer a.GiveBack()
			assert.False(t, a.Store.Empty())
		})
	}
}

func TestSharedDataHasNoAccounts(t *testing.T) {
	assert.Panics(t, func() { New(WithIAM(twoAccounts(t)), WithSharedData()) })
	assert.Panics(t, func() { New(WithSharedData()).Fork(WithIAM(twoAccounts(t))) })
}
